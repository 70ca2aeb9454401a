/* test_ledger_damage.c - ledgers cut short, with flipped bits, with pages of older copies, without
 * the journal they needed or with one they did not: refused, or as good as before; never a crash,
 * never more shown than was charged. */
/* suite: both */
#include "test_support.h"

#include <unistd.h>

#include "child_process.h"
#include "ledger_forgery.h"

static scenario w;
static unsigned char *file;
static size_t length;

/* r1, ..., r60 of 66 that fit, and "old": the same before the last thirty. */
static void make_base(bool anchored) {
  scenario_init(&w, anchored);
  w.epsilon = 0.66;
  w.guarantee = scenario_pure(0.01);
  w.requests = 30;
  if (child_run(scenario_client, &w, NULL).code) fail_msg("%s", w.report->text);
  forge_keep(&w, "old");
  w.requests = 60;
  if (child_run(scenario_client, &w, NULL).code) fail_msg("%s", w.report->text);
  forge_keep(&w, "base");
  file = forge_read(w.ledger, &length);
  assert_non_null(file);
}

static int base(void **state) {
  (void)state;
  make_base(false);
  return 0;
}

static int anchored_base(void **state) {
  (void)state;
  make_base(true);
  return 0;
}

static int clear(void **state) {
  (void)state;
  free(file);
  scenario_clear(&w);
  return 0;
}

/* Two bytes of the header, big-endian. */
static size_t page_size(void) {
  const size_t size = (size_t)file[16] << 8 | file[17];
  return size == 1 ? 65536 : size;
}

static int try_bytes(const unsigned char *bytes, size_t count, const char *what) {
  forge_restore(&w, "base", FORGE_ALL);
  forge_write(w.ledger, bytes, count);
  return forge_try(&w, what);
}

static void a_file_cut_short_is_refused(void **state) {
  (void)state;
  sfmi_prng prng;
  char what[80];
  const size_t page = page_size(), more = test_long() ? 3000 : 150 / CHILD_STRIDE;
  sfmi_prng_init(&prng, 1);
  for (size_t i = 0; i < length / page + more; i++) {
    const size_t cut = i < length / page ? i * page : sfmi_prng_word(&prng) % length;
    snprintf(what, sizeof what, "cut to %zu of %zu bytes", cut, length);
    if (try_bytes(file, cut, what) & FORGE_OPENED) fail_msg("%s: opened", what);
  }
}

/* A flipped bit may hit what nobody reads: then the file verifies, and is as good as before. */
static void flipped_bits_are_detected_or_harmless(void **state) {
  (void)state;
  sfmi_prng prng;
  char what[80];
  size_t refused = 0, detected = 0, harmless = 0;
  const size_t flips = test_long() ? 20000 : 300 / CHILD_STRIDE;
  sfmi_prng_init(&prng, 2);
  for (size_t i = 0; i < flips; i++) {
    const size_t at = i % 3 ? sfmi_prng_word(&prng) % length : i / 3; /* the header, and anywhere */
    const int bit = (int)(sfmi_prng_word(&prng) % 8);
    file[at] ^= (unsigned char)(1 << bit);
    snprintf(what, sizeof what, "bit %d of byte %zu flipped", bit, at);
    const int got = try_bytes(file, length, what);
    file[at] ^= (unsigned char)(1 << bit);
    refused += !(got & FORGE_OPENED);
    detected += got == FORGE_OPENED;
    harmless += got == (FORGE_OPENED | FORGE_VERIFIED);
  }
  print_message("%zu bits flipped: %zu refused when opened, %zu by verify, %zu harmless\n", flips,
                refused, detected, harmless);
  assert_true(refused > flips / 4);
}

/* Pages zeroed, swapped, repeated or taken from the old copy. */
static void pages_moved_are_detected_or_harmless(void **state) {
  (void)state;
  sfmi_prng prng;
  size_t old_length, harmless = 0;
  char path[128], what[80];
  snprintf(path, sizeof path, "%s/old.ledger", w.root);
  unsigned char *old = forge_read(path, &old_length), *bytes = malloc(length);
  const size_t page = page_size(), pages = length / page,
               rounds = test_long() ? 10000 : 250 / CHILD_STRIDE;
  assert_true(old && bytes && pages > 5);
  sfmi_prng_init(&prng, 3);
  for (size_t i = 0; i < rounds; i++) {
    memcpy(bytes, file, length);
    const size_t a = sfmi_prng_word(&prng) % pages, b = sfmi_prng_word(&prng) % pages;
    switch (i % 4) {
    case 0:
      memset(bytes + a * page, 0, page);
      break;
    case 1:
      memcpy(bytes + a * page, file + b * page, page);
      memcpy(bytes + b * page, file + a * page, page);
      break;
    case 2:
      memcpy(bytes + a * page, file + b * page, page);
      break;
    default:
      for (size_t p = 0; p < old_length / page && p < pages; p++)
        if (sfmi_prng_word(&prng) % 2) memcpy(bytes + p * page, old + p * page, page);
    }
    snprintf(what, sizeof what, "round %zu: pages %zu and %zu", i, a, b);
    harmless += try_bytes(bytes, length, what) == (FORGE_OPENED | FORGE_VERIFIED);
  }
  print_message("pages moved %zu times, %zu times without effect\n", rounds, harmless);
  assert_true(harmless < rounds / 2);
  free(old);
  free(bytes);
}

