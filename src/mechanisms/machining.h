/* machining.h - the release of a machine under way: what is done once for a stated lambda, and for
 * every candidate where lambda is chosen (tuning.h). */
#ifndef SFMI_MACHINING_H
#define SFMI_MACHINING_H

#include <jansson.h>

#include "data/digest.h"
#include "mechanisms/billing.h"
#include "mechanisms/learning.h"
#include "mechanisms/tddl.h"
#include "random/stream.h"

typedef struct sfmi_machining {
  const sfm_train_settings *settings;
  sfm_rows *rows;
  sfmi_bill bill;
  sfmi_learning learning;
  double mu;               /* of normal noise; 0: what epsilon and delta say */
  sfmi_hardener *hardener; /* hardened */
  sfmi_stream *stream;     /* idealised */
  double *factor;          /* of the noise at places; NULL: none */
  sfmi_tddl *tddl;         /* NULL: another method */
  sfm_release *release;
  uint8_t fingerprint[SFMI_DIGEST_BYTES];
} sfmi_machining;

/* The release with all that is public, and its noise ready to be drawn, of settings and a learning.
 */
SFM_MUST_CHECK sfm_status sfmi_machining_outline(sfmi_machining *machining, sfm_error *error);
/* What all methods say of their machine, of a release that has none yet. */
SFM_MUST_CHECK sfm_status sfmi_machining_describe(sfmi_machining *machining, sfm_error *error);
/* What was asked for, as the ledger remembers it. */
json_t *sfmi_machining_parameters(const sfmi_machining *machining);
/* The numbers before noise, and fresh noise: into the release, over what was there. */
SFM_MUST_CHECK sfm_status sfmi_machining_add(sfmi_machining *machining, const double *numbers,
                                             sfm_error *error);
/* Once the rows were read under the bill's key: by what the ledger knows them again.  Private
 * matrices belong to them. */
void sfmi_machining_fingerprint(sfmi_machining *machining);
/* Hands over the lift; band and sentence. */
SFM_MUST_CHECK sfm_status sfmi_machining_complete(sfmi_machining *machining, sfm_error *error);
/* Its noise and its release; the learning is its owner's. */
void sfmi_machining_clear(sfmi_machining *machining);

#endif
