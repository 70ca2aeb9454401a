#include "sheet.h"

#include <math.h>
#include <string.h>

#include "bytes.h"
#include "output.h"

static void write_name(FILE *out, const char *name) {
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

static void write_csv_number(FILE *out, double value) {
  output_number(out, value, isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}

void table_write_names(const value_table *t, FILE *out) {
  for (size_t a = 0; a < t->dimension; a++) {
    write_name(out, t->names[a]);
    fputc(',', out);
  }
  fputs(t->widths ? "value,lower,upper\n" : "value\n", out);
}

void table_write_lines(const value_table *t, FILE *out) {
  for (size_t i = 0; i < t->count; i++) {
    for (size_t a = 0; a < t->dimension; a++) {
      write_csv_number(out, t->points[i * t->dimension + a]);
      fputc(',', out);
    }
    write_csv_number(out, t->values[i]);
    if (t->widths) {
      fputc(',', out);
      write_csv_number(out, t->values[i] - t->widths[i]);
      fputc(',', out);
      write_csv_number(out, t->values[i] + t->widths[i]);
    }
    fputc('\n', out);
  }
}

void table_write_csv(const value_table *t, FILE *out) {
  table_write_names(t, out);
  table_write_lines(t, out);
}

/* values + sign widths. */
static void write_json_array(FILE *out, const char *key, const value_table *t, double sign) {
  fprintf(out, ", \"%s\": [", key);
  for (size_t i = 0; i < t->count; i++) {
    if (i) fputs(", ", out);
    output_number(out, t->values[i] + (sign != 0 ? sign * t->widths[i] : 0), "null");
  }
  fputc(']', out);
}

void table_write_json(const value_table *t, FILE *out) {
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
  write_json_array(out, "values", t, 0);
  if (t->widths) {
    write_json_array(out, "lower", t, -1);
    write_json_array(out, "upper", t, 1);
  }
  fputs("}\n", out);
}

void table_write_npy(const value_table *t, FILE *out) {
  char header[192];
  size_t shape[16];
  memcpy(shape, t->shape, t->axes * sizeof *shape);
  shape[t->axes] = 3;
  fwrite(header, 1, npy_header(header, shape, t->axes + (t->widths != NULL)), out);
  if (!t->widths) {
    fwrite(t->values, sizeof *t->values, t->count, out);
    return;
  }
  for (size_t i = 0; i < t->count; i++) {
    double three[3] = {t->values[i], t->values[i] - t->widths[i], t->values[i] + t->widths[i]};
    fwrite(three, sizeof *three, 3, out);
  }
}
