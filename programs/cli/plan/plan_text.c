#include "plan_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan_command.h"
#include "plan_methods.h"
#include "cli/core/text.h"
#include "cli/request/bandwidth_choice.h"

enum { LONG = 1024 };
/* An error, of the peak, from which on a release shows noise. */
static const double HOPELESS = 0.5;

/* Upwards to three digits: nobody plans to the last person. */
static double three_digits(double x) {
  const double unit = x >= 1000 ? pow(10, floor(log10(x)) - 2) : 1;
  return ceil(x / unit) * unit;
}

static void say_subject(size_t width, const plan_request *p) {
  char rows[40], delta[40] = "";
  text_whole(rows, sizeof rows, (double)p->rows);
  if (p->delta > 0) {
    snprintf(delta, sizeof delta, ", delta %.4g", p->delta);
    text_short_power(delta);
  }
  text_say_within(stdout, width, "plan", "%.500s%s%s%s%s; epsilon %.6g%s", p->subject,
                  p->people ? ", of " : "", p->people ? rows : "", p->people ? " " : "",
                  p->people ? p->people : "", p->epsilon, delta);
}

static void say_shape(size_t width, const plan_request *p) {
  char shape[512];
  if (!p->like) return;
  text_harmless(shape, sizeof shape, p->shape ? p->shape : p->unlike);
  text_say_within(stdout, width, p->tabular ? "counts" : "shape", "%s%s", shape,
                  p->shape ? ", assumed to be true (stated, not read from rows)" : "");
}

static void say_selection(size_t width, const plan_request *p) {
  const sfm_bandwidth_forecast *f = &p->selection;
  char text[512];
  if (!f->count) return;
  bandwidth_choice_forecast_text(text, sizeof text, f->count, f->likely, f->chance);
  text_say_within(stdout, width, "choice",
                  "%s. It takes epsilon %.4g. All that follows is of the best candidate, with the "
                  "epsilon %.4g that is left",
                  text, f->choice_epsilon, f->epsilon);
}

/* A method with what was chosen: "lattice (h 3.7, laplace)". */
static void name_entry(char *out, size_t size, const plan_request *p, const sfm_plan_entry *entry) {
  char with[200];
  plan_choice_text(with, sizeof with, p, entry);
  snprintf(out, size, *with ? "%s (%s)" : "%s%s", entry->method, with);
}

/* The first method of the list that is hardened: the one of least error. */
static const sfm_plan_entry *first_hardened(const plan_request *p) {
  for (size_t i = 0; i < sfm_plan_length(p->plan); i++) {
    const sfm_plan_entry *entry = sfm_plan_at(p->plan, i);
    if (!entry->absent && entry->hardened) return entry;
  }
  return NULL;
}

/* Why another hardened method, of less error, is not taken. */
static void add_passed_over(char *text, size_t size, const plan_request *p,
                            const sfm_plan_entry *best, const sfm_plan_entry *other) {
  char name[256], percent[16], wrong[16];
  name_entry(name, sizeof name, p, other);
  plan_percent_text(percent, sizeof percent, other->predicted.relative);
  text_add(text, size, "; %s would have %s\u00a0%%", name, percent);
  plan_percent_text(wrong, sizeof wrong, other->misled);
  if (plan_option_given(p, "bandwidth"))
    text_add(text, size, ", but is farther from the estimate of the stated bandwidth");
  else if (other->misled > 0 && other->misled > best->misled)
    text_add(text, size, ", but %s\u00a0%% if the shape is wrong", wrong);
  else if (other->band.half_width > best->band.half_width)
    text_add(text, size, ", but a band of \u00b1%.2g", other->band.half_width);
}

static void say_choice(size_t width, const plan_request *p, const plan_findings *found) {
  const sfm_plan_entry *best = found->best, *first = sfm_plan_at(p->plan, 0);
  char text[LONG], name[256], percent[16];
  name_entry(name, sizeof name, p, best);
  plan_percent_text(percent, sizeof percent, best->predicted.relative);
  snprintf(text, sizeof text, "%s%s: an error of about %s\u00a0%% of %s",
           p->automatic ? "takes " : "", name, percent, p->whole);
  if (best->predicted.relative > HOPELESS && p->people)
    text_add(text, sizeof text, ", so large that little or nothing would be visible");
  if (!best->hardened)
    text_add(text, sizeof text,
             p->automatic ? "; it is idealised, and no hardened method is possible"
                          : "; it is idealised");
  else if (first_hardened(p) != best)
    add_passed_over(text, sizeof text, p, best, first_hardened(p));
  else if (first != best) {
    name_entry(name, sizeof name, p, first);
    plan_percent_text(percent, sizeof percent, first->predicted.relative);
    text_add(text, sizeof text,
             ", the least of the hardened methods; %s would have %s\u00a0%%, but is idealised",
             name, percent);
  }
  text_say_within(stdout, width, p->automatic ? "auto" : "best", "%s", text);
}

