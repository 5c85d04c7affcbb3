// SPDX-License-Identifier: Apache-2.0
#ifndef TWO_FILES_H
#define TWO_FILES_H

struct sample { short left, right; };

extern const unsigned char ulaw_exponent[256];
extern unsigned clipped;
unsigned char ulaw(short pcm);

// C99 inline: the other file has the definition with linkage.
inline short mono(struct sample s) { return (short)((s.left + s.right) / 2); }

static inline int min(int a, int b) { return a < b ? a : b; }

#endif
