#include "category.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/arena.h"
#include "base/system/c_locale.h"
#include "base/text/decimal.h"
#include "base/text/utf8.h"
#include "base/text/frame_value.h"
#include "schema.h"

/* A number and the category it is. */
typedef struct code {
  double value;
  uint32_t place;
} code;

/* A text and the category it is. */
typedef struct word {
  const char *text;
  size_t length;
  uint32_t place;
} word;

struct sfmi_category {
  sfmi_arena arena; /* all below */
  bool by_value;    /* cells are numbers, too */
  code *codes;      /* in ascending order; NULL when only texts are looked up */
  size_t code_count;
  uint32_t *direct; /* the places of first, first + 1, ..., last where all codes are whole numbers
                     * close together; NULL when they are not */
  double first, last;
  word *words; /* open addressing, text NULL where free; mask + 1 of them, at most half in use */
  size_t mask;
  sfmi_short_category *short_categories; /* those of the words that are short */
  int shift;
};

/* Most numbers from the first code to the last that are looked up in a table. */
#define DIRECT_MAX 65536

/* The names under which a boolean column knows its two categories. */
static const char *const boolean_names[2][4] = {{"false", "False", "FALSE", "0"},
                                                {"true", "True", "TRUE", "1"}};

static bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

const char *sfmi_category_unfit(const char *text) {
  const size_t length = strlen(text);
  if (length == 0) return "is empty; a row with an empty cell is ignored";
  if (is_blank(text[0]) || is_blank(text[length - 1]))
    return "has blanks around it, which are ignored in a cell; leave them out";
  if (strpbrk(text, "\r\n")) return "contains a line end, which no cell can contain";
  return sfmi_utf8_valid(text) ? NULL : "is not UTF-8, as the release file must be";
}

sfm_status sfmi_categories_check(const char *column, const char *const *categories, size_t count,
                                 sfm_error *error) {
  for (size_t k = 0; k < count; k++) {
    const char *unfit = sfmi_category_unfit(categories[k]);
    if (unfit)
      return sfmi_fail(error, SFM_INVALID, "column '%.64s': category %zu %s", column, k + 1, unfit);
  }
  return SFM_OK;
}

sfm_status sfmi_category_select(const sfm_column **column, const sfm_schema *schema,
                                const char *const *by, size_t i, const char *const *variables,
                                size_t variable_count, sfm_error *error) {
  const char *name = by[i];
  size_t count = 0;
  for (size_t j = 0; j < i; j++)
    if (strcmp(name, by[j]) == 0)
      return sfmi_fail(error, SFM_INVALID,
                       "column '%.64s' makes groups twice; name it once in settings.by", name);
  for (size_t j = 0; j < variable_count; j++)
    if (strcmp(name, variables[j]) == 0)
      return sfmi_fail(error, SFM_INVALID,
                       "column '%.64s' cannot be a variable and make groups at once: leave it out "
                       "of settings.columns or of settings.by",
                       name);
  *column = sfm_schema_find(schema, name);
  const char *const *categories = *column ? sfmi_column_categories(*column, &count) : NULL;
  if (count > 0) return sfmi_categories_check(name, categories, count, error);
  return sfmi_fail(error, SFM_INVALID,
                   "column '%.64s' has no categories: state those that there can be, with "
                   "schema.categories or as enum in a schema file. They are public and must come "
                   "from knowledge of the subject, "
                   "never from the rows: a category that is found there shows that somebody has it",
                   name);
}

/* FNV-1a. */
static size_t hash(const char *text, size_t length) {
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
  return (size_t)(h ^ h >> 32);
}

/* Where the text is, or where it would be. */
static word *find_word(const sfmi_category *category, const char *text, size_t length) {
  for (size_t i = hash(text, length);; i++) {
    word *w = &category->words[i & category->mask];
    if (!w->text || (w->length == length && memcmp(w->text, text, length) == 0)) return w;
  }
}

