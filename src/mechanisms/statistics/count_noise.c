#include "count_noise.h"

#include <math.h>
#include <stdlib.h>

#include "privacy/amount.h"
#include "random/discrete_distributions.h"
#include "random_dp_checks.h"
#include "releases/core/release_data.h"
#include "privacy/range_check.h"

int64_t sfmi_count_exact_to(double gamma, uint64_t n) {
  sfmi_amount parts; /* of 1e-12 */
  if (!sfmi_amount_from(&parts, gamma, false) || parts <= 0) return -1;
  const sfmi_u128 largest = (sfmi_u128)parts * n / (2 * (sfmi_u128)SFMI_AMOUNT_ONE);
  return (int64_t)largest - 1;
}

static sfm_status check_random(const sfm_count_settings *s, sfm_error *error) {
  const sfm_status status = sfmi_random_dp_check_gamma(s->gamma, error);
  if (status) return status;
  if (s->context.charge)
    return sfmi_fail(error, SFM_INVALID,
                     "random differential privacy cannot be charged to a ledger of differential "
                     "privacy; leave out settings.gamma, or the ledger");
  return sfmi_random_dp_check_records(s->context.schema, error);
}

/* contributions times the mechanism's epsilon, never less; 0 when it is out of range. */
static double epsilon_of(const sfmi_optimal *optimal, uint32_t contributions) {
  sfmi_amount one;
  if (contributions == 1) return optimal->epsilon;
  if (!sfmi_amount_from(&one, optimal->epsilon, true)) return 0;
  if (one > SFMI_AMOUNT_MAX / contributions) return 0;
  return sfmi_amount_double(one * contributions, true);
}

static sfm_status check_mechanism(const sfm_count_settings *s, sfm_error *error) {
  const sfmi_optimal *optimal = s->mechanism->optimal;
  const uint32_t contributions = sfm_schema_contributions(s->context.schema);
  if (!optimal)
    return sfmi_fail(
        error, SFM_INVALID,
        "settings.mechanism: this file is a %s, not a mechanism; sfm_optimal_design makes one",
        sfm_kind_name(sfm_release_kind(s->mechanism)));
  if (sfm_schema_neighbours(s->context.schema) != SFM_NEIGHBOURS_REPLACE)
    return sfmi_fail(error, SFM_INVALID,
                     "a mechanism is for a public number of records, which add-remove keeps "
                     "private; write schema.neighbours = replace, or settings.mechanism = NULL");
  if (s->gamma != 0)
    return sfmi_fail(
        error, SFM_INVALID,
        "settings.gamma is about geometric noise; leave out settings.mechanism, or settings.gamma");
  const double epsilon = epsilon_of(optimal, contributions);
  if (!(epsilon > 0))
    return sfmi_fail(error, SFM_INVALID,
                     "an epsilon of %g per record is too large with %u contributions; write fewer "
                     "contributions, or make a mechanism for a smaller epsilon",
                     optimal->epsilon, contributions);
  if (s->epsilon != 0 && !(fabs(s->epsilon - epsilon) <= 1e-12 * epsilon))
    return sfmi_fail(error, SFM_INVALID,
                     "settings.epsilon is %.15g, and the mechanism's is %.15g%s; leave out "
                     "settings.epsilon, or make a mechanism for it",
                     s->epsilon, epsilon, contributions > 1 ? " with so many contributions" : "");
  return sfmi_optimal_check(optimal, "settings.mechanism", error);
}

/* Epsilon spent on what everybody knows.  (Of a person's records only some count, and how many
 * there are of these is not public.) */
static bool is_public(const sfm_count_settings *s) {
  return !s->where && sfm_schema_neighbours(s->context.schema) == SFM_NEIGHBOURS_REPLACE &&
         !sfm_schema_person(s->context.schema);
}

sfm_status sfmi_count_check(const sfm_count_settings *s, sfm_error *error) {
  const sfm_status status = sfmi_check_confidence(s->context.confidence, error);
  if (status) return status;
  if (is_public(s))
    return sfmi_fail(error, SFM_INVALID,
                     "under replace the number of records is public: state settings.where, or "
                     "schema.neighbours = add-remove");
  if (s->mechanism) return check_mechanism(s, error);
  if (!(s->epsilon > 0 && isfinite(s->epsilon)))
    return sfmi_fail(error, SFM_INVALID, "epsilon is %g, but must be a finite number above zero",
                     s->epsilon);
  return s->gamma != 0 ? check_random(s, error) : SFM_OK;
}

