/* predicate.c - from text to a program (data/predicate/predicate_program.h), by recursive descent.
 *
 * The parser holds one token; every function below begins at the first token of what it is named
 * after and ends at the one behind it. */
#include "predicate.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/system/c_locale.h"
#include "base/text/frame_value.h"
#include "base/text/utf8.h"
#include "data/schema/category.h"
#include "data/schema/schema.h"
#include "data/format/csv_header.h"
#include "predicate_program.h"
#include "base/text/nearest_word.h"
#include "data/rows/row_layout.h"

_Static_assert(SFMI_PREDICATE_COLUMNS <= SFMI_BATCH_COLUMNS, "columns are SFMI_BATCH_ROWS apart");

/* A column of the predicate. */
typedef struct term {
  char *name;
  const sfm_column *stated; /* NULL: the schema does not have it */
  sfm_column_type type;
  size_t slot; /* among the columns of its use */
} term;

struct sfmi_predicate {
  term terms[SFMI_PREDICATE_COLUMNS];
  sfmi_cell_column columns[SFMI_PREDICATE_COLUMNS];
  size_t count;
  sfmi_program program;
};

typedef struct parser {
  sfmi_predicate *predicate;
  const sfm_schema *schema;
  sfmi_lexer lexer;
  sfmi_token token;
  size_t last_start, last_length; /* the token before it */
} parser;

/* What is shown of a piece of the text in a message. */
typedef struct snippet {
  char text[44];
} snippet;

static snippet snip(const parser *p, size_t start, size_t length) {
  char copy[SFMI_PREDICATE_MAX + 1];
  snippet s;
  memcpy(copy, p->lexer.text + start, length);
  copy[length] = '\0';
  sfmi_printable_name(s.text, sizeof s.text, copy);
  return s;
}

static snippet snip_token(const parser *p, const sfmi_token *token) {
  return snip(p, token->start, token->length);
}

static snippet snip_name(const char *name) {
  snippet s;
  sfmi_printable_name(s.text, sizeof s.text, name);
  return s;
}

static sfm_status advance(parser *p) {
  p->last_start = p->token.start;
  p->last_length = p->token.length;
  return sfmi_token_next(&p->lexer, &p->token);
}

static bool is_value(sfmi_token_kind kind) {
  return kind >= SFMI_TOKEN_NUMBER && kind <= SFMI_TOKEN_BOOLEAN;
}

static bool is_comparison(sfmi_token_kind kind) {
  return kind >= SFMI_TOKEN_EQUAL && kind <= SFMI_TOKEN_AT_LEAST;
}

static bool is_number(sfm_column_type type) {
  return type == SFM_COLUMN_TYPE_NUMBER || type == SFM_COLUMN_TYPE_INTEGER;
}

/* Whether the column is read as codes among its categories. */
static bool is_listed(const term *t) {
  return t->type == SFM_COLUMN_TYPE_BOOLEAN ||
         (t->type == SFM_COLUMN_TYPE_STRING && t->stated && t->stated->category_count);
}

/* "expected WHAT", before or after a word that is there. */
static sfm_status fail_expected(const parser *p, const char *what) {
  if (p->last_length == 0 && p->token.kind == SFMI_TOKEN_END)
    return sfmi_token_fail(&p->lexer, p->token.start,
                           "the predicate is empty; write for example 'age >= 65'");
  const bool first = p->last_length == 0;
  const snippet s = first ? snip_token(p, &p->token) : snip(p, p->last_start, p->last_length);
  return sfmi_token_fail(&p->lexer, p->token.start, "expected %s %s '%s'", what,
                         first ? "before" : "after", s.text);
}

/* Columns and their types. */

static sfm_status fail_boolean(const parser *p, const char *name, size_t place) {
  const snippet s = snip_name(name);
  return sfmi_token_fail(
      &p->lexer, place,
      "column '%s' is compared with true or false, so the schema must call it boolean "
      "(context.schema); or compare it with the text in its cells, in quotes",
      s.text);
}

