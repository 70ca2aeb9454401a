/* request_json.h - what was asked for, as the ledger remembers it: JSON that says the same for
 * equal requests, and nothing private. */
#ifndef SFMI_REQUEST_JSON_H
#define SFMI_REQUEST_JSON_H

#include <jansson.h>

#include "features/maps/feature_map.h"
#include "releases/core/release_data.h"
#include "sfumato/schema.h"

/* The parameters common to all mechanisms, to which a caller adds its own. */
json_t *sfmi_request_parameters(const char *mechanism, const sfm_guarantee *guarantee,
                                sfm_neighbours neighbours, uint32_t contributions,
                                double confidence);

/* A column of the release with all that decides which of its values count. */
json_t *sfmi_request_column(const sfm_release *release, size_t a, const sfm_schema *schema);
/* The values that the schema allows in a column; NULL: it lists none. */
json_t *sfmi_request_values(const sfm_column *column);

/* What stands for bytes too long to remember: their hash, as a string. */
json_t *sfmi_request_hash(const void *bytes, size_t length);
/* Texts, or the hash of a list too long to remember. */
json_t *sfmi_request_list(char *const *texts, size_t count);
/* The points of a map of the form points, by hashes. */
json_t *sfmi_request_points(const sfmi_feature_map *map);

#endif
