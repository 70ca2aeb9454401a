#include "forecast_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/status.h"

void must(bool good, const char *message) {
  if (good) return;
  fprintf(stderr, "%s\n", message);
  exit(1);
}

void must_be_ok(sfm_status status, const sfm_error *error) {
  must(!status, error->message);
}

void *allocated(size_t count, size_t size) {
  void *memory = sfmi_alloc(count, size);
  must(memory != NULL, "not enough memory");
  return memory;
}

/* ---- what was measured, and its file ---- */

record *record_create(bench *b, const char *key, size_t count) {
  record *r = allocated(1, sizeof *r);
  b->records = realloc(b->records, (b->record_count + 1) * sizeof(record *));
  must(b->records != NULL, "not enough memory");
  b->records[b->record_count++] = r;
  snprintf(r->key, sizeof r->key, "%s", key);
  r->count = count;
  r->total = allocated(count, sizeof *r->total);
  r->cost = allocated(count, sizeof *r->cost);
  return r;
}

bool wanted(const bench *b, const char *key) {
  return !b->only || strstr(key, b->only);
}

const record *find_record(const bench *b, const char *key) {
  for (size_t i = 0; i < b->record_count; i++)
    if (strcmp(b->records[i]->key, key) == 0) return b->records[i];
  return NULL;
}

/* Lines of: key, tab, count, parts, pairs of total and cost. */
static void write_record(FILE *file, const record *r) {
  fprintf(file, "%s\t%zu", r->key, r->count);
  for (int i = 0; i < PARTS; i++) fprintf(file, " %.6g", r->parts[i]);
  for (size_t i = 0; i < r->count; i++) fprintf(file, " %.5g %.5g", r->total[i], r->cost[i]);
  fputc('\n', file);
  fflush(file);
}

const record *keep_record(const bench *b, const record *r) {
  if (b->file) write_record(b->file, r);
  return r;
}

void read_records(bench *b, const char *path) {
  FILE *file = fopen(path, "a+");
  char *line = NULL;
  size_t room = 0;
  must(file != NULL, "the file cannot be written");
  rewind(file);
  while (getline(&line, &room, file) > 0) {
    char *tab = strchr(line, '\t');
    if (!tab || line[strlen(line) - 1] != '\n') continue; /* cut short: measured again */
    *tab = 0;
    char *at = tab + 1;
    record *r = record_create(b, line, strtoul(at, &at, 10));
    for (int i = 0; i < PARTS; i++) r->parts[i] = strtod(at, &at);
    for (size_t i = 0; i < r->count; i++) {
      r->total[i] = strtod(at, &at);
      r->cost[i] = strtod(at, &at);
    }
  }
  free(line);
  b->file = file;
}

static double mean(const double *values, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += values[i];
  return sum / (double)count;
}

static double mean_total(const cell *c) {
  return mean(c->measured->total, c->measured->count);
}

static double mean_cost(const cell *c) {
  return mean(c->measured->cost, c->measured->count);
}

static bool inside(double value, double low, double high) {
  return value >= low && value <= high;
}

static double covered(const double *values, size_t count, double low, double high) {
  size_t within = 0;
  for (size_t i = 0; i < count; i++) within += inside(values[i], low, high);
  return (double)within / (double)count;
}

static void print_cell(const cell *c) {
  const sfm_forecast *f = &c->predicted;
  const record *r = c->measured;
  const double total = mean_total(c), cost = mean_cost(c);
  printf("%-34s %-32s%s %9.3g/%-9.3g %5.2f %c %3.0f %%  %9.3g/%-9.3g %5.2f %c  privacy %.3g/%.3g "
         "missed %.3g/%.3g sampling %.3g/%.3g smoothing %.3g/%.3g\n",
         c->group, strchr(r->key, '|') + 2, c->best ? " (auto)" : "", f->total, total,
         total / f->total, inside(total, f->low, f->high) ? ' ' : '!',
         100 * covered(r->total, r->count, f->low, f->high), f->cost, cost, cost / f->cost,
         inside(cost, f->cost_low, f->cost_high) ? ' ' : '!', f->privacy, r->parts[PRIVACY],
         f->truncation + f->aliasing, r->parts[MISSED], f->sampling, r->parts[SAMPLING],
         f->smoothing, r->parts[SMOOTHING]);
  fflush(stdout);
}

