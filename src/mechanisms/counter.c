/* counter.c - from a count to an answer: the only place where its noise is drawn. */
#include <math.h>
#include <stdlib.h>

#include "mechanisms/counting.h"
#include "privacy/amount.h"

int64_t sfmi_count_exact_to(double gamma, uint64_t n) {
  sfmi_amount parts; /* of 1e-12 */
  if (!sfmi_amount_from(&parts, gamma, false) || parts <= 0) return -1;
  const sfmi_u128 largest = (sfmi_u128)parts * n / (2 * (sfmi_u128)SFMI_AMOUNT_ONE);
  return (int64_t)largest - 1;
}

static sfm_status check_random(const sfm_count_settings *s, sfm_error *error) {
  if (!(s->gamma > 0 && s->gamma < 1))
    return sfmi_fail(error, SFM_INVALID,
                     "--random-dp is %g, but must be between 0 and 1: the probability, over the "
                     "drawing of the records, with which the guarantee may fail; write for example "
                     "--random-dp 0.01",
                     s->gamma);
  if (s->charge)
    return sfmi_fail(error, SFM_INVALID,
                     "random differential privacy cannot be charged to a ledger of differential "
                     "privacy; leave out --random-dp, or the ledger");
  if (sfm_schema_neighbours(s->schema) != SFM_REPLACE)
    return sfmi_fail(error, SFM_INVALID,
                     "random differential privacy is about a record that is drawn anew, with the "
                     "number of records public; write --neighbours replace");
  if (sfm_schema_person(s->schema) || sfm_schema_contributions(s->schema) != 1)
    return sfmi_fail(error, SFM_INVALID,
                     "random differential privacy takes records for independent draws, each of a "
                     "person of its own; leave out --person and --contributions");
  return SFM_OK;
}

sfm_status sfmi_count_rule_make(sfmi_count_rule *rule, const sfm_count_settings *s, uint64_t n,
                                sfm_error *error) {
  *rule = (sfmi_count_rule){.exact_to = -1};
  sfm_status status = s->gamma != 0 ? check_random(s, error) : SFM_OK;
  if (!status && !(s->epsilon > 0 && isfinite(s->epsilon)))
    status = sfmi_fail(error, SFM_INVALID, "epsilon is %g, but must be a finite number above zero",
                       s->epsilon);
  if (!status)
    status =
        sfmi_harden_laplace(&rule->law, sfm_schema_contributions(s->schema), s->epsilon, error);
  if (status) return status;
  rule->bounded = sfm_schema_neighbours(s->schema) == SFM_REPLACE;
  rule->n = n;
  if (s->gamma > 0) rule->exact_to = sfmi_count_exact_to(s->gamma, n);
  return SFM_OK;
}

struct sfmi_counter {
  sfmi_count_rule rule;
  sfmi_hardener *hardener;
};

sfm_status sfmi_counter_create(sfmi_counter **out, const sfmi_count_rule *rule, sfmi_seed source,
                               sfm_error *error) {
  *out = NULL;
  sfmi_counter *counter = sfmi_alloc(1, sizeof *counter);
  if (!counter) return sfmi_fail_memory(error);
  counter->rule = *rule;
  sfm_status status = sfmi_hardener_create(&counter->hardener, &rule->law, source, error);
  if (status) {
    sfmi_counter_destroy(counter);
    return status;
  }
  *out = counter;
  return SFM_OK;
}

void sfmi_counter_destroy(sfmi_counter *counter) {
  if (!counter) return;
  sfmi_hardener_destroy(counter->hardener);
  free(counter);
}

static int64_t bring_into(int64_t value, uint64_t n) {
  if (value < 0) return 0;
  return (uint64_t)value > n ? (int64_t)n : value;
}

int64_t sfmi_counter_draw(sfmi_counter *counter, uint64_t count, bool *exact) {
  const sfmi_count_rule *rule = &counter->rule;
  const sfmi_i128 value = (sfmi_i128)count;
  int64_t answer;
  *exact = rule->exact_to >= 0 && count <= (uint64_t)rule->exact_to;
  if (*exact) return (int64_t)count;
  sfmi_hardener_add(counter->hardener, &answer, &value, 1);
  return rule->bounded ? bring_into(answer, rule->n) : answer;
}
