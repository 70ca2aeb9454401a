/* limits_text.h - limits on a terminal and in JSON, whatever they are of. */
#ifndef CLI_LIMITS_TEXT_H
#define CLI_LIMITS_TEXT_H

#include <jansson.h>
#include <stdio.h>

#include "sfumato/limits.h"

/* [{name, kind, value, holds, comparable, expression, why, quantity}], a new reference. */
json_t *limits_json(const sfm_limits *limits);
/* A number or a count that may not have been stated: then it is 0, and null here. */
json_t *limits_number_json(double value);
json_t *limits_count_json(uint64_t value);
/* Four digits; thousands and more whole; "-" for no number. */
void limits_value_text(char *out, size_t size, double value);
/* The columns that text is wrapped to: those of the terminal, from 60 to 100. */
size_t limits_width(void);
/* Kind, value, (quantity,) name, expression and what is said, wrapped to width. */
void limits_print(const sfm_limit *limit, size_t width);

/* One line beside a forecast: theorem 3, 5 or 8 (docs/proofs/kernel-limits.md), where the learner
 * states what it needs. */
void limits_print_rate(FILE *out, const sfm_learner *learner, unsigned theorem);

#endif
