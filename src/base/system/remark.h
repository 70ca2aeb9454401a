/* remark.h - tells the caller of a setting that is allowed but probably a mistake
 * (sfumato/context.h). */
#ifndef SFMI_REMARK_H
#define SFMI_REMARK_H

#include "sfumato/context.h"

/* Before the charge, from public facts alone; nothing where the caller does not listen. */
void sfmi_remark(const sfm_context *context, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
