/* explain_verb.c - sfumato explain: what (epsilon, delta) means to a person whose record is among
 * the rows.
 *
 * An attacker knows every other record and tests whether yours is x (healthy) or x' (ill).  Level:
 * how often the test says x' when it is x.  Power: how often it says x' when it is x'.  For every
 * test (proposition 1.2.2 of Hall's thesis, in both directions)
 *
 *     power <= min( e^epsilon level + delta, 1 - e^-epsilon (1 - level - delta) ).
 *
 * One mechanism reaches the bound at every level: show the record with probability delta, otherwise
 * answer by epsilon-randomised response, after which whoever believed p believes at most
 * p e^epsilon / (p e^epsilon + 1 - p).  All others are processings of that one (Kairouz, Oh &
 * Viswanath 2015): an attacker is never better off than there.  (It would be wrong to say that this
 * belief is passed with probability delta at most, or that delta is the chance of a failure.)
 * Bounds are printed rounded up, with digits for what they add to guessing. */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "cli/io/figure_output.h"
#include "cli/core/text.h"
#include "cli/io/json_output.h"
#include "cli/core/verbs.h"

static const cli_option options_table[] = {
    {"epsilon", "E", "the privacy loss to explain, above 0", CLI_POSITIVE("1"),
     .missing = "the privacy loss to explain; write for example --epsilon 1 --delta 1e-6"},
    {"delta", "D", "above 0 and below 1", "none: pure epsilon", CLI_FRACTION("1e-6")},
    CLI_SAME(json),
    CLI_OPTION_PICTURE("drawn in the terminal"),
    {0},
};

static const double levels[] = {0.001, 0.01, 0.05, 0.1, 0.5};
static const double beliefs[] = {0.5, 0.1, 0.01};
enum { LEVELS = sizeof levels / sizeof levels[0], BELIEFS = sizeof beliefs / sizeof beliefs[0] };

typedef struct promise {
  double epsilon, delta; /* delta 0: pure */
  const char *written;   /* epsilon as the user wrote it */
} promise;

/* What the release adds to guessing: power - level, belief after - before, bets won - 1/2.  Each
 * is computed as a difference, so that a small epsilon keeps its digits. */
static double power_gain(const promise *p, double level) {
  double rising = level > 0 ? expm1(p->epsilon) * level + p->delta : p->delta;
  double closing = exp(-p->epsilon) * p->delta - expm1(-p->epsilon) * (1 - level);
  return fmin(fmin(rising, closing), 1 - level);
}

static double belief_gain(const promise *p, double before) {
  double rest = 1 - before;
  return -expm1(-p->epsilon) * before * rest / (before + rest * exp(-p->epsilon));
}

/* Someone who bets between two equally likely records is right (1 + power - level)/2 of the time,
 * most often at the kink of the bound. */
static double bet_gain(const promise *p) {
  double shrink = exp(-p->epsilon);
  return (p->delta * shrink - expm1(-p->epsilon) / 2) / (1 + shrink);
}

static double power_at(const promise *p, double level) {
  return level + power_gain(p, level);
}

static double belief_after(const promise *p, double before) {
  return before + belief_gain(p, before);
}

static double bet(const promise *p) {
  return 0.5 + bet_gain(p);
}

/* The decimals that show so many digits of value. */
static int decimals_of(double value, int digits) {
  return value > 0 ? digits - 1 - (int)floor(log10(value)) : 0;
}

/* start + gain with so many decimals (0 to 12), rounded up, zeros at the end dropped and thousands
 * set apart: "1.0101", "22,027".  What start and gain carry of rounding is not rounded up. */
static void write_up(char *out, size_t size, double start, double gain, int decimals) {
  const double LEFT_OVER = 1e-13; /* of the gain */
  char digits[48];
  size_t used = 0;
  decimals = decimals < 0 ? 0 : decimals > 12 ? 12 : decimals;
  double unit = pow(10, decimals);
  snprintf(digits, sizeof digits, "%.*f", decimals,
           start + ceil(gain * unit * (1 - LEFT_OVER)) / unit);
  size_t length = strlen(digits), whole = strcspn(digits, ".");
  while (length > whole && strchr(".0", digits[length - 1])) length--;
  for (size_t i = 0; i < length && used + 2 < size; i++) {
    if (i && i < whole && (whole - i) % 3 == 0) out[used++] = ',';
    out[used++] = digits[i];
  }
  out[used] = 0;
}

/* A fraction, as what guessing gives and what the release adds to it, as per cent rounded up: three
 * digits of what is added, four of the whole, two of what is missing to 100 (down to 0.0001).  A
 * no-break space keeps the sign on the number's line. */
