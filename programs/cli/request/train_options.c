#include "train_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_option.h"
#include "cli/core/shared_options.h"
#include "row_options.h"

static const cli_option options_features_label[] = {
    {"features", "NAMES|@FILE",
     "the columns to learn from, separated by commas; x1..x20 stands for x1, x2, ..., x20; write a "
     "name that contains a comma in double quotes; or a file with one name per line"},
    {"label", "COLUMN", "the column to predict"},
    {0}};
static const cli_option option_label_bounds = {
    "label-bounds", "A:B",
    "predict a number instead: its bounds, public; a label beyond a bound is replaced by the bound",
    "the label's bounds in the schema, if it has them"};
static const cli_option options_feature_bounds[] = {
    {"bounds", "COLUMN=A:B,...|A:B,C:D,...|A:B",
     "lower and upper bound of the features that are numbers, in their unit: one pair for all, one "
     "per feature in order, or by name; public knowledge, never read from the rows"},
    CLI_SAME(categories),
    CLI_SAME(schema),
    {"dimension", "D",
     "the rows are libsvm text, `LABEL INDEX:VALUE ...`, with so many coordinates (public; a row "
     "with a larger index is ignored), instead of --features and --label",
     CLI_COUNT(1, UINT64_C(1) << 24)},
    {0}};
const cli_option options_train_data[] = {
    CLI_GROUP(features_label),
    {"labels", "A|B[|MORE]",
     "the classes, public: the first of two is the negative one; more than two need --one-vs-rest. "
     "A row with another label is ignored",
     "-1|1, or the label's categories in the schema"},
    CLI_SAME(label_bounds),
    {"one-vs-rest", NULL,
     "three or more classes: one machine for each class against all others; the noise grows with "
     "the square root of the number of classes"},
    CLI_GROUP(feature_bounds),
    {0}};
const cli_option options_train_data_binary[] = {
    CLI_GROUP(features_label),
    {"labels", "A|B",
     "the two classes, public: the first is the negative one. A row with another label is ignored",
     "-1|1, or the label's categories in the schema"},
    CLI_SAME(label_bounds),
    CLI_GROUP(feature_bounds),
    {0}};
const cli_option options_model[] = {
    {"scaling", "unit|ball|none",
     "how bounded columns are scaled for the kernel. unit: each to [-1, 1]; ball: the same divided "
     "by the square root of their number, so that no row is longer than 1; none: not scaled",
     "unit; none for libsvm text", CLI_CHOICE(SFM_ENUMERATION_SCALING)},
    {"clip-norm", "R", "rows longer than this are shortened to it, after scaling", "none",
     CLI_POSITIVE("1")},
    CLI_SAME(outside),
    {"kernel",
     "linear|polynomial:P:C|gaussian:H|laplacian:H|matern12:H|matern32:H|matern52:H|cauchy:H",
     "how similar two rows are: <u, v>, (<u, v> + C)^P, or a function of u - v with bandwidth H in "
     "units of the scaled columns",
     "linear"},
    {"constant", "B",
     "a constant feature of this size, instead of an intercept (which would break the guarantee): "
     "it is penalised and gets noise like the others",
     "0: none", CLI_NUMBER("1")},
    {"loss", "hinge|squared-hinge|logistic|huber[:T]|epsilon-insensitive[:E]|squared",
     "the loss function; T and E are in units of the label (by default a tenth and a twentieth of "
     "its range); for a number huber, epsilon-insensitive or squared: squared has by far the "
     "largest slope, and so the most noise",
     "hinge for classes, huber for a number"},
    {0}};
