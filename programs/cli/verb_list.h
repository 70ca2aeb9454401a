/* verb_list.h - every verb, the groups of the help, and the families of verbs with two words. */
#ifndef CLI_VERB_LIST_H
#define CLI_VERB_LIST_H

#include "cli/core/verbs.h"

#define COUNT_VERB(name) +1
enum { VERB_COUNT = 0 CLI_VERBS(COUNT_VERB) };
#undef COUNT_VERB

/* In the order of the help, ended by NULL. */
extern const cli_verb *const verb_list[];

/* Verbs that the help lists under one title; a group ends where the next one begins. */
typedef struct verb_group {
  const char *title, *summary;
  const cli_verb *first;
} verb_group;

/* The group that begins with the verb, or NULL. */
const verb_group *verb_group_of(const cli_verb *first);

/* Verbs of two words with the same first one; in the list they stand together. */
typedef struct verb_family {
  const char *name, *summary;
} verb_family;

/* NULL: there is none. */
const verb_family *verb_family_named(const char *word);
const verb_family *verb_family_of(const cli_verb *verb);
/* The second word of a verb of the family, or NULL. */
const char *verb_within(const cli_verb *verb, const verb_family *f);

/* The verb that the words begin with, or NULL; *used is how many of them name it. */
const cli_verb *verb_find(int count, char *const *words, int *used);

#endif
