/* account_verb.c - sfumato account: what several releases promise together.
 *
 * The composed number is the privacy-loss distribution's, with both ends certified; beside it stand
 * the sums that a ledger keeps.  Ends are printed outwards: what is at most rounded up, what is at
 * least rounded down. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/io/figure_output.h"
#include "random_dp.h"
#include "sfumato/account.h"
#include "cli/core/text.h"
#include "cli/io/json_output.h"

static const cli_option options_table[] = {
    {"gaussian", "SIGMA_OVER_DELTA[:COUNT]...",
     "Gaussian noise: its standard deviation divided by the l2 sensitivity, and how often it was "
     "used (default 1); separate several by commas, or repeat the option"},
    {"laplace", "EPSILON[:COUNT]...", "one number with Laplace noise"},
    {"discrete-laplace", "EPSILON[:COUNT]...", "one integer with discrete Laplace noise"},
    {"discrete-gaussian", "SIGMA[:COUNT]...",
     "one integer that moves by at most one, with discrete Gaussian noise"},
    {"randomised-response", "EPSILON[/CATEGORIES][:COUNT]...",
     "one of so many answers (default 2); the true one is e^epsilon times as likely as another"},
    {"pure", "EPSILON[:COUNT]...", "anything that is epsilon-differentially private"},
    {"random-dp", "EPSILON:DELTA:GAMMA[:COUNT]...",
     "random differential privacy: epsilons, deltas and gammas add up; all other releases that are "
     "named then have only this weaker guarantee, too"},
    {"delta", "D", "the delta at which to state epsilon, between 0 and 1; this, --epsilon or both",
     CLI_FRACTION("1e-6")},
    {"epsilon", "E", "the epsilon at which to state delta", CLI_POSITIVE("1")},
    CLI_SAME(json),
    CLI_OPTION_PICTURE("no picture"),
    {0},
};

static const struct kind {
  const char *option;
  sfm_privacy_loss_kind kind;
  const char *name, *parameter, *example;
} kinds[] = {
    {"gaussian", SFM_PRIVACY_LOSS_GAUSSIAN, "Gaussian noise", "sigma/Delta", "4.22:10"},
    {"laplace", SFM_PRIVACY_LOSS_LAPLACE, "Laplace noise", "epsilon", "0.1:10"},
    {"discrete-laplace", SFM_PRIVACY_LOSS_DISCRETE_LAPLACE, "discrete Laplace noise", "epsilon",
     "0.1:10"},
    {"discrete-gaussian", SFM_PRIVACY_LOSS_DISCRETE_GAUSSIAN, "discrete Gaussian noise", "sigma",
     "4.22:10"},
    {"randomised-response", SFM_PRIVACY_LOSS_RANDOMISED_RESPONSE, "randomised response", "epsilon",
     "0.5/4:10"},
    {"pure", SFM_PRIVACY_LOSS_PURE, "any mechanism", "epsilon", "0.1:10"},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* What is asked, and the sums of it; a sum that does not apply has `there` false. */
typedef struct question {
  sfm_privacy_loss *losses;
  size_t count;
  double delta, epsilon; /* 0: not given */
  struct sum {
    const char *name, *unit, *absent; /* absent: why it may not be there */
    bool there;
    sfm_guarantee guarantee;
  } sums[3];
} question;

static sfm_status fail_loss(const struct kind *k, const char *text, sfm_error *error) {
  return cli_misuse(error,
                    "--%s: '%.200s' is not a number above zero with a count from 1 to 1000000000 "
                    "after a colon; write for example --%s %s",
                    k->option, text, k->option, k->example);
}