static const cli_option options_machine[] = {CLI_GROUP(train_data), CLI_GROUP(model), {0}};
const cli_option options_train[] = {
    CLI_GROUP(machine),
    {"method", "finite|rff:F|gp|tddl|tdil|objective[:F]",
     "finite: noise on the weights of all features, for a kernel that has finitely many (gaussian: "
     "on a torus, in few dimensions); rff:F: noise on the weights of F random features; gp: normal "
     "noise, with --places for any kernel; tddl: noise on the values at public points (--public), "
     "and a fit to them; tdil: the same at points that are chosen privately, in few dimensions; "
     "objective: noise in the function that is minimised, a baseline",
     "finite for linear and polynomial kernels, else rff:1000"},
    {"net", "N", "tdil: how many public points there are to choose from",
     "a few thousand at most; for the linear kernel all possible rows (idealised)",
     CLI_COUNT(2, UINT32_MAX)},
    {"rounds", "B", "tdil: how many points are chosen and answered, one after the other",
     "the number of least predicted error", CLI_COUNT(1, UINT32_MAX)},
    {"noise", "laplace|normal|gamma",
     "on the weights: laplace is pure epsilon and hardened; normal needs --delta and is hardened; "
     "gamma is pure epsilon with less noise than laplace, idealised",
     "normal with --delta, else laplace", CLI_WORDS("laplace", "normal", "gamma")},
    {0}};
const cli_option option_tolerance = {
    "tolerance", "T",
    "how far from the exact machine the solver may stop, divided by the sensitivity (how far one "
    "record can move the machine); the solver certifies this distance, and the noise is calibrated "
    "for the sensitivity plus twice the distance",
    "0.1", CLI_POSITIVE("0.1")};

/* Coordinates of libsvm text. */
static const uint64_t DIMENSION_MAX = (uint64_t)1 << 24;

/* Columns. */

static sfm_status read_features(train_options *s, const cli_options *options, sfm_error *error) {
  const char *text = options_get(options, s->list);
  const bool listed = text[0] == '@', learns = strcmp(s->list, "features") == 0;
  sfm_status status = listed
                          ? group_options_read_list(&s->features, text + 1, s->list, "name", error)
                          : text_split(&s->features, text, ',', error);
  if (!status && !listed)
    status = text_expand(&s->features, s->list, TRAIN_OPTIONS_FEATURES_MAX, error);
  for (size_t i = 0; !status && i < s->features.count; i++)
    if (!*s->features.items[i])
      status = cli_misuse(
          error, "--%s: a name between two commas is empty; write for example --%s age,income",
          s->list, s->list);
  if (!status && learns && !options_has(options, "label") && !options_of_plan(options))
    status =
        cli_misuse(error, "--label is missing: the column to predict; write for example --label y");
  s->settings.features = (const char *const *)s->features.items;
  s->settings.feature_count = s->features.count;
  s->settings.label = options_get(options, "label");
  return status;
}

/* The place of the column that the first `length` bytes of name are, or their number. */
static size_t find_feature(const train_options *s, const char *name, size_t length) {
  size_t i = 0;
  while (i < s->features.count &&
         (strncmp(s->features.items[i], name, length) != 0 || s->features.items[i][length] != 0))
    i++;
  return i;
}

/* Facts about columns that are not asked for are a mistake. */
static sfm_status check_named(const train_options *s, const char *option, const char *name,
                              size_t length, sfm_error *error) {
  if (find_feature(s, name, length) < s->features.count) return SFM_OK;
  return cli_misuse(error, "--%s: '%.*s' is not among --%s: add it there, or leave this out",
                    option, (int)(length < 64 ? length : 64), name, s->list);
}

/* Of a machine, of its columns alone; elsewhere (check) they name further columns. */
static sfm_status read_categories(train_options *s, const cli_options *options, sfm_error *error) {
  const bool learns = strcmp(s->list, "features") == 0;
  sfm_status status = SFM_OK;
  size_t at = 0;
  for (const char *text; !status && learns && (text = options_next(options, "categories", &at));)
    status = check_named(s, "categories", text, strcspn(text, "="), error);
  return status ? status : group_options_read_categories(s->schema, options, error);
}

static bool takes_bounds(const train_options *s, size_t i) {
  const sfm_column *column = sfm_schema_find(s->schema, s->features.items[i]);
  return !column || (column->category_count == 0 && column->type != SFM_COLUMN_TYPE_STRING &&
                     column->type != SFM_COLUMN_TYPE_BOOLEAN);
}

