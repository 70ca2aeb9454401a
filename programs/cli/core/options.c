#include "options.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "sfumato/context.h"
#include "text.h"

sfm_status cli_fail(sfm_error *error, sfm_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->message, sizeof error->message, format, arguments);
  va_end(arguments);
  return error->status = status;
}

sfm_status cli_misuse(sfm_error *error, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->message, sizeof error->message, format, arguments);
  va_end(arguments);
  return error->status = SFM_INVALID;
}

sfm_status cli_fail_memory(sfm_error *error) {
  return cli_fail(error, SFM_MEMORY, "not enough memory");
}

/* The number of edits (insert, delete, change, swap of neighbours) between two short words. */
static size_t edit_distance(const char *a, const char *b) {
  enum { LONGEST = 32 };
  size_t rows = strlen(a), columns = strlen(b);
  size_t d[LONGEST + 1][LONGEST + 1];
  if (rows > LONGEST || columns > LONGEST) return SIZE_MAX;
  for (size_t i = 0; i <= rows; i++) d[i][0] = i;
  for (size_t j = 0; j <= columns; j++) d[0][j] = j;
  for (size_t i = 1; i <= rows; i++)
    for (size_t j = 1; j <= columns; j++) {
      size_t best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      if (d[i - 1][j] + 1 < best) best = d[i - 1][j] + 1;
      if (d[i][j - 1] + 1 < best) best = d[i][j - 1] + 1;
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
          d[i - 2][j - 2] + 1 < best)
        best = d[i - 2][j - 2] + 1;
      d[i][j] = best;
    }
  return d[rows][columns];
}

const char *options_nearest(const char *word, const char *const *candidates, size_t count) {
  const char *nearest = NULL;
  size_t length = strlen(word), least = length > 4 ? 3 : 2; /* fewer edits than this */
  for (size_t i = 0; i < count; i++) {
    size_t distance = edit_distance(word, candidates[i]);
    if (length >= 2 && strncmp(word, candidates[i], length) == 0) distance = 0;
    if (distance < least) {
      least = distance;
      nearest = candidates[i];
    }
  }
  return nearest;
}

size_t options_unfold(cli_option *list, const cli_option *table) {
  size_t count = 0;
  for (const cli_option *o = table; o->name || o->same || o->group; o++) {
    if (o->group) {
      count += options_unfold(list + count, o->group);
      continue;
    }
    assert(count < CLI_MAX_OPTIONS);
    list[count] = o->same ? *o->same : *o;
    if (o->same && o->help) list[count].help = o->help;
    if (o->same && o->fallback) list[count].fallback = o->fallback;
    count++;
  }
  list[count] = (cli_option){0};
  return count;
}

static sfm_status unknown_option(const cli_options *options, const char *word, size_t length,
                                 sfm_error *error) {
  const char *names[CLI_MAX_OPTIONS + 1];
  size_t count = 0;
  char name[33];
  snprintf(name, sizeof name, "%.*s", (int)(length < 32 ? length : 32), word);
  for (const cli_option *o = options->verb->refused; o && o->name; o++)
    if (strcmp(o->name, name) == 0) return cli_misuse(error, "--%s: %s", name, o->help);
  for (const cli_option *o = options->list; o->name; o++) names[count++] = o->name;
  names[count++] = "help";
  const char *nearest = options_nearest(name, names, count);
  if (nearest)
    return cli_misuse(error, "there is no option --%s; did you mean --%s?", name, nearest);
  return cli_misuse(error, "there is no option --%s; `sfumato %s --help` lists the options", name,
                    options->verb->name);
}

/* Whether a placeholder stands for any number of words. */
static bool several(const char *placeholder) {
  size_t length = placeholder ? strlen(placeholder) : 0;
  const size_t bracket = length > 0 && placeholder[length - 1] == ']';
  return length > 3 + bracket && strncmp(placeholder + length - 3 - bracket, "...", 3) == 0;
}

bool options_may_repeat(const cli_option *option) {
  return several(option->argument);
}

/* An option as it was given. */
typedef struct cli_given {
  size_t option; /* its place in the verb's list */
  const char *value;
} cli_given;