/* "0.5", "0.5:10", for randomised response also "0.5/4:10".  Takes text apart. */
static sfm_status parse_loss(sfm_privacy_loss *loss, const struct kind *k, char *text,
                             sfm_error *error) {
  char whole[256];
  uint64_t categories = 2;
  snprintf(whole, sizeof whole, "%s", text);
  *loss = (sfm_privacy_loss){.kind = k->kind, .count = 1};
  char *colon = strchr(text, ':'), *slash = NULL;
  if (colon) *colon = 0;
  if (k->kind == SFM_PRIVACY_LOSS_RANDOMISED_RESPONSE) slash = strchr(text, '/');
  if (slash) *slash = 0;
  bool good = text_number(&loss->parameter, text) && isfinite(loss->parameter) &&
              loss->parameter > 0 && (!colon || text_count(&loss->count, colon + 1)) &&
              loss->count >= 1 && loss->count <= 1000000000;
  if (!good) return fail_loss(k, whole, error);
  bool spread =
      k->kind == SFM_PRIVACY_LOSS_GAUSSIAN || k->kind == SFM_PRIVACY_LOSS_DISCRETE_GAUSSIAN;
  double least = spread ? 1e-3 : 1e-6, most = spread ? 1e6 : 1e3;
  const char *range = spread ? "0.001 to 1000000" : "1e-6 to 1000";
  if (loss->parameter < least || loss->parameter > most)
    return cli_misuse(error,
                      "--%s: in '%.200s' the %s is not from %s; other losses cannot be composed",
                      k->option, whole, k->parameter, range);
  if (slash && (!text_count(&categories, slash + 1) || categories < 2 || categories > UINT32_MAX))
    return cli_misuse(error,
                      "--%s: in '%.200s' the number of answers is not a whole number from 2 on; "
                      "write for example --%s %s",
                      k->option, whole, k->option, k->example);
  if (k->kind == SFM_PRIVACY_LOSS_RANDOMISED_RESPONSE) loss->categories = (uint32_t)categories;
  return SFM_OK;
}

static sfm_status read_kind(question *q, const struct kind *k, const char *value,
                            sfm_error *error) {
  text_list list;
  sfm_status status = text_split(&list, value, ',', error);
  if (status) return status;
  sfm_privacy_loss *more = realloc(q->losses, (q->count + list.count) * sizeof *more);
  if (more)
    q->losses = more;
  else
    status = cli_fail_memory(error);
  for (size_t i = 0; !status && i < list.count; i++)
    status = parse_loss(&q->losses[q->count++], k, list.items[i], error);
  text_list_clear(&list);
  return status;
}

static sfm_status read_question(question *q, const cli_options *options, sfm_error *error) {
  sfm_status status = options_take(options, &q->delta, "delta", error);
  if (!status) status = options_take(options, &q->epsilon, "epsilon", error);
  for (size_t i = 0; !status && i < KINDS; i++) {
    const char *value = options_get(options, kinds[i].option);
    if (value) status = read_kind(q, &kinds[i], value, error);
  }
  if (!status && options_has(options, "random-dp")) return SFM_OK;
  if (!status && !q->count)
    status =
        cli_misuse(error, "nothing to add up: say what was released, for example --laplace 0.1:10");
  if (!status && !(q->delta > 0) && !(q->epsilon > 0))
    status = cli_misuse(error, "--delta is missing: epsilon depends on it; write for example "
                               "--delta 1e-6 (or --epsilon, to get delta)");
  return status;
}

static bool has_kind(const question *q, sfm_privacy_loss_kind kind) {
  for (size_t i = 0; i < q->count; i++)
    if (q->losses[i].kind == kind) return true;
  return false;
}

/* The sums that apply: no Gaussian is pure, and a discrete one is not GDP. */
static sfm_status add_up(question *q, sfm_error *error) {
  static const sfm_guarantee_kind kind[3] = {SFM_GUARANTEE_GDP, SFM_GUARANTEE_ZCDP,
                                             SFM_GUARANTEE_PURE};
  bool gaussian = has_kind(q, SFM_PRIVACY_LOSS_GAUSSIAN),
       discrete = has_kind(q, SFM_PRIVACY_LOSS_DISCRETE_GAUSSIAN);
  sfm_status status = SFM_OK;
  q->sums[0] = (struct sum){.name = "gdp sum",
                            .unit = "mu",
                            .absent = "a discrete Gaussian is not GDP",
                            .there = !discrete};
  q->sums[1] = (struct sum){.name = "zcdp sum", .unit = "rho", .there = true};
  q->sums[2] = (struct sum){.name = "basic sum",
                            .unit = "epsilon",
                            .absent = "a Gaussian is not pure",
                            .there = !gaussian && !discrete};
  for (unsigned k = 0; k < 3 && !status; k++)
    if (q->sums[k].there)
      status = sfm_account_sum(&q->sums[k].guarantee, q->losses, q->count, kind[k], error);
  return status;
}