static sfm_status name_bounds(train_options *s, const text_list *items, sfm_error *error) {
  sfm_status status = SFM_OK;
  for (size_t k = 0; !status && k < items->count; k++) {
    const char *item = items->items[k], *equals = strrchr(item, '=');
    if (!equals)
      return cli_misuse(error,
                        "--bounds: '%.80s' names no column; write COLUMN=%.80s, as for the others",
                        item, item);
    status = check_named(s, "bounds", item, (size_t)(equals - item), error);
    if (!status)
      status = schema_options_set_pair(
          s->schema, s->features.items[find_feature(s, item, (size_t)(equals - item))], equals + 1,
          "bounds", error);
  }
  return status;
}

static sfm_status share_bounds(train_options *s, const text_list *items, sfm_error *error) {
  size_t taken = 0, next = 0;
  sfm_status status = SFM_OK;
  for (size_t i = 0; i < s->features.count; i++) taken += takes_bounds(s, i);
  if (taken == 0)
    return cli_misuse(error, "--bounds: all of --%s have categories and need no bounds", s->list);
  if (items->count != 1 && items->count != taken)
    return cli_misuse(error,
                      "--bounds has %zu pairs for %zu %s%s without categories; give one for all, "
                      "one per column in order, or COLUMN=A:B by name",
                      items->count, taken, strcmp(s->list, "features") == 0 ? "feature" : "column",
                      taken == 1 ? "" : "s");
  for (size_t i = 0; !status && i < s->features.count; i++)
    if (takes_bounds(s, i))
      status =
          schema_options_set_pair(s->schema, s->features.items[i],
                                  items->items[items->count == 1 ? 0 : next++], "bounds", error);
  return status;
}

static sfm_status read_bounds(train_options *s, const cli_options *options, sfm_error *error) {
  const char *text = options_get(options, "bounds");
  text_list items = {0};
  if (!text) return SFM_OK;
  sfm_status status = text_split(&items, text, ',', error);
  if (!status)
    status = strchr(text, '=') ? name_bounds(s, &items, error) : share_bounds(s, &items, error);
  text_list_clear(&items);
  return status;
}

/* Libsvm text has neither columns nor a schema. */
static sfm_status read_sparse(train_options *s, const cli_options *options, sfm_error *error) {
  static const char *const others[] = {"label", "categories", "schema", "person", "places"};
  const char *bounds = options_get(options, "bounds"), *scaling = options_given(options, "scaling");
  uint64_t dimension = 0;
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    if (options_given(options, others[i]))
      return cli_misuse(error, "libsvm text (--dimension) has no columns: leave out --%s",
                        others[i]);
  if (scaling && strcmp(scaling, "none") != 0)
    return cli_misuse(error, "coordinates of libsvm text are not scaled: leave out --scaling");
  sfm_status status = options_take(options, &dimension, "dimension", error);
  s->dimension = (size_t)dimension;
  if (status || !bounds) return status;
  s->settings.sparse_bounded = true;
  return schema_options_pair(&s->settings.sparse_lower, &s->settings.sparse_upper, bounds, "bounds",
                             NULL, error);
}

static sfm_status read_schema(train_options *s, const cli_options *options, sfm_error *error) {
  const sfm_status status = schema_options_load(&s->schema, options, error);
  s->settings.context.schema = s->schema;
  return status;
}

/* Matrices are in place of columns, kernel and public points. */
static sfm_status read_gram(train_options *s, const cli_options *options, sfm_error *error) {
  static const char *const others[] = {"features", "dimension", "bounds",  "categories",
                                       "kernel",   "constant",  "scaling", "clip-norm",
                                       "public",   "places"};
  sfm_train_settings *t = &s->settings;
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    if (options_given(options, others[i]))
      return cli_misuse(error, "--gram replaces columns, kernel and public points: leave out --%s",
                        others[i]);
  if (!options_has(options, "label"))
    return cli_misuse(error,
                      "--label is missing: the column of the labels; write for example --label y");
  t->label = options_get(options, "label");
  sfm_status status = read_schema(s, options, error);
  if (!status) status = gram_files_read(&s->matrices, options, error);
  t->gram = &s->matrices.gram;
  t->public_count = s->matrices.gram.points;
  return status;
}

