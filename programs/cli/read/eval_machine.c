/* eval_machine.c - the values and classes of a machine at points, as CSV, JSON or NPY. */
#include "cli/report/kind_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/io/json_output.h"
#include "cli/io/kept_columns.h"
#include "cli/io/npy_array.h"
#include "cli/io/result_output.h"
#include "cli/io/value_table.h"
#include "cli/core/text.h"
#include "machine_points.h"

/* What is printed. */
typedef struct answers {
  const sfm_release *release;
  sfm_machine machine;
  machine_points points;
  size_t functions;
  double *values;                 /* points x functions */
  double *pointwise, *everywhere; /* half-widths a point; NULL: not asked for */
  bool classes;
  kept_columns kept;
} answers;

static void answers_clear(answers *a) {
  machine_points_clear(&a->points);
  free(a->values);
  free(a->pointwise);
  free(a->everywhere);
  kept_columns_clear(&a->kept);
}

/* Points are printed beside their values when they have columns, and not too many. */
static sfm_status locate(answers *a, const cli_options *options, sfm_error *error) {
  const char *at = options_get(options, "at"), *file = options_get(options, "points"),
             *grid = options_get(options, "grid");
  if ((at != NULL) + (file != NULL) + (grid != NULL) != 1)
    return cli_misuse(error,
                      "%s is a machine: give points, with one of --points FILE, --at POINTS and "
                      "--grid N; for example --points new.csv",
                      options->operand);
  if (at) return machine_points_text(&a->points, a->release, at, error);
  return file ? machine_points_file(&a->points, a->release, file, error)
              : machine_points_grid(&a->points, a->release, grid, error);
}

static sfm_status evaluate(answers *a, bool band, sfm_error *error) {
  const machine_points *p = &a->points;
  a->values = malloc((p->count * a->functions + 1) * sizeof *a->values);
  if (band) a->pointwise = malloc((p->count + 1) * sizeof *a->pointwise);
  if (band) a->everywhere = malloc((p->count + 1) * sizeof *a->everywhere);
  if (!a->values || (band && (!a->pointwise || !a->everywhere))) return cli_fail_memory(error);
  sfm_status status = p->starts ? sfm_machine_at_sparse(a->release, a->values, p->starts,
                                                        p->indices, p->numbers, p->count, error)
                                : sfm_machine_at(a->release, a->values, p->cells, p->count, error);
  if (status || !band) return status;
  const double confidence = sfm_release_band(a->release).confidence;
  return p->starts ? sfm_machine_band_sparse(a->release, a->pointwise, a->everywhere, p->starts,
                                             p->indices, p->numbers, p->count, confidence, error)
                   : sfm_machine_band(a->release, a->pointwise, a->everywhere, p->cells, p->count,
                                      confidence, error);
}

static const char *class_of(const answers *a, size_t p) {
  return sfm_machine_class(a->release,
                           sfm_machine_decide(a->release, a->values + p * a->functions));
}

/* ---- CSV ---- */

/* A name, and behind it the label that it is of. */
static void write_heading(const answers *a, FILE *out, const char *name, size_t function) {
  char text[1200];
  if (a->functions > 1)
    snprintf(text, sizeof text, "%s_%.1000s", name, sfm_machine_class(a->release, function));
  else
    snprintf(text, sizeof text, "%s", name);
  value_table_write_name(out, text);
}

static void write_headings(const answers *a, FILE *out) {
  for (size_t i = 0; machine_points_printed(&a->points) && i < a->points.inputs; i++) {
    value_table_write_name(out, sfm_machine_input(a->release, i));
    fputc(',', out);
  }
  for (size_t f = 0; f < a->functions; f++) {
    if (f) fputc(',', out);
    write_heading(a, out, "value", f);
    if (!a->pointwise) continue;
    fputc(',', out);
    write_heading(a, out, "lower", f);
    fputc(',', out);
    write_heading(a, out, "upper", f);
  }
  if (a->pointwise) fputs(",everywhere", out);
  fputs(a->classes ? ",class\n" : "\n", out);
}

