#include "sparsity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/draw.h"
#include "mixture.h"

static const char *const NAMES[] = {"0", "1", "2",  "3",  "4",  "5",  "6",  "7",
                                    "8", "9", "10", "11", "12", "13", "14", "15"};

static double epsilon_at(size_t i) {
  return 0.1 * (double)(i + 1);
}

/* One line: its levels, and how often it is there. */
static size_t read_line(double *levels, char *line, size_t columns, bool counted) {
  char *rest = line;
  for (size_t i = 0; i < columns; i++, rest += *rest == ',') levels[i] = strtod(rest, &rest);
  return counted ? (size_t)strtoul(rest, NULL, 10) : 1;
}

static bool add_rows(sparsity_table *t, const double *levels, size_t times, size_t *room) {
  size_t key = 0;
  for (size_t i = 0; i < t->columns; i++) key = 2 * key + (levels[i] == atof(t->levels[1]));
  t->counts[key] += (double)times;
  if (t->rows + times > *room) {
    *room = 2 * (t->rows + times);
    double *values = realloc(t->values, *room * t->columns * sizeof *values);
    if (!values) return false;
    t->values = values;
  }
  for (; times > 0; times--)
    memcpy(t->values + t->columns * t->rows++, levels, t->columns * sizeof *levels);
  return true;
}

bool sparsity_load(sparsity_table *t, const char *file, size_t columns, bool counted,
                   const char *number) {
  const char *folder = getenv("SFUMATO_DATA");
  char path[4096], line[512];
  double levels[16];
  size_t room = 0;
  bool good = true;
  snprintf(path, sizeof path, "%s/%s", folder ? folder : "../shared/data", file);
  FILE *stream = fopen(path, "r");
  *t = (sparsity_table){.columns = columns, .cells = (size_t)1 << columns};
  t->levels[0] = counted ? "1" : "0";
  t->levels[1] = counted ? "2" : "1";
  t->counts = calloc(t->cells, sizeof *t->counts);
  if (!stream || !fgets(line, sizeof line, stream)) {
    printf("figure %s: not drawn, %s is not there (SFUMATO_DATA names its folder)\n", number, path);
    if (stream) fclose(stream);
    return false;
  }
  while (good && fgets(line, sizeof line, stream))
    good = t->counts && add_rows(t, levels, read_line(levels, line, columns, counted), &room);
  fclose(stream);
  for (size_t i = 0; good && i < t->cells; i++) t->occupied += t->counts[i] > 0;
  return good;
}

void sparsity_clear(sparsity_table *t) {
  free(t->values);
  free(t->counts);
}

/* The l1 error of one release; a cell that is not listed is zero. */
static sfm_status one_error(double *error_sum, const sparsity_table *t,
                            const sfm_histogram_settings *settings, sfm_error *error) {
  sfm_rows *rows = NULL;
  sfm_release *release = NULL;
  uint32_t codes[16];
  sfm_status status = sfm_rows_from_array(&rows, t->values, t->rows, t->columns, NAMES, error);
  if (!status) status = sfm_histogram_release(&release, rows, settings, error);
  sfm_rows_destroy(rows);
  if (status) return status;
  double sum = (double)t->rows;
  for (size_t e = 0; e < sfm_release_length(release); e++) {
    size_t key = 0;
    sfm_table_cell(release, codes, e);
    for (size_t i = 0; i < t->columns; i++) key = 2 * key + codes[i];
    sum += fabs(fmax(sfm_release_coefficient(release, e), 0) - t->counts[key]) - t->counts[key];
  }
  *error_sum += sum;
  sfm_release_destroy(release);
  return SFM_OK;
}

static sfm_status mean_error(double *mean, const sparsity_table *t,
                             sfm_histogram_settings *settings, size_t releases, sfm_error *error) {
  sfm_status status = SFM_OK;
  *mean = 0;
  for (size_t k = 0; k < releases && !status; k++) {
    settings->context.seed = k;
    status = one_error(mean, t, settings, error);
  }
  *mean /= (double)releases;
  return status;
}