/* What could be told apart. */
static void say_detail(size_t width, const plan_request *p, const sfm_plan_entry *best) {
  if (isnan(best->apart) || isnan(best->share)) return;
  if (best->apart > p->upper[0] - p->lower[0])
    text_say_within(stdout, width, "detail",
                    "two bumps would have to be %.3g apart to be distinguished, and there is no "
                    "room for that from %.6g to %.6g",
                    best->apart, p->lower[0], p->upper[0]);
  else if (best->share > 0.5)
    text_say_within(stdout, width, "detail",
                    "two bumps %.3g apart could not be distinguished, even if each held half of "
                    "the %s",
                    best->apart, p->people);
  else
    text_say_within(stdout, width, "detail",
                    "you would see two bumps %.3g apart if each held at least %.2g\u00a0%% of the "
                    "%s",
                    best->apart, 100 * best->share, p->people);
}

/* Why no number of people and no epsilon could be enough, as far as options can help it. */
static void blame(char *out, size_t size, const plan_request *p, const plan_findings *found) {
  sfm_plan_parameter best = {.count = p->dimension};
  char numbers[256];
  out[0] = 0;
  if (plan_option_given(p, "bandwidth") && !isnan(found->bandwidth[0])) {
    memcpy(best.numbers, found->bandwidth, sizeof best.numbers);
    plan_numbers_text(numbers, sizeof numbers, &best, 3);
    snprintf(out, size, " at this bandwidth; leave it out, or write --bandwidth %s or less",
             numbers);
  } else if (plan_option_given(p, "terms")) {
    snprintf(out, size, " with so many terms; leave out --terms");
  }
}

/* "it takes 12,300 people at this epsilon, or epsilon 3.1 with these people". */
static void need_text(char *out, size_t size, const plan_request *p, const plan_findings *found,
                      const plan_need *need) {
  const bool many = isfinite(need->rows), much = isfinite(need->epsilon);
  char rows[40] = "", why[512];
  if (many) text_whole(rows, sizeof rows, three_digits(need->rows));
  if (!p->people)
    snprintf(out, size, much ? "you need epsilon %.3g" : "no epsilon is enough", need->epsilon);
  else if (many && much)
    snprintf(out, size, "you need %s %s at this epsilon, or epsilon %.3g with these %s", rows,
             p->people, need->epsilon, p->people);
  else if (many)
    snprintf(out, size, "you need %s %s at this epsilon; no epsilon is enough with these %s", rows,
             p->people, p->people);
  else if (much)
    snprintf(out, size, "you need epsilon %.3g; no number of %s is enough at this epsilon",
             need->epsilon, p->people);
  else {
    blame(why, sizeof why, p, found);
    snprintf(out, size, "no number of %s and no epsilon is enough%s", p->people, why);
  }
}

static void say_need(size_t width, const plan_request *p, const plan_findings *found,
                     const plan_need *need) {
  char text[LONG], label[24];
  snprintf(label, sizeof label, "for %.3g %%", 100 * need->relative);
  const char *other = plan_substitute_method(p, found);
  need_text(text, sizeof text, p, found, need);
  text_say_within(stdout, width, label, "of %s%s%s%s %s", p->whole, other ? ", by the " : "",
                  other ? other : "", other ? " mechanism," : "", text);
}

static void say_bandwidth(size_t width, const plan_request *p, const plan_findings *found) {
  const bool chosen = strcmp(p->kind, "density") == 0 && !plan_option_given(p, "bandwidth");
  sfm_plan_parameter best = {.count = p->dimension};
  char numbers[256], percent[16];
  if (isnan(found->bandwidth[0])) return;
  memcpy(best.numbers, found->bandwidth, sizeof best.numbers);
  plan_numbers_text(numbers, sizeof numbers, &best, 3);
  plan_percent_text(percent, sizeof percent, found->widened.relative);
  text_say_within(stdout, width, "bandwidth",
                  "%s is the best for the total error: %s\u00a0%% of %s%s", numbers, percent,
                  p->whole, chosen ? " (chosen when none is stated)" : "");
}

static sfm_status say_command(const plan_request *p, const sfm_plan_entry *best, sfm_error *error) {
  char *command;
  sfm_status status = plan_command_text(&command, p, best, error);
  if (!status) printf("%-12s%s\n", "command", command);
  free(command);
  return status;
}

sfm_status plan_text_print(const plan_request *p, const plan_findings *found, size_t width,
                           sfm_error *error) {
  say_subject(width, p);
  say_shape(width, p);
  say_selection(width, p);
  fputc('\n', stdout);
  plan_methods_print(p, found, width);
  fputc('\n', stdout);
  if (!found->best) {
    text_say_within(stdout, width, p->automatic ? "auto" : "best",
                    "no method is possible, for the reasons above");
    return SFM_OK;
  }
  say_choice(width, p, found);
  say_detail(width, p, found->best);
  for (size_t i = 0; i < found->need_count; i++) say_need(width, p, found, &found->needs[i]);
  say_bandwidth(width, p, found);
  return say_command(p, found->best, error);
}
