/* json_output.h - JSON objects on standard output. */
#ifndef CLI_JSON_OUTPUT_H
#define CLI_JSON_OUTPUT_H

#include <jansson.h>

#include "sfumato/status.h"

/* Prints the object on one line, reals with 17 digits, and takes it over.  NULL: memory was
 * short. */
SFM_MUST_CHECK sfm_status json_output_print(json_t *object, sfm_error *error);

/* A text, or null for NULL.  The caller owns it. */
json_t *json_output_text(const char *text);
/* A real; null where the value is not a finite number.  The caller owns it. */
json_t *json_output_number(double value);

#endif
