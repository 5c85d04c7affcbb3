// SPDX-License-Identifier: Apache-2.0
//
// Groestl-256, one message, portable 64-bit C: a column in each word, SubBytes and MixBytes of a
// byte by a table.

#include "groestl.h"

// What a byte in row 0 makes of its column, row 0 lowest; in row i it is turned by i bytes.
static const uint64_t column[256] = {
    0xc6a597f4a5f432c6, 0xf884eb9784976ff8, 0xee99c7b099b05eee, 0xf68df78c8d8c7af6,
    0xff0de5170d17e8ff, 0xd6bdb7dcbddc0ad6, 0xdeb1a7c8b1c816de, 0x915439fc54fc6d91,
    0x6050c0f050f09060, 0x0203040503050702, 0xcea987e0a9e02ece, 0x567dac877d87d156,
    0xe719d52b192bcce7, 0xb56271a662a613b5, 0x4de69a31e6317c4d, 0xec9ac3b59ab559ec,
    0x8f4505cf45cf408f, 0x1f9d3ebc9dbca31f, 0x894009c040c04989, 0xfa87ef92879268fa,
    0xef15c53f153fd0ef, 0xb2eb7f26eb2694b2, 0x8ec90740c940ce8e, 0xfb0bed1d0b1de6fb,
    0x41ec822fec2f6e41, 0xb3677da967a91ab3, 0x5ffdbe1cfd1c435f, 0x45ea8a25ea256045,
    0x23bf46dabfdaf923, 0x53f7a602f7025153, 0xe496d3a196a145e4, 0x9b5b2ded5bed769b,
    0x75c2ea5dc25d2875, 0xe11cd9241c24c5e1, 0x3dae7ae9aee9d43d, 0x4c6a98be6abef24c,
    0x6c5ad8ee5aee826c, 0x7e41fcc341c3bd7e, 0xf502f1060206f3f5, 0x834f1dd14fd15283,
    0x685cd0e45ce48c68, 0x51f4a207f4075651, 0xd134b95c345c8dd1, 0xf908e9180818e1f9,
    0xe293dfae93ae4ce2, 0xab734d9573953eab, 0x6253c4f553f59762, 0x2a3f54413f416b2a,
    0x080c10140c141c08, 0x955231f652f66395, 0x46658caf65afe946, 0x9d5e21e25ee27f9d,
    0x3028607828784830, 0x37a16ef8a1f8cf37, 0x0a0f14110f111b0a, 0x2fb55ec4b5c4eb2f,
    0x0e091c1b091b150e, 0x2436485a365a7e24, 0x1b9b36b69bb6ad1b, 0xdf3da5473d4798df,
    0xcd26816a266aa7cd, 0x4e699cbb69bbf54e, 0x7fcdfe4ccd4c337f, 0xea9fcfba9fba50ea,
    0x121b242d1b2d3f12, 0x1d9e3ab99eb9a41d, 0x5874b09c749cc458, 0x342e68722e724634,
    0x362d6c772d774136, 0xdcb2a3cdb2cd11dc, 0xb4ee7329ee299db4, 0x5bfbb616fb164d5b,
    0xa4f65301f601a5a4, 0x764decd74dd7a176, 0xb76175a361a314b7, 0x7dcefa49ce49347d,
    0x527ba48d7b8ddf52, 0xdd3ea1423e429fdd, 0x5e71bc937193cd5e, 0x139726a297a2b113,
    0xa6f55704f504a2a6, 0xb96869b868b801b9, 0x0000000000000000, 0xc12c99742c74b5c1,
    0x406080a060a0e040, 0xe31fdd211f21c2e3, 0x79c8f243c8433a79, 0xb6ed772ced2c9ab6,
    0xd4beb3d9bed90dd4, 0x8d4601ca46ca478d, 0x67d9ce70d9701767, 0x724be4dd4bddaf72,
    0x94de3379de79ed94, 0x98d42b67d467ff98, 0xb0e87b23e82393b0, 0x854a11de4ade5b85,
    0xbb6b6dbd6bbd06bb, 0xc52a917e2a7ebbc5, 0x4fe59e34e5347b4f, 0xed16c13a163ad7ed,
    0x86c51754c554d286, 0x9ad72f62d762f89a, 0x6655ccff55ff9966, 0x119422a794a7b611,
    0x8acf0f4acf4ac08a, 0xe910c9301030d9e9, 0x0406080a060a0e04, 0xfe81e798819866fe,
    0xa0f05b0bf00baba0, 0x7844f0cc44ccb478, 0x25ba4ad5bad5f025, 0x4be3963ee33e754b,
    0xa2f35f0ef30eaca2, 0x5dfeba19fe19445d, 0x80c01b5bc05bdb80, 0x058a0a858a858005,
    0x3fad7eecadecd33f, 0x21bc42dfbcdffe21, 0x7048e0d848d8a870, 0xf104f90c040cfdf1,
    0x63dfc67adf7a1963, 0x77c1ee58c1582f77, 0xaf75459f759f30af, 0x426384a563a5e742,
    0x2030405030507020, 0xe51ad12e1a2ecbe5, 0xfd0ee1120e12effd, 0xbf6d65b76db708bf,
    0x814c19d44cd45581, 0x1814303c143c2418, 0x26354c5f355f7926, 0xc32f9d712f71b2c3,
    0xbee16738e13886be, 0x35a26afda2fdc835, 0x88cc0b4fcc4fc788, 0x2e395c4b394b652e,
    0x93573df957f96a93, 0x55f2aa0df20d5855, 0xfc82e39d829d61fc, 0x7a47f4c947c9b37a,
    0xc8ac8befacef27c8, 0xbae76f32e73288ba, 0x322b647d2b7d4f32, 0xe695d7a495a442e6,
    0xc0a09bfba0fb3bc0, 0x199832b398b3aa19, 0x9ed12768d168f69e, 0xa37f5d817f8122a3,
    0x446688aa66aaee44, 0x547ea8827e82d654, 0x3bab76e6abe6dd3b, 0x0b83169e839e950b,
    0x8cca0345ca45c98c, 0xc729957b297bbcc7, 0x6bd3d66ed36e056b, 0x283c50443c446c28,
    0xa779558b798b2ca7, 0xbce2633de23d81bc, 0x161d2c271d273116, 0xad76419a769a37ad,
    0xdb3bad4d3b4d96db, 0x6456c8fa56fa9e64, 0x744ee8d24ed2a674, 0x141e28221e223614,
    0x92db3f76db76e492, 0x0c0a181e0a1e120c, 0x486c90b46cb4fc48, 0xb8e46b37e4378fb8,
    0x9f5d25e75de7789f, 0xbd6e61b26eb20fbd, 0x43ef862aef2a6943, 0xc4a693f1a6f135c4,
    0x39a872e3a8e3da39, 0x31a462f7a4f7c631, 0xd337bd5937598ad3, 0xf28bff868b8674f2,
    0xd532b156325683d5, 0x8b430dc543c54e8b, 0x6e59dceb59eb856e, 0xdab7afc2b7c218da,
    0x018c028f8c8f8e01, 0xb16479ac64ac1db1, 0x9cd2236dd26df19c, 0x49e0923be03b7249,
    0xd8b4abc7b4c71fd8, 0xacfa4315fa15b9ac, 0xf307fd090709faf3, 0xcf25856f256fa0cf,
    0xcaaf8feaafea20ca, 0xf48ef3898e897df4, 0x47e98e20e9206747, 0x1018202818283810,
    0x6fd5de64d5640b6f, 0xf088fb83888373f0, 0x4a6f94b16fb1fb4a, 0x5c72b8967296ca5c,
    0x3824706c246c5438, 0x57f1ae08f1085f57, 0x73c7e652c7522173, 0x975135f351f36497,
    0xcb238d652365aecb, 0xa17c59847c8425a1, 0xe89ccbbf9cbf57e8, 0x3e217c6321635d3e,
    0x96dd377cdd7cea96, 0x61dcc27fdc7f1e61, 0x0d861a9186919c0d, 0x0f851e9485949b0f,
    0xe090dbab90ab4be0, 0x7c42f8c642c6ba7c, 0x71c4e257c4572671, 0xccaa83e5aae529cc,
    0x90d83b73d873e390, 0x06050c0f050f0906, 0xf701f5030103f4f7, 0x1c12383612362a1c,
    0xc2a39ffea3fe3cc2, 0x6a5fd4e15fe18b6a, 0xaef94710f910beae, 0x69d0d26bd06b0269,
    0x17912ea891a8bf17, 0x995829e858e87199, 0x3a2774692769533a, 0x27b94ed0b9d0f727,
    0xd938a948384891d9, 0xeb13cd351335deeb, 0x2bb356ceb3cee52b, 0x2233445533557722,
    0xd2bbbfd6bbd604d2, 0xa9704990709039a9, 0x07890e8089808707, 0x33a766f2a7f2c133,
    0x2db65ac1b6c1ec2d, 0x3c22786622665a3c, 0x15922aad92adb815, 0xc92089602060a9c9,
    0x874915db49db5c87, 0xaaff4f1aff1ab0aa, 0x5078a0887888d850, 0xa57a518e7a8e2ba5,
    0x038f068a8f8a8903, 0x59f8b213f8134a59, 0x0980129b809b9209, 0x1a1734391739231a,
    0x65daca75da751065, 0xd731b553315384d7, 0x84c61351c651d584, 0xd0b8bbd3b8d303d0,
    0x82c31f5ec35edc82, 0x29b052cbb0cbe229, 0x5a77b4997799c35a, 0x1e113c3311332d1e,
    0x7bcbf646cb463d7b, 0xa8fc4b1ffc1fb7a8, 0x6dd6da61d6610c6d, 0x2c3a584e3a4e622c,
};

