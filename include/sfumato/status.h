/* status.h - how every sfumato function reports success or failure, and the rules for all public
 * headers.
 *
 * Order of arguments: the object, then outputs, then inputs, then scalars, and the error object
 * last.  A length follows its array.  Inputs are borrowed and const.  Outputs through `**out` are
 * NULL on failure.  `destroy(NULL)` does nothing.
 *
 * The library never prints, never exits and keeps no mutable globals.  A message says what is wrong
 * and what to do about it.  It never contains a value derived from private rows. */
#ifndef SFUMATO_STATUS_H
#define SFUMATO_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#define SFM_API __attribute__((visibility("default")))
#define SFM_MUST_CHECK __attribute__((warn_unused_result))

typedef enum sfm_status {
  SFM_OK = 0,
  SFM_INVALID,  /* a public argument, option, header or schema is wrong */
  SFM_FORMAT,   /* a file that should be public and well-formed is not */
  SFM_IO,       /* the operating system could not read or write */
  SFM_MEMORY,   /* there was not enough memory */
  SFM_REFUSED,  /* a ledger or a session refused the request */
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

/* Returns the version, "0.2.0".  Static storage. */
SFM_API const char *sfm_version(void);

/* Frees memory that a sfumato function returned as a plain pointer, for example a string. */
SFM_API void sfm_free(void *memory);

#ifdef __cplusplus
}
#endif
#endif