static void add_short(sfmi_category *category, const char *text, size_t length, uint32_t place) {
  uint64_t bytes = 0;
  if (length > 8 || text[0] == '"') return;
  for (size_t i = length; i-- > 0;) bytes = bytes << 8 | (unsigned char)text[i];
  const uint64_t mask = (UINT64_C(1) << (64 - category->shift)) - 1;
  uint64_t i = sfmi_short_category_hash(bytes, category->shift);
  while (category->short_categories[i].length) i = (i + 1) & mask;
  category->short_categories[i] = (sfmi_short_category){bytes, (uint32_t)length, place};
}

sfmi_short_categories sfmi_category_short(const sfmi_category *category) {
  return (sfmi_short_categories){category->short_categories, category->shift};
}

/* The text by which cells find a category: its own, or of values the one that all texts of its
 * value have. */
static const char *word_text(sfmi_category *category, const char *text, size_t *length,
                             sfmi_cell_form form) {
  char room[SFMI_FRAME_ROOM];
  *length = strlen(text);
  if (form != SFMI_CELL_FORM_VALUE) return text;
  const sfmi_frame_value value = sfmi_frame_text(text, *length, room, sfmi_c_locale());
  if (!value.text) return NULL;
  if (value.text == text) return text;
  char *copy = sfmi_arena_get(&category->arena, value.length, 1);
  if (!copy) return text;
  memcpy(copy, value.text, value.length);
  *length = value.length;
  return copy;
}

static sfm_status fail_same(const sfm_column *column, const char *one, const char *other,
                            sfm_error *error) {
  return sfmi_fail(error, SFM_INVALID,
                   "column '%.64s': two of its categories, '%.64s' and '%.64s', are the same value "
                   "in a data frame; leave one out",
                   column->name, one, other);
}

static sfm_status make_words(sfmi_category *category, const sfm_column *column, sfmi_cell_form form,
                             sfm_error *error) {
  const bool boolean = column->type == SFM_COLUMN_TYPE_BOOLEAN;
  const size_t count = boolean ? 8 : column->category_count;
  size_t room = 4;
  while (room < 2 * count) room *= 2;
  category->mask = room - 1;
  category->words = sfmi_arena_get(&category->arena, room, sizeof *category->words);
  category->short_categories =
      sfmi_arena_get(&category->arena, 2 * room, sizeof *category->short_categories);
  category->shift = 63 - __builtin_ctzll(room);
  if (category->arena.failed) return sfmi_fail_memory(error);
  for (size_t i = 0; i < count; i++) {
    const char *text = boolean ? boolean_names[i / 4][i % 4] : column->categories[i];
    const uint32_t place = (uint32_t)(boolean ? i / 4 : i);
    size_t length;
    text = word_text(category, text, &length, form);
    if (!text)
      return sfmi_fail(
          error, SFM_INVALID,
          "column '%.64s': its category '%.64s' is an empty cell in a data frame; name "
          "it otherwise there, and here",
          column->name, column->categories[i]);
    word *found = find_word(category, text, length);
    if (found->text && found->place != place)
      return fail_same(column, column->categories[found->place], column->categories[place], error);
    if (found->text) continue;
    *found = (word){text, length, place};
    add_short(category, text, length, place);
  }
  return category->arena.failed ? sfmi_fail_memory(error) : SFM_OK;
}

static int compare_codes(const void *a, const void *b) {
  const double x = ((const code *)a)->value, y = ((const code *)b)->value;
  return (x > y) - (x < y);
}