/* The text of a cell with categories; NULL when it has none. */
static const char *category_of(const answers *a, size_t p, size_t i) {
  const double cell = a->points.cells[p * a->points.inputs + i];
  const size_t count = sfm_machine_categories(a->release, i);
  const bool place = cell >= 0 && cell < (double)count && cell == floor(cell);
  return place ? sfm_machine_category(a->release, i, (size_t)cell) : NULL;
}

static void write_point(const answers *a, FILE *out, size_t p) {
  for (size_t i = 0; i < a->points.inputs; i++) {
    const double cell = a->points.cells[p * a->points.inputs + i];
    const char *category = category_of(a, p, i);
    if (category)
      value_table_write_name(out, category);
    else if (!isnan(cell))
      output_csv_number(out, cell);
    fputc(',', out);
  }
}

static void write_line(const answers *a, FILE *out, size_t p) {
  if (machine_points_printed(&a->points)) write_point(a, out, p);
  for (size_t f = 0; f < a->functions; f++) {
    const double value = a->values[p * a->functions + f];
    if (f) fputc(',', out);
    output_csv_number(out, value);
    for (int sign = -1; a->pointwise && sign <= 1; sign += 2) {
      fputc(',', out);
      output_csv_number(out, value + sign * a->pointwise[p]);
    }
  }
  if (a->pointwise) {
    fputc(',', out);
    output_csv_number(out, a->everywhere[p]);
  }
  if (a->classes) {
    fputc(',', out);
    if (class_of(a, p)) value_table_write_name(out, class_of(a, p));
  }
  fputc('\n', out);
}

static void write_csv(const answers *a, FILE *out) {
  kept_columns kept = a->kept;
  kept_columns_write_header(&kept, out);
  write_headings(a, out);
  for (size_t p = 0; p < a->points.count; p++) {
    kept_columns_write_row(&kept, out);
    write_line(a, out, p);
  }
}

/* ---- JSON ---- */

static void write_json_points(const answers *a, FILE *out) {
  fputs("\"points\": [", out);
  for (size_t p = 0; p < a->points.count; p++) {
    fputs(p ? ", [" : "[", out);
    for (size_t i = 0; i < a->points.inputs; i++) {
      if (i) fputs(", ", out);
      if (category_of(a, p, i))
        json_output_write_text(out, category_of(a, p, i));
      else
        output_number(out, a->points.cells[p * a->points.inputs + i], "null");
    }
    fputc(']', out);
  }
  fputs("], ", out);
}

/* Values plus sign times their half-widths, of several functions an array a point. */
static void write_json_values(const answers *a, FILE *out, const char *key, double sign) {
  fprintf(out, "\"%s\": [", key);
  for (size_t p = 0; p < a->points.count; p++) {
    if (p) fputs(", ", out);
    if (a->functions > 1) fputc('[', out);
    for (size_t f = 0; f < a->functions; f++) {
      const double width = sign != 0 ? sign * a->pointwise[p] : 0;
      if (f) fputs(", ", out);
      output_number(out, a->values[p * a->functions + f] + width, "null");
    }
    if (a->functions > 1) fputc(']', out);
  }
  fputc(']', out);
}

static void write_json_classes(const answers *a, FILE *out) {
  fputs(", \"classes\": [", out);
  for (size_t p = 0; p < a->points.count; p++) {
    if (p) fputs(", ", out);
    json_output_write_text(out, class_of(a, p));
  }
  fputc(']', out);
}

