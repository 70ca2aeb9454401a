/* field_words.h - the library's messages in the words of the command: it names the fields of its
 * structs and its functions, the command has options and verbs.
 *
 *   settings.delta = 1e-6                       --delta 1e-6
 *   schema.neighbours                           --neighbours
 *   settings.kernel = gaussian, bandwidth = 2   --kernel gaussian:2
 *   sfm_optimal_design                          `sfumato optimal` */
#ifndef CLI_FIELD_WORDS_H
#define CLI_FIELD_WORDS_H

#include "options.h"

/* Rewrites message; what does not fit is cut.  A field is the option of the verb, or else of any of
 * the other verbs, a list ended by NULL.  One that no verb has stays as it is. */
void field_words(char *out, size_t size, const char *message, const cli_verb *verb,
                 const cli_verb *const *verbs);

#endif
