#include "train_assumptions.h"

#include "cli/core/text.h"

/* Columns, and labels, that are named; the rest are counted. */
enum { NAMED = 10, LINE = 1024 };

static void append_list(char *text, const char *const *items, size_t count, const char *between) {
  for (size_t i = 0; i < count && i < NAMED; i++) {
    char item[100];
    text_harmless(item, sizeof item, items[i]);
    text_add(text, LINE, "%s%s", i ? between : "", item);
  }
  if (count > NAMED) text_add(text, LINE, "%sand %zu more", between, count - NAMED);
}

static void say_number(FILE *out, const train_options *s) {
  const sfm_train_settings *t = &s->settings;
  char name[100] = "a number";
  if (t->label) text_harmless(name, sizeof name, t->label);
  text_say(out, "label", "%s from %.10g to %.10g%s", name, t->label_lower, t->label_upper,
           s->by_schema ? ", as the schema states (--labels would name classes)" : "");
}

static void say_classes(FILE *out, const train_options *s) {
  const sfm_train_settings *t = &s->settings;
  char text[LINE] = "", negative[100], positive[100];
  if (!t->labels) {
    text_print_labelled(
        out, "classes",
        "-1 | 1 (the default; --labels states other classes, --label-bounds that it is a number)");
    return;
  }
  if (t->class_count == 2) {
    text_harmless(negative, sizeof negative, t->labels[0]);
    text_harmless(positive, sizeof positive, t->labels[1]);
    snprintf(text, sizeof text, "%s (negative) | %s (positive)", negative, positive);
  } else {
    append_list(text, t->labels, t->class_count, " | ");
  }
  if (s->by_schema) text_add(text, LINE, ", as the schema states");
  text_print_labelled(out, "labels", text);
}

static void append_column(char *text, const train_options *s, const char *name) {
  static const char *const booleans[] = {"false", "true"};
  const sfm_column *column = sfm_schema_find(s->schema, name);
  char shown[100];
  text_harmless(shown, sizeof shown, name);
  text_add(text, LINE, "%s", shown);
  if (column && column->category_count) {
    text_add(text, LINE, " ");
    append_list(text, column->categories, column->category_count, "|");
  } else if (column && column->type == SFM_COLUMN_TYPE_BOOLEAN) {
    text_add(text, LINE, " ");
    append_list(text, booleans, 2, "|");
  } else if (column && column->has_bounds) {
    text_add(text, LINE, " %.10g to %.10g", column->lower, column->upper);
  }
}

static void say_columns(FILE *out, const train_options *s) {
  const sfm_train_settings *t = &s->settings;
  char text[LINE] = "";
  if (t->gram) {
    text_say(out, "columns",
             "none: matrices of %zu rows and %zu public points, assumed to be of one kernel with "
             "K(x, x) <= %.10g (`sfumato check --gram` shows the owner whether they are)",
             t->gram->rows, t->gram->points, t->gram->kappa * t->gram->kappa);
    return;
  }
  for (size_t i = 0; i < t->feature_count && i < NAMED; i++) {
    if (i) text_add(text, LINE, ", ");
    append_column(text, s, t->features[i]);
  }
  if (t->feature_count > NAMED) text_add(text, LINE, " and %zu more", t->feature_count - NAMED);
  if (!t->features) {
    snprintf(text, sizeof text, "%zu coordinates", s->dimension);
    if (t->sparse_bounded)
      text_add(text, LINE, ", each %.10g to %.10g", t->sparse_lower, t->sparse_upper);
  }
  if (t->clip_norm > 0)
    text_add(text, LINE, "; rows longer than %.10g are shortened to this length", t->clip_norm);
  text_print_labelled(out, "columns", text);
}

void train_assumptions_print(FILE *out, const train_options *s) {
  if (s->settings.regression)
    say_number(out, s);
  else
    say_classes(out, s);
  say_columns(out, s);
}