/* A number with so many digits, not below (up) or not above the value. */
static void print_end(char *out, size_t size, double value, int digits, bool up) {
  double shown = value, step = pow(10, -digits);
  for (int attempt = 0; attempt < 20; attempt++) { /* two would do, but for denormal numbers */
    snprintf(out, size, "%.*g", digits, shown);
    double read = strtod(out, NULL);
    if (up ? read >= value : read <= value) break;
    shown *= up ? 1 + step : 1 - step;
  }
  text_short_power(out);
}

static double count_releases(const question *q) {
  double releases = 0;
  for (size_t i = 0; i < q->count; i++) releases += (double)q->losses[i].count;
  return releases;
}

/* "16 x Gaussian noise, sigma/Delta 2". */
static void name_loss(char *out, size_t size, const sfm_privacy_loss *loss) {
  char parameter[32];
  const struct kind *k = kinds;
  while (k->kind != loss->kind) k++;
  text_digits(parameter, sizeof parameter, loss->parameter);
  snprintf(out, size, "%llu \u00d7 %s, %s %s", (unsigned long long)loss->count, k->name,
           k->parameter, parameter);
  if (loss->categories) text_add(out, size, ", %u answers", loss->categories);
}

static void print_composed(const question *q) {
  enum { MOST = 20 };
  char text[160];
  for (size_t i = 0; i < q->count && i < MOST; i++) {
    name_loss(text, sizeof text, &q->losses[i]);
    text_print_labelled(stdout, i ? "" : "composed", text);
  }
  if (q->count > MOST) {
    text_say(stdout, "", "and %zu more kinds", q->count - MOST);
  }
  if (q->count > 1) {
    text_say(stdout, "", "%.0f releases in all", count_releases(q));
  }
}

/* A sum to six digits, rounded up but for what adding doubles left over: 6.5, not 6.50001. */
static void print_sum(char *out, size_t size, double value) {
  const double LEFT_OVER = 1e-12; /* of the value; far less than a digit shown */
  if (value > 0 && value < 1e-300)
    snprintf(out, size, "below 1e-300");
  else
    print_end(out, size, value * (1 - LEFT_OVER), 6, true);
}

/* What a sum makes of the releases at the delta or epsilon that was asked; infinite: out of reach,
 * or not there. */
static double sum_at(const question *q, const struct sum *sum, bool at_delta) {
  const sfm_guarantee *g = &sum->guarantee;
  double number = g->epsilon;
  sfm_status status = SFM_OK;
  if (!sum->there) return INFINITY;
  if (at_delta && g->kind != SFM_GUARANTEE_PURE)
    status = sfm_guarantee_epsilon(&number, g, q->delta, NULL);
  if (!at_delta) status = sfm_guarantee_delta(&number, g, q->epsilon, NULL);
  return status ? INFINITY : number;
}

static void print_row(const char *name, const char *value, const char *extra) {
  printf("  %-10s  %-14s  %s\n", name, value, extra);
}

/* One line a sum, those too that do not apply. */
static void print_sums(const question *q, bool at_delta) {
  for (unsigned k = 0; k < 3; k++) {
    const struct sum *sum = &q->sums[k];
    const sfm_guarantee *g = &sum->guarantee;
    char value[64] = "out of reach", amount[64], extra[96];
    double number = sum_at(q, sum, at_delta);
    if (!sum->there) {
      print_row(sum->name, "none", sum->absent);
      continue;
    }
    if (isfinite(number)) print_sum(value, sizeof value, number);
    print_sum(amount, sizeof amount, k == 0 ? g->mu : k == 1 ? g->rho : g->epsilon);
    if (at_delta && g->kind == SFM_GUARANTEE_PURE)
      snprintf(extra, sizeof extra, "without any delta");
    else
      snprintf(extra, sizeof extra, "%s %s", sum->unit, amount);
    print_row(sum->name, value, extra);
  }
}

