#include "verb_list.h"

#include <string.h>

#define POINTER_OF(name) &verb_##name,
const cli_verb *const verb_list[] = {CLI_VERBS(POINTER_OF) NULL};

static const verb_group groups[] = {
    {"release", "read private rows and write a release; each release costs privacy", &verb_density},
    {"parts", "rows in several places: sums of parts, and one release from all of them",
     &verb_partial_density},
    {"read", "use a release; anyone may, as often as they like, at no cost", &verb_show},
    {"plan", "know the error before spending; no row is read", &verb_plan_density},
    {"budget", "what several releases cost together", &verb_ledger_create},
    {"sessions", "answer questions that are not known yet", &verb_online_open},
    {"tools", NULL, &verb_check}};
enum { GROUP_COUNT = sizeof groups / sizeof groups[0] };

const verb_group *verb_group_of(const cli_verb *first) {
  for (size_t i = 0; i < GROUP_COUNT; i++)
    if (groups[i].first == first) return &groups[i];
  return NULL;
}

static const verb_family families[] = {
    {"partial", "private sums over a part of the rows: density, histogram, count, curve, series, "
                "merge, info"},
    {"plan", "predict the error of a release: density, histogram, count, train, curve, vector, "
             "series, online, interact"},
    {"limits", "bound the error of every private method from below: count, histogram, sparse, "
               "margins, svm, kernel"},
    {"ledger", "a budget that no charged release can exceed: create, status, history, verify, "
               "close, key"},
    {"online", "a function that answers any number of questions: open, ask, status, close"},
    {"interact", "a private machine that answers a limited number of questions and teaches a "
                 "public model: open, ask, status, close"}};
enum { FAMILY_COUNT = sizeof families / sizeof families[0] };

const verb_family *verb_family_named(const char *word) {
  for (size_t i = 0; i < FAMILY_COUNT; i++)
    if (strcmp(families[i].name, word) == 0) return &families[i];
  return NULL;
}

const char *verb_within(const cli_verb *verb, const verb_family *f) {
  size_t length = strlen(f->name);
  bool within = strncmp(verb->name, f->name, length) == 0 && verb->name[length] == ' ';
  return within ? verb->name + length + 1 : NULL;
}

const verb_family *verb_family_of(const cli_verb *verb) {
  for (size_t i = 0; i < FAMILY_COUNT; i++)
    if (verb_within(verb, &families[i])) return &families[i];
  return NULL;
}

const cli_verb *verb_find(int count, char *const *words, int *used) {
  const verb_family *f = verb_family_named(words[0]);
  *used = f ? 2 : 1;
  if (count < *used) return NULL;
  for (size_t i = 0; i < VERB_COUNT; i++) {
    const char *name = f ? verb_within(verb_list[i], f) : verb_list[i]->name;
    if (name && strcmp(name, words[*used - 1]) == 0) return verb_list[i];
  }
  return NULL;
}
