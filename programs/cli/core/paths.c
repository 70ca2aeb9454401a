#include "paths.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "path_pattern.h"
#include "sfumato/release.h"
#include "signals.h"
#include "text.h"

/* What a file is to the command. */
typedef enum role {
  NONE,    /* no file */
  PRIVATE, /* rows, or what comes from them */
  PUBLIC,  /* what it holds may be in a release, in a message, or decide how it is made */
  KEPT,    /* a ledger, a session, an anchor: it stays, and is nothing else */
  WRITTEN, /* a result */
} role;

typedef struct kind {
  const char *name; /* of an operand its placeholder, of an option its name */
  role role;
  const char *noun; /* what messages call it; NULL: the option */
  const char *note; /* what happens to a public file; NULL: nothing to be said */
  bool pattern;     /* it may name many files (path_pattern.h) */
} kind;

#define NOT_FROM_ROWS ": never take it from the rows"
static const char shown[] = "is published in the release" NOT_FROM_ROWS;
static const char trusted[] = "is taken for public" NOT_FROM_ROWS;

static const kind operands[] = {
    {"ROWS", PRIVATE, "the rows", NULL},
    {"TABLE|ROWS", PRIVATE, "the table", NULL},
    {"CURVES", PRIVATE, "the curves", NULL},
    {"THETA", PRIVATE, "the vector", NULL},
    {"SCORES", PRIVATE, "the scores", NULL},
    {"RELEASE", PUBLIC, "the release", NULL},
    {"RELEASE...", PUBLIC, "another release", NULL},
    {"[RELEASE...]", PUBLIC, "another release", NULL},
    {"MECHANISM", PUBLIC, "the release", NULL},
    {"PART", PRIVATE, "a part", NULL, .pattern = true},
    {"[PART...]", PRIVATE, "a part", NULL, .pattern = true},
    {"LEDGER", KEPT, "the ledger", NULL},
    {"SESSION", KEPT, "the session", NULL},
    {"LAW", NONE, NULL, NULL},
    {NULL, PRIVATE, "the input", NULL},
};

static const kind named[] = {
    {"gram", PRIVATE, NULL, NULL},
    {"gram-public", PRIVATE, NULL, NULL},
    {"key", PRIVATE, "the key", NULL},
    {"partials", PRIVATE, "a part", NULL, .pattern = true},
    {"schema", PUBLIC, "the schema", NULL},
    {"mechanism", PUBLIC, NULL, NULL},
    {"counts", PUBLIC, NULL, NULL},
    {"release-points", PUBLIC, NULL, shown},
    {"places", PUBLIC, NULL, shown},
    {"public", PUBLIC, NULL, shown},
    {"grid", PUBLIC, NULL, shown},
    {"categories", PUBLIC, NULL, shown},
    {"sensitivity", PUBLIC, NULL, shown},
    {"features", PUBLIC, NULL,
     "is published in the release: it must hold names of columns, never values"},
    {"gram-public-public", PUBLIC, NULL, trusted},
    {"matrix", PUBLIC, NULL, "decides what is answered" NOT_FROM_ROWS},
    {"shape", PUBLIC, NULL,
     "influences the release: it must be a guess, or a release that was paid for"},
    {"loss", PUBLIC, NULL, "decides the mechanism" NOT_FROM_ROWS},
    {"prior", PUBLIC, NULL, "decides the mechanism" NOT_FROM_ROWS},
    {"points", PUBLIC, NULL, "is not protected: answers contain its points"},
    {"over", PUBLIC, NULL, "is drawn without protection: draw only simulated or public curves"},
    {"ledger", KEPT, "the ledger", NULL},
    {"anchor", KEPT, "the anchor", NULL},
    {"output", WRITTEN, NULL, NULL},
    {"plot", WRITTEN, NULL, NULL},
    {NULL, PUBLIC, NULL, trusted},
};

static const kind *find_kind(const kind *list, const char *name) {
  while (list->name && strcmp(list->name, name) != 0) list++;
  return list;
}

/* A file as the command names it. */
typedef struct entry {
  const char *path, *option; /* NULL: an operand */
  const kind *kind;
  role role;
} entry;

typedef struct entries {
  entry *items;
  size_t count;
} entries;

/* ---- which files a command names ---- */

/* Whether one of the words that a placeholder allows, separated by bars, is `word`. */
static bool allows(const char *placeholder, const char *word, size_t length) {
  for (const char *at = placeholder;; at++) {
    const size_t here = strcspn(at, "|");
    if (here == length && strncmp(at, word, length) == 0) return true;
    at += here;
    if (!*at) return false;
  }
}

/* The path that a value names, or NULL: the value itself, or what follows @ at its beginning, or
 * behind COLUMN= or WORD:. */