/* A further value of an option that may be repeated. */
static sfm_status join(cli_options *options, size_t i, const char *value, sfm_error *error) {
  char *longer;
  if (asprintf(&longer, "%s,%s", options->values[i], value) < 0) return cli_fail_memory(error);
  free(options->joined[i]);
  options->values[i] = options->joined[i] = longer;
  return SFM_OK;
}

/* Stores the value of option i; inline_value is what followed `=` (or the letter), or NULL.
 * Advances *at over the word used as the value. */
static sfm_status store(cli_options *options, size_t i, const char *inline_value, int *at,
                        int count, char *const *words, sfm_error *error) {
  const cli_option *option = &options->list[i];
  const char *value = inline_value;
  if (options->values[i] && !several(option->argument))
    return cli_misuse(error, "--%s is given twice; give it once", option->name);
  if (!option->argument) {
    if (inline_value) return cli_misuse(error, "--%s takes no value", option->name);
    options->values[i] = "";
    return SFM_OK;
  }
  if (!value && *at + 1 < count && strncmp(words[*at + 1], "--", 2) != 0) value = words[++*at];
  if (!value || !*value)
    return cli_misuse(error, "--%s needs a value: --%s %s", option->name, option->name,
                      option->argument);
  options->given[options->given_count++] = (cli_given){i, value};
  if (options->values[i]) return join(options, i, value, error);
  options->values[i] = value;
  return SFM_OK;
}

static sfm_status parse_long(cli_options *options, int *at, int count, char *const *words,
                             sfm_error *error) {
  const char *word = words[*at] + 2, *equals = strchr(word, '=');
  size_t length = equals ? (size_t)(equals - word) : strlen(word);
  const cli_option *list = options->list;
  for (size_t i = 0; list[i].name; i++)
    if (strlen(list[i].name) == length && strncmp(list[i].name, word, length) == 0)
      return store(options, i, equals ? equals + 1 : NULL, at, count, words, error);
  return unknown_option(options, word, length, error);
}

static sfm_status parse_short(cli_options *options, int *at, int count, char *const *words,
                              sfm_error *error) {
  const char *word = words[*at];
  const cli_option *list = options->list;
  for (size_t i = 0; list[i].name; i++)
    if (list[i].letter && list[i].letter == word[1])
      return store(options, i, word[2] ? word + 2 : NULL, at, count, words, error);
  for (size_t i = 0; list[i].name; i++)
    if (strcmp(list[i].name, word + 1) == 0)
      return cli_misuse(error, "'%s': a long option has two dashes, --%s", word, list[i].name);
  return cli_misuse(error, "there is no option '%s'; `sfumato %s --help` lists the options", word,
                    options->verb->name);
}

/* A word that is no option. */
static sfm_status take_operand(cli_options *options, const char *word, sfm_error *error) {
  const cli_verb *verb = options->verb;
  const char **place = !options->operand ? &options->operand : &options->second;
  const char *wanted = !options->operand ? verb->operand : !options->second ? verb->second : NULL;
  if (options->second && several(verb->second) &&
      (verb->many || options->more_count < CLI_MAX_MORE)) {
    wanted = verb->second;
    place = &options->more[options->more_count++];
  }
  const bool instead = verb->instead && options_has(options, verb->instead);
  if (!wanted && instead)
    return cli_misuse(
        error,
        "'%s' is one word too many; if the shell has made it of a pattern, put quotes "
        "around the pattern, as in --%s 'part*.sfp'",
        word, verb->instead);
  if (!wanted && options_of_plan(options))
    return cli_misuse(error,
                      "'%s' is one word too many: a plan reads no rows, only public numbers. Leave "
                      "it out, and state how many records there are, for example --n 5000",
                      word);
  for (const cli_option *o = options->list; !wanted && o->name; o++)
    if (strcmp(o->name, word) == 0)
      return cli_misuse(error, "'%s' is an option: write --%s", word, word);
  if (!wanted)
    return cli_misuse(error, "'%s' is one word too many; usage: sfumato %s %s", word, verb->name,
                      verb->usage);
  if (!*word) return cli_misuse(error, "%s must not be empty", wanted);
  *place = word;
  return SFM_OK;
}

