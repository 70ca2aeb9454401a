/* json_error.h - what is wrong with JSON, without quoting it: the file may hold private rows. */
#ifndef SFMI_JSON_ERROR_H
#define SFMI_JSON_ERROR_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Whether the first byte that is no blank opens an object. */
bool sfmi_json_begins_object(const char *json, size_t length);

/* What the parser found wrong; a literal. */
const char *sfmi_json_error_reason(const json_error_t *reason);

#endif