static sfm_status make_optimal(sfmi_count_rule *rule, const sfm_count_settings *s,
                               sfm_error *error) {
  const sfmi_optimal *optimal = s->mechanism->optimal;
  if (optimal->n != rule->n && rule->n > SFMI_OPTIMAL_MAX)
    return sfmi_fail(error, SFM_INVALID,
                     "there are %llu records, and the mechanism is for %zu; with so many there is "
                     "little to gain: write settings.mechanism = NULL",
                     (unsigned long long)rule->n, optimal->n);
  if (optimal->n != rule->n)
    return sfmi_fail(error, SFM_INVALID,
                     "there are %llu records, and the mechanism is for %zu; make one with "
                     "sfm_optimal_design (settings.n = %llu, settings.epsilon = %.15g)",
                     (unsigned long long)rule->n, optimal->n, (unsigned long long)rule->n,
                     optimal->epsilon);
  rule->optimal = optimal;
  rule->epsilon = epsilon_of(optimal, sfm_schema_contributions(s->context.schema));
  rule->law =
      (sfmi_noise_law){.law = SFM_NOISE_LAW_DISCRETE_LAPLACE, .scale = sfmi_optimal_scale(optimal)};
  return SFM_OK;
}

sfm_status sfmi_count_rule_init(sfmi_count_rule *rule, const sfm_count_settings *s, uint64_t n,
                                sfm_error *error) {
  *rule = (sfmi_count_rule){.epsilon = s->epsilon,
                            .bounded =
                                sfm_schema_neighbours(s->context.schema) == SFM_NEIGHBOURS_REPLACE,
                            .n = n,
                            .exact_to = s->gamma > 0 ? sfmi_count_exact_to(s->gamma, n) : -1};
  if (s->mechanism) return make_optimal(rule, s, error);
  return sfmi_harden_laplace(&rule->law, sfm_schema_contributions(s->context.schema), s->epsilon,
                             error);
}

struct sfmi_count_noise {
  sfmi_count_rule rule;
  sfmi_hardener *hardener; /* NULL: a matrix needs no noise */
  sfmi_stream *stream;     /* of an optimal mechanism's answers; else NULL */
};

static bool is_matrix(const sfmi_count_rule *rule) {
  return rule->optimal && rule->optimal->form == SFM_OPTIMAL_MATRIX;
}

sfm_status sfmi_count_noise_create(sfmi_count_noise **out, const sfmi_count_rule *rule,
                                   sfmi_seed source, sfm_error *error) {
  *out = NULL;
  sfm_status status = SFM_OK;
  sfmi_count_noise *count_noise = sfmi_alloc(1, sizeof *count_noise);
  if (!count_noise) return sfmi_fail_memory(error);
  count_noise->rule = *rule;
  if (!is_matrix(rule))
    status = sfmi_hardener_create(&count_noise->hardener, &rule->law, source, error);
  if (!status && rule->optimal) /* another seed, lest answers follow the noise */
    status =
        sfmi_seed_stream(&count_noise->stream, (sfmi_seed){source.seeded, ~source.seed}, error);
  if (!status)
    *out = count_noise;
  else
    sfmi_count_noise_destroy(count_noise);
  return status;
}

void sfmi_count_noise_destroy(sfmi_count_noise *count_noise) {
  if (!count_noise) return;
  sfmi_hardener_destroy(count_noise->hardener);
  sfmi_stream_destroy(count_noise->stream);
  free(count_noise);
}

static int64_t bring_into(int64_t value, uint64_t n) {
  if (value < 0) return 0;
  return (uint64_t)value > n ? (int64_t)n : value;
}

/* The count with noise. */
static int64_t add_noise(sfmi_count_noise *count_noise, uint64_t count) {
  const sfmi_count_rule *rule = &count_noise->rule;
  const sfmi_i128 value = (sfmi_i128)count;
  int64_t noisy;
  sfmi_hardener_add(count_noise->hardener, &noisy, &value, 1);
  return rule->bounded ? bring_into(noisy, rule->n) : noisy;
}

int64_t sfmi_count_noise_draw(sfmi_count_noise *count_noise, uint64_t count, bool *exact) {
  const sfmi_count_rule *rule = &count_noise->rule;
  /* Rows that became more since they were counted must not lead out of a table. */
  if (rule->bounded && count > rule->n) count = rule->n;
  *exact = rule->exact_to >= 0 && count <= (uint64_t)rule->exact_to;
  if (*exact) return (int64_t)count;
  const int64_t row = is_matrix(rule) ? (int64_t)count : add_noise(count_noise, count);
  if (!rule->optimal) return row;
  return (int64_t)sfmi_optimal_answer(rule->optimal, (size_t)row,
                                      sfmi_uniform(count_noise->stream, SFMI_OPTIMAL_ONE));
}
