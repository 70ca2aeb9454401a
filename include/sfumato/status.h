/* status.h - how every sfumato function reports success or failure, and the rules for all public
 * headers.
 *
 * Order of arguments: the object, then outputs, then inputs, then scalars, and the error object
 * last.  A length follows its array.  Inputs are borrowed and const.  Outputs through `**out` are
 * NULL on failure.  `destroy(NULL)` does nothing.  A pointer must not be NULL unless its comment
 * says that it may be.  Settings, their enumerations and their lists are checked.
 *
 * Settings begin with their size, so that they can grow: a program that was compiled with an older
 * header hands in a shorter struct, and the members that it does not know have their defaults.
 * Make settings with their `_default()`, which sets the size.  Structs without a size never change
 * within one version of the shared library (its soname).
 *
 * Threads: functions without an object can be called from any thread.  A release, an evaluator, a
 * query, a plan, a shape and a schema that is complete can be used by several threads at once.
 * Rows, samplers, ledgers and sessions belong to one thread at a time; several threads open their
 * own.
 *
 * The library never prints, never exits and keeps no mutable globals.  A message says what is wrong
 * and what to do about it.  It never contains a value derived from private rows. */
#ifndef SFUMATO_STATUS_H
#define SFUMATO_STATUS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SFM_API __attribute__((visibility("default")))
#define SFM_MUST_CHECK __attribute__((warn_unused_result))
/* Defines TYPE_default(), which returns the defaults of TYPE as TYPE_init sets them. */
#define SFM_DEFAULT(type)                                                                          \
  static inline type type##_default(void) {                                                        \
    type settings;                                                                                 \
    type##_init(&settings, sizeof settings);                                                       \
    return settings;                                                                               \
  }

typedef enum sfm_status {
  SFM_OK = 0,
  SFM_INVALID,  /* a public argument, option, header or schema is wrong */
  SFM_FORMAT,   /* a file that should be public and well-formed is not */
  SFM_IO,       /* the operating system could not read or write */
  SFM_MEMORY,   /* there was not enough memory */
  SFM_REFUSED,  /* a ledger or a session refused the request */
  SFM_STOPPED,  /* the caller's progress function stopped the run (sfumato/context.h) */
  SFM_INTERNAL, /* a self-test failed; nothing was released */
} sfm_status;

/* The size of a message, including its NUL. */
#define SFM_MESSAGE_MAX 1024

/* Set by a function that fails; not changed by a function that succeeds.  May be NULL everywhere.
 */
typedef struct sfm_error {
  sfm_status status;
  char message[SFM_MESSAGE_MAX];
} sfm_error;

/* Returns the exit code of the command for a status: 0 for success, 2 for misuse, 3 for a refusal,
 * otherwise 1. */
SFM_API int sfm_status_exit_code(sfm_status status);

/* The version of these headers. */
#define SFM_VERSION_MAJOR 0
#define SFM_VERSION_MINOR 2
#define SFM_VERSION_PATCH 0
/* Whether these headers are of this version or a later one, for #if. */
#define SFM_VERSION_AT_LEAST(major, minor, patch)                                                  \
  (SFM_VERSION_MAJOR > (major) ||                                                                  \
   (SFM_VERSION_MAJOR == (major) &&                                                                \
    (SFM_VERSION_MINOR > (minor) ||                                                                \
     (SFM_VERSION_MINOR == (minor) && SFM_VERSION_PATCH >= (patch)))))

/* Returns the version of the library that is linked, "0.2.0".  Static storage. */
SFM_API const char *sfm_version(void);
/* Whether the library that is linked is of this version or a later one. */
SFM_API bool sfm_version_at_least(int major, int minor, int patch);

/* Frees memory that a sfumato function returned as a plain pointer, for example a string. */
SFM_API void sfm_free(void *memory);

#ifdef __cplusplus
}
#endif
#endif