void add_cell(bench *b, const cell *c) {
  b->cells = realloc(b->cells, (b->cell_count + 1) * sizeof *b->cells);
  must(b->cells != NULL, "not enough memory");
  b->cells[b->cell_count++] = *c;
  if (b->print_cells) print_cell(c);
}
/* ---- entries of plans ---- */

const sfm_plan_parameter *parameter(const sfm_plan_entry *entry, const char *name) {
  for (size_t i = 0; i < entry->parameter_count; i++)
    if (strcmp(entry->parameters[i].name, name) == 0) return &entry->parameters[i];
  return NULL;
}

const char *text_of(const sfm_plan_entry *entry, const char *name) {
  const sfm_plan_parameter *p = parameter(entry, name);
  return p && p->text ? p->text : "";
}

bool says(const sfm_plan_entry *entry, const char *name, const char *text) {
  return strcmp(text_of(entry, name), text) == 0;
}

double number_of(const sfm_plan_entry *entry, const char *name) {
  const sfm_plan_parameter *p = parameter(entry, name);
  return p && p->count ? p->numbers[0] : 0;
}

/* The method with the words that tell it from others of the same name. */
static void write_method(char *out, const char *family, const sfm_plan_entry *entry) {
  snprintf(out, NAME, "%s: %s", family, entry->method);
  static const char *const words[] = {"noise", "engine", "body"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    const size_t length = strlen(out);
    if (*text_of(entry, words[i]) && !says(entry, words[i], entry->method))
      snprintf(out + length, NAME - length, " %s", text_of(entry, words[i]));
  }
}

/* The cell and all parameters: what was measured for it stays true whatever is predicted. */
void write_key(char *out, const char *group, const sfm_plan_entry *entry) {
  size_t at = (size_t)snprintf(out, KEY, "%s | %s", group, entry->method);
  for (size_t i = 0; i < entry->parameter_count && at < KEY; i++) {
    const sfm_plan_parameter *p = &entry->parameters[i];
    at += (size_t)snprintf(out + at, KEY - at, " %s", p->name);
    for (size_t k = 0; k < p->count && at < KEY; k++)
      at += (size_t)snprintf(out + at, KEY - at, "%c%.6g", k ? ',' : '=', p->numbers[k]);
    if (p->text && at < KEY) at += (size_t)snprintf(out + at, KEY - at, "=%s", p->text);
  }
  must(at < KEY, "the parameters of an entry are too many to write");
}

/* A seed for the noise of a cell, of no others. */
uint64_t seed_of(const char *key) {
  uint64_t hash = 14695981039346656037u;
  for (; *key; key++) hash = (hash ^ (unsigned char)*key) * 1099511628211u;
  return hash >> 16;
}

/* All but the group and what was measured. */
void plan_cell(cell *c, const sfm_plan *plan, size_t i, const char *family) {
  const sfm_plan_entry *entry = sfm_plan_at(plan, i);
  write_method(c->method, family, entry);
  c->hardened = entry->hardened;
  c->best = i == sfm_plan_best(plan);
  c->predicted = entry->predicted;
}

/* ---- what it comes to ---- */

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

typedef struct verdict {
  size_t cells, total, cost;
  double singles;
} verdict;

