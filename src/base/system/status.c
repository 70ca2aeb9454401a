#include "status.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "c_locale.h"

sfm_status sfmi_fail(sfm_error *error, sfm_status status, const char *format, ...) {
  if (error) {
    va_list arguments;
    va_start(arguments, format);
    sfmi_vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    error->status = status;
  }
  return status;
}

sfm_status sfmi_fail_memory(sfm_error *error) {
  return sfmi_fail(error, SFM_MEMORY, "not enough memory");
}

void *sfmi_alloc(size_t count, size_t size) {
  return calloc(count ? count : 1, size);
}

void sfmi_wipe_free(void *memory, size_t count, size_t size) {
  if (memory) explicit_bzero(memory, count * size);
  free(memory);
}

char *sfmi_copy_string(const char *text) {
  size_t length = strlen(text) + 1;
  char *copy = malloc(length);
  if (copy) memcpy(copy, text, length);
  return copy;
}

char **sfmi_copy_strings(const char *const *texts, size_t count) {
  char **copies = sfmi_alloc(count, sizeof *copies);
  bool good = copies != NULL;
  for (size_t i = 0; good && i < count; i++)
    good = (copies[i] = sfmi_copy_string(texts[i])) != NULL;
  if (good) return copies;
  sfmi_free_strings(copies, count);
  return NULL;
}

void sfmi_free_strings(char **texts, size_t count) {
  for (size_t i = 0; texts && i < count; i++) free(texts[i]);
  free(texts);
}

int sfm_status_exit_code(sfm_status status) {
  switch (status) {
  case SFM_OK:
    return 0;
  case SFM_INVALID:
  case SFM_FORMAT:
    return 2;
  case SFM_REFUSED:
    return 3;
  case SFM_IO:
  case SFM_MEMORY:
  case SFM_INTERNAL:
  case SFM_STOPPED:
    return 1;
  }
  return 1;
}

const char *sfm_version(void) {
  return SFMI_VERSION;
}

bool sfm_version_at_least(int major, int minor, int patch) {
  const int ours[] = {SFM_VERSION_MAJOR, SFM_VERSION_MINOR, SFM_VERSION_PATCH};
  const int theirs[] = {major, minor, patch};
  for (int i = 0; i < 3; i++)
    if (ours[i] != theirs[i]) return ours[i] > theirs[i];
  return true;
}

void sfm_free(void *memory) {
  free(memory);
}
