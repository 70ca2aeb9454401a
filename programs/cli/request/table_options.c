#include "table_options.h"
#include "cli/core/shared_options.h"

#include <stdlib.h>
#include <string.h>

const cli_option options_table_columns[] = {
    CLI_SAME(columns),
    CLI_SAME(categories),
    {"bins", "N[,N...]|COLUMN=N,...",
     "the number of equal bins between the bounds of a column: one number for all columns without "
     "categories, one per column in order, or by name"},
    {"bounds", "A:B[,C:D...]|COLUMN=A:B,...",
     "lower and upper bound of the columns with bins, in their unit: one pair for all, one per "
     "column in order, or by name; public knowledge, never read from the rows"},
    CLI_SAME(schema),
    {0}};
const cli_option options_histogram[] = {
    CLI_GROUP(table_columns),
    {"margins", "K|A,B;B,C;...",
     "release margins instead of the whole table: all margins of K columns, or the margins named, "
     "columns separated by commas and margins by semicolons; the budget is divided between them"},
    {"sparse", NULL,
     "list only cells whose noisy count is above a threshold that almost no empty cell reaches; "
     "for tables of up to 2^62 cells, in a time that grows with the rows"},
    {"occupied", "Q",
     "sparse: a public number of cells that are not empty; it lowers the threshold, but up to Q "
     "empty cells may then be listed",
     CLI_COUNT(1, UINT64_MAX)},
    {"undeclared", NULL,
     "sparse: in columns without categories and bins, every text that occurs is a category; needs "
     "--delta, and the guarantee is approximate"},
    {"noise", "auto|laplace|normal",
     "laplace is pure epsilon; normal needs --delta, and suits many margins and many releases",
     "auto: with --delta the one with less error, else laplace",
     CLI_CHOICE(SFM_ENUMERATION_HISTOGRAM_NOISE)},
    {"random-dp", "GAMMA",
     "random differential privacy instead, which is weaker: cells so small that a typical record "
     "is not in them have no noise. It does not protect extreme individuals (the very rich, the "
     "very sick), who may need protection most",
     CLI_FRACTION("0.05")},
    {"exact", "small|empty",
     "random-dp: which cells have no noise: all that are small enough, or only the empty ones",
     "small", CLI_CHOICE(SFM_ENUMERATION_HISTOGRAM_EXACT)},
    CLI_SAME(outside),
    {0}};

/* Most margins of a release. */
enum { MARGINS_MAX = 4096 };

static sfm_status read_columns(table_options *c, const cli_options *options, sfm_error *error) {
  const char *text = options_get(options, "columns");
  if (!text)
    return cli_misuse(error, "--columns is missing: which columns make the table; write for "
                             "example --columns sex,region");
  sfm_status status = text_split(&c->names, text, ',', error);
  if (!status) status = text_expand(&c->names, "columns", SFM_TABLE_COLUMNS_MAX, error);
  if (status) return status;
  if (c->names.count > SFM_TABLE_COLUMNS_MAX)
    return cli_misuse(error, "--columns names %zu columns; a table has at most %d", c->names.count,
                      SFM_TABLE_COLUMNS_MAX);
  for (size_t i = 0; i < c->names.count; i++) {
    if (!*c->names.items[i])
      return cli_misuse(
          error,
          "--columns: a name between two commas is empty; write for example --columns sex,region");
    for (size_t j = 0; j < i; j++)
      if (strcmp(c->names.items[i], c->names.items[j]) == 0)
        return cli_misuse(error, "--columns names '%s' twice", c->names.items[i]);
    c->columns[i].name = c->names.items[i];
  }
  c->settings.columns = c->columns;
  c->settings.count = c->names.count;
  return SFM_OK;
}

/* The place of a column, by the first `length` bytes of name; or their number. */
static size_t find_column(const table_options *c, const char *name, size_t length) {
  size_t i = 0;
  while (i < c->names.count &&
         (strncmp(c->names.items[i], name, length) != 0 || c->names.items[i][length] != 0))
    i++;
  return i;
}

