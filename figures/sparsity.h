/* sparsity.h - figures 2.3 and 2.4 of Hall's thesis: the mean l1 error of a table with Laplace
 * noise on every cell, and of a sparse one, over many releases; "in both cases negative values
 * resulting from noise addition were replaced with zeros".
 *
 * The tables are in the folder that SFUMATO_DATA names, or in ../shared/data. */
#ifndef FIGURES_SPARSITY_H
#define FIGURES_SPARSITY_H

#include <stdbool.h>
#include <stddef.h>

#include "sfumato/sfumato.h"

enum { SPARSITY_EPSILONS = 20 };

/* Rows of columns of two categories, and how many are in each cell, the last column fastest. */
typedef struct sparsity_table {
  size_t columns, rows, cells, occupied;
  double *values, *counts;
  const char *levels[2];
} sparsity_table;

/* Mean errors at epsilon 0.1, 0.2, ..., 2. */
typedef struct sparsity_errors {
  double plain[SPARSITY_EPSILONS], sparse[SPARSITY_EPSILONS], bound[SPARSITY_EPSILONS];
} sparsity_errors;

/* File within the folder of data; counted: its last column says how often a row is there, and
 * levels are 1 and 2, else 0 and 1.  False when it is not there, which was said. */
bool sparsity_load(sparsity_table *t, const char *file, size_t columns, bool counted,
                   const char *number);
void sparsity_clear(sparsity_table *t);

SFM_MUST_CHECK sfm_status sparsity_measure(sparsity_errors *out, const sparsity_table *t,
                                           size_t releases, sfm_error *error);
/* Numbers and picture of the figure. */
bool sparsity_write(const sparsity_errors *e, const char *folder, const char *number);
SFM_MUST_CHECK sfm_status sparsity_draw(const sparsity_errors *e, const char *folder,
                                        const char *number, const char *title, sfm_error *error);
void sparsity_print(const sparsity_errors *e, const sparsity_table *t, const char *number,
                    size_t releases);
/* Whether the sparse error stays below the bound of proposition 2.4.3 everywhere, and says so. */
bool sparsity_bounded(const sparsity_errors *e);

#endif