sfm_status sparsity_measure(sparsity_errors *out, const sparsity_table *t, size_t releases,
                            sfm_error *error) {
  sfm_histogram_column columns[16];
  sfm_schema *schema = NULL;
  const double p = (double)t->cells, q = (double)t->occupied;
  sfm_status status = sfm_schema_create(&schema, error);
  for (size_t i = 0; i < t->columns && !status; i++) {
    columns[i] = (sfm_histogram_column){NAMES[i], 0};
    status = sfm_schema_set_categories(schema, NAMES[i], t->levels, 2, error);
  }
  sfm_histogram_settings settings = sfm_histogram_settings_default();
  settings.context.schema = schema;
  settings.columns = columns;
  settings.count = t->columns;
  settings.context.seeded = true;
  for (size_t i = 0; i < SPARSITY_EPSILONS && !status; i++) {
    settings.epsilon = epsilon_at(i);
    settings.form = SFM_HISTOGRAM_DENSE;
    status = mean_error(&out->plain[i], t, &settings, releases, error);
    settings.form = SFM_HISTOGRAM_SPARSE;
    if (!status) status = mean_error(&out->sparse[i], t, &settings, releases, error);
    out->bound[i] = (2 * q + 1) / epsilon_at(i) * (log(p) + 1);
  }
  sfm_schema_destroy(schema);
  return status;
}

bool sparsity_write(const sparsity_errors *e, const char *folder, const char *number) {
  FILE *file = mixture_create(folder, number, ".csv");
  if (!file) return false;
  fprintf(file, "epsilon,laplace,sparse,bound\n");
  for (size_t i = 0; i < SPARSITY_EPSILONS; i++)
    fprintf(file, "%.1f,%.9g,%.9g,%.9g\n", epsilon_at(i), e->plain[i], e->sparse[i], e->bound[i]);
  return fclose(file) == 0;
}

sfm_status sparsity_draw(const sparsity_errors *e, const char *folder, const char *number,
                         const char *title, sfm_error *error) {
  double sparse[SPARSITY_EPSILONS], plain[SPARSITY_EPSILONS];
  char path[4096];
  /* Both fall with epsilon: logarithms where they span more than two powers of ten. */
  const bool powers = e->plain[0] > 100 * e->sparse[SPARSITY_EPSILONS - 1];
  for (size_t i = 0; i < SPARSITY_EPSILONS; i++) {
    sparse[i] = powers ? log10(e->sparse[i]) : e->sparse[i];
    plain[i] = powers ? log10(e->plain[i]) : e->plain[i];
  }
  const draw_figure figure = {
      .title = title,
      .labels = {"\u03b5"},
      .value_label = "mean l1 error",
      .caption = "Negative counts were replaced with zeros; a cell that is not listed is zero.",
      .dimension = 1,
      .counts = {SPARSITY_EPSILONS},
      .lower = {epsilon_at(0)},
      .upper = {epsilon_at(SPARSITY_EPSILONS - 1)},
      .powers = powers,
      .floating = powers,
      .values = sparse,
      .reference = plain,
      .names = {"sparse", "Laplace noise on every cell"},
  };
  sfm_status status = SFM_OK;
  for (int png = 0; png < 2 && !status; png++) {
    snprintf(path, sizeof path, "%s/figure-%s.%s", folder, number, png ? "png" : "svg");
    status = draw_file(&figure, path, error);
  }
  return status;
}

void sparsity_print(const sparsity_errors *e, const sparsity_table *t, const char *number,
                    size_t releases) {
  printf("figure %s of the thesis: %zu cells, %zu occupied, n = %zu; mean l1 error over %zu "
         "releases\n",
         number, t->cells, t->occupied, t->rows, releases);
  printf("  epsilon %12s %12s %12s\n", "laplace", "sparse", "bound");
  for (size_t i = 0; i < SPARSITY_EPSILONS; i += i == 0 ? 4 : 5)
    printf("  %-7.1f %12.1f %12.1f %12.1f\n", epsilon_at(i), e->plain[i], e->sparse[i],
           e->bound[i]);
}

bool sparsity_bounded(const sparsity_errors *e) {
  double most = 0;
  for (size_t i = 0; i < SPARSITY_EPSILONS; i++) most = fmax(most, e->sparse[i] / e->bound[i]);
  printf("claim \"risk smaller than (2q+1)/alpha (log p + 1)\": %s, at most %.2f of it\n",
         most < 1 ? "held" : "did not hold", most);
  return most < 1;
}
