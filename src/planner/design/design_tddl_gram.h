/* design_tddl_gram.h - the public points of a kernel that is known by its matrices alone
 * (settings.gram), for the method tddl.
 *
 * A point is its row of K with all the public points, a sparse row of as many coordinates.  Public
 * point j is then the unit vector e_j of a linear kernel: f = sum_j alpha_j K(., z_j). */
#ifndef SFMI_DESIGN_TDDL_GRAM_H
#define SFMI_DESIGN_TDDL_GRAM_H

#include "design_tddl.h"

/* Checks the settings and fills in both encodings: that of a point (its K with the public points,
 * by number), and that of a row, which has no inputs. */
SFM_MUST_CHECK sfm_status sfmi_tddl_gram_begin(sfmi_encoding *encoding, sfmi_encoding *bare,
                                               const sfm_train_settings *settings,
                                               sfm_error *error);
/* Whether there are as many rows as the matrices have. */
SFM_MUST_CHECK sfm_status sfmi_tddl_gram_check_rows(const sfm_gram *gram, uint64_t rows,
                                                    sfm_error *error);
/* The matrix of the first `count` public points, checked; the caller frees it. */
SFM_MUST_CHECK sfm_status sfmi_tddl_gram_public(double **matrix, const sfm_gram *gram, size_t count,
                                                sfm_error *error);
/* What its entries are taken to be off by. */
double sfmi_tddl_gram_entry_error(const sfm_gram *gram, size_t count);
/* Whether its least eigenvalue is that of a Gram matrix. */
SFM_MUST_CHECK sfm_status sfmi_tddl_gram_check_definite(const sfm_gram *gram,
                                                        const sfmi_design_tddl *tddl,
                                                        sfm_error *error);
/* The map of the first `count` points.  learns: the map that the machine is trained on, whose kappa
 * is the declared one. */
SFM_MUST_CHECK sfm_status sfmi_tddl_gram_map(sfmi_feature_map **map, const sfmi_encoding *encoding,
                                             const sfm_train_settings *settings, size_t count,
                                             bool learns, sfm_error *error);

#endif