/* Enters a new column; its type is the schema's, or that of the value. */
static sfm_status add_term(parser *p, term **out, const sfmi_token *name, const sfmi_token *value) {
  sfmi_predicate *predicate = p->predicate;
  if (predicate->count == SFMI_PREDICATE_COLUMNS)
    return sfmi_token_fail(&p->lexer, name->start, "more than %d columns", SFMI_PREDICATE_COLUMNS);
  const sfm_column *stated = sfm_schema_find(p->schema, name->text);
  if (!stated && value->kind == SFMI_TOKEN_BOOLEAN)
    return fail_boolean(p, name->text, value->start);
  term *t = &predicate->terms[predicate->count];
  *t = (term){.name = sfmi_copy_string(name->text), .stated = stated};
  if (!t->name) return sfmi_fail_memory(p->lexer.error);
  if (stated)
    t->type = stated->type;
  else
    t->type = value->kind == SFMI_TOKEN_NUMBER ? SFM_COLUMN_TYPE_NUMBER : SFM_COLUMN_TYPE_STRING;
  sfmi_cell_column *column = &predicate->columns[predicate->count];
  *column = (sfmi_cell_column){.name = t->name, .use = SFMI_USE_TEXT};
  if (is_number(t->type)) column->use = SFMI_USE_NUMBER;
  if (is_listed(t)) column->use = SFMI_USE_CATEGORY;
  for (size_t i = 0; i < predicate->count; i++) t->slot += predicate->columns[i].use == column->use;
  predicate->count++;
  *out = t;
  return SFM_OK;
}

static sfm_status find_term(parser *p, term **out, const sfmi_token *name,
                            const sfmi_token *value) {
  for (size_t i = 0; i < p->predicate->count; i++) {
    if (strcmp(p->predicate->terms[i].name, name->text) != 0) continue;
    *out = &p->predicate->terms[i];
    return SFM_OK;
  }
  return add_term(p, out, name, value);
}

/* Values against their columns. */

static sfm_status check_type(const parser *p, const term *t, const sfmi_token *value) {
  const snippet name = snip_name(t->name), shown = snip_token(p, value);
  const char *why = t->stated ? "by the schema" : "as it is compared elsewhere";
  if (is_number(t->type) && value->kind != SFMI_TOKEN_NUMBER)
    return sfmi_token_fail(&p->lexer, value->start,
                           "column '%s' holds numbers, %s, and %s is none; write a number, without "
                           "quotes",
                           name.text, why, shown.text);
  if (t->type == SFM_COLUMN_TYPE_STRING && value->kind != SFMI_TOKEN_STRING)
    return sfmi_token_fail(&p->lexer, value->start,
                           "column '%s' holds texts, %s; write \"%s\" in quotes", name.text, why,
                           shown.text);
  if (t->type == SFM_COLUMN_TYPE_BOOLEAN && value->kind != SFMI_TOKEN_BOOLEAN)
    return sfmi_token_fail(&p->lexer, value->start,
                           "column '%s' holds true and false, %s; write one of these, without "
                           "quotes",
                           name.text, why);
  return SFM_OK;
}

/* A value that the column's cells can equal. */
static sfm_status check_number(const parser *p, const term *t, const sfmi_token *value) {
  sfmi_column_domain domain = {0};
  if (!t->stated) return SFM_OK;
  sfm_status status = sfmi_column_domain_init(&domain, t->stated, p->lexer.error);
  const bool admitted = status || sfmi_column_domain_admits(&domain, value->number);
  free(domain.codes);
  if (admitted) return status;
  const snippet name = snip_name(t->name), shown = snip_token(p, value);
  if (t->type == SFM_COLUMN_TYPE_INTEGER && t->stated->category_count == 0)
    return sfmi_token_fail(&p->lexer, value->start,
                           "column '%s' holds whole numbers, none of which equals %s", name.text,
                           shown.text);
  return sfmi_token_fail(&p->lexer, value->start,
                         "%s is none of the values that the schema states for column '%s'",
                         shown.text, name.text);
}