/* One method's line; all: adds to the verdict of all. */
static void summarise(const bench *b, const char *method, verdict *all) {
  double *ratios = allocated(b->cell_count, sizeof *ratios), singles = 0;
  size_t count = 0, total = 0, cost = 0;
  for (size_t i = 0; i < b->cell_count; i++) {
    const cell *c = &b->cells[i];
    const sfm_forecast *f = &c->predicted;
    if (strcmp(c->method, method) != 0) continue;
    ratios[count++] = mean_total(c) / f->total;
    total += inside(mean_total(c), f->low, f->high);
    cost += inside(mean_cost(c), f->cost_low, f->cost_high);
    singles += covered(c->measured->total, c->measured->count, f->low, f->high);
  }
  qsort(ratios, count, sizeof *ratios, ascending);
  printf("%-32s %5zu  %5zu %5zu  %6.2f %6.2f %6.2f  %5.1f %%\n", method, count, total, cost,
         ratios[0], ratios[count / 2], ratios[count - 1], 100 * singles / (double)count);
  all->cells += count;
  all->total += total;
  all->cost += cost;
  all->singles += singles;
  free(ratios);
}

static bool first_of(const bench *b, size_t i, bool groups) {
  const cell *c = &b->cells[i];
  for (size_t k = 0; k < i; k++)
    if (strcmp(groups ? b->cells[k].group : b->cells[k].method, groups ? c->group : c->method) == 0)
      return false;
  return true;
}

static void print_share(const char *what, size_t good, size_t all) {
  printf("%s: %zu of %zu (%.1f %%), wanted 95 %%\n", what, good, all,
         100 * (double)good / (double)all);
}

void print_summary(const bench *b) {
  verdict all = {0};
  printf("\n%-32s %5s  %11s  %20s  %7s\n%-32s %5s  %5s %5s  %6s %6s %6s  %7s\n", "", "",
         "mean inside", "measured/predicted", "singles", "method", "cells", "total", "cost",
         "least", "median", "most", "inside");
  for (size_t i = 0; i < b->cell_count; i++)
    if (first_of(b, i, false)) summarise(b, b->cells[i].method, &all);
  printf("\n");
  print_share("mean total error inside the interval of one release, cells", all.total, all.cells);
  print_share("mean error against the estimate without privacy inside its interval, cells",
              all.cost, all.cells);
  printf("single releases inside the interval: %.1f %%, wanted about 95 %%\n",
         100 * all.singles / (double)all.cells);
}

/* The choice of auto in a group: its error over the least of any hardened method. */
static double regret(const bench *b, const char *group, double (*error)(const cell *),
                     const cell **best, const cell **chosen) {
  *best = *chosen = NULL;
  size_t hardened = 0;
  for (size_t i = 0; i < b->cell_count; i++) {
    const cell *c = &b->cells[i];
    if (strcmp(c->group, group) != 0 || !c->hardened) continue;
    hardened++;
    if (!*best || error(c) < error(*best)) *best = c;
    if (c->best) *chosen = c;
  }
  return *chosen && hardened > 1 ? error(*chosen) / error(*best) : NAN;
}

void print_auto(const bench *b) {
  size_t groups = 0, total = 0, cost = 0;
  for (size_t i = 0; i < b->cell_count; i++) {
    const cell *best, *chosen;
    const char *group = b->cells[i].group;
    /* The basis of a series is the caller's choice, and a curve has one method. */
    if (!first_of(b, i, true) || strncmp(group, "series", 6) == 0) continue;
    cost += regret(b, group, mean_cost, &best, &chosen) <= 1.1;
    const double ratio = regret(b, group, mean_total, &best, &chosen);
    if (isnan(ratio)) continue;
    groups++;
    total += ratio <= 1.1;
    if (ratio > 1.1)
      printf("auto missed by %.2f: %s, chosen %s, best %s\n", ratio, group, chosen->method,
             best->method);
  }
  if (!groups) return;
  print_share("auto within 10 % of the best hardened method, total error, cells", total, groups);
  print_share("auto within 10 % of the best hardened method, against the estimate, cells", cost,
              groups);
}
