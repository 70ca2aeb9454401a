/* train_options.h - the options of a machine that `train` and its plans share: what it learns from,
 * what it predicts, and how. */
#ifndef CLI_TRAIN_OPTIONS_H
#define CLI_TRAIN_OPTIONS_H

#include <stdio.h>

#include "cli/formats/gram_files.h"
#include "cli/formats/unlabelled_points.h"
#include "cli/io/points.h"
#include "compression_option.h"
#include "group_options.h"
#include "schema_options.h"
#include "sfumato/train.h"

/* What a machine learns from, and where there is only one; what it is; how it is released; and how
 * near the exact machine it must be. */
extern const cli_option options_train_data[], options_train_data_binary[], options_model[],
    options_train[], option_tolerance;

/* Most columns that a machine learns from. */
#define TRAIN_OPTIONS_FEATURES_MAX 65536

/* The settings, and what they borrow: it must stay where it is. */
typedef struct train_options {
  sfm_train_settings settings;
  sfm_schema *schema;
  text_list features, labels;
  const char *list; /* the option that names the columns */
  points places;
  unlabelled_points public;
  gram_files matrices;
  double *lambdas;             /* candidates */
  size_t dimension;            /* of libsvm text; 0: columns */
  sfm_compression compression; /* of libsvm text */
  bool by_schema;              /* it says the labels, or the label's bounds */
} train_options;

/* Reads the options above, --lambda, --epsilon, --delta, --calibration, --neighbours, --person,
 * --contributions, --places, --public and its like, --threads and --band.  Opens no rows.  Clear it
 * also after a failure. */
SFM_MUST_CHECK sfm_status train_options_read(train_options *s, const cli_options *options,
                                             sfm_error *error);
/* Of these only the options of rows and labels, --person and --contributions.  list
 * is the option that names the columns: "features", or another one, beside which there need not be
 * a label. */
SFM_MUST_CHECK sfm_status train_options_read_rows(train_options *s, const cli_options *options,
                                                  const char *list, sfm_error *error);
void train_options_clear(train_options *s);

/* "gaussian:0.5", as it is typed. */
void train_options_kernel_text(char *text, size_t size, const train_options *s);

#endif