static void percent(char *out, size_t size, double guess, double gain) {
  double missing = 100 * (1 - guess - gain);
  int decimals = decimals_of(100 * gain, 3), whole = decimals_of(100 * (guess + gain), 4);
  int close = missing > 1e-4 ? decimals_of(missing, 2) : 4;
  if (decimals < whole) decimals = whole;
  if (decimals < close && missing < 50) decimals = close > 4 ? 4 : close;
  write_up(out, size, 100 * guess, 100 * gain, decimals);
  text_add(out, size, "\u00a0%%");
}

/* e^epsilon, rounded up: three digits of what it has above 1. */
static void factor_words(char *out, size_t size, double epsilon) {
  double gain = expm1(epsilon);
  if (gain < 1e9)
    write_up(out, size, 1, gain, gain > 1e-12 ? decimals_of(gain, 3) : 12);
  else
    snprintf(out, size, "10^%.0f", ceil(epsilon / log(10)));
}

/* delta as "1 in 1,000,000" (three digits, rounded towards more), or "30 %". */
static void chance_words(char *out, size_t size, double delta) {
  double rarity = 1 / delta;
  if (delta >= 0.01) {
    percent(out, size, 0, delta);
    return;
  }
  if (rarity >= 1e12) {
    snprintf(out, size, "1 in 10^%.0f", floor(log10(rarity) + 1e-9));
    return;
  }
  double unit = pow(10, floor(log10(rarity) + 1e-9) - 2);
  int used = snprintf(out, size, "1 in ");
  write_up(out + used, size - (size_t)used, 0, floor(rarity / unit + 1e-9) * unit, 0);
}

/* "1e-6" for 1e-06 and 0.000001. */
static void name_promise(char *out, size_t size, const promise *p) {
  char delta[32];
  text_digits(delta, sizeof delta, p->delta);
  snprintf(out, size, "epsilon %.40s%s%s", p->written, p->delta > 0 ? ", delta " : "",
           p->delta > 0 ? delta : "");
}

static void print_promise(const promise *p) {
  char factor[64], chance[64];
  factor_words(factor, sizeof factor, p->epsilon);
  text_say(
      stdout, "promise",
      "If your record is replaced by any other record, any conclusion from the release becomes "
      "at most %s times as likely.",
      factor);
  if (p->delta > 0) {
    chance_words(chance, sizeof chance, p->delta);
    text_say(stdout, "",
             "In addition there is a probability of %s (delta) that this fails: in the worst case "
             "your record is then shown in full.",
             chance);
  }
  text_print_labelled(stdout, "",
                      "Where a release protects all records of a person, read \"your records\". "
                      "Under add-remove, the question is whether you are among the rows at all.");
}

static void print_tests(const promise *p) {
  text_print_labelled(stdout, "attacker",
                      "Suppose someone knows every other record, knows how the release was made, "
                      "and wants to find out from the release which of two your record is: for "
                      "example ill or healthy. A test may call healthy people ill: false alarms. "
                      "The table shows how many ill people the best test can then find.");
  puts("\n  false alarms (level)   found, at most (power)   found by guessing");
  for (size_t i = 0; i < LEVELS; i++) {
    char most[32];
    percent(most, sizeof most, levels[i], power_gain(p, levels[i]));
    /* the no-break space is one column and two bytes */
    printf("  %18.4g %%   %23s   %15.4g %%\n", 100 * levels[i], most, 100 * levels[i]);
  }
  puts("  Rounded up in the last digit.\n");
}

static void print_beliefs(const promise *p) {
  char apart[96] = "", chance[64], after[BELIEFS][32];
  for (size_t i = 0; i < BELIEFS; i++)
    percent(after[i], sizeof after[i], beliefs[i], belief_gain(p, beliefs[i]));
  if (p->delta > 0) {
    chance_words(chance, sizeof chance, p->delta);
    snprintf(apart, sizeof apart, "Apart from that %s: ", chance);
  }
  text_say(
      stdout, "belief",
      "%s%someone who thought it 50\u00a0%% likely that you are ill thinks it at most %s likely "
      "after seeing the release; 10\u00a0%% becomes at most %s, and 1\u00a0%% at most %s. "
      "Without the release they stay at 50, 10 and 1\u00a0%%.",
      apart, *apart ? "s" : "S", after[0], after[1], after[2]);
}

/* How often the attacker wins a bet, and what to think of it. */
static void describe_bet(char *out, size_t size, const promise *p) {
  char right[32];
  percent(right, sizeof right, 0.5, bet_gain(p));
  snprintf(
      out, size,
      "An attacker who bets on one of two equally likely records is right at most %s of the time%s",
      right,
      p->epsilon >= 10 || bet(p) > 0.999 ? ": this promises almost nothing."
      : bet(p) < 0.501                   ? ": hardly more often than by tossing a coin."
                                         : "; tossing a coin is right half of the time.");
}

