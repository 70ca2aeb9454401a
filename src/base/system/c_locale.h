/* c_locale.h - text as the C locale has it, whatever locale the host of the library has set, for
 * its process (setlocale) or for the calling thread (uselocale): numbers with a point, the system's
 * reasons in English, letters of ASCII.  The rest of src/ calls these instead of the functions of
 * the same names in libc; tools/c-locale fails when one is left.
 *
 * Safe to call from any thread; the locale of the thread is the same before and after. */
#ifndef SFMI_C_LOCALE_H
#define SFMI_C_LOCALE_H

#include <locale.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* The C locale; never freed. */
locale_t sfmi_c_locale(void);

int sfmi_snprintf(char *out, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int sfmi_vsnprintf(char *out, size_t size, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));
/* *out is NULL when memory is short. */
int sfmi_asprintf(char **out, const char *format, ...)
    __attribute__((format(printf, 2, 3), warn_unused_result));
int sfmi_fprintf(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

double sfmi_strtod(const char *text, char **end);
int sfmi_strcasecmp(const char *a, const char *b);
/* Until the next call in the same thread. */
const char *sfmi_strerror(int reason);

#endif
