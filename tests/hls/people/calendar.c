// SPDX-License-Identifier: Apache-2.0
// top: civil
// Days since 1970 to a date, its weekday and its place in the year (Hinnant's algorithm).
typedef struct date {
  int year;
  unsigned char month, day, weekday;
  unsigned short yearday;
} Date;

static int is_leap(int y) { return (!(y % 4) && y % 100) || !(y % 400); }

int civil(int days, Date *d) {
  static const unsigned short before[12] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
  int z = days + 719468;
  const int era = (z >= 0 ? z : z - 146096) / 146097;
  const unsigned doe = (unsigned)(z - era * 146097);
  const unsigned yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
  const unsigned doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
  const unsigned mp = (5 * doy + 2) / 153;
  d->day = (unsigned char)(doy - (153 * mp + 2) / 5 + 1);
  d->month = (unsigned char)(mp < 10 ? mp + 3 : mp - 9);
  d->year = (int)yoe + era * 400 + (d->month <= 2);
  int w = (days % 7 + 4) % 7;
  d->weekday = (unsigned char)(w < 0 ? w + 7 : w);
  d->yearday = (unsigned short)(before[d->month - 1] + d->day + (d->month > 2 && is_leap(d->year)));
  return d->year * 10000 + d->month * 100 + d->day;
}

int main(void) {
  static const struct { int days, date; unsigned weekday, yearday; } t[] = {
      {0, 19700101, 4, 1}, {11016, 20000229, 2, 60}, {-1, 19691231, 3, 365}, {19782, 20240229, 4,
          60},
      {20088, 20241231, 2, 366}, {-719162, 10101, 1, 1}, {-135081, 16000229, 2, 60}, {24855,
          20380119, 2, 19},
  };
  for (unsigned i = 0; i < sizeof t / sizeof *t; i++) {
    Date d = {0};
    if (civil(t[i].days, &d) != t[i].date) return (int)i + 1;
    if (d.weekday != t[i].weekday || d.yearday != t[i].yearday) return 20 + (int)i;
  }
  return 0;
}