/* What must be said of a delta; "" when there is nothing. */
static const char *delta_verdict(const promise *p) {
  return p->delta > 1e-3 ? "With probability delta a person may be fully exposed; delta should be "
                           "far below 1/(number of people), for example 1e-6."
                         : "";
}

static void print_words(const promise *p) {
  char text[256];
  name_promise(text, sizeof text, p);
  printf("What you are promised when your record is among the rows: %s\n\n", text);
  print_promise(p);
  print_tests(p);
  print_beliefs(p);
  describe_bet(text, sizeof text, p);
  text_print_labelled(stdout, "in short", text);
  if (*delta_verdict(p)) text_print_labelled(stdout, "note", delta_verdict(p));
}

static json_t *list_of(const promise *p, const double *at, size_t count,
                       double (*value)(const promise *, double), const char *key,
                       const char *name) {
  json_t *list = json_array();
  for (size_t i = 0; list && i < count; i++)
    json_array_append_new(list, json_pack("{s:f, s:f}", key, at[i], name, value(p, at[i])));
  return list;
}

static sfm_status print_json(const promise *p, sfm_error *error) {
  double factor = exp(p->epsilon);
  json_t *object =
      json_pack("{s:f, s:f, s:o, s:f, s:o, s:o}", "epsilon", p->epsilon, "delta", p->delta,
                "factor", isfinite(factor) ? json_real(factor) : json_null(), "bet", bet(p),
                "tests", list_of(p, levels, LEVELS, power_at, "level", "power"), "beliefs",
                list_of(p, beliefs, BELIEFS, belief_after, "before", "after"));
  return json_output_print(object, error);
}

enum { POINTS = 1001 };

static sfm_status draw(const promise *p, const char *path, sfm_error *error) {
  double values[POINTS], guesses[POINTS];
  char name[128], title[192], caption[1024], betting[256];
  for (size_t i = 0; i < POINTS; i++) {
    double level = (double)i / (POINTS - 1);
    values[i] = 100 * power_at(p, level);
    guesses[i] = 100 * level;
  }
  name_promise(name, sizeof name, p);
  snprintf(title, sizeof title, "What an attacker can find out at %s", name);
  describe_bet(betting, sizeof betting, p);
  snprintf(caption, sizeof caption,
           "An attacker who knows every other record uses the release to test which of two your "
           "record is (for example ill or healthy). False alarms (the level of the test): how "
           "often a healthy person is called ill. Found (its power): how often an ill person is "
           "called ill. No test lies above the curve. %s %s",
           betting, delta_verdict(p));
  draw_figure figure = {.title = title,
                        .labels = {"false alarms"},
                        .units = {"%"},
                        .value_label = "found (%)",
                        .caption = path ? caption : NULL,
                        .dimension = 1,
                        .counts = {POINTS},
                        .upper = {100},
                        .values = values,
                        .reference = guesses,
                        .names = {"with the release, at most", "by guessing"},
                        .between = "what it can give away"};
  return figure_output_draw(&figure, path, error);
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  const char *path = options_get(options, "output");
  bool json = options_has(options, "json");
  promise p = {.written = options_get(options, "epsilon")};
  sfm_status status = options_take(options, &p.epsilon, "epsilon", error);
  if (!status) status = options_take(options, &p.delta, "delta", error);
  if (!status) status = figure_output_check("-o", path, error);
  if (status) return status;
  if (json)
    status = print_json(&p, error);
  else
    print_words(&p);
  if (!json && !path) fputc('\n', stdout);
  if (!status && (path || !json)) status = draw(&p, path, error);
  return status;
}

const cli_verb verb_explain = {
    .name = "explain",
    .summary = "explain what an epsilon and a delta mean for a person among the rows",
    .usage = "--epsilon E [--delta D] [--json] [-o FILE.svg|.png|.pdf]",
    .options = options_table,
    .about = "The attacker may know everything but one record. Every bound holds for every "
             "attacker and every release with this guarantee, and is reached by some of them. "
             "Several releases of the same rows promise less together: `sfumato account` adds them "
             "up.\nThe JSON object has the keys epsilon, delta, factor (e^epsilon; null when too "
             "large), bet, tests [{level, power}] and beliefs [{before, after}]; with a delta, the "
             "beliefs are those of the worst case in which the record is not shown in full.",
    .example = "sfumato explain --epsilon 1\n"
               "sfumato explain --epsilon 1 --delta 1e-6 -o meaning.png",
    .run = run,
};
