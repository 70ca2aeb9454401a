#include "base/system/c_locale.h"
#include "base/text/thousands.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "release_kind.h"

/* What every release under random differential privacy says. */
#define SFMI_RANDOM_WARNING                                                                        \
  "It protects a typical record. It does not protect extreme individuals (the very rich, the "     \
  "very "                                                                                          \
  "sick), who may need protection most. It is never charged as differential privacy."
#define SEEDED "NOT PRIVATE: the noise came from a known seed. "
#define IDEALISED "; idealised: real-number noise on a computer"

/* e^epsilon rounded up, with three digits of what it is above 1. */
static void print_factor(char *text, size_t size, double epsilon) {
  if (epsilon >= 14) {
    sfmi_snprintf(text, size, "e^%.15g", epsilon);
    return;
  }
  const double factor = exp(epsilon) * (1 + 1e-15);
  const double wanted = 2 - floor(log10(fmax(expm1(epsilon), 1e-10)));
  const int places = wanted >= 2 ? (int)wanted : factor < 100 ? 2 : 0;
  const double unit = pow(10, places);
  if (places)
    sfmi_snprintf(text, size, "%.*f", places, ceil(factor * unit) / unit);
  else
    sfmi_thousands(text, size, ceil(factor), 15);
}

/* Random DP is a guarantee of another name, and says so. */
static char *print_random(const sfm_release *release, const char *factor) {
  const sfm_guarantee *g = &release->guarantee;
  char plus[96] = "", *text = NULL;
  if (g->delta > 0)
    sfmi_snprintf(plus, sizeof plus, ", plus a probability of at most %.15g", g->delta);
  const int length = sfmi_asprintf(
      &text,
      "%sThis is not differential privacy. It is random differential privacy, which is weaker. "
      "Suppose that the records are independent draws from one distribution, and that one record "
      "is drawn again. Then, with probability %.15g over all these draws, any conclusion from this "
      "release becomes at most %s times as likely%s (epsilon = %.15g, delta = %.15g, gamma = "
      "%.15g%s). %s",
      release->is_private ? "" : SEEDED, 1 - g->gamma, factor, plus, g->epsilon, g->delta, g->gamma,
      release->hardened ? "" : IDEALISED, SFMI_RANDOM_WARNING);
  return length < 0 ? NULL : text;
}

/* Which records of the reader are protected, and what may become of them; to be freed, NULL when
 * memory is short.  Not "any K records" where a column tells persons apart: a record that takes
 * another person's id also moves what is kept of theirs. */
static char *print_unit(const sfm_release *release) {
  const char *person = release->person ? release->person : "",
             *column = release->person ? "column " : "",
             *then = !release->person                         ? ""
                     : release->person_ids == SFMI_IDS_NUMBER ? ", ids compared as numbers; "
                     : release->person_ids == SFMI_IDS_VALUE  ? ", ids compared as values; "
                                                              : "; ";
  const bool replace = release->neighbours == SFM_NEIGHBOURS_REPLACE;
  const char *others = replace ? "replaced by any others" : "added or removed";
  const uint32_t most = release->contributions;
  char *text = NULL;
  int length;
  if (release->enforced && release->method == SFMI_CURVE)
    length = sfmi_asprintf(
        &text, "your curves (%s%s%stogether at most %u times the clip). If your curves are %s",
        column, person, then, most, others);
  else if (release->enforced)
    length = sfmi_asprintf(&text, "your records (%s%s%sat most %u %s used). If your records are %s",
                           column, person, then, most, most == 1 ? "is" : "are", others);
  else if (release->person && most == 1)
    length =
        sfmi_asprintf(&text, "your records (column %s). If your records are %s", person, others);
  else if (release->person)
    length = sfmi_asprintf(&text, "your records (column %s; at most %u). If your records are %s",
                           person, most, others);
  else if (most == 1)
    length = sfmi_asprintf(&text, "your record. If your record is %s",
                           replace ? "replaced by any other record" : others);
  else
    length = sfmi_asprintf(&text, "your records, if you have at most %u. If any %u records are %s",
                           most, most, others);
  return length < 0 ? NULL : text;
}

