/* status.h - how every sfumato function reports success or failure.
 *
 * Argument order, in all public headers: the object, then outputs, then inputs, then scalars, the
 * error object last; a length follows its array.  Inputs are borrowed and const.  Outputs through
 * `**out` are NULL on failure.  `destroy(NULL)` does nothing.
 *
 * The library never prints, never exits and keeps no mutable globals.  A message says what was
 * wrong and what to do about it, and never holds a value derived from private rows. */
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
  SFM_IO,       /* the operating system refused to read or write */
  SFM_MEMORY,   /* memory could not be had */
  SFM_REFUSED,  /* the ledger said no */
  SFM_INTERNAL, /* a self-test failed: nothing was released */
} sfm_status;

#define SFM_MESSAGE_MAX 1024

/* Filled in by a function that fails; untouched by one that succeeds.  May be NULL everywhere. */
typedef struct sfm_error {
  sfm_status status;
  char message[SFM_MESSAGE_MAX];
} sfm_error;

/* The exit code of the command for a status: 0, 2 for misuse, 3 for a refusal, 1 otherwise. */
SFM_API int sfm_status_exit_code(sfm_status status);

/* "0.2.0".  Static storage. */
SFM_API const char *sfm_version(void);

/* Frees memory that a sfumato function handed out as a plain pointer (strings, mostly). */
SFM_API void sfm_free(void *memory);

#ifdef __cplusplus
}
#endif
#endif
