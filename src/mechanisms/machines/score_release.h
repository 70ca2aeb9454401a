/* score_release.h - how well a machine does on rows, as an integer: the parts of a score that tests
 * repeat. */
#ifndef SFMI_SCORE_RELEASE_H
#define SFMI_SCORE_RELEASE_H

#include "sfumato/train.h"

/* What is decided before rows are read. */
typedef struct sfmi_score_rule {
  bool regression;
  double step;   /* what one integer stands for: a row (1), or a power of two of the label's unit */
  uint64_t most; /* no row has more: 1, or the width of the label's bounds in steps */
  uint64_t counts; /* what a row without a value or a label has: 0, or `most` */
} sfmi_score_rule;

/* Of a machine. */
void sfmi_score_rule_init(sfmi_score_rule *out, const sfm_release *machine);

#endif
