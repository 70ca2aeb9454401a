#include "field_words.h"

#include <string.h>

/* Fields that are called otherwise in the command.  An option that ends in a colon is the
 * beginning of its value.  A field not here has an option of its own name, with dashes. */
static const struct {
  const char *field, *option;
} other_names[] = {
    {"anchor = FILE", "anchor FILE"},
    {"context.charge", "ledger"},
    {"context.confidence", "band"},
    {"part.number", "part"},
    {"part.of", "part"},
    {"schema.bounds", "bounds LOWER:UPPER"},
    {"schema.categories", "categories 'COLUMN=A|B|C' or COLUMN=@FILE"},
    {"settings.candidates", "bandwidth choose:"},
    {"settings.columns.bins", "bins"},
    {"settings.expected_rows", "expect"},
    {"settings.form", "sparse"},
    {"settings.form = sparse", "sparse"},
    {"settings.form = undeclared", "sparse --undeclared"},
    {"settings.gamma", "random-dp"},
    {"settings.label_lower", "label-bounds"},
    {"settings.label_lower and label_upper", "label-bounds"},
    {"settings.lambdas", "lambda choose:"},
    {"settings.mechanism = NULL", "mechanism geometric"},
    {"settings.probes", "rounds"},
    {"settings.public_cells", "public"},
    {"settings.shape", "noise-shape"},
    {"settings.sparse_bounded, _lower and _upper", "bounds LOWER:UPPER"},
};

/* Second parts of a value: the command joins them to the first by colons. */
static const char *const second_parts[] = {"bandwidth", "degree", "label_upper",  "parameter",
                                           "period",    "shift",  "rff_features", NULL};

/* Functions, and what is said of them, where the command has other words.  The first that matches
 * counts. */
static const struct {
  const char *name, *words;
} functions[] = {
    {"extract one (sfm_release_group)",
     "name one (--group), or extract it (sfumato marginal --group A,B -o FILE)"},
    {"raise the limits (sfm_release_read_within)", "add --allow-large (where the verb has it)"},
    {"sfm_count_release", "`sfumato count`"},
    {"sfm_density_release", "`sfumato density`"},
    {"sfm_interact_ask", "`sfumato interact ask`"},
    {"sfm_interact_discard", "`sfumato interact close --discard`"},
    {"sfm_interact_wipe", "--discard"},
    {"take its release with sfm_interact_transcript",
     "close it with `sfumato interact close`, which writes a release"},
    {"sfm_ledger_create", "`sfumato ledger create`"},
    {"sfm_ledger_create_shared", "--shared"},
    {"sfm_ledger_key", "`sfumato ledger key`"},
    {"sfm_ledger_status", "`sfumato ledger status`"},
    {"sfm_machine_at and sfm_machine_decide tell its values and classes",
     "`sfumato eval --points` tells its values and classes, `sfumato plot --axes` draws it"},
    {"sfm_online_ask", "`sfumato online ask`"},
    {"sfm_online_discard", "`sfumato online close --discard`"},
    {"sfm_online_wipe", "--discard"},
    {"take its release with sfm_online_transcript",
     "close it with `sfumato online close`, which writes a release"},
    {"sfm_optimal_design", "`sfumato optimal`"},
    {"sfm_optimal_verify", "`sfumato verify`"},
    {"create one with sfm_density_partial_create or its like, and merge it",
     "make one with `sfumato partial density` or its like, and merge it"},
    {"sfm_partial_merge", "`sfumato partial merge`"},
    {"sfm_partial_write", "`sfumato partial`"},
    {"sfm_rows_split", "`sfumato split`"},
    {"sfm_release_chosen", "`sfumato show`"},
    {"sfm_release_coefficient returns", "`sfumato show` prints"},
    {"sfm_release_coefficient and sfm_release_label return", "`sfumato eval` prints"},
    {"sfm_release_coefficient and sfm_release_quantile return", "`sfumato show` prints"},
    {"sfm_release_group", "`sfumato marginal --group`"},
    {"sfm_release_marginal", "sfumato marginal"},
    {"sfm_release_refine", "sfumato refine"},
    {"sfm_table_cell names", "`sfumato eval` prints"},
    {"sfm_table_cell", "`sfumato eval`"},
    {"or multiply the cells that it lists", "or multiply what `sfumato eval` prints"},
    {"sfm_table_margin_of", "`sfumato margin`"},
    {"and the others in one call", "and the other options in one command"},
    {"give a public number of records instead (total = N)",
     "give a public number of records instead (--total N)"},
    {"sfm_train_release", "`sfumato train`"},
};
#define COUNT(table) (sizeof(table) / sizeof(table)[0])
enum { NAME_MAX_LENGTH = 64 };

typedef struct translation {
  char *out;
  size_t size, used;
  const cli_verb *verb;
  const cli_verb *const *verbs;
} translation;