static void print_interval(const question *q, const sfm_interval *at, bool at_delta) {
  char least[64], most[64], given[32], extra[160] = "(certified, to all digits shown)";
  print_end(least, sizeof least, at->lower, 9, false);
  print_end(most, sizeof most, at->upper, 9, true);
  text_digits(given, sizeof given, at_delta ? q->delta : q->epsilon);
  printf("\n%s at %s %s\n", at_delta ? "epsilon" : "delta", at_delta ? "delta" : "epsilon", given);
  if (strcmp(least, most) != 0)
    snprintf(extra, sizeof extra, "(certified: between %s and %s)", least, most);
  print_row("composed", most, extra);
  print_sums(q, at_delta);
}

static void print_words(const question *q, const sfm_interval *epsilon, const sfm_interval *delta) {
  print_composed(q);
  if (q->delta > 0) print_interval(q, epsilon, true);
  if (q->epsilon > 0) print_interval(q, delta, false);
  fputc('\n', stdout);
  text_print_labelled(stdout, "note",
                      "composed is the guarantee of all releases together if they were fixed in "
                      "advance; it is for reports. A ledger decides by a sum, which also holds "
                      "when each release is chosen after seeing the earlier ones.");
}

static sfm_status print_json(const question *q, const sfm_interval *epsilon,
                             const sfm_interval *delta, sfm_error *error) {
  const bool at_delta = q->delta > 0, at_epsilon = q->epsilon > 0;
  json_t *object =
      json_pack("{s:f, s:f, s:f, s:o, s:f}", "epsilon", at_delta ? epsilon->upper : q->epsilon,
                "epsilon_lower", at_delta ? epsilon->lower : q->epsilon, "delta",
                at_delta ? q->delta : delta->upper, "mu",
                q->sums[0].there ? json_real(q->sums[0].guarantee.mu) : json_null(), "rho",
                q->sums[1].guarantee.rho);
  bool good = object != NULL;
  if (at_delta && at_epsilon)
    good = good && json_object_set_new(object, "at_epsilon",
                                       json_pack("{s:f, s:f, s:f}", "epsilon", q->epsilon, "delta",
                                                 delta->upper, "delta_lower", delta->lower)) == 0;
  else if (at_epsilon)
    good = good && json_object_set_new(object, "delta_lower", json_real(delta->lower)) == 0;
  if (!good) {
    json_decref(object);
    return cli_fail_memory(error);
  }
  return json_output_print(object, error);
}

enum { POINTS = 401, CAPTION = 2048 };

/* Where the picture ends: delta has fallen to a thousandth of what matters. */
static sfm_status picture_end(double *last, const question *q, const sfm_interval *delta,
                              sfm_error *error) {
  sfm_interval at;
  double floor_delta = (q->delta > 0 ? fmin(q->delta, 1e-6) : 1e-6) * 1e-3;
  sfm_status status =
      sfm_account_epsilon(&at, q->losses, q->count, fmax(floor_delta, 1e-300), error);
  if (status) return status;
  *last = fmax(at.upper, 1e-6);
  if (q->epsilon > 0 && delta->upper > 0) *last = fmax(*last, 1.1 * q->epsilon);
  return SFM_OK;
}

/* The sum that promises most where it was asked, or NULL. */
static const struct sum *best_sum(const question *q) {
  const struct sum *best = NULL;
  double least = INFINITY;
  for (unsigned k = 0; k < 3; k++) {
    double number = sum_at(q, &q->sums[k], q->delta > 0);
    if (!(number < least)) continue;
    least = number;
    best = &q->sums[k];
  }
  return best;
}

/* The same curve to the eye, on an axis of decimal logarithms. */
static bool coincide(const double *one, const double *two, size_t count) {
  const double SEEN = 0.01;
  for (size_t i = 0; i < count; i++)
    if (one[i] != two[i] && !(fabs(one[i] - two[i]) < SEEN)) return false;
  return true;
}

