/* ledger_forgery.h - attacks by somebody who owns the file of a ledger: putting back old copies,
 * editing rows with and without recomputing the hashes, cutting and flipping bytes; and then asking
 * for more answers. */
#ifndef TESTS_LEDGER_LEDGER_FORGERY_H
#define TESTS_LEDGER_LEDGER_FORGERY_H

#include <stddef.h>

#include "ledger_scenario.h"

/* Keeps the ledger, the anchor and what was shown under a name; and puts them back. */
enum { FORGE_LEDGER = 1, FORGE_ANCHOR = 2, FORGE_SHOWN = 4, FORGE_ALL = 7 };
void forge_keep(const scenario *w, const char *name);
void forge_restore(const scenario *w, const char *name, int what);

/* Runs SQL on the ledger's file; false when SQLite says no. */
bool forge_sql(const scenario *w, const char *sql);

/* Numbers of the file: "SELECT count(*) FROM entry". */
int64_t forge_number(const scenario *w, const char *sql);

/* Computes all hashes anew, as the ledger would have: written from the description in hash_chain.c,
 * not with its code. */
void forge_rechain(const scenario *w);

/* Opens the file without the request index being what its text says: answers are not in it. */
void forge_hide_answers(const scenario *w);

/* The whole file. */
unsigned char *forge_read(const char *path, size_t *length);
void forge_write(const char *path, const unsigned char *bytes, size_t length);

/* What came of an attempt, as an exit code. */
enum { FORGE_OPENED = 1, FORGE_VERIFIED = 2 };

/* For a child: opens the ledger, repeats r1 to r3, makes new requests until one fails, lists and
 * verifies.  What it gets it shows.  context: the scenario; returns the above. */
int forge_exploit(void *context);

/* Runs it in a child, and fails the test if that crashed, or if outsiders were shown what they
 * may not see.  Returns the above. */
int forge_try(const scenario *w, const char *what);

#endif