static sfm_status read_rows(train_options *s, const cli_options *options, sfm_error *error) {
  const bool columns = options_has(options, s->list), sparse = options_has(options, "dimension");
  sfm_status status = compression_option_read(&s->compression, options, sparse, error);
  if (status) return status;
  if (gram_files_given(options)) return read_gram(s, options, error);
  if (columns && sparse)
    return cli_misuse(error,
                      "--%s names columns, but --dimension is for libsvm text, which has none: "
                      "leave out one of them",
                      s->list);
  if (!columns && !sparse)
    return cli_misuse(error, "state what to learn from: --features a,b,c --label y for a table "
                             "with columns, or --dimension D for libsvm text (LABEL INDEX:VALUE "
                             "...), where D is the public number of its coordinates");
  status = read_schema(s, options, error);
  if (!status && sparse) return read_sparse(s, options, error);
  if (!status) status = read_features(s, options, error);
  if (!status) status = read_categories(s, options, error);
  return status ? status : read_bounds(s, options, error);
}

/* Labels. */

/* What a schema calls a number between bounds is predicted as one. */
static sfm_status take_label_bounds(train_options *s, const sfm_column *column, sfm_error *error) {
  sfm_train_settings *t = &s->settings;
  if (t->one_vs_rest)
    return cli_misuse(
        error,
        "in the schema the label '%.80s' is a number from %g to %g, but --one-vs-rest is for "
        "classes: name them, for example --labels 'a|b|c', or leave it out",
        column->name, column->lower, column->upper);
  s->by_schema = t->regression = true;
  t->label_lower = column->lower;
  t->label_upper = column->upper;
  return SFM_OK;
}

static sfm_status read_label_bounds(sfm_train_settings *t, const sfm_column *column,
                                    const char *bounds, sfm_error *error) {
  const sfm_status status =
      schema_options_pair(&t->label_lower, &t->label_upper, bounds, "label-bounds", NULL, error);
  if (status || !column || !column->has_bounds ||
      (column->lower == t->label_lower && column->upper == t->label_upper))
    return status;
  return cli_misuse(error,
                    "--label-bounds: the schema states the bounds %.17g:%.17g of '%.80s' and the "
                    "option states %.80s; they must agree: leave one out",
                    column->lower, column->upper, column->name, bounds);
}

static sfm_status read_labels(train_options *s, const cli_options *options, sfm_error *error) {
  static const char *const booleans[] = {"false", "true"};
  sfm_train_settings *t = &s->settings;
  const char *labels = options_get(options, "labels"),
             *bounds = options_get(options, "label-bounds");
  const sfm_column *column = t->label ? sfm_schema_find(s->schema, t->label) : NULL;
  t->regression = bounds != NULL;
  if (labels && bounds)
    return cli_misuse(
        error, "--labels names classes, but --label-bounds is for a number: leave out one of them");
  if (bounds) return read_label_bounds(t, column, bounds, error);
  if (!labels && column && (column->category_count || column->type == SFM_COLUMN_TYPE_BOOLEAN)) {
    t->labels = column->category_count ? column->categories : booleans;
    t->class_count = column->category_count ? column->category_count : 2;
    s->by_schema = true;
  } else if (!labels && column && column->has_bounds) {
    return take_label_bounds(s, column, error);
  }
  if (!labels) return SFM_OK;
  const sfm_status status = text_split(&s->labels, labels, '|', error);
  t->labels = (const char *const *)s->labels.items;
  t->class_count = s->labels.count;
  if (!status && s->labels.count == 1)
    return cli_misuse(
        error,
        "--labels has one class, '%.80s': classes are separated by |, in quotes: --labels 'no|yes'",
        labels);
  return status;
}

/* The machine. */

