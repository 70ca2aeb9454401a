/* disclosure.h - public points that count as their bounds. */
#ifndef CLI_DISCLOSURE_H
#define CLI_DISCLOSURE_H

#include <stdio.h>

#include "sfumato/train.h"

/* How many of the first `count` public points lie beyond their bounds, if any do. */
void disclosure_say(FILE *out, const sfm_train_settings *settings, size_t count);

#endif
