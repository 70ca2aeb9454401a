/* online_function.h - one random function, f + sigma G, drawn once: every answer of a session is a
 * value of it.
 *
 * It is kept as facts, which are public (a release of the same settings: for spectral the function
 * itself, for the others one without its numbers), and as a state, which is PRIVATE (not spectral):
 * the masses of the rows, and a key.
 *
 *   spectral  nothing more: the noise is in the facts.
 *   markov    the noise at a place follows from the key and the place (fields/dyadic_path.h).
 *   gram      the noise at a place is drawn when it is asked for, given that of all places before;
 *             its normals are the latents, to be stored with the answer and restored in order.
 *
 * Values are in records, computed as integers of 2^-SFMI_KERNEL_SUM_BITS: those of the rows and
 * those of the noise are added exactly and converted once. */
#ifndef SFMI_ONLINE_FUNCTION_H
#define SFMI_ONLINE_FUNCTION_H

#include "planner/density/design_density.h"
#include "releases/core/release_data.h"

#define SFMI_ONLINE_FUNCTION_KEY 32

typedef struct sfmi_online_function sfmi_online_function;

/* The state of masses (sums of the process' lattice) and key, to be wiped and freed. */
SFM_MUST_CHECK sfm_status sfmi_online_function_save(uint8_t **state, size_t *length,
                                                    const sfmi_process *process,
                                                    const sfmi_i128 *sums, double unit,
                                                    const uint8_t key[SFMI_ONLINE_FUNCTION_KEY],
                                                    sfm_error *error);

/* The function of facts and state; name is for messages.  SFM_FORMAT when they do not fit. */
SFM_MUST_CHECK sfm_status sfmi_online_function_load(sfmi_online_function **out, const char *facts,
                                                    const uint8_t *state, size_t length,
                                                    const char *name, sfm_error *error);
/* Wipes and frees. */
void sfmi_online_function_destroy(sfmi_online_function *function);

/* What is public of it; owned by the function. */
const sfm_release *sfmi_online_function_facts(const sfmi_online_function *function);
/* Whether answers must be stored, and whether only one copy may go on. */
bool sfmi_online_function_stored(const sfmi_online_function *function);
bool sfmi_online_function_single(const sfmi_online_function *function);
/* Most answers of one session, where there is a limit: gram, for whose factor so many rows are
 * proved to keep half of the nugget; else SIZE_MAX. */
size_t sfmi_online_function_most(const sfmi_online_function *function);
/* Numbers that are stored with each answer besides its value. */
size_t sfmi_online_function_latents(const sfmi_online_function *function);
/* One record as a density, as an evaluator of the transcript has it: over the number of records and
 * the kernel's mass. */
double sfmi_online_function_unit(const sfmi_online_function *function);

/* spectral: densities at points within the bounds, whatever came before. */
SFM_MUST_CHECK sfm_status sfmi_online_function_evaluate(sfmi_online_function *function,
                                                        double *densities, const double *points,
                                                        size_t count, sfm_error *error);

/* The others: values and latents at count new points, distinct from each other and from all before.
 * What they draw counts from then on as given: if it cannot be stored, sfmi_online_function_forget.
 */
SFM_MUST_CHECK sfm_status sfmi_online_function_draw(sfmi_online_function *function, double *values,
                                                    double *latents, const double *points,
                                                    size_t count, sfm_error *error);
/* Takes in answers that were given before, in their order. */
SFM_MUST_CHECK sfm_status sfmi_online_function_restore(sfmi_online_function *function,
                                                       const double *points, const double *latents,
                                                       size_t count, sfm_error *error);
/* Forgets what was drawn after the first count answers. */
void sfmi_online_function_forget(sfmi_online_function *function, size_t count);

/* Multiplications and bytes that one further answer takes. */
double sfmi_online_function_work(const sfmi_online_function *function);
double sfmi_online_function_bytes(const sfmi_online_function *function);

/* The release of everything answered: of spectral the function, else of these points and values. */
SFM_MUST_CHECK sfm_status sfmi_online_function_transcript(const sfmi_online_function *function,
                                                          sfm_release **out, const double *points,
                                                          const double *values, size_t count,
                                                          sfm_error *error);

#endif
