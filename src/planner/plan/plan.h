/* plan.h - the plan in memory (internal face of sfumato/plan.h): entries, and the questions
 * that each kind of plan answers in its own way. */
#ifndef SFMI_PLAN_H
#define SFMI_PLAN_H

#include "sfumato/plan.h"

/* What a kind of plan knows; any may be NULL where there is nothing to say. */
typedef struct sfmi_plan_kind {
  size_t size;  /* of its context */
  bool ordered; /* its entries stay in the order in which they were added */
  /* The forecast of the best hardened method (of the best, where none is hardened) with so many
   * rows and that epsilon.  Must not rise with either. */
  sfm_status (*forecast)(void *context, sfm_forecast *out, double rows, double epsilon,
                         sfm_error *error);
  sfm_status (*bandwidth)(void *context, double *bandwidth, sfm_forecast *out, sfm_error *error);
  /* What sfm_plan_preview returns, for the entry that is best. */
  sfm_status (*preview)(void *context, sfm_release **out, const sfm_plan_entry *best, uint64_t seed,
                        sfm_error *error);
  sfm_status (*shape)(void *context, double *values, const double *points, size_t count,
                      sfm_error *error);
  void (*clear)(void *context); /* frees what the context owns */
} sfmi_plan_kind;

struct sfm_plan {
  sfm_plan_entry *entries; /* in order, once the plan is finished */
  size_t count, room;
  double rows; /* NaN where there are none */
  double epsilon;
  const sfmi_plan_kind *kind;
  void *context; /* owned */
  char **texts;  /* owned copies */
  size_t text_count;
  sfm_error first; /* why the first method that cannot be had cannot */
};

/* An empty plan with a context of zeros.  Whoever makes it ends with sfmi_plan_finish. */
SFM_MUST_CHECK sfm_status sfmi_plan_create(sfm_plan **out, const sfmi_plan_kind *kind, double rows,
                                           double epsilon, sfm_error *error);
/* Tells the caller of an epsilon and a delta that are probably a mistake; rows: their public
 * number. */
void sfmi_plan_remarks(const sfm_plan *plan, const sfm_context *context, double delta,
                       uint64_t rows);
/* Sorts the entries: least predicted total first, absent ones last.  Fails with the first reason if
 * no method can be had.  After a failure, also one of the maker's (status), there is no plan. */
SFM_MUST_CHECK sfm_status sfmi_plan_finish(sfm_plan **out, sfm_status status, sfm_error *error);
/* Shortens a message to a reason, which is shown to those who set fields and to those who write
 * options: "add settings.delta = 1e-6" becomes "add delta 1e-6". */
void sfmi_plan_reason(char *text);
/* Adds an entry, which is copied, with the text of `absent` and those of parameters. */
SFM_MUST_CHECK sfm_status sfmi_plan_add_entry(sfm_plan *plan, const sfm_plan_entry *entry,
                                              sfm_error *error);
/* Adds a method that failed with status.  SFM_INVALID: it is absent, and why says why; otherwise
 * the failure is returned. */
SFM_MUST_CHECK sfm_status sfmi_plan_add_absent(sfm_plan *plan, const char *method,
                                               sfm_status status, const sfm_error *why,
                                               sfm_error *error);

/* Adds a parameter to an entry: one number per column, one number, or a text. */
void sfmi_plan_entry_numbers(sfm_plan_entry *entry, const char *name, const double *numbers,
                             size_t count, bool option);
void sfmi_plan_entry_number(sfm_plan_entry *entry, const char *name, double number, bool option);
void sfmi_plan_entry_text(sfm_plan_entry *entry, const char *name, const char *text, bool option);

#endif
