/* request_json.h - what was asked for, as the ledger remembers it: JSON that says the same for
 * equal requests, and nothing private. */
#ifndef SFMI_REQUEST_JSON_H
#define SFMI_REQUEST_JSON_H

#include "features/maps/feature_map.h"
#include "release_run.h"
#include "sfumato/shape.h"

/* The parameters common to all mechanisms, to which a caller adds its own.  Equal requests are
 * equal texts: the order in which they are added never changes. */
json_t *sfmi_request_parameters(const sfmi_release_run *run, const char *mechanism);

/* A text, or null; a number; a count. */
void sfmi_request_text(json_t *object, const char *key, const char *text);
void sfmi_request_number(json_t *object, const char *key, double number);
void sfmi_request_count(json_t *object, const char *key, uint64_t count);

json_t *sfmi_request_texts(const char *const *texts, size_t count);
json_t *sfmi_request_numbers(const double *numbers, size_t count);
/* The guess for which method and parameters are chosen, if there is one; false where memory is
 * short. */
SFM_MUST_CHECK bool sfmi_request_shape(json_t *object, const sfm_shape *shape);

/* A column of the release with all that decides which of its values count. */
json_t *sfmi_request_column(const sfm_release *release, size_t a, const sfm_schema *schema);
/* The values that the schema allows in a column; NULL: it lists none. */
json_t *sfmi_request_values(const sfm_column *column);

/* What stands for bytes too long to remember: their hash, as a string. */
json_t *sfmi_request_hash(const void *bytes, size_t length);
/* The hash of all texts, each with the zero at its end; NULL where memory is short. */
json_t *sfmi_request_texts_hash(const char *const *texts, size_t count);
/* Texts, or the hash of a list too long to remember. */
json_t *sfmi_request_list(char *const *texts, size_t count);
/* The points of a map of the form points, by hashes. */
json_t *sfmi_request_points(const sfmi_feature_map *map);

#endif