static void bytes_that_are_no_ledger_are_refused(void **state) {
  (void)state;
  sfmi_prng prng;
  static unsigned char noise[8192];
  sfmi_prng_init(&prng, 4);
  for (int i = 0; i < 20; i++) {
    for (size_t j = 0; j < sizeof noise; j++) noise[j] = (unsigned char)sfmi_prng_word(&prng);
    if (i % 2) memcpy(noise, file, 100); /* the header of a true one */
    if (try_bytes(noise, sizeof noise >> (i / 4), "noise") & FORGE_OPENED) fail_msg("opened");
  }
  assert_int_equal(try_bytes(noise, 0, "an empty file"), 0);
}

/* ---- journals ---- */

static interpose_plan planned(interpose_action action, uint64_t at) {
  return (interpose_plan){.folders = {w.here, w.there}, .action = action, .at = at};
}

/* From "base" on: a client that makes two more requests. */
static uint64_t count_calls(char *kinds) {
  interpose_plan plan = planned(INTERPOSE_COUNT, 0);
  forge_restore(&w, "base", FORGE_ALL);
  w.requests = 62;
  if (child_run(scenario_client, &w, &plan).code) fail_msg("%s", w.report->text);
  memcpy(kinds, child_report()->kind, INTERPOSE_CALLS);
  return child_report()->calls;
}

static void die_at(uint64_t at) {
  interpose_plan plan = planned(INTERPOSE_BEFORE, at);
  forge_restore(&w, "base", FORGE_ALL);
  if (child_run(scenario_client, &w, &plan).signal == 0)
    fail_msg("call %d was not reached", (int)at);
}

/* A client dies at each call, and the journal that would have put things right is thrown away. */
static void a_journal_that_was_needed_is_missed_or_not(void **state) {
  (void)state;
  static char kinds[INTERPOSE_CALLS];
  char journal[160], what[80];
  size_t refused = 0;
  snprintf(journal, sizeof journal, "%s-journal", w.ledger);
  const uint64_t calls = count_calls(kinds);
  for (uint64_t at = 1; at <= calls; at++) {
    /* What is written to the file itself is at risk: every such call, and some of the others. */
    if (kinds[at - 1] != INTERPOSE_SYNC && kinds[at - 1] != INTERPOSE_UNLINK && at % CHILD_STRIDE)
      continue;
    die_at(at);
    unlink(journal);
    snprintf(what, sizeof what, "died before call %d, journal removed", (int)at);
    refused += !(forge_try(&w, what) & FORGE_OPENED);
  }
  print_message("%d deaths without a journal, %zu refused\n", (int)calls, refused);
  assert_true(refused > 0);
}

/* The journal of each commit is put back later, when it is none of the ledger's business. */
static void a_journal_from_the_past_is_refused_or_harmless(void **state) {
  (void)state;
  static char kinds[INTERPOSE_CALLS];
  char journal[160], what[80];
  size_t refused = 0, tried = 0;
  snprintf(journal, sizeof journal, "%s-journal", w.ledger);
  const uint64_t calls = count_calls(kinds);
  for (uint64_t at = 1; at <= calls; at++) {
    size_t size;
    if (kinds[at - 1] != INTERPOSE_UNLINK) continue;
    die_at(at);
    unsigned char *bytes = forge_read(journal, &size);
    if (!bytes) continue;
    if (child_run(scenario_client, &w, NULL).code) fail_msg("%s", w.report->text);
    forge_write(journal, bytes, size);
    free(bytes);
    snprintf(what, sizeof what, "the journal of call %d put back", (int)at);
    refused += !(forge_try(&w, what) & FORGE_OPENED);
    tried++;
  }
  print_message("%zu journals from the past, %zu refused\n", tried, refused);
  assert_true(tried >= 4 && refused > 0);
}

#define BASE(test) cmocka_unit_test_setup_teardown(test, base, clear)
#define ANCHORED(test) cmocka_unit_test_setup_teardown(test, anchored_base, clear)

int main(void) {
  const struct CMUnitTest tests[] = {
      BASE(a_file_cut_short_is_refused),
      BASE(flipped_bits_are_detected_or_harmless),
      ANCHORED(pages_moved_are_detected_or_harmless),
      BASE(bytes_that_are_no_ledger_are_refused),
      BASE(a_journal_that_was_needed_is_missed_or_not),
      ANCHORED(a_journal_that_was_needed_is_missed_or_not),
      ANCHORED(a_journal_from_the_past_is_refused_or_harmless),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