/* Every operand is there that must be, once. */
static sfm_status check_operands(const cli_options *options, sfm_error *error) {
  const cli_verb *verb = options->verb;
  if (options->line && options->operand)
    return cli_misuse(error,
                      "'%s' stands before --, where only options of `sfumato %s` do: the verb that "
                      "follows -- names the rows",
                      options->operand, verb->name);
  if (options->line) return SFM_OK;
  const char *missing = !options->operand ? verb->operand : !options->second ? verb->second : NULL;
  const bool instead = verb->instead && options_has(options, verb->instead);
  if (instead && options->operand)
    return cli_misuse(error,
                      "%s ('%s') and --%s are both given, and stand for the same rows; leave out "
                      "one of them. If the shell has made '%s' of a pattern, put quotes around the "
                      "pattern, as in --%s 'part*.sfp'",
                      verb->operand, options->operand, verb->instead, options->operand,
                      verb->instead);
  if (!missing || missing[0] == '[' || instead) return SFM_OK;
  return cli_misuse(error, "%s is missing; usage: sfumato %s %s", missing, verb->name, verb->usage);
}

sfm_status options_parse(cli_options *options, const cli_verb *verb, int count, char *const *words,
                         sfm_error *error) {
  bool only_operands = false;
  *options = (cli_options){.verb = verb};
  options_unfold(options->list, verb->options);
  for (int i = 0; i < count && !(verb->line && strcmp(words[i], "--") == 0); i++)
    if (strcmp(words[i], "--help") == 0 || strcmp(words[i], "-h") == 0) {
      options->help = true;
      return SFM_OK;
    }
  options->given = calloc((size_t)count + 1, sizeof *options->given);
  options->more = calloc((size_t)count + 1, sizeof *options->more);
  if (!options->given || !options->more) return cli_fail_memory(error);
  for (int i = 0; i < count; i++) {
    const char *word = words[i];
    sfm_status status = SFM_OK;
    if (verb->line && strcmp(word, "--") == 0) {
      options->line = words + i + 1;
      options->line_count = count - i - 1;
      break;
    }
    if (!only_operands && strcmp(word, "--") == 0)
      only_operands = true;
    else if (!only_operands && strncmp(word, "--", 2) == 0)
      status = parse_long(options, &i, count, words, error);
    else if (!only_operands && word[0] == '-' && word[1])
      status = parse_short(options, &i, count, words, error);
    else
      status = take_operand(options, word, error);
    if (status) return status;
  }
  return check_operands(options, error);
}

void options_clear(cli_options *options) {
  for (size_t i = 0; i < CLI_MAX_OPTIONS; i++) free(options->joined[i]);
  free(options->given);
  free(options->more);
  *options = (cli_options){.verb = options->verb};
}

static const cli_option *find_option(const cli_options *options, const char *name) {
  const cli_option *o = options->list;
  while (o->name && strcmp(o->name, name) != 0) o++;
  return o->name ? o : NULL;
}

const char *options_get(const cli_options *options, const char *name) {
  const cli_option *o = find_option(options, name);
  assert(o && "the verb declares the option");
  return o ? options->values[o - options->list] : NULL;
}

const char *options_next(const cli_options *options, const char *name, size_t *at) {
  const cli_option *list = options->list;
  while (*at < options->given_count) {
    const cli_given *given = &options->given[(*at)++];
    if (strcmp(list[given->option].name, name) == 0) return given->value;
  }
  return NULL;
}

bool options_declared(const cli_options *options, const char *name) {
  return find_option(options, name) != NULL;
}

const char *options_given(const cli_options *options, const char *name) {
  return options_declared(options, name) ? options_get(options, name) : NULL;
}

bool options_of_plan(const cli_options *options) {
  return strncmp(options->verb->name, "plan ", strlen("plan ")) == 0;
}

bool options_has(const cli_options *options, const char *name) {
  return options_get(options, name) != NULL;
}

