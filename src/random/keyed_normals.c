#include "keyed_normals.h"

#include <assert.h>
#include <math.h>
#include <sodium.h>

_Static_assert(crypto_stream_chacha20_NONCEBYTES == sizeof(uint64_t), "a node is a nonce");

static void store_word(unsigned char *bytes, uint64_t word) {
  for (unsigned i = 0; i < 8; i++) bytes[i] = (unsigned char)(word >> (8 * i));
}

static uint64_t load_word(const unsigned char *bytes) {
  uint64_t word = 0;
  for (unsigned i = 0; i < 8; i++) word |= (uint64_t)bytes[i] << (8 * i);
  return word;
}

/* The 2^52 midpoints of (0, 1), as sfmi_idealised_uniform. */
static double uniform(const unsigned char *bytes) {
  return ((double)(load_word(bytes) >> 12) + 0.5) * 0x1p-52;
}

void sfmi_keyed_normals(const unsigned char key[SFMI_STREAM_KEY_BYTES], uint64_t node,
                        double *normals, size_t count) {
  assert(count >= 1 && count <= SFMI_KEYED_NORMALS_MAX);
  unsigned char nonce[8], words[8 * SFMI_KEYED_NORMALS_MAX];
  store_word(nonce, node);
  crypto_stream_chacha20(words, 8 * (count + count % 2), nonce, key);
  for (size_t i = 0; i < count; i += 2) {
    const double radius = sqrt(-2 * log(uniform(words + 8 * i)));
    const double angle = 2 * M_PI * uniform(words + 8 * i + 8);
    normals[i] = radius * cos(angle);
    if (i + 1 < count) normals[i + 1] = radius * sin(angle);
  }
  sodium_memzero(words, sizeof words);
}
