/* picture_words.h - --title, --subtitle and --units: words that a picture has in place of, or
 * beside, its own. */
#ifndef CLI_PICTURE_WORDS_H
#define CLI_PICTURE_WORDS_H

#include "cli/core/options.h"
#include "draw/draw.h"
#include "sfumato/release.h"

extern const cli_option option_title, option_subtitle, option_units;

/* The words of a figure, and the room for them. */
typedef struct picture_words {
  char title[512], units[2][160];
} picture_words;

/* Puts --title and --subtitle into the figure's, which point into w and the options.  That a
 * release is not private is said under any title.  A terminal has one line for both. */
void picture_words_title(picture_words *w, const char **title, const char **subtitle,
                         const cli_options *options, const sfm_release *release);
/* Puts --units into those of so many axes of numbers, beside what they say already ("periodic");
 * fails when there are more units than axes. */
SFM_MUST_CHECK sfm_status picture_words_units(picture_words *w, const char *units[2], size_t axes,
                                              const cli_options *options, sfm_error *error);

#endif
