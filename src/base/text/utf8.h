/* utf8.h - whether bytes are UTF-8, as names in JSON must be. */
#ifndef SFMI_UTF8_H
#define SFMI_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* The length of the UTF-8 sequence at text (1 to 4), or 0 when it is not one. */
size_t sfmi_utf8_length(const char *text);
/* Whether all of a string is. */
bool sfmi_utf8_valid(const char *text);

#endif
