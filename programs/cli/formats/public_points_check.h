/* public_points_check.h - public points beyond their bounds, which replace them. */
#ifndef CLI_PUBLIC_POINTS_CHECK_H
#define CLI_PUBLIC_POINTS_CHECK_H

#include <stdio.h>

#include "sfumato/train.h"

/* How many of the first `count` public points lie beyond their bounds, if any do. */
void public_points_note_outside(FILE *out, const sfm_train_settings *settings, size_t count);

#endif