static const char *path_in(const cli_option *option, const char *value) {
  if (allows(option->argument, "FILE", strlen("FILE")))
    return strcmp(value, "FILE") && allows(option->argument, value, strlen(value)) ? NULL : value;
  const char *equals = strchr(value, '='), *mark = equals ? equals : strchr(value, ':');
  const char *at = value[0] == '@' ? value : mark ? mark + 1 : "";
  return at[0] == '@' && at[1] ? at + 1 : NULL;
}

static void add(entries *all, const char *path, const char *option, const kind *k) {
  if (!path || k->role == NONE || k->pattern) return;
  if (k->role == WRITTEN && strcmp(path, "-") == 0) return;
  all->items[all->count++] = (entry){path, option, k, k->role};
}

static void add_option(entries *all, const cli_options *options, const cli_option *o) {
  const kind *k = find_kind(named, o->name);
  size_t at = 0;
  if (!o->argument || (!k->name && !strstr(o->argument, "FILE") && !strchr(o->argument, '@')))
    return;
  for (const char *value; (value = options_next(options, o->name, &at));)
    add(all, path_in(o, value), o->name, k);
}

/* A flag --public says that the rows are. */
static bool has_public_rows(const cli_options *options) {
  for (const cli_option *o = options->list; o->name; o++)
    if (!o->argument && strcmp(o->name, "public") == 0) return options_has(options, o->name);
  return false;
}

static sfm_status collect(entries *all, const cli_options *options, sfm_error *error) {
  const cli_verb *verb = options->verb;
  const size_t most = 2 + options->more_count + options->given_count;
  *all = (entries){.items = calloc(most, sizeof *all->items)};
  if (!all->items) return cli_fail_memory(error);
  if (options->operand) add(all, options->operand, NULL, find_kind(operands, verb->operand));
  if (options->second) add(all, options->second, NULL, find_kind(operands, verb->second));
  for (size_t i = 0; i < options->more_count; i++)
    add(all, options->more[i], NULL, find_kind(operands, verb->second));
  for (size_t i = 0; i < all->count; i++)
    if (all->items[i].role == PRIVATE && has_public_rows(options)) all->items[i].role = PUBLIC;
  for (const cli_option *o = options->list; o->name; o++) add_option(all, options, o);
  return SFM_OK;
}

/* ---- which are the same ---- */

static bool find_facts(struct stat *facts, const char *path) {
  return (strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, facts) : stat(path, facts)) == 0;
}

/* Whether both name the same last part of the same folder, be a file there or not. */
static bool same_place(const char *path, const char *other) {
  const char *slash = strrchr(path, '/'), *mark = strrchr(other, '/');
  char *folders[2] = {slash ? strndup(path, (size_t)(slash - path + 1)) : strdup("."),
                      mark ? strndup(other, (size_t)(mark - other + 1)) : strdup(".")};
  struct stat a, b;
  const bool same = strcmp(slash ? slash + 1 : path, mark ? mark + 1 : other) == 0 && folders[0] &&
                    folders[1] && stat(folders[0], &a) == 0 && stat(folders[1], &b) == 0 &&
                    a.st_dev == b.st_dev && a.st_ino == b.st_ino;
  free(folders[0]);
  free(folders[1]);
  return same;
}

bool paths_same(const char *path, const char *other) {
  struct stat a, b;
  if (strcmp(path, other) == 0) return true;
  if (find_facts(&a, path) && find_facts(&b, other))
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
  return strcmp(path, "-") != 0 && strcmp(other, "-") != 0 && same_place(path, other);
}

bool paths_journal(const char *path, const char *database) {
  static const char *const endings[] = {"-journal", "-wal", "-shm"};
  const size_t length = strlen(path);
  for (size_t i = 0; i < 3; i++) {
    const size_t last = strlen(endings[i]);
    if (length <= last || strcmp(path + length - last, endings[i]) != 0) continue;
    char *base = strndup(path, length - last);
    const bool is = !base || paths_same(base, database);
    free(base);
    return is;
  }
  return false;
}

/* ---- what must not be ---- */

/* "the rows", or "--places". */
static const char *noun_of(const entry *e, char *buffer, size_t size) {
  if (e->kind->noun) return e->kind->noun;
  snprintf(buffer, size, "--%.60s", e->option);
  return buffer;
}

static bool is_input(const entry *e) {
  return e->role == PRIVATE || e->role == PUBLIC;
}

static sfm_status fail_standard(const char *noun, const char *other, sfm_error *error) {
  return cli_misuse(error, "%s and %s cannot both be standard input; name a file for one of them",
                    noun, other);
}