/* The first few categories, as a list. */
static void list_categories(char *out, size_t size, const char *const *categories, size_t count) {
  enum { LISTED = 6 };
  size_t used = 0;
  out[0] = '\0';
  for (size_t i = 0; i < count && i < LISTED; i++)
    used += (size_t)sfmi_snprintf(out + used, size - used, "%s\"%s\"", i ? ", " : "",
                                  snip_name(categories[i]).text);
  if (count > LISTED) sfmi_snprintf(out + used, size - used, " and %zu more", count - LISTED);
}

static sfm_status find_category(const parser *p, size_t *place, const term *t,
                                const sfmi_token *value) {
  size_t count;
  const char *const *categories = sfmi_column_categories(t->stated, &count);
  if (t->type == SFM_COLUMN_TYPE_BOOLEAN) {
    *place = value->number != 0;
    return SFM_OK;
  }
  for (*place = 0; *place < count; ++*place)
    if (strcmp(categories[*place], value->text) == 0) return SFM_OK;
  const char *nearest = sfmi_nearest_word(value->text, categories, count);
  char list[400];
  list_categories(list, sizeof list, categories, count);
  const snippet name = snip_name(t->name), meant = snip_name(nearest ? nearest : "");
  if (nearest)
    return sfmi_token_fail(&p->lexer, value->start,
                           "this is none of the categories of column '%s'; did you mean \"%s\"?",
                           name.text, meant.text);
  return sfmi_token_fail(&p->lexer, value->start,
                         "this is none of the categories of column '%s', which are %s", name.text,
                         list);
}

/* The values with which one comparison compares are added one after the other: numbers and texts to
 * lists, categories to a table that is opened with the first of them. */
typedef struct literal_list {
  size_t count;
  uint8_t *truths; /* of the categories */
} literal_list;

static sfm_status add_literal(parser *p, literal_list *list, const term *t,
                              const sfmi_token *value) {
  sfmi_program *program = &p->predicate->program;
  size_t place = 0, categories;
  bool room = true;
  if (is_number(t->type)) {
    room = sfmi_program_add_number(program, value->number);
    list->count++;
  } else if (is_listed(t)) {
    sfm_status status = find_category(p, &place, t, value);
    if (status) return status;
    sfmi_column_categories(t->stated, &categories);
    if (!list->truths) {
      room = sfmi_program_add_truths(program, &list->truths, categories);
      list->count = categories;
    }
    if (room) list->truths[place] = SFMI_TRUE;
  } else {
    const char *unfit = sfmi_category_unfit(value->text);
    if (unfit) return sfmi_token_fail(&p->lexer, value->start, "this text %s", unfit);
    room = sfmi_program_add_text(program, value->text);
    list->count++;
  }
  return room ? SFM_OK : sfmi_fail_memory(p->lexer.error);
}

static sfm_status add_step(parser *p, sfmi_program_step_kind kind, size_t slot, size_t count) {
  return sfmi_program_add_step(&p->predicate->program, kind, slot, count)
             ? SFM_OK
             : sfmi_fail_memory(p->lexer.error);
}

/* "Is one of the list", or the opposite. */
static sfm_status add_membership(parser *p, const term *t, const literal_list *list, bool negated) {
  const sfmi_program_step_kind kind = is_number(t->type) ? SFMI_STEP_EQUAL
                                      : is_listed(t)     ? SFMI_STEP_CODE
                                                         : SFMI_STEP_TEXT;
  sfm_status status = add_step(p, kind, t->slot, list->count);
  return !status && negated ? add_step(p, SFMI_STEP_NOT, 0, 0) : status;
}

