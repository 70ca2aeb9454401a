#include "test_support.h"

#include <signal.h>

#include "child_process.h"
#include "disk.h"
#include "ledger_forgery.h"
#include "fault_sweep.h"

static interpose_plan planned(const scenario *w, const sweep *s, interpose_action action,
                              uint64_t at) {
  return (interpose_plan){
      .folders = {w->here, w->there}, .action = action, .at = at, .on = s->on, .disk = s->cut};
}

/* What the earlier requests left; made once, and copied for every call. */
static void make_earlier(scenario *w, const sweep *s) {
  scenario_again(w);
  w->requests = s->earlier;
  if (s->earlier && child_run(scenario_client, w, NULL).code)
    fail_msg("the undisturbed client failed: %s", w->report->text);
  forge_keep(w, "earlier");
  w->requests = s->requests;
}

static void prepare(scenario *w, const sweep *s) {
  scenario_again(w);
  forge_restore(w, "earlier", FORGE_ALL);
  if (s->cut) {
    disk_begin(w->here);
    disk_begin(w->there);
  }
}

static void cut(const scenario *w, const sweep *s, uint64_t at) {
  if (!s->cut) return;
  disk_cut(w->here, s->seed ? s->seed * 10000 + at : 0);
  disk_cut(w->there, s->seed ? s->seed * 10000 + 5000 + at : 0);
}

/* Dies at the same number of calls however many there are. */
static void second_death(scenario *w, const sweep *s, uint64_t at, uint64_t calls) {
  sfmi_prng prng;
  sfmi_prng_init(&prng, s->seed * 10000 + at);
  interpose_plan plan = planned(w, s, s->action, 1 + sfmi_prng_word(&prng) % calls);
  child_end end = child_run(scenario_client, w, &plan);
  if (end.signal != SIGKILL && end.code)
    fail_msg("after a death at call %llu the client failed: %s", (unsigned long long)at,
             w->report->text);
  cut(w, s, at + 2500);
}

/* The same requests by another client, on the same disk. */
static void undisturbed(scenario *w, const sweep *s, const char *where) {
  interpose_plan plan = planned(w, s, INTERPOSE_COUNT, 0);
  child_end end = child_run(scenario_client, w, &plan);
  if (end.signal || end.code)
    fail_msg("%s: the next client ended with signal %d, code %d: %s", where, end.signal, end.code,
             w->report->text);
}

static void one(scenario *w, const sweep *s, uint64_t at, uint64_t calls) {
  const char *action = interpose_action_name(s->action);
  char where[400];
  prepare(w, s);
  interpose_plan plan = planned(w, s, s->action, at);
  child_end end = child_run(scenario_client, w, &plan);
  snprintf(where, sizeof where, "%s%s%s, call %llu of %llu (%s)", action, s->on ? " and later" : "",
           s->cut ? ", power cut" : "", (unsigned long long)at, (unsigned long long)calls,
           child_report()->hit);
  if (interpose_kills(s->action) && end.signal != SIGKILL)
    fail_msg("%s: the client ended with code %d: %s", where, end.code, w->report->text);
  if (!interpose_kills(s->action) && end.signal)
    fail_msg("%s: the client crashed with signal %d", where, end.signal);
  if (end.code && !w->report->text[0]) fail_msg("%s: an error without a message", where);
  if (end.code && end.code != SFM_IO && end.code != SFM_INVALID)
    fail_msg("%s: status %d: %s", where, end.code, w->report->text);
  if (s->later) undisturbed(w, s, where);
  cut(w, s, at);
  if (s->twice) second_death(w, s, at, calls);
  if (scenario_finish(w)) fail_msg("%s: %s", where, w->report->text);
}

uint64_t sweep_run(scenario *w, const sweep *s) {
  static char kinds[INTERPOSE_CALLS];
  make_earlier(w, s);
  prepare(w, s);
  interpose_plan plan = planned(w, s, INTERPOSE_COUNT, 0);
  child_end end = child_run(scenario_client, w, &plan);
  if (end.signal || end.code) fail_msg("the undisturbed client failed: %s", w->report->text);
  const uint64_t calls = child_report()->calls;
  assert_true(calls > 0 && calls <= INTERPOSE_CALLS);
  memcpy(kinds, child_report()->kind, sizeof kinds);
  uint64_t cases = (uint64_t)s->action; /* with a stride, each action begins elsewhere */
  for (uint64_t at = 1; at <= calls; at++)
    if (interpose_applies(s->action, kinds[at - 1]) && cases++ % CHILD_STRIDE == 0)
      one(w, s, at, calls);
  return calls;
}

const char *sweep_shown(scenario *w, unsigned requests, bool lies) {
  const sweep s = {.action = INTERPOSE_COUNT, .cut = true, .requests = requests};
  make_earlier(w, &s);
  prepare(w, &s);
  interpose_plan plan = planned(w, &s, INTERPOSE_COUNT, 0);
  plan.lies = lies;
  child_end end = child_run(scenario_client, w, &plan);
  if (end.signal || end.code) fail_msg("the undisturbed client failed: %s", w->report->text);
  assert_int_equal(w->report->answered, requests);
  cut(w, &s, 0);
  return scenario_check(w) ? w->report->text : NULL;
}

void sweep_fail(interpose_action action, bool on, bool stubborn, bool reads) {
  for (int anchored = 0; anchored < 2; anchored++) {
    scenario w;
    scenario_init(&w, anchored);
    w.stubborn = stubborn;
    const sweep from_nothing = {.action = action, .on = on, .reads = reads, .requests = 1};
    const sweep one_more = {
        .action = action, .on = on, .reads = reads, .earlier = 1, .requests = 3};
    sweep_run(&w, &from_nothing);
    sweep_run(&w, &one_more);
    scenario_clear(&w);
  }
}