static sfm_status fail_unknown(const table_options *c, const char *option, const char *name,
                               int length, sfm_error *error) {
  char known[200];
  text_join(known, sizeof known, (const char *const *)c->names.items, c->names.count);
  if (strcmp(option, "categories") == 0 && name[length] == '\0')
    return cli_misuse(error,
                      "--categories: '%.*s' is not COLUMN=A|B|C or COLUMN=@FILE; write for example "
                      "--categories '%s=A|B'",
                      length, name, c->names.items[0]);
  return cli_misuse(error, "--%s: '%.*s' is not among --columns, which are %s", option, length,
                    name, known);
}

/* Categories of columns that are not asked for are a mistake, not a fact. */
static sfm_status check_categories(const table_options *c, const cli_options *options,
                                   sfm_error *error) {
  size_t at = 0;
  for (const char *text; (text = options_next(options, "categories", &at));) {
    const size_t length = strcspn(text, "=");
    if (find_column(c, text, length) == c->names.count)
      return fail_unknown(c, "categories", text, (int)length, error);
  }
  return SFM_OK;
}

static bool has_categories(const table_options *c, size_t i) {
  const sfm_column *column = sfm_schema_find(c->schema, c->names.items[i]);
  return column && (column->category_count > 0 || column->type == SFM_COLUMN_TYPE_BOOLEAN);
}

/* What an option says of each of some columns: one item for all, one per column, or by name. */
typedef struct items {
  text_list list;
  const char *of[SFM_TABLE_COLUMNS_MAX]; /* of each column, without its name; NULL: nothing */
} items;

static sfm_status share_items(items *out, const table_options *c, const char *option,
                              const bool *takes, sfm_error *error) {
  size_t taken = 0, next = 0;
  for (size_t i = 0; i < c->names.count; i++) taken += takes[i];
  if (taken == 0)
    return cli_misuse(error, "--%s: no column needs it: all of --columns have categories%s", option,
                      strcmp(option, "bounds") == 0 ? ", or no bins" : "");
  if (out->list.count != 1 && out->list.count != taken)
    return cli_misuse(error,
                      "--%s has %zu items for %zu column%s that need%s them; give one for all, one "
                      "per column in order, or COLUMN=... by name",
                      option, out->list.count, taken, taken == 1 ? "" : "s", taken == 1 ? "s" : "");
  for (size_t i = 0; i < c->names.count; i++)
    if (takes[i]) out->of[i] = out->list.items[out->list.count == 1 ? 0 : next++];
  return SFM_OK;
}

static sfm_status name_items(items *out, const table_options *c, const char *option,
                             sfm_error *error) {
  for (size_t k = 0; k < out->list.count; k++) {
    const char *item = out->list.items[k], *equals = strrchr(item, '=');
    if (!equals)
      return cli_misuse(error, "--%s: '%s' names no column; write COLUMN=%s, as for the others",
                        option, item, item);
    const size_t i = find_column(c, item, (size_t)(equals - item));
    if (i == c->names.count) return fail_unknown(c, option, item, (int)(equals - item), error);
    if (out->of[i])
      return cli_misuse(error, "--%s names the column '%s' twice", option, c->names.items[i]);
    out->of[i] = equals + 1;
  }
  return SFM_OK;
}

/* takes: which columns an item without a name is for. */
static sfm_status read_items(items *out, const table_options *c, const char *option,
                             const bool *takes, const cli_options *options, sfm_error *error) {
  const char *text = options_get(options, option);
  *out = (items){0};
  if (!text) return SFM_OK;
  sfm_status status = text_split(&out->list, text, ',', error);
  if (status) return status;
  return strchr(text, '=') ? name_items(out, c, option, error)
                           : share_items(out, c, option, takes, error);
}

static sfm_status read_bins(table_options *c, const cli_options *options, sfm_error *error) {
  bool takes[SFM_TABLE_COLUMNS_MAX] = {0};
  items bins;
  for (size_t i = 0; i < c->names.count; i++) takes[i] = !has_categories(c, i);
  sfm_status status = read_items(&bins, c, "bins", takes, options, error);
  for (size_t i = 0; !status && i < c->names.count; i++) {
    if (!bins.of[i]) continue;
    if (!text_count(&c->columns[i].bins, bins.of[i]) || c->columns[i].bins < 1)
      status = cli_misuse(error,
                          "--bins: '%s' is not a number of bins, a whole number of at least 1; "
                          "write for example --bins 20",
                          bins.of[i]);
  }
  text_list_clear(&bins.list);
  return status;
}