/* A table of the codes' places, where they are whole and close together. */
static sfm_status make_direct(sfmi_category *category, sfm_error *error) {
  const code *codes = category->codes;
  const size_t count = category->code_count;
  const double first = codes[0].value, last = codes[count - 1].value;
  if (!(fabs(first) < 0x1p52) || !(last - first < DIRECT_MAX)) return SFM_OK;
  for (size_t i = 0; i < count; i++)
    if (codes[i].value != trunc(codes[i].value)) return SFM_OK;
  const size_t span = (size_t)(last - first) + 1;
  category->first = first;
  category->last = last;
  category->direct = sfmi_arena_get(&category->arena, span, sizeof *category->direct);
  if (!category->direct) return sfmi_fail_memory(error);
  for (size_t i = 0; i < span; i++) category->direct[i] = SFMI_NO_CATEGORY;
  for (size_t i = 0; i < count; i++)
    category->direct[(size_t)(codes[i].value - first)] = codes[i].place;
  return SFM_OK;
}

static sfm_status make_codes(sfmi_category *category, const sfm_column *column, locale_t c,
                             sfm_error *error) {
  const bool boolean = column->type == SFM_COLUMN_TYPE_BOOLEAN;
  const size_t count = boolean ? 2 : column->category_count;
  category->codes = sfmi_arena_get(&category->arena, count, sizeof *category->codes);
  if (!category->codes) return sfmi_fail_memory(error);
  for (size_t i = 0; i < count; i++) {
    double value = (double)i;
    if (!boolean && !sfmi_decimal_parse(&value, column->categories[i], c))
      return sfmi_fail(error, SFM_INVALID,
                       "column '%.64s' holds numbers, and its category '%.64s' is none; write the "
                       "categories as numbers, such as 1|2|3",
                       column->name, column->categories[i]);
    category->codes[category->code_count++] = (code){value, (uint32_t)i};
  }
  qsort(category->codes, count, sizeof *category->codes, compare_codes);
  for (size_t i = 1; i < count; i++)
    if (category->codes[i - 1].value == category->codes[i].value)
      return sfmi_fail(error, SFM_INVALID,
                       "column '%.64s' holds numbers, and two of its categories, '%.64s' and "
                       "'%.64s', are the same one; leave one out",
                       column->name, column->categories[category->codes[i - 1].place],
                       column->categories[category->codes[i].place]);
  return make_direct(category, error);
}

sfm_status sfmi_category_create(sfmi_category **out, const sfm_column *column, sfmi_cell_form form,
                                sfm_error *error) {
  *out = NULL;
  const bool numeric =
      column->type == SFM_COLUMN_TYPE_NUMBER || column->type == SFM_COLUMN_TYPE_INTEGER;
  sfmi_category *category = sfmi_alloc(1, sizeof *category);
  sfm_status status = category ? SFM_OK : sfmi_fail_memory(error);
  if (!status) {
    category->by_value = numeric;
    status = numeric || form == SFMI_CELL_FORM_NUMBER
                 ? make_codes(category, column, sfmi_c_locale(), error)
                 : make_words(category, column, form, error);
  }
  if (!status)
    *out = category;
  else
    sfmi_category_destroy(category);
  return status;
}

void sfmi_category_destroy(sfmi_category *category) {
  if (!category) return;
  sfmi_arena_clear(&category->arena);
  free(category);
}

bool sfmi_category_by_value(const sfmi_category *category) {
  return category->by_value;
}

uint32_t sfmi_category_of_number(const sfmi_category *category, double value) {
  const code wanted = {value, 0};
  if (category->direct) {
    if (!(value >= category->first && value <= category->last)) return SFMI_NO_CATEGORY;
    const int64_t whole = (int64_t)value;
    if ((double)whole != value) return SFMI_NO_CATEGORY;
    return category->direct[whole - (int64_t)category->first];
  }
  if (isnan(value)) return SFMI_NO_CATEGORY;
  const code *found = bsearch(&wanted, category->codes, category->code_count,
                              sizeof *category->codes, compare_codes);
  return found ? found->place : SFMI_NO_CATEGORY;
}

uint32_t sfmi_category_of_text(const sfmi_category *category, const char *text, size_t length) {
  const word *found = find_word(category, text, length);
  return found->text ? found->place : SFMI_NO_CATEGORY;
}