/* column SIGN value, the sign being where it is for messages. */
static sfm_status add_comparison(parser *p, const sfmi_token *name, const sfmi_token *value,
                                 sfmi_token_kind sign, size_t sign_start) {
  static const sfmi_program_step_kind steps[] = {SFMI_STEP_BELOW, SFMI_STEP_AT_MOST,
                                                 SFMI_STEP_ABOVE, SFMI_STEP_AT_LEAST};
  const bool equality = sign == SFMI_TOKEN_EQUAL || sign == SFMI_TOKEN_UNEQUAL;
  literal_list list = {0};
  term *t;
  sfm_status status = find_term(p, &t, name, value);
  if (!status) status = check_type(p, t, value);
  if (!status && !equality && !is_number(t->type))
    return sfmi_token_fail(&p->lexer, sign_start,
                           "column '%s' holds %s, which have no order; write "
                           "==, != or in%s",
                           snip_name(t->name).text,
                           t->type == SFM_COLUMN_TYPE_BOOLEAN ? "true and false" : "texts",
                           t->stated ? "" : " (a number stands without quotes)");
  if (!status && equality && is_number(t->type)) status = check_number(p, t, value);
  if (!status) status = add_literal(p, &list, t, value);
  if (status) return status;
  if (equality) return add_membership(p, t, &list, sign == SFMI_TOKEN_UNEQUAL);
  return add_step(p, steps[sign - SFMI_TOKEN_BELOW], t->slot, 1);
}

/* The same comparison with its sides changed over. */
static sfmi_token_kind mirrored(sfmi_token_kind sign) {
  static const sfmi_token_kind mirror[] = {SFMI_TOKEN_EQUAL, SFMI_TOKEN_UNEQUAL,
                                           SFMI_TOKEN_ABOVE, SFMI_TOKEN_AT_LEAST,
                                           SFMI_TOKEN_BELOW, SFMI_TOKEN_AT_MOST};
  return mirror[sign - SFMI_TOKEN_EQUAL];
}

/* The grammar. */

/* "(" value { "," value } ")", the token being the parenthesis. */
static sfm_status parse_list(parser *p, const sfmi_token *name, bool negated) {
  literal_list list = {0};
  term *t = NULL;
  if (p->token.kind != SFMI_TOKEN_OPEN) return fail_expected(p, "a list such as (\"a\", \"b\")");
  do {
    sfm_status status = advance(p);
    if (status) return status;
    if (!is_value(p->token.kind)) return fail_expected(p, "a value");
    status = find_term(p, &t, name, &p->token);
    if (!status) status = check_type(p, t, &p->token);
    if (!status && is_number(t->type)) status = check_number(p, t, &p->token);
    if (!status) status = add_literal(p, &list, t, &p->token);
    if (!status) status = advance(p);
    if (status) return status;
  } while (p->token.kind == SFMI_TOKEN_COMMA);
  if (p->token.kind != SFMI_TOKEN_CLOSE) return fail_expected(p, "',' or ')'");
  sfm_status status = add_membership(p, t, &list, negated);
  return status ? status : advance(p);
}

/* A sign and what follows it. */
static sfm_status parse_sides(parser *p, const sfmi_token *left) {
  const sfmi_token_kind sign = p->token.kind;
  const size_t sign_start = p->token.start;
  sfm_status status = advance(p);
  if (status) return status;
  if (p->token.kind != SFMI_TOKEN_NAME && !is_value(p->token.kind))
    return fail_expected(p, left->kind == SFMI_TOKEN_NAME ? "a value" : "a column");
  const sfmi_token right = p->token;
  const bool flipped = is_value(left->kind);
  if (left->kind == SFMI_TOKEN_NAME && right.kind == SFMI_TOKEN_NAME)
    return sfmi_token_fail(&p->lexer, right.start,
                           "a column is compared with a value, not with another column; a text "
                           "stands in quotes");
  if (flipped && is_value(right.kind))
    return sfmi_token_fail(&p->lexer, left->start,
                           "one side must be a column; a column's name stands without quotes, or "
                           "in backquotes");
  status = advance(p);
  if (status) return status;
  if (is_comparison(p->token.kind))
    return sfmi_token_fail(&p->lexer, p->token.start,
                           "comparisons do not form chains; write 0 <= x and x < 1");
  return add_comparison(p, flipped ? &right : left, flipped ? left : &right,
                        flipped ? mirrored(sign) : sign, sign_start);
}

