/* context.h - what every call that plans or releases shares: the facts about the rows, the ledger
 * that is charged, the confidence of bands, threads, progress.
 *
 * Every settings struct has one, `context`, as its second member.  Fill one in and copy it into the
 * settings of each call:
 *
 *   sfm_context context = sfm_context_default();
 *   context.schema = schema;
 *   context.charge = &charge;
 *   sfm_density_settings settings = sfm_density_settings_default();
 *   settings.context = context; */
#ifndef SFUMATO_CONTEXT_H
#define SFUMATO_CONTEXT_H

#include "sfumato/ledger.h"
#include "sfumato/schema.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where a run is. */
typedef enum sfm_stage {
  SFM_STAGE_PREPARED, /* all that is public was checked; nothing is charged, no row is read */
  SFM_STAGE_READING,  /* after the charge: done rows were read */
  SFM_STAGE_SOLVING,  /* a machine: number `done` of `total` is being solved */
  SFM_STAGE_WALKING,  /* the random walk that draws noise: done of total steps, which are public */
} sfm_stage;

typedef struct sfm_progress {
  sfm_stage stage;
  /* total is 0 while reading.  Under add-remove the number of rows is private: show it to the owner
   * only. */
  uint64_t done, total;
  double gap, target; /* solving: the gap now, and the one at which the solver stops */
} sfm_progress;

/* Everything here is public.  Pointers are borrowed.  It never changes its size: new members take
 * the place of reserved ones. */
typedef struct sfm_context {
  const sfm_schema *schema; /* columns, bounds, categories, person, neighbours, contributions */
  const sfm_charge *charge; /* NULL: not charged, and the release says so */
  double confidence;        /* of the band, in (0, 1); default: 0.95 */
  /* Called from time to time, from the thread that made the call.  May be NULL.  False stops the
   * run with SFM_STOPPED.  At SFM_STAGE_PREPARED nothing was charged.  Later the charge stands, the
   * message says so, and the same request (sfm_charge.request) completes it without a second
   * charge.  Nothing is released in either case. */
  bool (*progress)(void *data, const sfm_progress *at);
  void *progress_data;
  uint64_t seed;
  bool seeded; /* for tests: noise from `seed`; the release says that it is not private */
  /* That train a machine or score it.  0 (the default): one per processor, at most eight.  Most:
   * 1024. */
  uint32_t threads;
  /* Called before the charge with a sentence about each setting that is allowed but probably a
   * mistake, and what it means; from public facts alone.  `progress` comes next, with
   * SFM_STAGE_PREPARED, and can stop the run.  A plan calls it too.  May be NULL. */
  void (*remark)(void *data, const char *sentence);
  void *remark_data;
  void *reserved[6]; /* must be NULL */
} sfm_context;

/* Returns the defaults. */
SFM_API sfm_context sfm_context_default(void);

#ifdef __cplusplus
}
#endif
#endif
