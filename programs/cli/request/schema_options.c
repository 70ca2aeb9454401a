#include "schema_options.h"

#include <math.h>
#include <string.h>

#include "cli/core/shared_options.h"
#include "sfumato/density.h"

const cli_option option_columns = {
    "columns", "NAMES",
    "the variables, separated by commas (NPY columns are called 0, 1, ...); x1..x20 stands for x1, "
    "x2, ..., x20; write a name that contains a comma in double quotes"};
const cli_option option_bounds = {"bounds", "A:B[,C:D...]",
                                  "lower and upper bound of each column in order, in its unit, or "
                                  "one pair for all; public knowledge, never read from the rows"};
static const cli_option option_person = {
    "person", "COLUMN",
    "the column that names the person of each record; records of a "
    "person beyond --contributions are ignored"};
static const cli_option option_contributions = {
    "contributions", "K",
    "the most records one person can have; enforced with --person, otherwise stated in the release "
    "as an assumption",
    "1", CLI_COUNT(1, 1000000)};

const cli_option options_people[] = {CLI_SAME(person), CLI_SAME(contributions), {0}};
const cli_option options_neighbours[] = {CLI_SAME(neighbours), CLI_GROUP(people), {0}};
const cli_option options_columns[] = {CLI_SAME(columns), CLI_SAME(bounds), CLI_SAME(schema), {0}};
const cli_option options_plan_columns[] = {
    CLI_SAME(bounds), CLI_SAME(columns), CLI_SAME(schema), {0}};

static sfm_status read_columns(text_list *columns, const char *text, sfm_error *error) {
  if (!text) return SFM_OK;
  sfm_status status = text_split(columns, text, ',', error);
  if (!status) status = text_expand(columns, "columns", SFM_MAX_DIMENSION, error);
  if (status) return status;
  for (size_t i = 0; i < columns->count; i++) {
    if (!*columns->items[i])
      return cli_misuse(
          error,
          "--columns: a name between two commas is empty; write for example --columns lon,lat");
    for (size_t j = 0; j < i; j++)
      if (strcmp(columns->items[i], columns->items[j]) == 0)
        return cli_misuse(error, "--columns names '%s' twice", columns->items[i]);
  }
  return SFM_OK;
}

static sfm_status fail_pair(const char *text, const char *option, sfm_error *error) {
  char meant[80] = "";
  double a, b;
  int used = 0;
  bool sign = false;
  /* 0-100, 0..100, 0;100, 0/100: with another sign between the numbers */
  if (sscanf(text, "%lf%*1[-;/ ]%lf%n", &a, &b, &used) == 2 && !text[used]) sign = true;
  const char *dots = strstr(text, "..");
  if (!sign && dots && sscanf(text, "%lf", &a) == 1 && text_number(&b, dots + 2)) sign = true;
  if (!sign && sscanf(text, "%lf:%lf%%%n", &a, &b, &used) == 2 && used && !text[used]) sign = true;
  if (sign) snprintf(meant, sizeof meant, "; write --%s %.10g:%.10g", option, a, b);
  return cli_misuse(error, "--%s: '%.80s' is not a pair of numbers with a colon between them%s%s%s",
                    option, text, *meant ? meant : "; write for example --", *meant ? "" : option,
                    *meant ? "" : " 0:100");
}

/* "a:b" */
sfm_status schema_options_pair(double *lower, double *upper, const char *text, const char *option,
                               const char *column, sfm_error *error) {
  const char *colon = *text ? strchr(text + 1, ':') : NULL;
  char first[64], of[128] = "";
  snprintf(first, sizeof first, "%.*s", colon ? (int)(colon - text) : 0, text);
  if (column) snprintf(of, sizeof of, " of column '%.80s'", column);
  if (!colon || !text_number(lower, first) || !text_number(upper, colon + 1))
    return fail_pair(text, option, error);
  if (!isfinite(*lower) || !isfinite(*upper))
    return cli_misuse(error, "--%s %.80s%s must be finite numbers", option, text, of);
  if (*lower == *upper)
    return cli_misuse(error, "--%s %.80s%s leave no room: the lower bound equals the upper", option,
                      text, of);
  if (*lower > *upper)
    return cli_misuse(error, "--%s %.80s%s are reversed; write --%s %.40s:%s", option, text, of,
                      option, colon + 1, first);
  return SFM_OK;
}

sfm_status schema_options_set_pair(sfm_schema *schema, const char *column, const char *pair,
                                   const char *option, sfm_error *error) {
  double lower, upper;
  const sfm_status status = schema_options_pair(&lower, &upper, pair, option, column, error);
  return status ? status : sfm_schema_set_bounds(schema, column, lower, upper, error);
}

/* A piece without a colon: a comma stands for the colon, or for a decimal point. */
static sfm_status check_commas(const char *text, const text_list *pairs, sfm_error *error) {
  for (size_t i = 0; i < pairs->count; i++)
    if (!strchr(pairs->items[i], ':'))
      return cli_misuse(error,
                        "--bounds %.80s: '%.40s' is not a pair. Commas stand between the pairs of "
                        "columns, a colon between the two numbers of a pair, and decimals have a "
                        "point; write for example --bounds 0:100 or --bounds 0.5:100",
                        text, pairs->items[i]);
  return SFM_OK;
}

