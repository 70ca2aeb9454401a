/* columns.c - readings of cells: which columns, each by which use. */
#include <stdlib.h>
#include <string.h>

#include "data/fields.h"
#include "data/origin.h"

/* The want of a field, new unless it is there already; places has one more than that of each. */
static sfmi_want *want_of(sfmi_plan *plan, size_t *places, size_t field) {
  if (places[field] == 0) {
    plan->wants[plan->want_count] = (sfmi_want){
        .field = field, .slot = SFMI_NO_SLOT, .code = SFMI_NO_SLOT, .text = SFMI_NO_SLOT};
    places[field] = ++plan->want_count;
  }
  return &plan->wants[places[field] - 1];
}

static sfm_status fail_twice(const char *name, sfm_error *error) {
  return sfmi_fail(error, SFM_INVALID, "column '%.64s' is selected twice", name);
}

static sfm_status add_number(sfmi_plan *plan, sfmi_want *want, const sfm_column *stated,
                             const char *name, sfm_error *error) {
  static const sfm_column any = {.type = SFM_NUMBER};
  if (want->slot != SFMI_NO_SLOT) return fail_twice(name, error);
  if (stated && stated->type != SFM_NUMBER && stated->type != SFM_INTEGER)
    return sfmi_fail(error, SFM_INVALID,
                     "column '%.64s' is of type %s in the schema; here only number and integer "
                     "columns can be used",
                     name, sfmi_column_type_name(stated->type));
  want->slot = plan->slots++;
  return sfmi_domain_make(&plan->domains[want->slot], stated ? stated : &any, error);
}

/* The column whose categories are looked up: the schema's, or one with the caller's. */
/* Whether the texts are those of a boolean column, which has more than one name for each. */
static bool are_booleans(const sfm_column *stated, const sfmi_cell_column *column) {
  return stated && stated->type == SFM_BOOLEAN && column->category_count == 2 &&
         strcmp(column->categories[0], "false") == 0 && strcmp(column->categories[1], "true") == 0;
}

static sfm_status pick_categories(sfm_column *picked, const sfm_schema *schema,
                                  const sfm_column *stated, const sfmi_cell_column *column,
                                  sfm_error *error) {
  if (!column->categories) {
    const sfm_column *own;
    const sfm_status status = sfmi_category_select(&own, schema, &column->name, 0, NULL, 0, error);
    if (!status) *picked = *own;
    return status;
  }
  const bool numeric = column->use == SFMI_USE_VALUE ||
                       (stated && (stated->type == SFM_NUMBER || stated->type == SFM_INTEGER));
  *picked = (sfm_column){.name = column->name,
                         .type = numeric                        ? SFM_NUMBER
                                 : are_booleans(stated, column) ? SFM_BOOLEAN
                                                                : SFM_STRING,
                         .categories = column->categories,
                         .category_count = column->category_count};
  for (size_t k = 0; k < column->category_count; k++) {
    const char *unfit = sfmi_category_unfit(column->categories[k]);
    if (unfit)
      return sfmi_fail(error, SFM_INVALID, "column '%.64s': category %zu %s", column->name, k + 1,
                       unfit);
  }
  return SFM_OK;
}

static sfm_status add_category(sfmi_plan *plan, sfmi_want *want, const sfm_rows *rows,
                               const sfm_schema *schema, const sfm_column *stated,
                               const sfmi_cell_column *column, sfm_error *error) {
  sfm_column picked;
  if (want->code != SFMI_NO_SLOT) return fail_twice(column->name, error);
  sfm_status status = pick_categories(&picked, schema, stated, column, error);
  if (!status)
    status = sfmi_category_create(&plan->by[plan->by_count], &picked, rows->matrix, error);
  if (status) return status;
  want->category = plan->by[plan->by_count++];
  want->code = plan->codes++;
  return SFM_OK;
}

static sfm_status add_column(sfmi_plan *plan, size_t *places, const sfm_rows *rows,
                             const sfm_schema *schema, const sfmi_cell_column *column,
                             sfm_error *error) {
  const sfm_column *stated = sfm_schema_find(schema, column->name);
  size_t field = 0;
  sfm_status status = sfmi_table_field(rows, &field, column->name, error);
  if (status) return status;
  sfmi_want *want = want_of(plan, places, field);
  if (column->use == SFMI_USE_NUMBER) return add_number(plan, want, stated, column->name, error);
  if (column->use == SFMI_USE_CATEGORY || column->use == SFMI_USE_VALUE)
    return add_category(plan, want, rows, schema, stated, column, error);
  if (want->text != SFMI_NO_SLOT) return fail_twice(column->name, error);
  want->text = plan->texts++;
  return SFM_OK;
}

static void choose_way(sfmi_want *want) {
  if (want->person || want->text != SFMI_NO_SLOT) return;
  const bool number = want->slot != SFMI_NO_SLOT, category = want->code != SFMI_NO_SLOT;
  if (number && category) return;
  if (number)
    want->way = SFMI_WAY_NUMBER;
  else
    want->way = sfmi_category_by_value(want->category) ? SFMI_WAY_CODE : SFMI_WAY_WORD;
  if (want->way == SFMI_WAY_WORD) want->briefs = sfmi_category_briefs(want->category);
}

static sfm_status make_plan(sfmi_plan *plan, const sfm_rows *rows, const sfm_schema *schema,
                            const sfmi_cell_column *columns, size_t count, sfm_error *error) {
  sfm_status status = SFM_OK;
  *plan = (sfmi_plan){.limit = sfm_schema_contributions(schema), .cells = true};
  plan->wants = sfmi_alloc(count + 1, sizeof *plan->wants);
  plan->domains = sfmi_alloc(count, sizeof *plan->domains);
  plan->by = sfmi_alloc(count, sizeof *plan->by);
  size_t *places = sfmi_alloc(sfm_rows_column_count(rows), sizeof *places);
  if (!plan->wants || !plan->domains || !plan->by || !places) status = sfmi_fail_memory(error);
  for (size_t i = 0; !status && i < count; i++)
    status = add_column(plan, places, rows, schema, &columns[i], error);
  free(places);
  if (!status) status = sfmi_plan_add_person(plan, rows, schema, error);
  if (status) {
    sfmi_plan_clear(plan);
    return status;
  }
  for (size_t w = 0; w < plan->want_count; w++) choose_way(&plan->wants[w]);
  sfmi_plan_sort(plan);
  return SFM_OK;
}

sfm_status sfmi_rows_begin_cells(sfm_rows *rows, const sfm_schema *schema,
                                 const sfmi_cell_column *columns, size_t count, sfm_error *error) {
  if (count > SFMI_CELL_COLUMNS_MAX)
    return sfmi_fail(error, SFM_INVALID, "%zu columns are selected; up to %d can be", count,
                     SFMI_CELL_COLUMNS_MAX);
  sfmi_plan plan;
  const sfm_status status = make_plan(&plan, rows, schema, columns, count, error);
  return status ? status : sfmi_table_start(rows, &plan, error);
}