/* "name", or "name:X" with a number. */
static bool is_word(const char *text, const char *name, const char **number) {
  const size_t length = strlen(name);
  *number = NULL;
  if (strncmp(text, name, length) != 0) return false;
  if (text[length] == ':') *number = text + length + 1;
  return text[length] == 0 || text[length] == ':';
}

static sfm_status read_loss(sfm_train_settings *t, const cli_options *options, sfm_error *error) {
  const char *text = options_get(options, "loss"), *number;
  t->loss = t->regression ? SFM_MACHINE_LOSS_HUBER : SFM_MACHINE_LOSS_HINGE;
  if (!text) return SFM_OK;
  for (int i = SFM_MACHINE_LOSS_HINGE; i <= SFM_MACHINE_LOSS_SQUARED; i++) {
    if (!is_word(text, sfm_machine_loss_name((sfm_machine_loss)i), &number)) continue;
    t->loss = (sfm_machine_loss)i;
    if (t->regression && t->loss < SFM_MACHINE_LOSS_HUBER && !options_has(options, "label-bounds"))
      return cli_misuse(
          error,
          "--loss %.80s is for classes, but in the schema the label '%.80s' is a number from %g to "
          "%g: name the classes, for example --labels '-1|1', or leave out --loss",
          text, t->label, t->label_lower, t->label_upper);
    if (!number) return SFM_OK;
    if (text_number(&t->parameter, number) && !isnan(t->parameter)) return SFM_OK;
    return cli_misuse(
        error, "--loss: '%.80s' has no number after the colon; write for example huber:0.5", text);
  }
  return cli_misuse(error,
                    "--loss: '%.80s' is not a loss; write hinge, squared-hinge, logistic, huber, "
                    "epsilon-insensitive or squared",
                    text);
}

static sfm_status read_polynomial(sfm_train_settings *t, const char *text, sfm_error *error) {
  char first[32] = "";
  const char *colon = text ? strchr(text, ':') : NULL;
  uint64_t degree = 0;
  if (colon) snprintf(first, sizeof first, "%.*s", (int)(colon - text), text);
  if (!colon || !text_count(&degree, first) || !text_number(&t->shift, colon + 1) || degree < 1 ||
      degree > SFM_MAX_DEGREE)
    return cli_misuse(error,
                      "--kernel polynomial:P:C has a degree P from 1 to %d and a constant C; write "
                      "for example polynomial:3:1",
                      SFM_MAX_DEGREE);
  t->kernel = SFM_KERNEL_POLYNOMIAL;
  t->degree = (unsigned)degree;
  return SFM_OK;
}

/* Words that others have for kernels. */
static sfm_status fail_kernel(const char *text, sfm_error *error) {
  static const struct {
    const char *word, *meant, *usual, *remark;
  } others[] = {
      {"rbf", "gaussian", "0.5",
       " Its bandwidth H is that of exp(-|u - v|^2/(2 H^2)): for a gamma it is 1/sqrt(2 gamma)"},
      {"gauss", "gaussian", "0.5", ""},
      {"poly", "polynomial", "3:1", " It has a degree and a constant"},
      {"laplace", "laplacian", "0.5", ""},
      {"matern", "matern52", "0.5", " There are matern12 and matern32 too"}};
  const char *numbers;
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    if (is_word(text, others[i].word, &numbers))
      return cli_misuse(error, "--kernel: '%.80s' is not a kernel; did you mean %s:%.40s?%s", text,
                        others[i].meant, numbers ? numbers : others[i].usual, others[i].remark);
  return cli_misuse(
      error,
      "--kernel: '%.80s' is not a kernel; write linear, polynomial:3:1, or gaussian, laplacian, "
      "matern12, matern32, matern52 or cauchy and its bandwidth, for example gaussian:0.5",
      text);
}

