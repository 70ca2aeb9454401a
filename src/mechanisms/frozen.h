/* frozen.h - one random function, f + sigma G, drawn once: every answer of a session is a value of
 * it.
 *
 * It is kept as facts, which are public (a release of the same settings: for spectral the function
 * itself, for the others one without its numbers), and as a state, which is PRIVATE (not spectral):
 * the masses of the rows, and a key.
 *
 *   spectral  nothing more: the noise is in the facts.
 *   markov    the noise at a place follows from the key and the place (fields/dyadic.h).
 *   gram      the noise at a place is drawn when it is asked for, given that of all places before;
 *             its normals are the latents, to be stored with the answer and restored in order.
 *
 * Values are in records, computed as integers of 2^-SFMI_MASSES_BITS: those of the rows and those
 * of the noise are added exactly and converted once. */
#ifndef SFMI_FROZEN_H
#define SFMI_FROZEN_H

#include "planner/design.h"
#include "releases/contents.h"

#define SFMI_FROZEN_KEY 32

typedef struct sfmi_frozen sfmi_frozen;

/* The state of masses (sums of the process' lattice) and key, to be wiped and freed. */
SFM_MUST_CHECK sfm_status sfmi_frozen_save(uint8_t **state, size_t *length,
                                           const sfmi_process *process, const sfmi_i128 *sums,
                                           double unit, const uint8_t key[SFMI_FROZEN_KEY],
                                           sfm_error *error);

/* The function of facts and state; name is for messages.  SFM_FORMAT when they do not fit. */
SFM_MUST_CHECK sfm_status sfmi_frozen_load(sfmi_frozen **out, const char *facts,
                                           const uint8_t *state, size_t length, const char *name,
                                           sfm_error *error);
/* Wipes and frees. */
void sfmi_frozen_destroy(sfmi_frozen *frozen);

/* What is public of it; owned by the function. */
const sfm_release *sfmi_frozen_facts(const sfmi_frozen *frozen);
/* Whether answers must be stored, and whether only one copy may go on. */
bool sfmi_frozen_stored(const sfmi_frozen *frozen);
bool sfmi_frozen_single(const sfmi_frozen *frozen);
/* Most answers of one session, where there is a limit: gram, for whose factor so many rows are
 * proved to keep half of the nugget; else SIZE_MAX. */
size_t sfmi_frozen_most(const sfmi_frozen *frozen);
/* Numbers that are stored with each answer besides its value. */
size_t sfmi_frozen_latents(const sfmi_frozen *frozen);
/* One record as a density, as an evaluator of the transcript has it: over the number of records and
 * the kernel's mass. */
double sfmi_frozen_unit(const sfmi_frozen *frozen);

/* spectral: densities at points within the bounds, whatever came before. */
SFM_MUST_CHECK sfm_status sfmi_frozen_evaluate(sfmi_frozen *frozen, double *densities,
                                               const double *points, size_t count,
                                               sfm_error *error);

/* The others: values and latents at count new points, distinct from each other and from all before.
 * What they draw counts from then on as given: if it cannot be stored, sfmi_frozen_forget. */
SFM_MUST_CHECK sfm_status sfmi_frozen_draw(sfmi_frozen *frozen, double *values, double *latents,
                                           const double *points, size_t count, sfm_error *error);
/* Takes in answers that were given before, in their order. */
SFM_MUST_CHECK sfm_status sfmi_frozen_restore(sfmi_frozen *frozen, const double *points,
                                              const double *latents, size_t count,
                                              sfm_error *error);
/* Forgets what was drawn after the first count answers. */
void sfmi_frozen_forget(sfmi_frozen *frozen, size_t count);

/* Multiplications and bytes that one further answer takes. */
double sfmi_frozen_work(const sfmi_frozen *frozen);
double sfmi_frozen_bytes(const sfmi_frozen *frozen);

/* The release of everything answered: of spectral the function, else of these points and values. */
SFM_MUST_CHECK sfm_status sfmi_frozen_transcript(const sfmi_frozen *frozen, sfm_release **out,
                                                 const double *points, const double *values,
                                                 size_t count, sfm_error *error);

#endif