/* "At delta 1e-6, epsilon is 2.03355." */
static void add_asked(char caption[CAPTION], const question *q, const sfm_interval *at,
                      bool at_delta) {
  char given[32], most[64];
  text_digits(given, sizeof given, at_delta ? q->delta : q->epsilon);
  print_end(most, sizeof most, at->upper, 6, true);
  text_add(caption, CAPTION, " At %s %s, %s is at most %s.", at_delta ? "delta" : "epsilon", given,
           at_delta ? "epsilon" : "delta", most);
}

/* Which releases, and how their curve, drawn up to epsilon = last, is to be read. */
static void describe(char caption[CAPTION], const question *q, const sfm_interval *epsilon,
                     const sfm_interval *delta, double last) {
  enum { MOST = 6 };
  char text[160];
  for (size_t i = 0; i < q->count && i < MOST; i++) {
    name_loss(text, sizeof text, &q->losses[i]);
    text_add(caption, CAPTION, "%s%s", i ? "; " : "", text);
  }
  if (q->count > MOST) text_add(caption, CAPTION, "; and %zu more kinds", q->count - MOST);
  text_add(caption, CAPTION,
           ". Every point of the solid curve is a guarantee (epsilon, delta) of all these releases "
           "together, if each was fixed in advance. It is for reports, not for deciding whether "
           "another release may be made.");
  if (q->delta > 0) add_asked(caption, q, epsilon, true);
  if (q->epsilon > 0) add_asked(caption, q, delta, false);
  if (q->sums[2].there && q->sums[2].guarantee.epsilon < 1.05 * last) {
    print_sum(text, sizeof text, q->sums[2].guarantee.epsilon);
    text_add(caption, CAPTION, " From epsilon %s on, delta is 0.", text);
  }
}

static sfm_status draw(const question *q, const sfm_interval *epsilon, const sfm_interval *delta,
                       const char *path, sfm_error *error) {
  sfm_interval curve[POINTS];
  double values[POINTS], sums[POINTS], last, releases = count_releases(q);
  char title[96], name[96], given[32], caption[CAPTION] = "";
  sfm_status status = picture_end(&last, q, delta, error);
  if (!status) status = sfm_account_curve(curve, POINTS, q->losses, q->count, 0, last, error);
  if (status) return status;
  const struct sum *sum = best_sum(q);
  for (size_t i = 0; i < POINTS; i++) {
    double summed = 0, at = last * (double)i / (POINTS - 1);
    values[i] = log10(curve[i].upper);
    if (sum && sfm_guarantee_delta(&summed, &sum->guarantee, at, NULL)) summed = 0;
    sums[i] = log10(summed);
  }
  snprintf(title, sizeof title, "What %.0f release%s promise%s%s", releases,
           releases == 1 ? "" : "s", releases == 1 ? "s" : "", releases == 1 ? "" : " together");
  describe(caption, q, epsilon, delta, last);
  if (sum && coincide(values, sums, POINTS))
    snprintf(name, sizeof name, "%s: the same curve", sum->name);
  else if (sum) {
    text_digits(given, sizeof given, q->delta > 0 ? q->delta : q->epsilon);
    snprintf(name, sizeof name, "%s: the best at %s %s", sum->name,
             q->delta > 0 ? "delta" : "epsilon", given);
  }
  draw_figure figure = {.title = title,
                        .labels = {"epsilon"},
                        .value_label = "delta",
                        .caption = caption,
                        .dimension = 1,
                        .floating = true,
                        .powers = true,
                        .counts = {POINTS},
                        .upper = {last},
                        .values = values,
                        .reference = sum ? sums : NULL,
                        .names = {"composed, at most", name}};
  return figure_output_draw(&figure, path, error);
}

/* What is left of --delta for the losses beside random differential privacy. */
static sfm_status rest_delta(double *rest, const question *q, const random_dp *c,
                             sfm_error *error) {
  double sum = 0;
  for (size_t i = 0; i < c->count; i++) sum += (double)c->counts[i] * c->parts[i].delta;
  *rest = q->delta - sum;
  if (!(q->delta > 0))
    return cli_misuse(error,
                      "--delta is missing: the epsilon of the releases without random differential "
                      "privacy depends on it; write for example --delta %.3g",
                      sum + 1e-6);
  if (!(*rest >= 1e-300))
    return cli_misuse(error,
                      "--delta is %g, and the deltas of --random-dp add up to %g: nothing is left "
                      "for the rest; write for example --delta %.3g",
                      q->delta, sum, sum + 1e-6);
  return SFM_OK;
}