/* A word that is no comparison after the left side. */
static sfm_status fail_no_comparison(const parser *p, const sfmi_token *left) {
  const sfm_column *stated =
      left->kind == SFMI_TOKEN_NAME ? sfm_schema_find(p->schema, left->text) : NULL;
  const snippet s = snip_token(p, left);
  if (p->token.kind == SFMI_TOKEN_NAME && sfmi_strcasecmp(p->token.text, "between") == 0)
    return sfmi_token_fail(&p->lexer, p->token.start,
                           "there is no between; write %s >= A and %s <= B", s.text, s.text);
  if (stated && stated->type == SFM_COLUMN_TYPE_BOOLEAN)
    return sfmi_token_fail(&p->lexer, left->start, "write %s == true", s.text);
  return fail_expected(p, "a comparison (== != < <= > >= in)");
}

static sfm_status parse_comparison(parser *p) {
  const sfmi_token left = p->token;
  if (left.kind != SFMI_TOKEN_NAME && !is_value(left.kind)) return fail_expected(p, "a comparison");
  sfm_status status = advance(p);
  if (status) return status;
  if (is_comparison(p->token.kind)) return parse_sides(p, &left);
  const bool negated = p->token.kind == SFMI_TOKEN_NOT;
  if (negated) status = advance(p);
  if (status) return status;
  if (p->token.kind != SFMI_TOKEN_IN)
    return negated ? fail_expected(p, "in") : fail_no_comparison(p, &left);
  if (left.kind != SFMI_TOKEN_NAME)
    return sfmi_token_fail(&p->lexer, left.start, "a column must stand before in");
  status = advance(p);
  return status ? status : parse_list(p, &left, negated);
}

static sfm_status parse_predicate(parser *p, unsigned depth);

static sfm_status parse_condition(parser *p, unsigned depth) {
  const sfmi_token_kind kind = p->token.kind;
  const size_t start = p->token.start;
  if (kind != SFMI_TOKEN_NOT && kind != SFMI_TOKEN_OPEN) return parse_comparison(p);
  if (depth == SFMI_PREDICATE_DEPTH)
    return sfmi_token_fail(&p->lexer, start, "more than %d parentheses and `not` inside each other",
                           SFMI_PREDICATE_DEPTH);
  sfm_status status = advance(p);
  if (status) return status;
  if (kind == SFMI_TOKEN_NOT) {
    status = parse_condition(p, depth + 1);
    return status ? status : add_step(p, SFMI_STEP_NOT, 0, 0);
  }
  status = parse_predicate(p, depth + 1);
  if (status) return status;
  if (p->token.kind == SFMI_TOKEN_END)
    return sfmi_token_fail(&p->lexer, start, "this parenthesis is not closed");
  if (p->token.kind != SFMI_TOKEN_CLOSE) return fail_expected(p, "and, or or ')'");
  return advance(p);
}

/* One or more of the next level with the same word between them. */
static sfm_status parse_conjunction(parser *p, unsigned depth) {
  sfm_status status = parse_condition(p, depth);
  while (!status && p->token.kind == SFMI_TOKEN_AND) {
    status = advance(p);
    if (!status) status = parse_condition(p, depth);
    if (!status) status = add_step(p, SFMI_STEP_AND, 0, 0);
  }
  return status;
}

