#include "signals.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Files that the command writes itself at a time. */
enum { TEMPORARIES = 8 };

static const struct {
  int number;
  const char *name;
} kinds[] = {{SIGINT, "SIGINT"}, {SIGTERM, "SIGTERM"}, {SIGHUP, "SIGHUP"}, {SIGPIPE, "SIGPIPE"}};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* The handler runs in the main thread only, which is also the only one that writes these. */
static pthread_t main_thread;
static volatile sig_atomic_t last, told, held, deferred, expected;
static const char *volatile temporaries[TEMPORARIES];
/* What is said, written beforehand: a handler cannot put sentences together. */
static char first_words[1400], second_words[1400], late_words[700], how_words[700];

/* ---- within a handler ---- */

static void say(const char *text) {
  size_t length = strlen(text);
  while (length > 0) {
    ssize_t done = write(STDERR_FILENO, text, length);
    if (done < 0 && errno != EINTR) return;
    if (done < 0) continue;
    text += done;
    length -= (size_t)done;
  }
}

static void say_of(int number, const char *text) {
  say("sfumato: ");
  for (size_t i = 0; i < KINDS; i++)
    if (kinds[i].number == number) say(kinds[i].name);
  say(text);
}

static void end_by(int number) {
  sigset_t one;
  for (size_t i = 0; i < TEMPORARIES; i++)
    if (temporaries[i]) (void)unlink(temporaries[i]);
  signal(number, SIG_DFL);
  sigemptyset(&one);
  sigaddset(&one, number);
  (void)raise(number);
  pthread_sigmask(SIG_UNBLOCK, &one, NULL);
  _exit(128 + number); /* nobody comes here */
}

/* A signal has come, and nothing is held. */
static void act(void) {
  if (deferred && !told) {
    told = 1;
    say_of(last, first_words);
    return;
  }
  if (deferred)
    say_of(last, second_words);
  else if (expected)
    say_of(last, ": ended, and nothing was charged\n");
  end_by(last);
}

static void arrive(int number) {
  const int before = errno;
  if (!pthread_equal(pthread_self(), main_thread)) {
    pthread_kill(main_thread, number);
  } else if (number == SIGPIPE) {
    if (!held && !deferred) end_by(number);
  } else {
    last = number;
    if (!held) act();
  }
  errno = before;
}

/* ---- for the command ---- */

void signals_start(void) {
  struct sigaction action = {.sa_handler = arrive, .sa_flags = SA_RESTART}, before;
  main_thread = pthread_self();
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < KINDS; i++) sigaddset(&action.sa_mask, kinds[i].number);
  for (size_t i = 0; i < KINDS; i++)
    if (sigaction(kinds[i].number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
      (void)sigaction(kinds[i].number, &action, NULL);
  signal(SIGXFSZ, SIG_IGN);
}

int signals_finish(int code) {
  if (!last) return code;
  signals_hold(); /* for good: it ends here */
  if (code == 0 && *late_words) say_of(last, late_words);
  end_by(last);
  return code;
}

void signals_hold(void) {
  held = held + 1;
}

void signals_release(void) {
  sigset_t all, before;
  held = held - 1;
  if (held || !last || (deferred && told)) return;
  /* As in the handler: one at a time. */
  sigemptyset(&all);
  for (size_t i = 0; i < KINDS; i++) sigaddset(&all, kinds[i].number);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  act();
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void signals_defer(const char *what, const char *how) {
  signals_hold();
  snprintf(
      first_words, sizeof first_words,
      ": %.600s, and is finished first. A second signal ends the command at once; then %.600s\n",
      what, how);
  snprintf(second_words, sizeof second_words, ": ended, although %.600s: %.600s\n", what, how);
  snprintf(late_words, sizeof late_words, ": %.600s, and was finished first\n", what);
  snprintf(how_words, sizeof how_words, "%.600s", how);
  deferred = 1;
  signals_release();
}

void signals_settle(void) {
  deferred = 0;
}

const char *signals_deferred(void) {
  return deferred ? how_words : NULL;
}

bool signals_came(void) {
  return last != 0;
}

void signals_expect_charge(void) {
  expected = 1;
}

void signals_add_temporary(const char *path) {
  for (size_t i = 0; i < TEMPORARIES; i++)
    if (!temporaries[i]) {
      temporaries[i] = path;
      return;
    }
}

void signals_forget_temporary(const char *path) {
  for (size_t i = 0; i < TEMPORARIES; i++)
    if (temporaries[i] == path) temporaries[i] = NULL;
}