typedef struct {
  uint64_t h[8];
} chain;

static inline uint64_t rotate_left(uint64_t word, unsigned count) {
  return word << count | word >> (64 - count);
}

// leaks: the table's entries.
#define BYTE(j, i) column[x[((j) + (i)) % 8] >> 8 * (i) & 0xff]
#define COLUMN(j)                                                                           \
  (BYTE(j, 0) ^ rotate_left(BYTE(j, 1), 8) ^ rotate_left(BYTE(j, 2), 16) ^                  \
   rotate_left(BYTE(j, 3), 24) ^ rotate_left(BYTE(j, 4), 32) ^ rotate_left(BYTE(j, 5), 40) ^ \
   rotate_left(BYTE(j, 6), 48) ^ rotate_left(BYTE(j, 7), 56))

// SubBytes, ShiftBytes and MixBytes.
static inline void round_of(uint64_t x[8]) {
  const uint64_t y[8] = {COLUMN(0), COLUMN(1), COLUMN(2), COLUMN(3),
                         COLUMN(4), COLUMN(5), COLUMN(6), COLUMN(7)};
  memcpy(x, y, sizeof y);
}

static void start(chain *c) {
  memset(c, 0, sizeof *c);
  c->h[7] = UINT64_C(1) << 48;  // the bits of the digest, 256, as the last bytes of a block
}

