/* json.h - reading and writing JSON, with a decimal point in every locale, and with a limit on
 * nesting: the parser calls itself for every bracket, and stacks are finite. */
#ifndef SFMI_JSON_H
#define SFMI_JSON_H

#include <jansson.h>
#include <stddef.h>

/* How deep brackets may be within each other; our own files go to less than ten. */
#define SFMI_JSON_DEPTH 64

/* As json_loads, json_loadb and json_dumps of the library; the text of the last is freed by free.
 */
json_t *sfmi_json_loads(const char *text, size_t flags, json_error_t *error);
json_t *sfmi_json_loadb(const char *text, size_t length, size_t flags, json_error_t *error);
char *sfmi_json_dumps(const json_t *value, size_t flags);

#endif
