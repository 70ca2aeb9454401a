/* table_view.h - the cells, margins and band of a released table in words. */
#ifndef CLI_TABLE_VIEW_H
#define CLI_TABLE_VIEW_H

#include <stdbool.h>

#include "sfumato/table.h"

/* "sex, region": the columns of a margin. */
void table_view_columns(char *buffer, size_t size, const sfm_release *release, uint64_t margin);
/* text without what could steer a terminal, cut to so many columns. */
void table_view_cut(char *out, size_t size, const char *text, size_t columns);
/* The label of a cell in at most so many columns: categories are cut to what tells them apart, or
 * the whole is. */
void table_view_short_label(char *out, size_t size, const sfm_release *release, size_t e,
                            size_t columns);
/* A count: whole, but for a refined one that is not. */
void table_view_count(char *buffer, size_t size, double count);
/* Where margin m begins among the listed cells, and how many it has. */
void table_view_extent(const sfm_release *release, size_t m, size_t *first, size_t *count);
/* *out: the most largest of `count` listed cells from `first` on, in descending order, ties in
 * theirs; freed by the caller.  *found of them. */
SFM_MUST_CHECK sfm_status table_view_largest(size_t **out, size_t *found,
                                             const sfm_release *release, size_t first, size_t count,
                                             size_t most, sfm_error *error);
/* Under random differential privacy: up to how many records a cell has no noise; -1: all have. */
long long table_view_exact(const sfm_release *release);
/* "not negative, with the total kept"; of a refined table. */
void table_view_refinement(char *buffer, size_t size, const sfm_release *release);

#endif
