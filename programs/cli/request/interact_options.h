/* interact_options.h - an interactive session as it is ordered, and its plan in words. */
#ifndef CLI_INTERACT_OPTIONS_H
#define CLI_INTERACT_OPTIONS_H

#include <jansson.h>

#include "train_options.h"
#include "sfumato/interact.h"

/* What is learned; and beside that: */
#define CLI_OPTIONS_INTERACT_MODEL CLI_OPTIONS_TRAIN_DATA_BINARY, CLI_OPTIONS_MODEL
#define CLI_OPTIONS_INTERACT                                                                       \
  {"lambda", "L", "what weights are penalised by: (L/2)|w|^2 beside the mean loss; public",        \
   "the square of the longest a row's features can be, over the root of the number of rows", 0},   \
      {"method", "finite|rff:F",                                                                   \
       "which features the private machine has: all of a kernel that has finitely many "           \
       "(gaussian: on a torus, in few dimensions), or F random ones",                              \
       "finite for linear and polynomial kernels, else rff:1000", 0},                              \
      {"questions", "T",                                                                           \
       "how many are expected, public: so that hardly any epoch ends for nothing. More may come",  \
       "100000", 0},                                                                               \
      {"accuracy", "A",                                                                            \
       "the error bar that answers are to have, in units of the label; classes are -1 and 1",      \
       NULL, 0},                                                                                   \
      {"epochs", "B", "so many, whatever error bars that leaves (--accuracy or not), up to 4096",  \
       "as many as the accuracy allows", 0},                                                       \
      {"update", "ridge|step",                                                                     \
       "how the public model learns from a released value: kernel ridge regression on all of "     \
       "them, or a step of fixed length towards each",                                             \
       "ridge", 0},                                                                                \
      CLI_OPTION_EPSILON,                                                                          \
      {"delta", "D", "above 0 and below 1: epochs then cost less together", "none: pure epsilon",  \
       0},                                                                                         \
      CLI_OPTION_TOLERANCE,                                                                        \
      {"neighbours", "replace",                                                                    \
       "what the guarantee hides: the replacement of a person's records (the number of records "   \
       "is public)",                                                                               \
       "replace", 0},                                                                              \
      CLI_OPTION_PERSON, CLI_OPTION_CONTRIBUTIONS,                                                 \
      {"threads", "N", "how many to read and solve with", "one a processor, up to eight", 0}, {    \
    "band", "C", "confidence of the error bars, between 0 and 1", "0.95", 0                        \
  }

/* Reads these and the machine's.  settings borrows s, which is to be cleared also after a failure.
 * Opens no rows. */
SFM_MUST_CHECK sfm_status interact_options_read(sfm_interact_settings *settings, train_options *s,
                                                const cli_options *options, sfm_error *error);

/* What was planned, line by line; first of all whether one release would be better. */
void interact_plan_print(FILE *out, const sfm_interact_plan *plan, double confidence);
/* And as an object, of which the caller is the owner. */
json_t *interact_plan_json(const sfm_interact_plan *plan);

#endif
