#include "value_table.h"

#include <string.h>

#include "json_output.h"
#include "npy_array.h"
#include "result_output.h"

void value_table_write_name(FILE *out, const char *name) {
  if (!name[strcspn(name, ",\"\r\n")]) {
    fputs(name, out);
    return;
  }
  fputc('"', out);
  for (; *name; name++) {
    if (*name == '"') fputc('"', out);
    fputc(*name, out);
  }
  fputc('"', out);
}

void value_table_write_names(const value_table *t, FILE *out) {
  for (size_t k = 0; k < t->by.columns; k++) {
    value_table_write_name(out, t->by.names[k]);
    fputc(',', out);
  }
  for (size_t a = 0; a < t->dimension; a++) {
    value_table_write_name(out, t->names[a]);
    fputc(',', out);
  }
  fputs(t->widths ? "value,lower,upper\n" : "value\n", out);
}

/* How many times the points are gone through. */
static size_t sheets(const value_table *t) {
  return t->by.count ? t->by.count : 1;
}

/* The line of point i in group g; at is where its value stands. */
static void write_line(const value_table *t, FILE *out, size_t g, size_t i, size_t at) {
  for (size_t k = 0; k < t->by.columns; k++) {
    value_table_write_name(out, t->by.labels[g * t->by.columns + k]);
    fputc(',', out);
  }
  if (t->texts) {
    value_table_write_name(out, t->texts[i]);
    fputc(',', out);
  }
  for (size_t a = 0; !t->texts && a < t->dimension; a++) {
    output_csv_number(out, t->points[i * t->dimension + a]);
    fputc(',', out);
  }
  output_csv_number(out, t->values[at]);
  if (t->widths) {
    fputc(',', out);
    output_csv_number(out, t->values[at] - t->widths[at]);
    fputc(',', out);
    output_csv_number(out, t->values[at] + t->widths[at]);
  }
  fputc('\n', out);
}

void value_table_write_lines(const value_table *t, FILE *out) {
  for (size_t g = 0; g < sheets(t); g++)
    for (size_t i = 0; i < t->count; i++) write_line(t, out, g, i, g * t->count + i);
}

static void write_csv(const value_table *t, FILE *out) {
  value_table_write_names(t, out);
  value_table_write_lines(t, out);
}

/* values + sign widths of the points, from the place `from` on. */
static void write_json_array(FILE *out, const char *key, const value_table *t, size_t from,
                             double sign) {
  fprintf(out, ", \"%s\": [", key);
  for (size_t i = from; i < from + t->count; i++) {
    if (i > from) fputs(", ", out);
    output_number(out, t->values[i] + (sign != 0 ? sign * t->widths[i] : 0), "null");
  }
  fputc(']', out);
}

static void write_json_values(const value_table *t, FILE *out, size_t from) {
  write_json_array(out, "values", t, from, 0);
  if (!t->widths) return;
  write_json_array(out, "lower", t, from, -1);
  write_json_array(out, "upper", t, from, 1);
}

static void write_json_groups(const value_table *t, FILE *out) {
  const value_table_groups *by = &t->by;
  fputs(", \"size_error\": ", out);
  output_number(out, by->deviation, "null");
  fputs(", \"groups\": [", out);
  for (size_t g = 0; g < by->count; g++) {
    json_t *labels = json_object();
    for (size_t k = 0; k < by->columns; k++)
      json_object_set_new(labels, by->names[k], json_string(by->labels[g * by->columns + k]));
    fputs(g ? ", {\"group\": " : "{\"group\": ", out);
    json_dumpf(labels, out, JSON_PRESERVE_ORDER);
    json_decref(labels);
    fputs(", \"size\": ", out);
    output_number(out, by->sizes[g], "null");
    write_json_values(t, out, g * t->count);
    fputc('}', out);
  }
  fputc(']', out);
}

/* What the values are called, under "queries". */
static void write_json_texts(const value_table *t, FILE *out) {
  fputs("{\"queries\": [", out);
  for (size_t i = 0; i < t->count; i++) {
    if (i) fputs(", ", out);
    json_output_write_text(out, t->texts[i]);
  }
  fputc(']', out);
}

static void write_json_points(const value_table *t, FILE *out) {
  fputs("{\"points\": [", out);
  for (size_t i = 0; i < t->count; i++) {
    fputs(i ? ", [" : "[", out);
    for (size_t a = 0; a < t->dimension; a++) {
      if (a) fputs(", ", out);
      output_number(out, t->points[i * t->dimension + a], "null");
    }
    fputc(']', out);
  }
  fputc(']', out);
}

void value_table_write_json(const value_table *t, FILE *out) {
  if (t->texts)
    write_json_texts(t, out);
  else
    write_json_points(t, out);
  if (t->by.count)
    write_json_groups(t, out);
  else
    write_json_values(t, out, 0);
  fputs("}\n", out);
}

void value_table_write_npy(const value_table *t, FILE *out) {
  char header[192];
  size_t shape[16], axes = 0;
  if (t->by.count) shape[axes++] = t->by.count;
  memcpy(shape + axes, t->shape, t->axes * sizeof *shape);
  axes += t->axes;
  if (t->widths) shape[axes++] = 3;
  fwrite(header, 1, npy_header(header, shape, axes), out);
  if (!t->widths) {
    fwrite(t->values, sizeof *t->values, sheets(t) * t->count, out);
    return;
  }
  for (size_t i = 0; i < sheets(t) * t->count; i++) {
    double three[3] = {t->values[i], t->values[i] - t->widths[i], t->values[i] + t->widths[i]};
    fwrite(three, sizeof *three, 3, out);
  }
}

sfm_status value_table_write(const value_table *t, unsigned format, const char *path,
                             sfm_error *error) {
  static void (*const writers[])(const value_table *, FILE *) = {write_csv, value_table_write_json,
                                                                 value_table_write_npy};
  output out;
  sfm_status status = output_open(&out, path, error);
  if (status) return status;
  writers[format](t, out.file);
  return output_close(&out, error);
}
