/* tutor.h - the private machine of an interactive session, and all that its answers depend on.
 *
 * It is kept as facts, which are public (a release of a machine without numbers), and as a state,
 * which is PRIVATE: the weights, and the noisy threshold of the first epoch.  What was told since
 * is a list of tidings: values that were released, and after each batch of questions the noisy
 * threshold of the epoch that is running.
 *
 * Let q = <w, phi(z)> be the machine's value and p the public model's (releases/pupil.h), both
 * rounded to integers Q, P of the step g.
 *
 *   epochs are left    AboveThreshold (above.h) on |Q - P|: below, p is answered.  It fires: Q with
 *                      fresh discrete Laplace noise is released, the public model learns it, and
 *                      the next epoch begins, if there is one, with a threshold of its own
 *   none is left       p is answered, and q is not looked at
 * docs/proofs/interactive.md */
#ifndef SFMI_TUTOR_H
#define SFMI_TUTOR_H

#include "planner/interacting.h"
#include "releases/learned.h"

typedef struct sfmi_tutor sfmi_tutor;

/* What a state is made of beside the facts; weights are PRIVATE. */
typedef struct sfmi_tutor_state {
  sfmi_interacting found;
  const sfmi_lift *lift;
  const double *weights; /* lift->count */
  sfm_interact_update update;
  double confidence;
  bool seeded;
  uint64_t seed;
} sfmi_tutor_state;

/* Draws the first threshold.  The state is to be wiped and freed. */
SFM_MUST_CHECK sfm_status sfmi_tutor_save(uint8_t **state, size_t *length,
                                          const sfmi_tutor_state *of, sfm_error *error);

/* The tutor of facts and state, nothing told; name is for messages.  SFM_FORMAT when they do not
 * fit. */
SFM_MUST_CHECK sfm_status sfmi_tutor_load(sfmi_tutor **out, const char *facts, const uint8_t *state,
                                          size_t length, const char *name, sfm_error *error);
/* Wipes and frees. */
void sfmi_tutor_destroy(sfmi_tutor *tutor);

/* What is public; owned by the tutor. */
const sfm_release *sfmi_tutor_facts(const sfmi_tutor *tutor);
const sfm_interact_plan *sfmi_tutor_plan(const sfmi_tutor *tutor);
sfm_interact_facts sfmi_tutor_about(const sfmi_tutor *tutor);

/* Where it stands.  The threshold is PRIVATE, and 0 when no epoch is left. */
typedef struct sfmi_standing {
  uint64_t questions, released;
  sfmi_i128 threshold;
} sfmi_standing;
sfmi_standing sfmi_tutor_standing(const sfmi_tutor *tutor);

/* Answers points, which are all in the domain (releases/frontier.h), in order; generation is the
 * number of the batch.  What is drawn counts from then on as told: if it cannot be stored,
 * sfmi_tutor_return. */
SFM_MUST_CHECK sfm_status sfmi_tutor_answer(sfmi_tutor *tutor, sfm_interact_answer *answers,
                                            const sfmi_points *points, uint64_t generation,
                                            sfm_error *error);
/* As it stood then, with nothing told since. */
void sfmi_tutor_return(sfmi_tutor *tutor, const sfmi_standing *then);

/* Released value i: in steps, and the coordinates of its point. */
int64_t sfmi_tutor_released(const sfmi_tutor *tutor, const uint32_t **indices, const double **u,
                            size_t *nonzeros, size_t i);
/* Takes in a value that was released before, in order; then where it stood after its batch.
 * SFM_FORMAT when that cannot be. */
SFM_MUST_CHECK sfm_status sfmi_tutor_recall(sfmi_tutor *tutor, int64_t released,
                                            const uint32_t *indices, const double *u,
                                            size_t nonzeros, sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_tutor_resume(sfmi_tutor *tutor, const sfmi_standing *standing,
                                            sfm_error *error);

/* The public model as a release. */
SFM_MUST_CHECK sfm_status sfmi_tutor_transcript(sfmi_tutor *tutor, sfm_release **out,
                                                sfm_error *error);

#endif
