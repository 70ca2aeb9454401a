/* test_stream.c - the secret stream: known answers, wiping, forks, no weak keys. */
/* suite: both */
#include "sampler_checks.h"

#include <sodium.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void chacha_matches_rfc_8439(void **state) {
  (void)state;
  assert_true(sfmi_stream_self_test());
  /* RFC 8439 2.4.2's key and nonce through the IETF variant, beside the block function's text */
  unsigned char key[32], nonce[12] = {0, 0, 0, 9, 0, 0, 0, 0x4a, 0, 0, 0, 0}, block[128];
  static const unsigned char expected[16] = {0x10, 0xf1, 0xe7, 0xe4, 0xd1, 0x3b, 0x59, 0x15,
                                             0x50, 0x0f, 0xdd, 0x1f, 0xa3, 0x20, 0x71, 0xc4};
  for (unsigned i = 0; i < 32; i++) key[i] = (unsigned char)i;
  crypto_stream_chacha20_ietf(block, sizeof block, nonce, key);
  assert_memory_equal(block + 64, expected, sizeof expected);
}

/* The words are ChaCha20's, last to first, and the next key is the 32 bytes never handed out. */
static void words_are_chacha_with_key_erasure(void **state) {
  (void)state;
  sfmi_stream *stream = seeded(7);
  unsigned char key[32] = {7}, nonce[8] = {0};
  uint64_t words[SFMI_STREAM_WORDS];
  for (int round = 0; round < 3; round++) {
    crypto_stream_chacha20((unsigned char *)words, sizeof words, nonce, key);
    for (size_t i = SFMI_STREAM_WORDS - 4; i-- > 0;) {
      assert_true(sfmi_stream_word(stream) == words[i]);
    }
    memcpy(key, words + SFMI_STREAM_WORDS - 4, 32);
  }
  sfmi_stream_destroy(stream);
}

static void words_handed_out_are_wiped(void **state) {
  (void)state;
  sfmi_stream *stream;
  assert_int_equal(sfmi_stream_create(&stream, NULL), SFM_OK);
  for (int i = 0; i < 100; i++) (void)sfmi_stream_word(stream);
  for (size_t i = stream->left; i < SFMI_STREAM_WORDS; i++) assert_true(stream->words[i] == 0);
  for (size_t i = 0; i < stream->left; i++) assert_true(stream->words[i] != 0);
  sfmi_stream_destroy(stream);
}

static void two_streams_differ_and_seeds_repeat(void **state) {
  (void)state;
  sfmi_stream *a, *b, *c = seeded(1), *d = seeded(1), *e = seeded(2);
  assert_int_equal(sfmi_stream_create(&a, NULL), SFM_OK);
  assert_int_equal(sfmi_stream_create(&b, NULL), SFM_OK);
  assert_true(sfmi_stream_word(a) != sfmi_stream_word(b));
  uint64_t first = sfmi_stream_word(c);
  assert_true(first == sfmi_stream_word(d));
  assert_true(first != sfmi_stream_word(e));
  sfmi_stream_destroy(a);
  sfmi_stream_destroy(b);
  sfmi_stream_destroy(c);
  sfmi_stream_destroy(d);
  sfmi_stream_destroy(e);
}

/* Draws 2000 words in a child and in the parent after the fork; true if any is common. */
static bool fork_repeats(sfmi_stream *stream) {
  enum { COUNT = 2000 };
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  (void)sfmi_stream_word(stream);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    for (int i = 0; i < COUNT; i++) {
      uint64_t word = sfmi_stream_word(stream);
      if (write(ends[1], &word, sizeof word) != sizeof word) _exit(1);
    }
    _exit(0);
  }
  close(ends[1]);
  static uint64_t theirs[COUNT], ours[COUNT];
  for (int i = 0; i < COUNT; i++) {
    assert_int_equal(read(ends[0], theirs + i, sizeof *theirs), sizeof *theirs);
    ours[i] = sfmi_stream_word(stream);
  }
  close(ends[0]);
  int status;
  waitpid(child, &status, 0);
  assert_int_equal(status, 0);
  for (int i = 0; i < COUNT; i++) {
    for (int j = 0; j < COUNT; j++) {
      if (theirs[i] == ours[j]) return true;
    }
  }
  return false;
}

static void a_forked_child_never_repeats_its_parent(void **state) {
  (void)state;
  sfmi_stream *stream;
  assert_int_equal(sfmi_stream_create(&stream, NULL), SFM_OK);
  assert_false(fork_repeats(stream));
  sfmi_stream_destroy(stream);
}

/* Where the kernel cannot wipe pages the process number is compared at every word. */
static void the_process_check_also_protects_a_child(void **state) {
  (void)state;
  sfmi_stream *ordinary = seeded(3), *checked = malloc(sizeof *checked);
  *checked = *ordinary; /* on the heap: not wiped on fork */
  checked->process = getpid();
  for (int i = 0; i < 5000; i++) {
    assert_true(sfmi_stream_word(checked) == sfmi_stream_word(ordinary));
    assert_true(checked->left == 0);
  }
  assert_false(fork_repeats(checked));
  /* the twin without the check repeats: the test can fail */
  sfmi_stream *twin = malloc(sizeof *twin);
  *twin = *ordinary;
  assert_true(fork_repeats(twin));
  free(twin);
  free(checked);
  sfmi_stream_destroy(ordinary);
}

static bool no_entropy(void *bytes, size_t count) {
  (void)bytes;
  (void)count;
  return false;
}

static void without_entropy_there_is_no_stream(void **state) {
  (void)state;
  sfmi_stream *stream = (sfmi_stream *)1;
  sfm_error error;
  assert_int_equal(sfmi_stream_create_with(&stream, no_entropy, &error), SFM_IO);
  assert_null(stream);
  assert_non_null(strstr(error.message, "entropy"));
  sfmi_stream_destroy(NULL);
}

/* In kB, of this process. */
static long locked_memory(void) {
  char line[256];
  long size = -1;
  FILE *file = fopen("/proc/self/status", "r");
  assert_non_null(file);
  while (size < 0 && fgets(line, sizeof line, file)) (void)sscanf(line, "VmLck: %ld kB", &size);
  fclose(file);
  return size;
}

/* Where nothing may be locked, a stream is made all the same. */
static void the_key_is_locked_in_memory(void **state) {
  (void)state;
  struct rlimit limit;
  sfmi_stream *stream;
  sfm_error error;
  const long before = locked_memory();
  assert_int_equal(getrlimit(RLIMIT_MEMLOCK, &limit), 0);
  assert_int_equal(sfmi_stream_create(&stream, &error), SFM_OK);
#ifndef __SANITIZE_ADDRESS__ /* the sanitizer makes mlock do nothing */
  if (before >= 0 && limit.rlim_cur >= 1 << 16) assert_true(locked_memory() > before);
#endif
  sfmi_stream_destroy(stream);
  assert_true(locked_memory() == before);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chacha_matches_rfc_8439),
      cmocka_unit_test(words_are_chacha_with_key_erasure),
      cmocka_unit_test(words_handed_out_are_wiped),
      cmocka_unit_test(two_streams_differ_and_seeds_repeat),
      cmocka_unit_test(a_forked_child_never_repeats_its_parent),
      cmocka_unit_test(the_process_check_also_protects_a_child),
      cmocka_unit_test(without_entropy_there_is_no_stream),
      cmocka_unit_test(the_key_is_locked_in_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
