/* sized_struct.h - public structs that can grow.  The first member is the size that the caller's
 * header gave them.
 *
 * A shorter struct is one of an older header: the rest has its defaults.  A longer one is of a
 * newer header: it is refused, because nobody knows here what its other members ask for. */
#ifndef SFMI_SIZED_STRUCT_H
#define SFMI_SIZED_STRUCT_H

#include "sfumato/context.h"

/* What all settings with a context begin with. */
typedef struct sfmi_settings_head {
  size_t size;
  sfm_context context;
} sfmi_settings_head;

/* Sets the `size` bytes at out to the defaults, a struct of `known` bytes; members that are not
 * known here are zero. */
void sfmi_struct_init(void *out, size_t size, const void *defaults, size_t known);

/* Copies what the caller gave into out, which has its defaults and `known` bytes.  least: the bytes
 * of the first version that had a size. */
SFM_MUST_CHECK sfm_status sfmi_struct_take(void *out, size_t known, const void *given, size_t least,
                                           const char *type, sfm_error *error);

/* The same for settings, whose second member is a context: it is one that sfm_context_default made,
 * and has a schema where that is needed. */
SFM_MUST_CHECK sfm_status sfmi_settings_take(void *out, size_t known, const void *given,
                                             size_t least, bool schema, const char *type,
                                             sfm_error *error);

/* The bytes of a struct in version 0.2.0, the first with sizes: all of it, until it grows.  Then
 * they are offsetof(type, its first new member). */
#define SFMI_LEAST(type) sizeof(type)

/* A whole copy of what a caller gave: settings with a context and its schema, with a context that
 * may have none, and without a context. */
#define SFMI_TAKE(type, out, given, error)                                                         \
  (type##_init((out), sizeof *(out)),                                                              \
   sfmi_settings_take((out), sizeof *(out), (given), SFMI_LEAST(type), true, #type, (error)))
#define SFMI_TAKE_SCHEMALESS(type, out, given, error)                                              \
  (type##_init((out), sizeof *(out)),                                                              \
   sfmi_settings_take((out), sizeof *(out), (given), SFMI_LEAST(type), false, #type, (error)))
#define SFMI_TAKE_PLAIN(type, out, given, error)                                                   \
  (type##_init((out), sizeof *(out)),                                                              \
   sfmi_struct_take((out), sizeof *(out), (given), SFMI_LEAST(type), #type, (error)))

#endif