static sfm_status set_bounds(sfm_schema *schema, const text_list *columns,
                             const cli_options *options, sfm_error *error) {
  const char *text = options_get(options, "bounds");
  text_list pairs = {0};
  if (!text) return SFM_OK;
  sfm_status status = text_split(&pairs, text, ',', error);
  if (!status && !columns->count)
    status = cli_misuse(
        error, "--bounds needs --columns: the pairs belong to the columns named there, in order");
  else if (!status && pairs.count != 1 && pairs.count != columns->count)
    status = check_commas(text, &pairs, error);
  if (!status && columns->count && pairs.count != 1 && pairs.count != columns->count)
    status = cli_misuse(error,
                        "--bounds has %zu pairs for %zu column%s; give one pair lower:upper for "
                        "all, or one per column, separated by commas",
                        pairs.count, columns->count, columns->count == 1 ? "" : "s");
  for (size_t i = 0; !status && i < columns->count; i++)
    status = schema_options_set_pair(schema, columns->items[i],
                                     pairs.items[pairs.count == 1 ? 0 : i], "bounds", error);
  text_list_clear(&pairs);
  return status;
}

/* A name that a schema does not have is more likely misspelt than without bounds. */
static sfm_status fail_unknown(const sfm_schema *schema, const char *name, sfm_error *error) {
  char known[200] = "";
  for (size_t i = 0; i < sfm_schema_column_count(schema); i++)
    text_add(known, sizeof known, "%s%s", i ? ", " : "", sfm_schema_column(schema, i)->name);
  return cli_misuse(error,
                    "the schema has no column '%s'. It has: %s. For a column that is not in it, "
                    "state --bounds LOWER:UPPER (public knowledge, not read from the rows)",
                    name, known);
}

static sfm_status require_bounds(const sfm_schema *schema, const text_list *columns,
                                 sfm_error *error) {
  for (size_t i = 0; i < columns->count; i++) {
    const sfm_column *column = sfm_schema_find(schema, columns->items[i]);
    if (!column && sfm_schema_column_count(schema) > 0)
      return fail_unknown(schema, columns->items[i], error);
    if (!column || !column->has_bounds)
      return cli_misuse(
          error,
          "no bounds for column '%s'. Bounds must be public knowledge that you state: bounds read "
          "from the rows would reveal the most extreme person. Write for example --bounds %s, or "
          "minimum and maximum in a schema (--schema FILE)",
          columns->items[i],
          columns->count == 1 ? "0:100" : "0:100,0:1 (one pair per column, or one for all)");
  }
  return SFM_OK;
}

/* columns: the names as people write them, or NULL. */
static sfm_status read_named(schema_options *out, const char *columns, const cli_options *options,
                             sfm_error *error) {
  sfm_status status = read_columns(&out->columns, columns, error);
  if (!status) status = schema_options_load(&out->schema, options, error);
  if (!status) status = set_bounds(out->schema, &out->columns, options, error);
  return status ? status : require_bounds(out->schema, &out->columns, error);
}

/* Names for as many columns as there are pairs of bounds. */
static sfm_status make_names(char *out, size_t size, const char *bounds, sfm_error *error) {
  static const char *const few[] = {"x", "x,y", "x,y,z"};
  text_list pairs = {0};
  sfm_status status = text_split(&pairs, bounds, ',', error);
  if (status) return status;
  if (pairs.count <= 3)
    snprintf(out, size, "%s", few[pairs.count - 1]);
  else
    snprintf(out, size, "x1..x%zu", pairs.count);
  text_list_clear(&pairs);
  return SFM_OK;
}

sfm_status schema_options_read(schema_options *out, const cli_options *options, sfm_error *error) {
  const char *columns = options_get(options, "columns"), *bounds = options_get(options, "bounds");
  char names[40];
  *out = (schema_options){0};
  if (columns || !options_of_plan(options)) return read_named(out, columns, options, error);
  if (options_has(options, "schema"))
    return cli_misuse(error, "--columns is missing: which columns of the schema are meant; write "
                             "for example --columns age");
  if (!bounds)
    return cli_misuse(
        error,
        "--bounds is missing: the lower and upper bound of each column in its unit, public "
        "knowledge; write for example --bounds 0:100, or --bounds 0:100,0:1 for two columns");
  sfm_status status = make_names(names, sizeof names, bounds, error);
  return status ? status : read_named(out, names, options, error);
}

sfm_status schema_options_load(sfm_schema **schema, const cli_options *options, sfm_error *error) {
  const char *path = options_get(options, "schema"), *person = options_given(options, "person");
  unsigned neighbours = SFM_NEIGHBOURS_REPLACE;
  uint64_t contributions = 1;
  sfm_status status = options_take(options, &contributions, "contributions", error);
  if (!status) status = options_take(options, &neighbours, "neighbours", error);
  if (!status)
    status = path ? sfm_schema_load(schema, path, error) : sfm_schema_create(schema, error);
  if (!status && person) status = sfm_schema_set_person(*schema, person, error);
  if (!status && options_given(options, "contributions"))
    status = sfm_schema_set_contributions(*schema, (uint32_t)contributions, error);
  if (!status && options_given(options, "neighbours"))
    status = sfm_schema_set_neighbours(*schema, (sfm_neighbours)neighbours, error);
  return status;
}

sfm_status schema_options_limits(sfm_schema *schema, const char *column, const cli_options *options,
                                 sfm_error *error) {
  const char *within = options_get(options, "within");
  if (within) return schema_options_set_pair(schema, column, within, "within", error);
  const sfm_column *found = sfm_schema_find(schema, column);
  if (found && found->has_bounds) return SFM_OK;
  return cli_misuse(error,
                    "--within is missing: outer limits of '%s' that you can state without looking "
                    "at the rows. They may be very wide; write for example --within 0:1e7",
                    column);
}

void schema_options_clear(schema_options *f) {
  sfm_schema_destroy(f->schema);
  text_list_clear(&f->columns);
  *f = (schema_options){0};
}