static sfm_status read_kernel(sfm_train_settings *t, const cli_options *options, sfm_error *error) {
  const char *text = options_get(options, "kernel"), *numbers;
  if (!text || strcmp(text, "linear") == 0) return SFM_OK;
  if (is_word(text, "polynomial", &numbers)) return read_polynomial(t, numbers, error);
  for (int i = SFM_KERNEL_GAUSSIAN; i <= SFM_KERNEL_CAUCHY; i++)
    if (is_word(text, sfm_kernel_family_name((sfm_kernel_family)i), &numbers))
      return kernel_option_read(&t->kernel, &t->bandwidth, text, "kernel", error);
  return fail_kernel(text, error);
}

/* The number of random features behind a method. */
static sfm_status read_count(sfm_train_settings *t, const char *text, const char *number,
                             sfm_error *error) {
  uint64_t count = 0;
  if (!text_count(&count, number) || count < 2 || count % 2 || count > DIMENSION_MAX)
    return cli_misuse(error,
                      "--method %.80s: random features are pairs of a cosine and a sine; their "
                      "number is even, from 2 to %llu; write for example rff:1000",
                      text, (unsigned long long)DIMENSION_MAX);
  t->rff_features = (size_t)count;
  return SFM_OK;
}

static sfm_status read_method(sfm_train_settings *t, const cli_options *options, sfm_error *error) {
  const char *text = options_get(options, "method"), *number = NULL;
  if (!text) {
    const bool finite = t->kernel == SFM_KERNEL_LINEAR || t->kernel == SFM_KERNEL_POLYNOMIAL;
    t->method = finite ? SFM_TRAIN_FINITE : SFM_TRAIN_RFF;
    t->rff_features = finite ? 0 : 1000;
    return SFM_OK;
  }
  for (int i = SFM_TRAIN_GP; i <= SFM_TRAIN_TDIL; i++) {
    t->method = (sfm_train_method)i;
    if (!is_word(text, sfm_train_method_name(t->method), &number)) continue;
    if (t->method == SFM_TRAIN_RFF) return read_count(t, text, number ? number : "", error);
    if (!number) return SFM_OK;
    if (t->method == SFM_TRAIN_OBJECTIVE) return read_count(t, text, number, error);
    break;
  }
  return cli_misuse(error,
                    "--method: '%.80s' is not a method; write finite, rff:F (F random features, "
                    "for example rff:1000), gp, objective, tddl or tdil",
                    text);
}

#define AT(name, member) CLI_FIELD(name, sfm_train_settings, member)
static const cli_field fields[] = {AT("epsilon", epsilon),
                                   AT("delta", delta),
                                   AT("calibration", calibration),
                                   AT("band", context.confidence),
                                   AT("seed", context),
                                   AT("scaling", scaling),
                                   AT("outside", outside),
                                   AT("clip-norm", clip_norm),
                                   AT("constant", constant),
                                   AT("net", net),
                                   AT("rounds", probes),
                                   AT("noise", noise),
                                   AT("tolerance", tolerance),
                                   AT("threads", context.threads),
                                   AT("public-points", public_points),
                                   AT("noise-shape", shape),
                                   AT("one-vs-rest", one_vs_rest),
                                   {0}};

static sfm_status read_places(train_options *s, const cli_options *options, sfm_error *error) {
  const char *path = options_given(options, "places");
  sfm_train_settings *t = &s->settings;
  if (!path) return SFM_OK;
  if (strcmp(path, "-") == 0)
    return cli_misuse(error, "--places is a file: standard input is for rows");
  if (t->feature_count > SFM_MAX_DIMENSION)
    return cli_misuse(error,
                      "--places have at most %d columns; use --method rff:1000, which needs none",
                      SFM_MAX_DIMENSION);
  for (size_t i = 0; i < s->features.count; i++)
    if (!takes_bounds(s, i))
      return cli_misuse(error,
                        "--places are points of numbers, but '%.80s' has categories: use --method "
                        "rff:1000, which needs none",
                        s->features.items[i]);
  const sfm_status status =
      points_from_file(&s->places, path, t->features, t->feature_count, error);
  t->places = s->places.at;
  t->place_count = s->places.count;
  if (!status && s->places.count == 0)
    return cli_misuse(error, "%.200s has no points to release values at", path);
  return status;
}

