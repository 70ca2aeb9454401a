#include "cell_columns.h"

#include <stdlib.h>
#include <string.h>

#include "rows_state.h"

/* The request of a field, new unless it is there already; places has one more than that of each. */
static sfmi_field_request *request_of(sfmi_row_layout *layout, size_t *places, size_t field) {
  if (places[field] == 0) {
    layout->requests[layout->request_count] = sfmi_row_layout_request(field);
    places[field] = ++layout->request_count;
  }
  return &layout->requests[places[field] - 1];
}

static sfm_status fail_twice(const char *name, sfm_error *error) {
  return sfmi_fail(error, SFM_INVALID, "column '%.64s' is selected twice", name);
}

static sfm_status add_number(sfmi_row_layout *layout, sfmi_field_request *request,
                             const sfm_column *stated, const char *name, sfm_error *error) {
  static const sfm_column any = {.type = SFM_COLUMN_TYPE_NUMBER};
  if (request->slot != SFMI_NO_SLOT) return fail_twice(name, error);
  if (stated && stated->type != SFM_COLUMN_TYPE_NUMBER && stated->type != SFM_COLUMN_TYPE_INTEGER)
    return sfmi_fail(error, SFM_INVALID,
                     "column '%.64s' is of type %s in the schema, and numbers are needed here: a "
                     "column of texts has categories, which a table counts and groups are made "
                     "of",
                     name, sfm_column_type_name(stated->type));
  request->slot = layout->slots++;
  return sfmi_column_domain_init(&layout->domains[request->slot], stated ? stated : &any, error);
}

/* Whether the texts are those of a boolean column, which has more than one name for each. */
static bool are_booleans(const sfm_column *stated, const sfmi_cell_column *column) {
  return stated && stated->type == SFM_COLUMN_TYPE_BOOLEAN && column->category_count == 2 &&
         strcmp(column->categories[0], "false") == 0 && strcmp(column->categories[1], "true") == 0;
}

/* The column whose categories are looked up: the schema's, or one with the caller's. */
static sfm_status pick_categories(sfm_column *picked, const sfm_schema *schema,
                                  const sfm_column *stated, const sfmi_cell_column *column,
                                  sfm_error *error) {
  if (!column->categories) {
    const sfm_column *own;
    const sfm_status status = sfmi_category_select(&own, schema, &column->name, 0, NULL, 0, error);
    if (!status) *picked = *own;
    return status;
  }
  const bool numeric =
      column->use == SFMI_USE_VALUE || (stated && (stated->type == SFM_COLUMN_TYPE_NUMBER ||
                                                   stated->type == SFM_COLUMN_TYPE_INTEGER));
  *picked = (sfm_column){.name = column->name,
                         .type = numeric                        ? SFM_COLUMN_TYPE_NUMBER
                                 : are_booleans(stated, column) ? SFM_COLUMN_TYPE_BOOLEAN
                                                                : SFM_COLUMN_TYPE_STRING,
                         .categories = column->categories,
                         .category_count = column->category_count};
  return sfmi_categories_check(column->name, column->categories, column->category_count, error);
}

static sfm_status add_category(sfmi_row_layout *layout, sfmi_field_request *request,
                               const sfm_rows *rows, const sfm_schema *schema,
                               const sfm_column *stated, const sfmi_cell_column *column,
                               sfm_error *error) {
  sfm_column picked;
  if (request->code != SFMI_NO_SLOT) return fail_twice(column->name, error);
  sfm_status status = pick_categories(&picked, schema, stated, column, error);
  if (!status)
    status = sfmi_category_create(&layout->by[layout->by_count], &picked, rows->ops->form, error);
  if (status) return status;
  request->category = layout->by[layout->by_count++];
  request->code = layout->codes++;
  return SFM_OK;
}

static sfm_status add_column(sfmi_row_layout *layout, size_t *places, const sfm_rows *rows,
                             const sfm_schema *schema, const sfmi_cell_column *column,
                             sfm_error *error) {
  const sfm_column *stated = sfm_schema_find(schema, column->name);
  size_t field = 0;
  sfm_status status = sfmi_rows_field(rows, &field, column->name, error);
  if (status) return status;
  sfmi_field_request *request = request_of(layout, places, field);
  if (column->use == SFMI_USE_NUMBER)
    return add_number(layout, request, stated, column->name, error);
  if (column->use == SFMI_USE_CATEGORY || column->use == SFMI_USE_VALUE)
    return add_category(layout, request, rows, schema, stated, column, error);
  if (request->text != SFMI_NO_SLOT) return fail_twice(column->name, error);
  request->text = layout->texts++;
  return SFM_OK;
}

static void choose_mode(sfmi_field_request *request) {
  if (request->person || request->text != SFMI_NO_SLOT) return;
  const bool number = request->slot != SFMI_NO_SLOT, category = request->code != SFMI_NO_SLOT;
  if (number && category) return;
  if (number)
    request->mode = SFMI_CELL_MODE_NUMBER;
  else
    request->mode =
        sfmi_category_by_value(request->category) ? SFMI_CELL_MODE_CODE : SFMI_CELL_MODE_WORD;
  if (request->mode == SFMI_CELL_MODE_WORD)
    request->short_categories = sfmi_category_short(request->category);
}

static sfm_status make_layout(sfmi_row_layout *layout, const sfm_rows *rows,
                              const sfm_schema *schema, const sfmi_cell_column *columns,
                              size_t count, sfm_error *error) {
  sfm_status status = SFM_OK;
  *layout = (sfmi_row_layout){.limit = sfm_schema_contributions(schema), .cells = true};
  layout->requests = sfmi_alloc(count + 1, sizeof *layout->requests);
  layout->domains = sfmi_alloc(count, sizeof *layout->domains);
  layout->by = sfmi_alloc(count, sizeof *layout->by);
  size_t *places = sfmi_alloc(sfm_rows_column_count(rows), sizeof *places);
  if (!layout->requests || !layout->domains || !layout->by || !places)
    status = sfmi_fail_memory(error);
  for (size_t i = 0; !status && i < count; i++)
    status = add_column(layout, places, rows, schema, &columns[i], error);
  free(places);
  if (!status) status = sfmi_row_layout_add_person(layout, rows, schema, error);
  for (size_t w = 0; !status && w < layout->request_count; w++) choose_mode(&layout->requests[w]);
  return sfmi_row_layout_finish(layout, status);
}

sfm_status sfmi_rows_begin_cells(sfm_rows *rows, const sfm_schema *schema,
                                 const sfmi_cell_column *columns, size_t count, sfm_error *error) {
  if (rows->partial) return SFM_OK;
  if (count > SFMI_CELL_COLUMNS_MAX)
    return sfmi_fail(error, SFM_INVALID, "%zu columns are selected; up to %d can be", count,
                     SFMI_CELL_COLUMNS_MAX);
  sfmi_row_layout layout;
  const sfm_status status = make_layout(&layout, rows, schema, columns, count, error);
  return status ? status : sfmi_rows_start(rows, &layout, error);
}
