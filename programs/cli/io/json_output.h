/* json_output.h - JSON objects and texts for programs, and the summary of a release as an object.
 */
#ifndef CLI_JSON_OUTPUT_H
#define CLI_JSON_OUTPUT_H

#include <jansson.h>
#include <stdio.h>

#include "sfumato/release.h"

/* Prints the object on one line, reals with 17 digits, and takes it over.  NULL: memory was
 * short. */
SFM_MUST_CHECK sfm_status json_output_print(json_t *object, sfm_error *error);

/* A text, or null for NULL.  The caller owns it. */
json_t *json_output_text(const char *text);
/* A real; null where the value is not a finite number.  The caller owns it. */
json_t *json_output_number(double value);

/* A whole number; a text of its digits from 2^53 on, as in releases.  The caller owns it. */
json_t *json_output_integer(int64_t value);

/* Writes a text as JSON: null for NULL, and for what is not UTF-8. */
void json_output_write_text(FILE *out, const char *text);

/* What `sfumato show --json` prints.  The caller owns it; NULL after a failure. */
SFM_MUST_CHECK sfm_status json_output_summary(json_t **out, const sfm_release *release,
                                              sfm_error *error);

#endif