/* What the guarantee takes the owner's word for. */
static const char *assumption_of(const sfm_release *release) {
  /* Files of 0.1 do not name the column, and its combine did not compare it. */
  if (release->enforced)
    return release->refined.combined && !release->person
               ? " This rests on the owner's assumption that all combined releases tell persons "
                 "apart by the same column."
               : "";
  if (release->contributions > 1)
    return " This rests on the owner's assumption that nobody has more records.";
  return release->person ? " This rests on the owner's assumption that the sensitivity covers all "
                           "records of one person."
                         : "";
}

static const char *kind_assumption(const sfm_release *release) {
  return release->kind->assumption ? release->kind->assumption(release) : "";
}

/* First what the release does for a person among the rows, then the numbers.  To be freed; NULL
 * when memory is short. */
static char *print_sentence(const sfm_release *release) {
  const sfm_guarantee *g = &release->guarantee;
  const bool session = release->method == SFMI_MACHINE_INTERACTIVE;
  char factor[64], name[96], *unit, *text = NULL;
  print_factor(factor, sizeof factor, g->epsilon);
  if (g->kind == SFM_GUARANTEE_RANDOM_DP) return print_random(release, factor);
  if (g->kind == SFM_GUARANTEE_APPROXIMATE) {
    sfmi_snprintf(name, sizeof name, ", plus a probability of at most %.15g (approximate",
                  g->delta);
  } else if (g->kind == SFM_GUARANTEE_GDP) {
    sfmi_snprintf(name, sizeof name, ", plus a probability of at most %.15g (%.6g-Gaussian",
                  g->delta, g->mu);
  } else if (g->kind == SFM_GUARANTEE_ZCDP) {
    sfmi_snprintf(name, sizeof name,
                  ", plus a probability of at most %.15g (%.6g-zero-concentrated", g->delta,
                  g->rho);
  } else {
    sfmi_snprintf(name, sizeof name, " (pure");
  }
  if (!(unit = print_unit(release))) return NULL;
  const int length = sfmi_asprintf(
      &text,
      "%sThis %s limits what anyone can learn from %s, any conclusion from %s becomes at most %s "
      "times as likely%s differential privacy, epsilon = %.15g%s).%s%s",
      release->is_private ? "" : SEEDED "With secret noise this would hold: ",
      session ? "session" : "release", unit,
      session ? "all answers of this session" : "this release", factor, name, g->epsilon,
      release->hardened ? "" : IDEALISED, assumption_of(release), kind_assumption(release));
  free(unit);
  return length >= 0 ? text : NULL;
}

/* Of whom the sentence of a combination speaks. */
static void print_combined(char *text, size_t size, const sfm_release *release) {
  static const char apart[] =
      "This rests on the owner's assumption that nobody is in more than one of the";
  const sfmi_refinement *r = &release->refined;
  char own[224] = "";
  if (r->parts_disjoint)
    sfmi_snprintf(own, sizeof own,
                  " Some of these releases are combinations themselves. %s releases that such a "
                  "combination combines.",
                  apart);
  if (r->parts == 0)
    sfmi_snprintf(text, size,
                  " This is about all combined releases together. The file does not say whether it "
                  "holds only if nobody is in more than one of them.");
  else if (r->disjoint)
    sfmi_snprintf(text, size, " %s %" PRIu64 " combined releases.%s", apart, r->parts, own);
  else
    sfmi_snprintf(text, size,
                  " This is about the %" PRIu64 " combined releases all together, also if the same "
                  "%s are in several of them.%s",
                  r->parts, release->enforced ? "people" : "records", own);
}

bool sfmi_release_write_sentence(sfm_release *release) {
  char more[512] = "", *text = NULL;
  char *plain =
      release->kind->sentence ? release->kind->sentence(release) : print_sentence(release);
  if (release->refined.combined) print_combined(more, sizeof more, release);
  const int length = plain ? sfmi_asprintf(&text, "%s%s", plain, more) : -1;
  free(plain);
  free(release->sentence);
  release->sentence = length >= 0 ? text : NULL;
  return release->sentence != NULL;
}