static sfm_status read_bounds(table_options *c, const cli_options *options, sfm_error *error) {
  bool takes[SFM_TABLE_COLUMNS_MAX] = {0};
  items bounds;
  for (size_t i = 0; i < c->names.count; i++) takes[i] = c->columns[i].bins > 0;
  if (options_has(options, "bounds") && !options_has(options, "bins"))
    return cli_misuse(error, "--bounds needs --bins: the number of equal bins between the bounds; "
                             "write for example --bins 20");
  sfm_status status = read_items(&bounds, c, "bounds", takes, options, error);
  for (size_t i = 0; !status && i < c->names.count; i++)
    if (bounds.of[i])
      status = schema_options_set_pair(c->schema, c->names.items[i], bounds.of[i], "bounds", error);
  text_list_clear(&bounds.list);
  return status;
}

/* Margins. */

static sfm_status add_margin(table_options *c, uint64_t margin, sfm_error *error) {
  if (c->settings.margin_count == MARGINS_MAX)
    return cli_misuse(error, "--margins makes more than %d margins; write fewer", MARGINS_MAX);
  c->margins[c->settings.margin_count++] = margin;
  return SFM_OK;
}

/* All margins of `order` columns from column `from` on, beside those of `with`. */
static sfm_status add_orders(table_options *c, uint64_t with, size_t from, size_t order,
                             sfm_error *error) {
  sfm_status status = SFM_OK;
  if (order == 0) return add_margin(c, with, error);
  for (size_t i = from; !status && i + order <= c->names.count; i++)
    status = add_orders(c, with | UINT64_C(1) << i, i + 1, order - 1, error);
  return status;
}

static sfm_status add_named(table_options *c, const char *text, sfm_error *error) {
  text_list names = {0};
  uint64_t margin = 0;
  sfm_status status = text_split(&names, text, ',', error);
  for (size_t k = 0; !status && k < names.count; k++) {
    const size_t i = find_column(c, names.items[k], strlen(names.items[k]));
    if (i == c->names.count)
      status = fail_unknown(c, "margins", names.items[k], (int)strlen(names.items[k]), error);
    else if (margin >> i & 1)
      status =
          cli_misuse(error, "--margins: '%s' names the column '%s' twice", text, names.items[k]);
    else
      margin |= UINT64_C(1) << i;
  }
  text_list_clear(&names);
  return status ? status : add_margin(c, margin, error);
}

static sfm_status read_margins(table_options *c, const cli_options *options, sfm_error *error) {
  const char *text = options_get(options, "margins");
  text_list list = {0};
  uint64_t order;
  if (!text) return SFM_OK;
  c->margins = malloc(MARGINS_MAX * sizeof *c->margins);
  if (!c->margins) return cli_fail_memory(error);
  c->settings.margins = c->margins;
  if (text_count(&order, text)) {
    if (order < 1 || order > c->names.count)
      return cli_misuse(error,
                        "--margins %s: margins have from 1 to %zu of the columns; write for "
                        "example --margins 1, or name them: --margins 'a,b;b,c'",
                        text, c->names.count);
    return add_orders(c, 0, 0, (size_t)order, error);
  }
  sfm_status status = text_split(&list, text, ';', error);
  for (size_t k = 0; !status && k < list.count; k++) status = add_named(c, list.items[k], error);
  text_list_clear(&list);
  return status;
}

/* The rest. */

#define AT(name, member) CLI_FIELD(name, sfm_histogram_settings, member)
static const cli_field fields[] = {AT("epsilon", epsilon),
                                   AT("delta", delta),
                                   AT("calibration", calibration),
                                   AT("outside", outside),
                                   AT("band", context.confidence),
                                   AT("seed", context),
                                   AT("occupied", occupied),
                                   AT("random-dp", gamma),
                                   AT("exact", exact),
                                   AT("noise", noise),
                                   {0}};

