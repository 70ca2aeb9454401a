/* private_model_state.h - the state of an interactive session as its file holds it: read, and
 * checked against the facts. */
#ifndef SFMI_PRIVATE_MODEL_STATE_H
#define SFMI_PRIVATE_MODEL_STATE_H

#include "planner/design/design_interact.h"
#include "releases/kinds/machine_values.h"

/* The fields but for the weights.  PRIVATE: the threshold, and the seed where there is one. */
typedef struct sfmi_private_model_head {
  sfmi_design_interact found;
  sfmi_feature_map_form form;
  uint64_t features;                    /* as many weights */
  uint64_t frequencies, frequency_seed; /* of the form random */
  sfm_interact_update update;
  bool seeded;
  uint64_t seed;
  double confidence;
  sfmi_i128 threshold; /* of the first epoch */
} sfmi_private_model_head;

/* The state, to be wiped and freed.  The head is left as it is. */
SFM_MUST_CHECK sfm_status sfmi_private_model_state_write(uint8_t **state, size_t *length,
                                                         sfmi_private_model_head *head,
                                                         const double *weights, sfm_error *error);

/* Head and weights of a state that can be one of these facts: what the facts say, too, is the same
 * in it, and nothing computed from the rest is no number.  SFM_FORMAT otherwise; name is for
 * messages.  *weights: room for twice as many, to be freed with sfmi_secret_free, also after a
 * failure. */
SFM_MUST_CHECK sfm_status sfmi_private_model_state_read(sfmi_private_model_head *head,
                                                        double **weights, const uint8_t *state,
                                                        size_t length, const sfm_release *facts,
                                                        const char *name, sfm_error *error);

/* Whether noise can have made such a threshold. */
bool sfmi_private_model_threshold_fits(sfmi_i128 threshold);

#endif
