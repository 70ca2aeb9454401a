/* fonts.h - fonts that come with the command. */
#ifndef CLI_FONTS_H
#define CLI_FONTS_H

/* Where ../share/sfumato/fonts.conf lies beside the command, as tools/binary puts it, pictures are
 * drawn with the fonts that it names, unless FONTCONFIG_FILE names others, or somebody besides the
 * owner of the command could have written it.  Sets the environment,
 * so it is called before any thread is started. */
void fonts_find(void);

#endif
