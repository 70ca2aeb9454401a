#include "c_locale.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static locale_t c_locale; /* written once */

static void find(void) {
  c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  /* Part of every libc, so that nothing is allocated. */
  if (c_locale == (locale_t)0) abort();
}

locale_t sfmi_c_locale(void) {
  pthread_once(&once, find);
  return c_locale;
}

int sfmi_vsnprintf(char *out, size_t size, const char *format, va_list arguments) {
  const locale_t before = uselocale(sfmi_c_locale());
  const int length = vsnprintf(out, size, format, arguments);
  uselocale(before);
  return length;
}

int sfmi_snprintf(char *out, size_t size, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = sfmi_vsnprintf(out, size, format, arguments);
  va_end(arguments);
  return length;
}

int sfmi_asprintf(char **out, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const locale_t before = uselocale(sfmi_c_locale());
  const int length = vasprintf(out, format, arguments);
  uselocale(before);
  va_end(arguments);
  if (length < 0) *out = NULL;
  return length;
}

int sfmi_fprintf(FILE *stream, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const locale_t before = uselocale(sfmi_c_locale());
  const int length = vfprintf(stream, format, arguments);
  uselocale(before);
  va_end(arguments);
  return length;
}

double sfmi_strtod(const char *text, char **end) {
  return strtod_l(text, end, sfmi_c_locale());
}

int sfmi_strcasecmp(const char *a, const char *b) {
  return strcasecmp_l(a, b, sfmi_c_locale());
}

const char *sfmi_strerror(int reason) {
  return strerror_l(reason, sfmi_c_locale());
}
