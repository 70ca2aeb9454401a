/* private_model.h - the private machine of an interactive session, and all that its answers depend
 * on.
 *
 * It is kept as facts, which are public (a release of a machine without numbers), and as a state,
 * which is PRIVATE: the weights, and the noisy threshold of the first epoch.  What was told since
 * is a list of batches (sessions/batch_codec.h): values that were released, and after each batch of
 * questions the noisy threshold of the epoch that is running.
 *
 * Let q = <w, phi(z)> be the machine's value and p the public model's
 * (releases/kinds/public_model.h), both rounded to integers Q, P of the step g.
 *
 * - While there are epochs: AboveThreshold (above_threshold.h) on |Q - P|.  Below, p is answered.
 *   Where it fires, Q is released with fresh discrete Laplace noise, the public model learns it,
 *   and the next epoch begins, if there is one, with a threshold of its own.
 * - When no epoch is left: p is answered, and q is not looked at.
 *
 * Proof: docs/proofs/interactive.md. */
#ifndef SFMI_PRIVATE_MODEL_H
#define SFMI_PRIVATE_MODEL_H

#include "planner/design/design_interact.h"
#include "releases/kinds/machine_values.h"

typedef struct sfmi_private_model sfmi_private_model;

/* What a state is made of beside the facts; weights are PRIVATE. */
typedef struct sfmi_private_model_state {
  sfmi_design_interact found;
  const sfmi_feature_map *map;
  const double *weights; /* map->count */
  sfm_interact_update update;
  double confidence;
  bool seeded;
  uint64_t seed;
} sfmi_private_model_state;

/* Draws the first threshold.  The state is to be wiped and freed. */
SFM_MUST_CHECK sfm_status sfmi_private_model_save(uint8_t **state, size_t *length,
                                                  const sfmi_private_model_state *of,
                                                  sfm_error *error);

/* The private model of facts and state, with nothing told; name is for messages.  SFM_FORMAT when
 * they do not fit. */
SFM_MUST_CHECK sfm_status sfmi_private_model_load(sfmi_private_model **out, const char *facts,
                                                  const uint8_t *state, size_t length,
                                                  const char *name, sfm_error *error);
/* Wipes and frees. */
void sfmi_private_model_destroy(sfmi_private_model *private_model);

/* What is public; owned by the private model. */
const sfm_release *sfmi_private_model_facts(const sfmi_private_model *private_model);
const sfm_interact_plan *sfmi_private_model_plan(const sfmi_private_model *private_model);
sfm_interact_facts sfmi_private_model_about(const sfmi_private_model *private_model);

/* Where it stands.  The threshold is PRIVATE, and 0 when no epoch is left. */
typedef struct sfmi_interact_position {
  uint64_t questions, released;
  sfmi_i128 threshold;
} sfmi_interact_position;
sfmi_interact_position sfmi_private_model_position(const sfmi_private_model *private_model);

/* Answers points, which are all in the domain (sfmi_machine_domain_check), in order;
 * generation is the number of the batch.  What is drawn counts from then on as told: if it cannot
 * be stored, sfmi_private_model_rollback. */
SFM_MUST_CHECK sfm_status sfmi_private_model_answer(sfmi_private_model *private_model,
                                                    sfm_interact_answer *answers,
                                                    const sfmi_machine_points *points,
                                                    uint64_t generation, sfm_error *error);
/* As it stood then, with nothing told since. */
void sfmi_private_model_rollback(sfmi_private_model *private_model,
                                 const sfmi_interact_position *then);

/* Released value i: in steps, and the coordinates of its point. */
int64_t sfmi_private_model_released(const sfmi_private_model *private_model,
                                    const uint32_t **indices, const double **u, size_t *nonzeros,
                                    size_t i);
/* Takes in a value that was released before, in order; then where it stood after its batch.
 * SFM_FORMAT when that cannot be. */
SFM_MUST_CHECK sfm_status sfmi_private_model_replay(sfmi_private_model *private_model,
                                                    int64_t released, const uint32_t *indices,
                                                    const double *u, size_t nonzeros,
                                                    sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_private_model_resume(sfmi_private_model *private_model,
                                                    const sfmi_interact_position *position,
                                                    sfm_error *error);

/* The public model as a release. */
SFM_MUST_CHECK sfm_status sfmi_private_model_transcript(sfmi_private_model *private_model,
                                                        sfm_release **out, sfm_error *error);

#endif