/* Both are one file, and a's role is not above b's. */
static sfm_status fail_same(const entry *a, const entry *b, sfm_error *error) {
  char names[2][64];
  const char *noun = noun_of(a, names[0], sizeof names[0]),
             *other = noun_of(b, names[1], sizeof names[1]);
  if (b->role == WRITTEN)
    return cli_misuse(error, "%.300s would overwrite %s%s; write to another file", b->path,
                      a->kind->noun ? "" : "the file of ", noun);
  if (b->role == KEPT)
    return cli_misuse(error, "%.300s is named as %s and as %s; name another file for one of them",
                      b->path, noun, other);
  return cli_misuse(
      error,
      "%s and %s are the same file, which is private; %s must be a file that is already public",
      other, noun, other);
}

static sfm_status fail_journal(const char *path, const entry *database, sfm_error *error) {
  char name[64];
  return cli_misuse(error, "%.300s is where the journal of %s is kept; name another file", path,
                    noun_of(database, name, sizeof name));
}

static sfm_status check_pair(const entry *a, const entry *b, sfm_error *error) {
  char names[2][64];
  if (a->role > b->role) return check_pair(b, a, error);
  if (is_input(b) && strcmp(a->path, "-") == 0 && strcmp(b->path, "-") == 0)
    return fail_standard(noun_of(a, names[0], sizeof names[0]),
                         noun_of(b, names[1], sizeof names[1]), error);
  /* A public file may be read twice, and so may a private one. */
  if (a->role == b->role && is_input(a)) return SFM_OK;
  if (paths_same(a->path, b->path)) return fail_same(a, b, error);
  if (a->role == KEPT && paths_journal(b->path, a->path)) return fail_journal(b->path, a, error);
  if (b->role == KEPT && paths_journal(a->path, b->path)) return fail_journal(a->path, b, error);
  return SFM_OK;
}

/* The files that a pattern names, of which there may be very many: each beside the others. */
static sfm_status check_pattern(const entries *all, const char *pattern, const kind *k,
                                sfm_error *error) {
  text_list paths;
  sfm_status status = path_pattern_list(&paths, pattern, error);
  for (size_t i = 0; !status && i < paths.count; i++) {
    const entry e = {paths.items[i], NULL, k, k->role};
    for (size_t j = 0; !status && j < all->count; j++)
      if (all->items[j].role != k->role) status = check_pair(&e, &all->items[j], error);
  }
  text_list_clear(&paths);
  return status;
}

static sfm_status check_patterns(const entries *all, const cli_options *options, sfm_error *error) {
  const cli_verb *verb = options->verb;
  const kind *first = verb->operand ? find_kind(operands, verb->operand) : NULL,
             *second = verb->second ? find_kind(operands, verb->second) : NULL;
  sfm_status status = SFM_OK;
  if (options->operand && first->pattern)
    status = check_pattern(all, options->operand, first, error);
  if (!status && options->second && second->pattern)
    status = check_pattern(all, options->second, second, error);
  for (size_t i = 0; !status && second && second->pattern && i < options->more_count; i++)
    status = check_pattern(all, options->more[i], second, error);
  for (const cli_option *o = options->list; o->name; o++) {
    const kind *k = find_kind(named, o->name);
    size_t at = 0;
    if (!k->pattern) continue;
    for (const char *value; !status && (value = options_next(options, o->name, &at));)
      status = check_pattern(all, value, k, error);
  }
  return status;
}

/* What is written, or made where nothing is yet, can be: found out before anything is charged. */
static sfm_status check_target(const entry *e, const cli_verb *verb, sfm_error *error) {
  struct stat facts;
  const bool made = e->role == KEPT && verb->makes && strcmp(e->path, "-") != 0 &&
                    !(stat(e->path, &facts) == 0 && S_ISREG(facts.st_mode));
  if (e->role != WRITTEN && !made) return SFM_OK;
  signals_hold(); /* the file that it tries to make is gone before a signal ends the command */
  const sfm_status status = sfm_output_check(e->path, error);
  signals_release();
  return status;
}

sfm_status paths_check(const cli_options *options, sfm_error *error) {
  entries all;
  sfm_status status = collect(&all, options, error);
  for (size_t i = 0; i < all.count && !status; i++)
    for (size_t k = 0; k < i && !status; k++)
      status = check_pair(&all.items[k], &all.items[i], error);
  if (!status) status = check_patterns(&all, options, error);
  for (size_t i = 0; i < all.count && !status; i++)
    status = check_target(&all.items[i], options->verb, error);
  free(all.items);
  return status;
}

void paths_note(const cli_options *options) {
  static bool said;
  entries all;
  sfm_error error;
  if (said || options->verb->publishes_nothing || options_of_plan(options)) return;
  if (collect(&all, options, &error)) return;
  said = true;
  for (size_t i = 0; i < all.count; i++) {
    const entry *e = &all.items[i];
    char name[1200];
    if (!e->kind->note) continue;
    fflush(stdout);
    text_harmless(name, sizeof name, strcmp(e->path, "-") == 0 ? "standard input" : e->path);
    fprintf(stderr, "note        %s %s\n", name, e->kind->note);
  }
  free(all.items);
}