/* One number; choose:A,B,..., of which one is chosen privately; of a plan several side by side. */
static sfm_status read_lambda(train_options *s, const cli_options *options, sfm_error *error) {
  sfm_train_settings *t = &s->settings;
  const char *text = options_get(options, "lambda");
  const bool choose = text && strncmp(text, "choose:", strlen("choose:")) == 0,
             plan = options_of_plan(options);
  double number;
  if (text && !choose && !strchr(text, ',') && !text_number(&number, text))
    return cli_misuse(error,
                      "--lambda: '%.80s' is not a number; write for example --lambda 0.01%s, or "
                      "leave it out for kappa^2/sqrt(n)",
                      text,
                      plan ? " (0.01,0.1 plans several)"
                           : ", --lambda choose:0.01,0.1 to have one chosen privately");
  if (!text || (!choose && !strchr(text, ',')))
    return options_take(options, &t->lambda, "lambda", error);
  if (!choose && !plan)
    return cli_misuse(error,
                      "--lambda: a release has one lambda; write --lambda choose:%.80s to have one "
                      "of these chosen privately; the choice is paid for",
                      text);
  if (choose && plan)
    return cli_misuse(
        error,
        "--lambda: a plan lists candidates side by side: write --lambda %.80s. Choosing among k of "
        "them trains on four fifths of the rows, and the winner has 1.25 sqrt(k) times as much "
        "noise if it is normal, and 2.5 (k = 2) to 3.1 times as much if it is not",
        text + strlen("choose:"));
  const sfm_status status = text_numbers(&s->lambdas, &t->lambda_count,
                                         text + (choose ? strlen("choose:") : 0), "lambda", error);
  t->lambdas = s->lambdas;
  return status;
}

static sfm_status read_machine(train_options *s, const cli_options *options, sfm_error *error) {
  sfm_train_settings *t = &s->settings;
  sfm_status status = read_kernel(t, options, error);
  if (!status) status = read_loss(t, options, error);
  if (!status) status = read_lambda(s, options, error);
  if (!status) status = read_method(t, options, error);
  t->noise_given = options_given(options, "noise") != NULL;
  if (!status && options_given(options, "public"))
    status =
        unlabelled_points_read(&s->public, t, options_get(options, "public"), s->dimension, error);
  return status ? status : read_places(s, options, error);
}

sfm_status train_options_read(train_options *s, const cli_options *options, sfm_error *error) {
  *s = (train_options){.settings = sfm_train_settings_default(), .list = "features"};
  sfm_status status = options_fill(&s->settings, fields, options, error);
  if (!status) status = row_options_check_calibration(options, s->settings.delta, error);
  if (!status) status = read_rows(s, options, error);
  if (!status) status = read_labels(s, options, error);
  return status ? status : read_machine(s, options, error);
}

sfm_status train_options_read_rows(train_options *s, const cli_options *options, const char *list,
                                   sfm_error *error) {
  *s = (train_options){.settings = sfm_train_settings_default(), .list = list};
  s->settings.one_vs_rest = options_has(options, "one-vs-rest");
  const sfm_status status = read_rows(s, options, error);
  return status ? status : read_labels(s, options, error);
}

void train_options_kernel_text(char *text, size_t size, const train_options *s) {
  const sfm_train_settings *t = &s->settings;
  if (t->kernel == SFM_KERNEL_POLYNOMIAL)
    snprintf(text, size, "polynomial:%u:%g", t->degree, t->shift);
  else if (t->kernel == SFM_KERNEL_LINEAR)
    snprintf(text, size, "linear");
  else
    snprintf(text, size, "%s:%g", sfm_kernel_family_name(t->kernel), t->bandwidth);
}

void train_options_clear(train_options *s) {
  sfm_schema_destroy(s->schema);
  text_list_clear(&s->features);
  text_list_clear(&s->labels);
  points_clear(&s->places);
  unlabelled_points_clear(&s->public);
  gram_files_clear(&s->matrices);
  free(s->lambdas);
  *s = (train_options){0};
}