static void put(translation *t, const char *text, size_t length) {
  const size_t room = t->size - t->used - 1;
  if (length > room) length = room;
  memcpy(t->out + t->used, text, length);
  t->used += length;
}

static bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || c == '_';
}

/* Whether a name ends here: not a part of a longer one, nor of a path. */
static bool ends_name(const char *at) {
  const bool digit = *at >= '0' && *at <= '9';
  return !is_name(*at) && !digit && *at != '/' && !(*at == '.' && is_name(at[1]));
}

/* The length of name where text begins with it and it ends there, or 0. */
static size_t match(const char *text, const char *name) {
  const size_t length = strlen(name);
  return strncmp(text, name, length) == 0 && ends_name(text + length) ? length : 0;
}

/* Whether the verb has an option that begins like this; the rest is a part of its value. */
static bool declares(const cli_option *table, const char *option) {
  const size_t length = strcspn(option, " ");
  for (const cli_option *o = table; o && (o->name || o->same || o->group); o++) {
    const char *name = o->same ? o->same->name : o->name;
    if (o->group ? declares(o->group, option)
                 : strlen(name) == length && strncmp(name, option, length) == 0)
      return true;
  }
  return false;
}

/* The name of a field with dashes: its length in text, with what it is a field of, or 0. */
static size_t own_name(char option[NAME_MAX_LENGTH], const char *text) {
  static const char *const owners[] = {"settings.", "context.", "schema.", "charge.", "dataset.",
                                       "gram.",     "part.",    "rows.",   NULL};
  for (size_t i = 0; owners[i]; i++) {
    const size_t owner = strlen(owners[i]);
    if (strncmp(text, owners[i], owner) != 0) continue;
    size_t length = 0;
    for (; is_name(text[owner + length]) && length + 1 < NAME_MAX_LENGTH; length++)
      option[length] = (char)(text[owner + length] == '_' ? '-' : text[owner + length]);
    option[length] = '\0';
    /* schema.json is a file. */
    const bool named = length && ends_name(text + owner + length) && strcmp(option, "json") != 0;
    return named ? owner + length : 0;
  }
  return 0;
}

/* The option of the verb that the field at text is; the longest that matches.  Its length in text,
 * or 0. */
static size_t find_option(char option[NAME_MAX_LENGTH], const char *text, const cli_verb *verb) {
  size_t longest = 0;
  for (size_t i = 0; i < COUNT(other_names); i++) {
    const size_t length = match(text, other_names[i].field);
    if (length <= longest || !declares(verb->options, other_names[i].option)) continue;
    longest = length;
    strcpy(option, other_names[i].option);
  }
  if (longest) return longest;
  const size_t length = own_name(option, text);
  return length && declares(verb->options, option) ? length : 0;
}

/* Copies the value after a field, with its second parts; returns what follows it. */
static const char *put_value(translation *t, const char *text) {
  for (;;) {
    const size_t length = strcspn(text, " ,");
    const char *rest = text + length;
    put(t, text, length);
    size_t i = 0, part = 0;
    for (; second_parts[i]; i++) {
      part = strlen(second_parts[i]);
      if (strncmp(rest, ", ", 2) == 0 && strncmp(rest + 2, second_parts[i], part) == 0 &&
          strncmp(rest + 2 + part, " = ", 3) == 0)
        break;
    }
    if (!second_parts[i]) return rest;
    put(t, ":", 1);
    text = rest + 2 + part + 3;
  }
}

/* Returns what follows the field at text, or NULL where there is none. */
static const char *put_option(translation *t, const char *text) {
  char option[NAME_MAX_LENGTH];
  size_t length = find_option(option, text, t->verb);
  for (size_t i = 0; !length && t->verbs[i]; i++) length = find_option(option, text, t->verbs[i]);
  if (!length) return NULL;
  put(t, "--", 2);
  put(t, option, strlen(option));
  text += length;
  if (strncmp(text, " = ", 3) != 0) return text;
  if (option[strlen(option) - 1] != ':') put(t, " ", 1);
  return put_value(t, text + 3);
}

static const char *put_verb(translation *t, const char *text) {
  for (size_t i = 0; i < COUNT(functions); i++) {
    const size_t length = match(text, functions[i].name);
    if (!length) continue;
    put(t, functions[i].words, strlen(functions[i].words));
    return text + length;
  }
  return NULL;
}

void field_words(char *out, size_t size, const char *message, const cli_verb *verb,
                 const cli_verb *const *verbs) {
  translation t = {.out = out, .size = size, .verb = verb, .verbs = verbs};
  bool begins = true; /* a word; names in quotes and in paths are not the library's own */
  while (*message) {
    const char *rest = begins ? put_option(&t, message) : NULL;
    if (!rest && begins) rest = put_verb(&t, message);
    if (!rest) put(&t, message, 1);
    begins = !rest && (*message == ' ' || *message == '(');
    message = rest ? rest : message + 1;
  }
  out[t.used] = '\0';
}