/* Random differential privacy, and the rest, composed, as a part of it. */
static sfm_status run_random(const question *q, const cli_options *options, sfm_error *error) {
  random_dp c = {0};
  sfm_interval epsilon;
  sfm_guarantee rest = {.kind = SFM_GUARANTEE_APPROXIMATE};
  size_t named = 0;
  sfm_status status = random_dp_read(&c, options_get(options, "random-dp"), error);
  named = c.count;
  if (!status && q->epsilon > 0)
    status = cli_misuse(error, "--epsilon is not possible with random differential privacy, whose "
                               "epsilons add up; leave it out");
  if (!status && options_has(options, "output"))
    status = cli_misuse(error, "random differential privacy has no curve to draw; leave out -o");
  if (!status && q->count) {
    status = rest_delta(&rest.delta, q, &c, error);
    if (!status) status = sfm_account_epsilon(&epsilon, q->losses, q->count, rest.delta, error);
    rest.epsilon = epsilon.upper;
    if (!status) status = random_dp_add(&c, rest, 1, error);
  }
  if (!status) status = random_dp_print(&c, named, options_has(options, "json"), error);
  random_dp_clear(&c);
  return status;
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  const char *path = options_get(options, "output");
  question q = {0};
  sfm_interval epsilon = {0}, delta = {0};
  sfm_status status = read_question(&q, options, error);
  if (!status && options_has(options, "random-dp")) {
    status = run_random(&q, options, error);
    free(q.losses);
    return status;
  }
  if (!status) status = figure_output_check("-o", path, error);
  if (!status) status = add_up(&q, error);
  if (!status && q.delta > 0)
    status = sfm_account_epsilon(&epsilon, q.losses, q.count, q.delta, error);
  if (!status && q.epsilon > 0)
    status = sfm_account_delta(&delta, q.losses, q.count, q.epsilon, error);
  if (!status && options_has(options, "json"))
    status = print_json(&q, &epsilon, &delta, error);
  else if (!status)
    print_words(&q, &epsilon, &delta);
  if (!status && path) status = draw(&q, &epsilon, &delta, path, error);
  free(q.losses);
  return status;
}

const cli_verb verb_account = {
    .name = "account",
    .summary = "compute what several releases guarantee together",
    .usage = "--gaussian|--laplace|--pure|... PARAMETER[:COUNT] --delta D | --epsilon E [options]",
    .options = options_table,
    .about =
        "The releases are assumed to be fixed in advance, in any order, to be made from the same "
        "rows, and to protect the same unit: one record, or one person of the same column. "
        "Guarantees per patient and guarantees per doctor do not add up. The privacy-loss "
        "distributions are composed, and the interval printed is certified: the least epsilon lies "
        "in it. Below it are the sums that ledgers keep (gdp, zcdp, basic), where they apply: the "
        "sums also hold when each release is chosen after seeing the earlier ones.\nThe JSON "
        "object has the keys epsilon, epsilon_lower, delta, mu and rho (the sums; mu is null with "
        "a discrete Gaussian, which is not GDP); with --epsilon also at_epsilon {epsilon, delta, "
        "delta_lower}. With --epsilon alone, epsilon and epsilon_lower are the number given, and "
        "delta and delta_lower are the ends of the interval of delta. With --random-dp it has kind "
        "(random-dp), epsilon, delta, gamma and warning.\n" RANDOM_DP_WARNING,
    .example = "sfumato account --gaussian 2:16 --delta 1e-6\n"
               "sfumato account --laplace 0.01:500,0.1:10 --pure 0.5 --delta 1e-6 --epsilon 1 -o "
               "curve.png\n"
               "sfumato account --random-dp 1:1e-6:0.05,0.5:0:0.01 --laplace 0.1:10 --delta 1e-5",
    .run = run,
};
