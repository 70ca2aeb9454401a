/* cell_names.h - cells of tables of many columns, named by how they differ from the largest: lists
 * of many values read alike. */
#ifndef CLI_CELL_NAMES_H
#define CLI_CELL_NAMES_H

#include <stdbool.h>

#include "sfumato/table.h"

/* Whether the cells of a table are to be named so. */
bool cell_names_differ(const sfm_release *release);
/* "x5, x10 = 1": the columns in which listed cell e differs, those of the same value together. */
void cell_names_difference(char *out, size_t size, const sfm_release *release, size_t e,
                           size_t largest);
/* Adds what the names mean, and what the largest is. */
void cell_names_say(char *out, size_t size, const sfm_release *release, size_t largest);

#endif