static sfm_status parse_predicate(parser *p, unsigned depth) {
  sfm_status status = parse_conjunction(p, depth);
  while (!status && p->token.kind == SFMI_TOKEN_OR) {
    status = advance(p);
    if (!status) status = parse_conjunction(p, depth);
    if (!status) status = add_step(p, SFMI_STEP_OR, 0, 0);
  }
  return status;
}

static sfm_status parse_all(parser *p) {
  sfm_status status = sfmi_token_next(&p->lexer, &p->token);
  if (!status) status = parse_predicate(p, 0);
  if (status) return status;
  if (p->token.kind == SFMI_TOKEN_CLOSE)
    return sfmi_token_fail(&p->lexer, p->token.start,
                           "no parenthesis was opened that this one closes");
  if (p->token.kind != SFMI_TOKEN_END) return fail_expected(p, "and, or or the end");
  return sfmi_program_finish(&p->predicate->program) ? SFM_OK : sfmi_fail_memory(p->lexer.error);
}

static sfm_status check_text(const char *text, sfm_error *error) {
  const size_t length = strlen(text);
  if (length > SFMI_PREDICATE_MAX)
    return sfmi_fail(error, SFM_INVALID, "settings.where: %zu bytes; a predicate has at most %d",
                     length, SFMI_PREDICATE_MAX);
  if (!sfmi_utf8_valid(text))
    return sfmi_fail(error, SFM_INVALID,
                     "settings.where: the predicate is not UTF-8, as the release file must be");
  return SFM_OK;
}

sfm_status sfmi_predicate_create(sfmi_predicate **out, const char *text, const sfm_schema *schema,
                                 sfm_error *error) {
  *out = NULL;
  sfm_status status = check_text(text, error);
  if (status) return status;
  parser *p = sfmi_alloc(1, sizeof *p);
  sfmi_predicate *predicate = sfmi_alloc(1, sizeof *predicate);
  if (p && predicate) {
    *p = (parser){.predicate = predicate, .schema = schema};
    p->lexer = (sfmi_lexer){.text = text, .c = sfmi_c_locale(), .error = error};
    status = parse_all(p);
  } else {
    status = sfmi_fail_memory(error);
  }
  free(p);
  if (!status)
    *out = predicate;
  else
    sfmi_predicate_destroy(predicate);
  return status;
}

void sfmi_predicate_destroy(sfmi_predicate *predicate) {
  if (!predicate) return;
  for (size_t i = 0; i < predicate->count; i++) free(predicate->terms[i].name);
  sfmi_program_clear(&predicate->program);
  free(predicate);
}

const sfmi_cell_column *sfmi_predicate_columns(const sfmi_predicate *predicate, size_t *count) {
  *count = predicate->count;
  return predicate->columns;
}

const sfmi_program *sfmi_predicate_program(const sfmi_predicate *predicate) {
  return &predicate->program;
}

size_t sfmi_predicate_match(sfmi_predicate *predicate, uint8_t *matches, const sfmi_batch *batch) {
  return sfmi_program_match(&predicate->program, matches, batch);
}

sfm_status sfmi_predicate_use_values(sfmi_predicate *predicate, sfm_error *error) {
  sfmi_program *program = &predicate->program;
  for (size_t i = 0; i < program->text_count; i++) {
    char room[SFMI_FRAME_ROOM], *text = program->texts[i];
    const sfmi_frame_value value = sfmi_frame_text(text, strlen(text), room, sfmi_c_locale());
    if (!value.text)
      return sfmi_fail(error, SFM_INVALID,
                       "settings.where compares with \"%.64s\", which is an empty cell in a data "
                       "frame: no record is equal to it",
                       text);
    if (value.text == text) continue;
    char *copy = sfmi_alloc(value.length + 1, 1);
    if (!copy) return sfmi_fail_memory(error);
    memcpy(copy, value.text, value.length);
    free(text);
    program->texts[i] = copy;
  }
  return SFM_OK;
}
