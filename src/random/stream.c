#include "stream.h"

#include <errno.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

_Static_assert(crypto_stream_chacha20_KEYBYTES == SFMI_STREAM_KEY_BYTES, "key length");

static const unsigned char zero_nonce[crypto_stream_chacha20_NONCEBYTES];

static bool system_entropy(void *bytes, size_t count) {
  unsigned char *next = bytes;
  while (count) {
    ssize_t got = getrandom(next, count, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    next += got;
    count -= (size_t)got;
  }
  return true;
}

bool sfmi_stream_self_test(void) {
  /* RFC 8439, A.1: vector 1 (zero key, block 0) and vector 3 (key 0...01, block 1). */
  static const unsigned char expected[2][32] = {
      {0x76, 0xb8, 0xe0, 0xad, 0xa0, 0xf1, 0x3d, 0x90, 0x40, 0x5d, 0x6a,
       0xe5, 0x53, 0x86, 0xbd, 0x28, 0xbd, 0xd2, 0x19, 0xb8, 0xa0, 0x8d,
       0xed, 0x1a, 0xa8, 0x36, 0xef, 0xcc, 0x8b, 0x77, 0x0d, 0xc7},
      {0x3a, 0xeb, 0x52, 0x24, 0xec, 0xf8, 0x49, 0x92, 0x9b, 0x9d, 0x82,
       0x8d, 0xb1, 0xce, 0xd4, 0xdd, 0x83, 0x20, 0x25, 0xe8, 0x01, 0x8b,
       0x81, 0x60, 0xb8, 0x22, 0x84, 0xf3, 0xc9, 0x49, 0xaa, 0x5a}};
  unsigned char key[SFMI_STREAM_KEY_BYTES] = {0}, block[128];
  bool good = true;
  for (unsigned i = 0; i < 2; i++) {
    key[31] = (unsigned char)i;
    crypto_stream_chacha20(block, sizeof block, zero_nonce, key);
    good = good && memcmp(block + 64 * i, expected[i], 32) == 0;
  }
  return good;
}

/* words := ChaCha20(key); its first 32 bytes become the next key. */
static void generate(sfmi_stream *stream) {
  crypto_stream_chacha20((unsigned char *)stream->words, sizeof stream->words, zero_nonce,
                         stream->key);
  memcpy(stream->key, stream->words + SFMI_STREAM_WORDS - 4, sizeof stream->key);
  sodium_memzero(stream->words + SFMI_STREAM_WORDS - 4, sizeof stream->key);
}

uint64_t sfmi_stream_refill(sfmi_stream *stream) {
  bool forked = stream->alive == 0 || (stream->process && stream->process != getpid());
  if (forked) {
    sfmi_entropy *entropy = stream->entropy ? stream->entropy : system_entropy;
    if (!entropy(stream->key, sizeof stream->key)) abort();
    if (stream->process) stream->process = getpid();
    sodium_memzero(stream->words, sizeof stream->words);
    stream->alive = 1;
  }
  if (stream->alive == 1) {
    generate(stream);
    stream->alive = SFMI_STREAM_WORDS - 4 + 1;
  }
  if (stream->process) {
    uint64_t word = stream->words[--stream->alive - 1];
    stream->words[stream->alive - 1] = 0;
    return word;
  }
  stream->alive = 1;
  stream->left = SFMI_STREAM_WORDS - 4;
  return sfmi_stream_word(stream);
}

/* Pages for a stream: wiped on fork (or watched by process number), kept out of core dumps and,
 * where the limit on locked memory allows it, of swap. */
static sfm_status allocate(sfmi_stream **out, sfm_error *error) {
  *out = NULL;
  if (sodium_init() < 0) {
    return sfmi_fail(error, SFM_INTERNAL, "libsodium could not start: no noise can be drawn");
  }
  if (!sfmi_stream_self_test()) {
    return sfmi_fail(error, SFM_INTERNAL,
                     "the ChaCha20 self-test failed: this libsodium does not compute what RFC 8439 "
                     "says, so no noise is drawn; install a correct libsodium");
  }
  sfmi_stream *stream =
      mmap(NULL, sizeof *stream, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (stream == MAP_FAILED) return sfmi_fail_memory(error);
  (void)madvise(stream, sizeof *stream, MADV_DONTDUMP);
  (void)mlock(stream, sizeof *stream);
  if (madvise(stream, sizeof *stream, MADV_WIPEONFORK) != 0) stream->process = getpid();
  stream->alive = 1;
  *out = stream;
  return SFM_OK;
}

sfm_status sfmi_stream_create_with(sfmi_stream **out, sfmi_entropy *entropy, sfm_error *error) {
  sfm_status status = allocate(out, error);
  if (status) return status;
  (*out)->entropy = entropy;
  if (entropy((*out)->key, sizeof(*out)->key)) return SFM_OK;
  sfmi_stream_destroy(*out);
  *out = NULL;
  return sfmi_fail(error, SFM_IO,
                   "the operating system gave no entropy (getrandom failed): noise cannot be drawn "
                   "safely; run where getrandom is allowed");
}

sfm_status sfmi_stream_create(sfmi_stream **out, sfm_error *error) {
  return sfmi_stream_create_with(out, system_entropy, error);
}

sfm_status sfmi_stream_create_seeded(sfmi_stream **out, uint64_t seed, sfm_error *error) {
  sfm_status status = allocate(out, error);
  if (status) return status;
  (*out)->entropy = system_entropy;
  for (unsigned i = 0; i < 8; i++) (*out)->key[i] = (unsigned char)(seed >> (8 * i));
  return SFM_OK;
}

void sfmi_stream_destroy(sfmi_stream *stream) {
  if (!stream) return;
  sodium_memzero(stream, sizeof *stream);
  munmap(stream, sizeof *stream);
}