static sfm_status read_form(sfm_histogram_settings *s, const cli_options *options,
                            sfm_error *error) {
  const bool sparse = options_has(options, "sparse"),
             undeclared = options_has(options, "undeclared");
  if (undeclared && !sparse)
    return cli_misuse(error, "--undeclared needs --sparse: only frequent texts can be listed");
  if (s->occupied && (!sparse || undeclared) && !options_of_plan(options))
    return cli_misuse(
        error, "--occupied is for --sparse with declared categories, whose threshold it lowers");
  if (options_has(options, "exact") && !options_has(options, "random-dp"))
    return cli_misuse(
        error, "--exact is for --random-dp: under differential privacy every cell has noise");
  s->form = undeclared ? SFM_HISTOGRAM_UNDECLARED
            : sparse   ? SFM_HISTOGRAM_SPARSE
                       : SFM_HISTOGRAM_DENSE;
  return SFM_OK;
}

static sfm_status read_table(table_options *c, const cli_options *options, sfm_error *error) {
  sfm_status status = read_columns(c, options, error);
  if (!status) status = schema_options_load(&c->schema, options, error);
  if (!status) status = check_categories(c, options, error);
  if (!status) status = group_options_read_categories(c->schema, options, error);
  if (!status) status = read_bins(c, options, error);
  c->settings.context.schema = c->schema;
  return status ? status : read_bounds(c, options, error);
}

/* Tables of which only the number of cells is known: as many columns of bins as needed. */

/* The next column's bins: the product of prime factors of *cells, taken out of it, up to what a
 * column can have; 0 when a factor is larger. */
static uint64_t take_bins(uint64_t *cells) {
  const uint64_t most = UINT64_C(1) << 31;
  uint64_t bins = 1;
  if (*cells <= most) {
    bins = *cells;
    *cells = 1;
    return bins;
  }
  for (uint64_t f = 2; f < (UINT64_C(1) << 21) && *cells > 1; f++)
    while (*cells % f == 0) {
      if (bins * f > most) return bins;
      bins *= f;
      *cells /= f;
    }
  return bins > 1 ? bins : 0;
}

static sfm_status add_bins(table_options *c, uint64_t bins, sfm_error *error) {
  static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
  const size_t i = c->settings.count++;
  c->columns[i] = (sfm_histogram_column){.name = names[i], .bins = bins};
  return sfm_schema_set_bounds(c->schema, names[i], 0, (double)bins, error);
}

static sfm_status read_cells(table_options *c, const cli_options *options, sfm_error *error) {
  static const char *const apart[] = {"columns", "categories", "bins", "bounds", "margins", NULL};
  uint64_t cells = 0;
  for (size_t i = 0; apart[i]; i++)
    if (options_has(options, apart[i]))
      return cli_misuse(error,
                        "--cells is for a table without a description: leave out --cells or --%s",
                        apart[i]);
  sfm_status status = options_take(options, &cells, "cells", error);
  if (!status) status = schema_options_load(&c->schema, options, error);
  c->settings.context.schema = c->schema;
  c->settings.columns = c->columns;
  while (!status && (cells > 1 || c->settings.count == 0)) {
    const uint64_t bins = take_bins(&cells);
    status = bins ? add_bins(c, bins, error)
                  : cli_misuse(error, "--cells: no columns have exactly so many cells, because one "
                                      "would need more than 2^31 categories; write another number");
  }
  return status;
}

sfm_status table_options_read(table_options *c, const cli_options *options, sfm_error *error) {
  const bool whole = !options_declared(options, "margins");
  *c = (table_options){.settings = sfm_histogram_settings_default()};
  sfm_status status = options_fill(&c->settings, fields, options, error);
  if (!status && !whole) status = read_form(&c->settings, options, error);
  if (!status && options_given(options, "cells")) return read_cells(c, options, error);
  if (!status) status = read_table(c, options, error);
  return status || whole ? status : read_margins(c, options, error);
}

void table_options_clear(table_options *c) {
  sfm_schema_destroy(c->schema);
  text_list_clear(&c->names);
  free(c->margins);
  *c = (table_options){0};
}