static void permute_p(uint64_t x[8]) {
  for (uint64_t i = 0; i < GROESTL_ROUNDS; i++) {
    x[0] ^= i;
    round_of(x);
  }
}

static void permute_q(uint64_t x[8]) {
  for (uint64_t i = 0; i < GROESTL_ROUNDS; i++) {
    x[0] ^= (i ^ 0xff) << 56;
    round_of(x);
  }
}

static void compress(chain *c, const uint8_t *in, size_t blocks) {
  for (; blocks != 0; blocks--, in += GROESTL_BLOCK_BYTES) {
    uint64_t p[8], q[8];
    for (size_t j = 0; j < 8; j++) {
      q[j] = load64_le(in + 8 * j);
      p[j] = c->h[j] ^ q[j];
    }
    permute_p(p);
    permute_q(q);
    for (size_t j = 0; j < 8; j++) c->h[j] ^= p[j] ^ q[j];
  }
}

static void finish(uint8_t *out, const chain *c) {
  uint64_t p[8];
  memcpy(p, c->h, sizeof p);
  permute_p(p);
  for (size_t j = 4; j < 8; j++) store64_le(out + 8 * (j - 4), p[j] ^ c->h[j]);
}

#define HASH_IMPL "table64"
#define HASH_CPU_FLAGS ""
#include "single.h"
