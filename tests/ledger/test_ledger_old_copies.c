/* test_ledger_old_copies.c - old copies of a ledger put back: with an anchor each is refused,
 * whichever stage it is from and whenever it comes back. */
#include "test_support.h"

#include <unistd.h>

#include "child_process.h"
#include "ledger_forgery.h"

enum { STAGES = 46 }; /* 46 x 45 / 2 = 1035 old copies */

/* The next thing that happens to a ledger. */
static void advance(const scenario *w, int stage) {
  sfm_ledger *ledger;
  sfm_error error;
  char name[32];
  const sfm_dataset another = {.name = name, .epsilon = 1, .accounting = SFM_ACCOUNTING_BASIC};
  assert_ok(sfm_ledger_open(&ledger, w->ledger, &error), &error);
  snprintf(name, sizeof name, "s%d", stage);
  if (stage % 9 == 5) {
    assert_ok(sfm_ledger_create(w->ledger, NULL, &another, &error), &error);
  } else if (stage % 9 == 6) {
    snprintf(name, sizeof name, "s%d", stage - 1);
    assert_ok(sfm_ledger_close_dataset(ledger, name, &error), &error);
  } else if (stage % 2) {
    assert_ok(scenario_charge(w, ledger, name, &w->guarantee, &error), &error);
  } else {
    assert_ok(scenario_request(w, ledger, name, &error), &error);
  }
  sfm_ledger_close(ledger);
}

/* Advances through all stages; visit sees each, with every earlier one kept as "0", "1", ... */
static void live(scenario *w, void (*visit)(const scenario *w, int stage)) {
  w->epsilon = 1000;
  w->requests = 0;
  if (child_run(scenario_client, w, NULL).code) fail_msg("%s", w->report->text);
  for (int stage = 0; stage < STAGES; stage++) {
    char name[16];
    if (stage) advance(w, stage);
    snprintf(name, sizeof name, "%d", stage);
    forge_keep(w, name);
    visit(w, stage);
    forge_restore(w, name, FORGE_ALL);
  }
  if (child_run(scenario_check, w, NULL).code) fail_msg("%s", w->report->text);
}

static int refusals;

static void expect_refusal(const scenario *w, const char *words, const char *what) {
  sfm_ledger *ledger;
  sfm_error error = {0};
  const sfm_status status = sfm_ledger_open(&ledger, w->ledger, &error);
  if (status != SFM_REFUSED || !strstr(error.message, words))
    fail_msg("%s: status %d: %s", what, (int)status, error.message);
  assert_null(ledger);
  refusals++;
}

static void put_back_every_earlier_one(const scenario *w, int stage) {
  for (int old = 0; old < stage; old++) {
    char name[16], what[60];
    snprintf(name, sizeof name, "%d", old);
    snprintf(what, sizeof what, "copy %d at stage %d", old, stage);
    forge_restore(w, name, FORGE_LEDGER);
    expect_refusal(w, "old copy", what);
  }
}

static void an_old_copy_is_refused(void **state) {
  (void)state;
  scenario w;
  scenario_init(&w, true);
  refusals = 0;
  live(&w, put_back_every_earlier_one);
  print_message("%d old copies were put back, all were refused\n", refusals);
  assert_true(refusals >= 1000);
  scenario_clear(&w);
}

/* The file changes under a process that has it open: it is refused there too, also without an
 * anchor, since what was read before must still be there. */
static void swap_under_an_open_ledger(const scenario *w, int stage) {
  sfm_ledger *ledger;
  sfm_error error;
  char name[16];
  if (stage % 5 != 4) return;
  for (int old = 0; old < stage; old += 3) {
    snprintf(name, sizeof name, "%d", stage);
    forge_restore(w, name, FORGE_LEDGER);
    assert_ok(sfm_ledger_open(&ledger, w->ledger, &error), &error);
    snprintf(name, sizeof name, "%d", old);
    forge_restore(w, name, FORGE_LEDGER);
    const sfm_status status = scenario_charge(w, ledger, "x", &w->guarantee, &error);
    sfm_ledger_close(ledger);
    if (status != SFM_REFUSED)
      fail_msg("copy %d under an open ledger at stage %d: status %d", old, stage, (int)status);
  }
}

static void an_old_copy_under_an_open_ledger_is_refused(void **state) {
  (void)state;
  for (int anchored = 0; anchored < 2; anchored++) {
    scenario w;
    scenario_init(&w, anchored);
    live(&w, swap_under_an_open_ledger);
    scenario_clear(&w);
  }
}

/* An old copy and its old anchor lived on, past the length of the true history; then the true
 * anchor comes back. */
static void another_past(const scenario *w, int stage) {
  sfm_ledger *ledger;
  sfm_error error;
  char old[16], now[16], request[32];
  if (stage < 3 || stage % 4) return;
  snprintf(old, sizeof old, "%d", stage / 2);
  snprintf(now, sizeof now, "%d", stage);
  forge_restore(w, old, FORGE_LEDGER | FORGE_ANCHOR);
  assert_ok(sfm_ledger_open(&ledger, w->ledger, &error), &error);
  for (int i = 0; i < STAGES; i++) {
    snprintf(request, sizeof request, "other-%d", i);
    assert_ok(scenario_charge(w, ledger, request, &w->guarantee, &error), &error);
  }
  sfm_ledger_close(ledger);
  forge_restore(w, now, FORGE_ANCHOR);
  expect_refusal(w, "another history", now);
}

static void another_past_is_refused(void **state) {
  (void)state;
  scenario w;
  scenario_init(&w, true);
  live(&w, another_past);
  scenario_clear(&w);
}

/* Without its anchor, with another ledger's, or with nonsense in its place. */
static void an_anchor_cannot_be_done_without(void **state) {
  (void)state;
  scenario w, other;
  sfm_ledger *ledger;
  sfm_error error;
  scenario_init(&w, true);
  scenario_init(&other, true);
  if (child_run(scenario_client, &w, NULL).code || child_run(scenario_client, &other, NULL).code)
    fail_msg("%s%s", w.report->text, other.report->text);
  forge_keep(&w, "good");
  size_t length;
  unsigned char *bytes = forge_read(w.anchor, &length);
  unlink(w.anchor);
  expect_refusal(&w, "is missing", "no anchor");
  for (size_t cut = 0; cut < length; cut += 7) {
    forge_write(w.anchor, bytes, cut);
    expect_refusal(&w, "not an anchor", "a cut anchor");
  }
  for (size_t i = 0; i < length; i++) {
    const unsigned char was = bytes[i];
    bytes[i] ^= 1;
    forge_write(w.anchor, bytes, length);
    expect_refusal(&w, "anchor", "a changed anchor");
    bytes[i] = was;
  }
  free(bytes);
  bytes = forge_read(other.anchor, &length);
  forge_write(w.anchor, bytes, length);
  free(bytes);
  expect_refusal(&w, "another ledger", "the anchor of another ledger");
  forge_restore(&w, "good", FORGE_ALL);
  assert_ok(sfm_ledger_open(&ledger, w.ledger, &error), &error);
  assert_int_equal(sfm_ledger_verify(ledger, NULL, other.anchor, &error), SFM_REFUSED);
  assert_ok(sfm_ledger_verify(ledger, NULL, w.anchor, &error), &error);
  sfm_ledger_close(ledger);
  scenario_clear(&w);
  scenario_clear(&other);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_old_copy_is_refused),
      cmocka_unit_test(an_old_copy_under_an_open_ledger_is_refused),
      cmocka_unit_test(another_past_is_refused),
      cmocka_unit_test(an_anchor_cannot_be_done_without),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
