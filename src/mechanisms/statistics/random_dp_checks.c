#include "random_dp_checks.h"

sfm_status sfmi_random_dp_check_gamma(double gamma, sfm_error *error) {
  if (!(gamma > 0 && gamma < 1))
    return sfmi_fail(
        error, SFM_INVALID,
        "settings.gamma is %g, but must be between 0 and 1: the probability, over the drawing of "
        "the records, with which the guarantee may fail; write for example settings.gamma = 0.01",
        gamma);
  return SFM_OK;
}

sfm_status sfmi_random_dp_check_records(const sfm_schema *schema, sfm_error *error) {
  if (sfm_schema_neighbours(schema) != SFM_NEIGHBOURS_REPLACE)
    return sfmi_fail(error, SFM_INVALID,
                     "random differential privacy is about one record drawn anew among a public "
                     "number of records; write schema.neighbours = replace");
  if (sfm_schema_person(schema) || sfm_schema_contributions(schema) != 1)
    return sfmi_fail(error, SFM_INVALID,
                     "random differential privacy assumes that records are independent draws, each "
                     "of another person; leave out schema.person and schema.contributions");
  return SFM_OK;
}
