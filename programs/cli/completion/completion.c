#include "completion.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/core/text.h"
#include "cli/verb_list.h"
#include "header_names.h"

enum { OPERANDS_MAX = 64, HELP_COLUMNS = 72 };

/* The words up to the unfinished one, read. */
typedef struct typed {
  const cli_verb *verb;
  cli_option list[CLI_MAX_OPTIONS + 1];
  bool given[CLI_MAX_OPTIONS];
  const cli_option *pending; /* whose value comes next, or NULL */
  const char *operands[OPERANDS_MAX];
  size_t operand_count;
} typed;

static bool starts_with(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

static bool ends_clause(const char *text) {
  return !*text || strchr(";\n", *text) || starts_with(text, ". ");
}

/* A candidate if the unfinished word is its beginning.  Of the help its first clause. */
static void offer(const char *word, const char *candidate, const char *help) {
  if (!starts_with(candidate, word)) return;
  for (const char *c = candidate; *c; c++)
    if (iscntrl((unsigned char)*c)) return;
  text_print(stdout, candidate, strlen(candidate));
  if (help) {
    size_t length = 0, blank = 0;
    while (length < HELP_COLUMNS && !ends_clause(help + length)) {
      if (help[length] == ' ') blank = length;
      length++;
    }
    const bool cut = !ends_clause(help + length) && blank;
    printf("\t%.*s%s", (int)(cut ? blank : length), help, cut ? " ..." : "");
  }
  putchar('\n');
}

/* ---- verbs ---- */

static void offer_verbs(const char *word) {
  for (size_t i = 0; i < VERB_COUNT; i++) {
    const verb_family *f = verb_family_of(verb_list[i]);
    if (f && i && verb_family_of(verb_list[i - 1]) == f) continue;
    offer(word, f ? f->name : verb_list[i]->name, f ? f->summary : verb_list[i]->summary);
  }
}

static void offer_within(const verb_family *f, const char *word) {
  for (size_t i = 0; i < VERB_COUNT; i++)
    if (verb_within(verb_list[i], f))
      offer(word, verb_within(verb_list[i], f), verb_list[i]->summary);
}

/* ---- options ---- */

static void offer_options(const typed *t, const char *word) {
  char name[64];
  for (const cli_option *o = t->list; o->name; o++) {
    if (t->given[o - t->list] && !options_may_repeat(o)) continue;
    snprintf(name, sizeof name, "--%s", o->name);
    offer(word, name, o->help);
  }
  offer(word, "--help", "print this help");
}

/* ---- values ---- */

/* An item of a list: what stands before it in the word, `before`, is kept. */
typedef struct item {
  const char *word;
  const char *before;
  size_t before_length;
  const char *after; /* what follows a name of a column: "=" or nothing */
} item;

static void offer_item(const item *at, const char *name, const char *after, const char *help) {
  char candidate[4096];
  snprintf(candidate, sizeof candidate, "%.*s%s%s", (int)at->before_length, at->before, name,
           after);
  offer(at->word, candidate, help);
}

/* Whether the list already has the name before the item. */
static bool is_named(const item *at, const char *name) {
  const size_t length = strlen(name);
  for (size_t i = 0; i + length < at->before_length; i++)
    if ((i == 0 || strchr(",;=", at->before[i - 1])) && strchr(",;=", at->before[i + length]) &&
        strncmp(at->before + i, name, length) == 0)
      return true;
  return false;
}

/* Names with commas are quoted, as options want them, and those whose quote was typed. */
static void offer_column(void *data, const char *name) {
  const item *at = data;
  char quoted[1100];
  snprintf(quoted, sizeof quoted, "\"%s\"", name);
  if (!*name || strchr(name, '"') || is_named(at, name) || is_named(at, quoted)) return;
  const bool quote = strchr(name, ',') || at->word[at->before_length] == '"';
  offer_item(at, quote ? quoted : name, at->after, "column");
}

static bool takes_columns(const cli_option *o) {
  static const char *const named[] = {"column", "axes", "margins", NULL};
  return strstr(o->argument, "COLUMN") || strstr(o->argument, "NAMES") ||
         text_is_among(o->name, named);
}

static void offer_columns(const typed *t, const cli_option *o, const char *word,
                          const char *value) {
  const char *last = value;
  bool quoted = false;
  for (const char *c = value; *c; c++) {
    quoted ^= *c == '"';
    if (!quoted && (*c == ',' || *c == ';')) last = c + 1;
  }
  if (!takes_columns(o) || strchr(last, '=')) return;
  item at = {word, word, (size_t)(last - word), strstr(o->argument, "COLUMN=") ? "=" : ""};
  for (size_t i = 0; i < t->operand_count; i++) header_names(t->operands[i], offer_column, &at);
}

static bool takes_file(const char *placeholder) {
  return strstr(placeholder, "FILE") || strstr(placeholder, ".csv") ||
         strstr(placeholder, "PATTERN");
}

/* The words that a placeholder names: "finite|rff:F|huber[:T]" has finite, rff: and huber. */
static void offer_placeholder(const item *at, const char *placeholder) {
  size_t depth = 0;
  bool begins = true;
  for (const char *c = placeholder; *c; c++) {
    if (begins && depth == 0 && islower((unsigned char)*c)) {
      size_t length = 0;
      char name[64];
      while (islower((unsigned char)c[length]) || isdigit((unsigned char)c[length]) ||
             c[length] == '-')
        length++;
      snprintf(name, sizeof name, "%.*s", (int)length, c);
      if (c[length] == ':' || !c[length] || strchr("|[", c[length]))
        offer_item(at, name, c[length] == ':' ? ":" : "", NULL);
      c += length - 1;
    }
    begins = *c == '|';
    depth += *c == '[';
    depth -= *c == ']';
  }
}

static void offer_words(const item *at, const cli_option *o) {
  const char *const *words = o->kind != OPTION_CHOICE ? NULL
                             : o->words               ? o->words
                                                      : sfm_words(o->enumeration);
  for (; words && *words; words++) offer_item(at, *words, "", NULL);
  if (o->kind == OPTION_CHOICE) return;
  if (strcmp(o->argument, "FAMILY:BANDWIDTH") == 0)
    for (words = sfm_words(SFM_ENUMERATION_KERNEL_FAMILY); *words; words++)
      offer_item(at, *words, ":", "kernel");
  if (strcmp(o->name, "basis") == 0)
    for (words = sfm_words(SFM_ENUMERATION_BASIS); *words; words++)
      offer_item(at, *words, "", "basis");
  offer_placeholder(at, o->argument);
}

/* value is the part of the word that belongs to the option. */
static void offer_values(const typed *t, const cli_option *o, const char *word, const char *value) {
  const item at = {word, word, (size_t)(value - word), ""};
  const char *mark = value[0] == '@' ? value : strstr(value, "=@");
  offer_words(&at, o);
  offer_columns(t, o, word, value);
  if (mark) mark += *mark == '=' ? 2 : 1;
  if (mark && strstr(o->help, "@") == NULL && !strchr(o->argument, '@')) mark = NULL;
  if (takes_file(o->argument) && (!strstr(o->argument, "@") || mark))
    printf("\t%.*s\n", (int)((mark ? mark : value) - word), word);
  else if (mark)
    printf("\t%.*s\n", (int)(mark - word), word);
}

/* ---- words ---- */

static const cli_option *find_option(const typed *t, const char *name, size_t length) {
  for (const cli_option *o = t->list; o->name; o++)
    if (strlen(o->name) == length && strncmp(o->name, name, length) == 0) return o;
  return NULL;
}

/* The option that a word names, or NULL.  *value: what follows it in the word, or NULL. */
static const cli_option *option_of(const typed *t, const char *word, const char **value) {
  *value = NULL;
  if (starts_with(word, "--")) {
    const char *equals = strchr(word, '=');
    if (equals) *value = equals + 1;
    return find_option(t, word + 2, equals ? (size_t)(equals - word) - 2 : strlen(word + 2));
  }
  if (word[0] != '-' || !isalpha((unsigned char)word[1])) return NULL;
  if (word[2]) *value = word + 2;
  for (const cli_option *o = t->list; o->name; o++)
    if (o->letter == word[1]) return o;
  return NULL;
}

/* A word before the unfinished one. */
static void read_word(typed *t, const char *word) {
  if (t->pending && !starts_with(word, "--")) {
    t->pending = NULL;
    return;
  }
  t->pending = NULL;
  const char *value;
  const cli_option *found = option_of(t, word, &value);
  const bool names = starts_with(word, "--") || (word[0] == '-' && isalpha((unsigned char)word[1]));
  if (!names && t->operand_count < OPERANDS_MAX) t->operands[t->operand_count++] = word;
  if (!found) return;
  t->given[found - t->list] = true;
  if (found->argument && !value) t->pending = found;
}

static bool wants_operand(const typed *t) {
  const cli_verb *verb = t->verb;
  const size_t count = (verb->operand != NULL) + (verb->second != NULL);
  return t->operand_count < count || (count && verb->many) ||
         (t->operand_count && verb->second && strstr(verb->second, "..."));
}

static void offer_operand(const typed *t, const char *word) {
  static const char *const laws[] = {"laplace", "normal", "gaussian", NULL};
  if (strcmp(t->verb->operand, "LAW") != 0) {
    puts("\t");
    return;
  }
  for (size_t i = 0; laws[i]; i++) offer(word, laws[i], NULL);
}

static void offer_after(const cli_verb *verb, int count, char *const *words) {
  typed t = {.verb = verb};
  options_unfold(t.list, verb->options);
  for (int i = 0; i + 1 < count; i++) read_word(&t, words[i]);
  const char *word = words[count - 1], *value;
  const cli_option *named = option_of(&t, word, &value);
  if (t.pending && !starts_with(word, "--")) {
    offer_values(&t, t.pending, word, word);
  } else if (value) {
    if (named && named->argument) offer_values(&t, named, word, value);
  } else if (word[0] == '-') {
    offer_options(&t, word);
  } else if (wants_operand(&t)) {
    offer_operand(&t, word);
  } else {
    offer_options(&t, word);
  }
}

void completion_print(int count, char *const *words) {
  if (count > 1 && strcmp(words[0], "help") == 0) count--, words++;
  if (count < 1) return;
  const char *word = words[count - 1];
  if (count == 1) {
    offer_verbs(word);
    offer(word, "help", "explain a verb and its options");
    if (word[0] == '-') {
      offer(word, "--help", "list the verbs");
      offer(word, "--version", "print the version");
    }
    return;
  }
  int used;
  const verb_family *f = verb_family_named(words[0]);
  const cli_verb *verb = verb_find(count - 1, words, &used);
  for (int i = used; verb && verb->line && i + 1 < count; i++)
    if (strcmp(words[i], "--") == 0) {
      completion_print(count - i - 1, words + i + 1);
      return;
    }
  if (verb)
    offer_after(verb, count - used, words + used);
  else if (f && count == 2)
    offer_within(f, word);
}
