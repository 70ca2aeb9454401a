#include "online_crash.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "disk.h"
#include "ledger/child_process.h"

/* Every file of the session's folder, and of the ledger's, is for its owner only. */
static void check_modes(const char *folder, const char *where) {
  DIR *dir = opendir(folder);
  assert_non_null(dir);
  for (struct dirent *item; (item = readdir(dir));) {
    char path[512];
    struct stat facts;
    snprintf(path, sizeof path, "%s/%s", folder, item->d_name);
    if (lstat(path, &facts) == 0 && S_ISREG(facts.st_mode) && (facts.st_mode & 077))
      fail_msg("%s: %s has mode %o", where, item->d_name, (unsigned)facts.st_mode & 0777);
  }
  closedir(dir);
}

/* A call at which something is decided, however many others are passed over. */
static bool turns(char kind) {
  return kind == INTERPOSE_RENAME || kind == INTERPOSE_LINK || kind == INTERPOSE_SYNC_FOLDER;
}

static interpose_plan planned(const online_harness *d, const online_crash *s,
                              interpose_action action, uint64_t at) {
  return (interpose_plan){
      .folders = {d->here, d->there}, .action = action, .at = at, .disk = s->cut};
}

static void prepare(online_harness *d, const online_crash *s) {
  online_harness_again(d);
  if (!s->cut) return;
  disk_begin(d->here);
  disk_begin(d->there);
}

static void cut(const online_harness *d, const online_crash *s, uint64_t at) {
  if (!s->cut) return;
  disk_cut(d->here, s->seed ? s->seed * 10000 + at : 0);
  disk_cut(d->there, s->seed ? s->seed * 10000 + 5000 + at : 0);
}

/* Dies where the first one did not, or finds everything in order. */
static void second_death(online_harness *d, const online_crash *s, uint64_t at, uint64_t calls,
                         const char *where) {
  interpose_plan plan = planned(d, s, s->action, 1 + (at * 7919 + s->seed) % calls);
  child_end end = child_run(online_harness_client, d, &plan);
  if (end.signal != SIGKILL && end.code)
    fail_msg("%s: the next one failed: %s", where, d->word->text);
  cut(d, s, at + 2500);
}

/* The same client on the same disk, before the power fails. */
static void undisturbed(online_harness *d, const online_crash *s, const char *where) {
  interpose_plan plan = planned(d, s, INTERPOSE_COUNT, 0);
  child_end end = child_run(online_harness_client, d, &plan);
  if (end.signal || end.code)
    fail_msg("%s: the next one ended with signal %d: %s", where, end.signal, d->word->text);
}

static void one(online_harness *d, const online_crash *s, uint64_t at, uint64_t calls) {
  char where[400];
  prepare(d, s);
  interpose_plan plan = planned(d, s, s->action, at);
  child_end end = child_run(online_harness_client, d, &plan);
  snprintf(where, sizeof where, "%s%s %s%s, call %llu of %llu (%s)", sfm_engine_name(d->engine),
           d->keeper == ONLINE_HARNESS_LEDGER ? " with a ledger" : "",
           interpose_action_name(s->action), s->cut ? ", power cut" : "", (unsigned long long)at,
           (unsigned long long)calls, child_report()->hit);
  if (interpose_kills(s->action) && end.signal != SIGKILL)
    fail_msg("%s: the client ended with code %d: %s", where, end.code, d->word->text);
  if (!interpose_kills(s->action) && end.signal)
    fail_msg("%s: the client crashed with signal %d", where, end.signal);
  if (end.code && end.code != SFM_IO && end.code != SFM_INVALID && end.code != SFM_REFUSED)
    fail_msg("%s: status %d: %s", where, end.code, d->word->text);
  check_modes(d->here, where);
  if (s->later) undisturbed(d, s, where);
  cut(d, s, at);
  if (s->twice) second_death(d, s, at, calls, where);
  end = child_run(online_harness_finish, d, NULL);
  if (end.signal || end.code) fail_msg("%s: signal %d: %s", where, end.signal, d->word->text);
}

/* At every call there is; returns how many. */
static uint64_t sweep(online_harness *d, const online_crash *s) {
  static char kinds[INTERPOSE_CALLS];
  prepare(d, s);
  interpose_plan plan = planned(d, s, INTERPOSE_COUNT, 0);
  child_end end = child_run(online_harness_client, d, &plan);
  if (end.signal || end.code) fail_msg("the undisturbed client failed: %s", d->word->text);
  const uint64_t calls = child_report()->calls;
  assert_true(calls > 0 && calls <= INTERPOSE_CALLS);
  memcpy(kinds, child_report()->kind, sizeof kinds);
  const uint64_t few = CHILD_STRIDE, stride = few * (s->stride && !test_long() ? s->stride : 1);
  uint64_t cases = (uint64_t)s->action; /* with a stride, each action begins elsewhere */
  for (uint64_t at = 1; at <= calls; at++)
    if (interpose_applies(s->action, kinds[at - 1]) &&
        cases++ % (turns(kinds[at - 1]) ? few : stride) == 0)
      one(d, s, at, calls);
  return calls;
}

typedef struct way {
  sfm_engine engine;
  online_harness_keeper keeper;
} way;

static const way ways[] = {
    {SFM_ENGINE_SPECTRAL, ONLINE_HARNESS_ALONE}, {SFM_ENGINE_SPECTRAL, ONLINE_HARNESS_LEDGER},
    {SFM_ENGINE_MARKOV, ONLINE_HARNESS_ALONE},   {SFM_ENGINE_MARKOV, ONLINE_HARNESS_LEDGER},
    {SFM_ENGINE_GRAM, ONLINE_HARNESS_ANCHOR},    {SFM_ENGINE_GRAM, ONLINE_HARNESS_LEDGER},
};

void online_crash_run(const online_crash *s) {
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    online_harness d;
    if (ways[i].engine == SFM_ENGINE_SPECTRAL && !s->spectral) continue;
    online_harness_init(&d, ways[i].engine, ways[i].keeper);
    const uint64_t first = sweep(&d, s);
    online_harness_again(&d);
    if (child_run(online_harness_client, &d, NULL).code) fail_msg("%s", d.word->text);
    online_harness_keep(&d);
    d.batches = 3;
    const bool stored = d.engine != SFM_ENGINE_SPECTRAL;
    const uint64_t second = stored ? sweep(&d, s) : 0;
    if (s->spectral && !s->cut)
      print_message("%s%s: %llu calls to make a session and ask twice, %llu to ask once more\n",
                    sfm_engine_name(d.engine),
                    d.keeper == ONLINE_HARNESS_LEDGER ? " with a ledger" : "",
                    (unsigned long long)first, (unsigned long long)second);
    online_harness_clear(&d);
  }
}