static sfm_status fail_choice(const cli_option *o, const char *value, const char *const *words,
                              sfm_error *error) {
  char list[160] = "";
  for (unsigned i = 0; words[i]; i++) {
    if (*words[i])
      text_add(list, sizeof list, "%s%s", !i ? "" : words[i + 1] ? ", " : " or ", words[i]);
  }
  return cli_misuse(error, "--%s: '%s' is unknown; write %s", o->name, value, list);
}

static sfm_status read_choice(const cli_option *o, uint64_t *out, const char *value,
                              sfm_error *error) {
  const char *const *words = o->words ? o->words : sfm_words(o->enumeration);
  for (unsigned i = 0; words[i]; i++)
    if (*words[i] && strcmp(words[i], value) == 0) {
      *out = i;
      return SFM_OK;
    }
  return fail_choice(o, value, words, error);
}

static sfm_status read_number(const cli_option *o, double *out, const char *value,
                              sfm_error *error) {
  const bool number = text_number(out, value);
  char meant[48];
  if (!number && text_meant(meant, sizeof meant, value))
    return cli_misuse(error, "--%s: '%s' is not a number; write --%s %s", o->name, value, o->name,
                      meant);
  if (!number)
    return cli_misuse(error, "--%s: '%s' is not a number; write for example --%s %s", o->name,
                      value, o->name, o->example);
  if (o->kind == OPTION_POSITIVE && (!isfinite(*out) || !(*out > 0)))
    return cli_misuse(
        error, "--%s is %s, but must be a finite number above zero; write for example --%s %s",
        o->name, value, o->name, o->example);
  if (o->kind == OPTION_FRACTION && !(*out > 0 && *out < 1))
    return cli_misuse(
        error, "--%s is %s, but must lie strictly between 0 and 1; write for example --%s %s",
        o->name, value, o->name, o->example);
  return SFM_OK;
}

static sfm_status read_count(const cli_option *o, uint64_t *out, const char *value,
                             sfm_error *error) {
  if (text_count(out, value) && *out >= o->least && *out <= o->most) return SFM_OK;
  return cli_misuse(error, "--%s: '%s' is not a whole number from %llu to %llu, written in digits",
                    o->name, value, (unsigned long long)o->least, (unsigned long long)o->most);
}

/* Into a member of that size; whole numbers and words fit in every one that has their kind. */
static sfm_status read_value(const cli_option *o, void *out, size_t size, const char *value,
                             sfm_error *error) {
  uint64_t whole = 0;
  if (!value && o->missing) return cli_misuse(error, "--%s is missing: %s", o->name, o->missing);
  if (!value) return SFM_OK;
  if (o->kind == OPTION_TEXT && !o->argument) {
    *(bool *)out = true;
    return SFM_OK;
  }
  if (o->kind == OPTION_TEXT) {
    *(const char **)out = value;
    return SFM_OK;
  }
  if (o->kind <= OPTION_FRACTION) return read_number(o, out, value, error);
  const sfm_status status = o->kind == OPTION_CHOICE ? read_choice(o, &whole, value, error)
                                                     : read_count(o, &whole, value, error);
  if (status) return status;
  if (o->kind == OPTION_SEED)
    ((sfm_context *)out)->seed = whole, ((sfm_context *)out)->seeded = true;
  else if (size == sizeof(uint64_t))
    *(uint64_t *)out = whole;
  else
    *(uint32_t *)out = (uint32_t)whole;
  return SFM_OK;
}

sfm_status options_fill(void *out, const cli_field *fields, const cli_options *options,
                        sfm_error *error) {
  sfm_status status = SFM_OK;
  for (const cli_field *f = fields; !status && f->name; f++) {
    const cli_option *o = find_option(options, f->name);
    if (o)
      status = read_value(o, (char *)out + f->at, f->size, options_get(options, f->name), error);
  }
  return status;
}

sfm_status options_take(const cli_options *options, void *out, const char *name, sfm_error *error) {
  const cli_option *o = find_option(options, name);
  if (!o) return SFM_OK;
  return read_value(o, out, o->kind == OPTION_CHOICE ? sizeof(unsigned) : sizeof(uint64_t),
                    options_get(options, name), error);
}