static void write_json(const answers *a, FILE *out) {
  fputc('{', out);
  if (machine_points_printed(&a->points)) write_json_points(a, out);
  if (a->functions > 1) {
    fputs("\"labels\": [", out);
    for (size_t f = 0; f < a->functions; f++) {
      if (f) fputs(", ", out);
      json_output_write_text(out, sfm_machine_class(a->release, f));
    }
    fputs("], ", out);
  }
  write_json_values(a, out, "values", 0);
  if (a->pointwise) {
    fputs(", ", out);
    write_json_values(a, out, "lower", -1);
    fputs(", ", out);
    write_json_values(a, out, "upper", 1);
    fputs(", \"everywhere\": [", out);
    for (size_t p = 0; p < a->points.count; p++) {
      if (p) fputs(", ", out);
      output_number(out, a->everywhere[p], "null");
    }
    fputc(']', out);
  }
  if (a->classes) write_json_classes(a, out);
  fputs("}\n", out);
}

/* ---- NPY ---- */

static void write_npy(const answers *a, FILE *out) {
  char header[192];
  size_t shape[4] = {a->points.count}, axes = 1;
  if (a->points.axes == 2) {
    shape[0] = a->points.shape[0];
    shape[axes++] = a->points.shape[1];
  }
  if (a->functions > 1) shape[axes++] = a->functions;
  if (a->pointwise) shape[axes++] = 3;
  fwrite(header, 1, npy_header(header, shape, axes), out);
  for (size_t p = 0; p < a->points.count; p++)
    for (size_t f = 0; f < a->functions; f++) {
      const double value = a->values[p * a->functions + f],
                   width = a->pointwise ? a->pointwise[p] : 0;
      const double three[3] = {value, value - width, value + width};
      fwrite(three, sizeof *three, a->pointwise ? 3 : 1, out);
    }
}

/* ---- */

static sfm_status check(const answers *a, const cli_options *options, unsigned format,
                        sfm_error *error) {
  static const char *const apart[] = {"group", "total", NULL};
  for (size_t i = 0; apart[i]; i++)
    if (options_has(options, apart[i]))
      return cli_misuse(error, "--%s is not for machines; leave it out", apart[i]);
  if (options_has(options, "classes") && a->machine.task == SFM_TASK_REGRESSION)
    return cli_misuse(
        error,
        "--classes: %s is a regression, whose values are the predicted %.80s; leave out --classes",
        options->operand, a->machine.label ? a->machine.label : "numbers");
  if (options_has(options, "classes") && format == VALUES_NPY)
    return cli_misuse(
        error,
        "--classes: npy contains numbers, not labels; write csv or json, or leave out --classes");
  if (options_has(options, "keep") && format != VALUES_CSV)
    return cli_misuse(error, "--keep is for csv; leave it out, or write --format csv");
  if (options_has(options, "band") && strcmp(sfm_release_method(a->release), "objective") == 0)
    return cli_misuse(error,
                      "--band: %s was made by perturbing the objective. Its error depends on the "
                      "rows, so it has no band; leave out --band",
                      options->operand);
  sfm_machine_fit fit;
  if (options_has(options, "band") && sfm_release_fit(a->release, &fit))
    return cli_misuse(error,
                      "--band: %s was fitted to noisy answers. Its error at a point depends on the "
                      "rows, so it has no band; leave out --band",
                      options->operand);
  return SFM_OK;
}

sfm_status eval_machine(const sfm_release *release, const group_selection *chosen,
                        const cli_options *options, unsigned format, sfm_error *error) {
  (void)chosen;
  static void (*const writers[])(const answers *, FILE *) = {write_csv, write_json, write_npy};
  answers a = {.release = release, .classes = options_has(options, "classes")};
  output out;
  (void)sfm_release_machine(release, &a.machine);
  a.functions = a.machine.function_count;
  sfm_status status = check(&a, options, format, error);
  if (!status) status = locate(&a, options, error);
  if (!status)
    status = kept_columns_find(&a.kept, &a.points.file, options_get(options, "keep"), error);
  if (!status) status = evaluate(&a, options_has(options, "band"), error);
  if (!status) status = output_open(&out, options_get(options, "output"), error);
  if (!status) {
    writers[format](&a, out.file);
    status = output_close(&out, error);
  }
  answers_clear(&a);
  return status;
}
