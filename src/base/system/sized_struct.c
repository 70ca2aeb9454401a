#include "sized_struct.h"

#include <string.h>

#include "settings_members.h"
#include "status.h"

enum { THREADS_MOST = 1024 };

static size_t smaller(size_t a, size_t b) {
  return a < b ? a : b;
}

void sfmi_struct_init(void *out, size_t size, const void *defaults, size_t known) {
  if (size < sizeof size) return;
  memset(out, 0, size);
  memcpy(out, defaults, smaller(size, known));
  memcpy(out, &size, sizeof size);
}

static sfm_status copy_struct(void *out, size_t known, const void *given, size_t least,
                              const char *type, sfm_error *error) {
  size_t size;
  if (!given) return sfmi_fail(error, SFM_INVALID, "there is no %s: the pointer is NULL", type);
  memcpy(&size, given, sizeof size);
  if (size < least)
    return sfmi_fail(
        error, SFM_INVALID,
        "%s.size is %zu, and no version has fewer than %zu bytes: make the struct with "
        "%s_default()",
        type, size, least, type);
  if (size > known)
    return sfmi_fail(error, SFM_INVALID,
                     "%s.size is %zu, and sfumato %s knows %zu bytes of it: the program was "
                     "compiled for a newer version; install that, or compile it again",
                     type, size, SFMI_VERSION, known);
  memcpy(out, given, size);
  memcpy(out, &known, sizeof known);
  return SFM_OK;
}

sfm_status sfmi_struct_take(void *out, size_t known, const void *given, size_t least,
                            const char *type, sfm_error *error) {
  const sfm_status status = copy_struct(out, known, given, least, type, error);
  return status ? status : sfmi_settings_check_members(out, type, error);
}

sfm_status sfmi_settings_take(void *out, size_t known, const void *given, size_t least, bool schema,
                              const char *type, sfm_error *error) {
  const sfm_status status = copy_struct(out, known, given, least, type, error);
  if (status) return status;
  const sfm_context *context = &((const sfmi_settings_head *)out)->context;
  for (size_t i = 0; i < sizeof context->reserved / sizeof *context->reserved; i++)
    if (context->reserved[i])
      return sfmi_fail(error, SFM_INVALID,
                       "%s.context.reserved is not NULL: make the context with "
                       "sfm_context_default()",
                       type);
  if (context->threads > THREADS_MOST)
    return sfmi_fail(error, SFM_INVALID, "context.threads is at most %d, not %u", THREADS_MOST,
                     context->threads);
  if (schema && !context->schema)
    return sfmi_fail(error, SFM_INVALID,
                     "%s.context.schema is NULL: make one with sfm_schema_create() or "
                     "sfm_schema_load()",
                     type);
  return sfmi_settings_check_members(out, type, error);
}

sfm_context sfm_context_default(void) {
  return (sfm_context){.confidence = 0.95};
}
