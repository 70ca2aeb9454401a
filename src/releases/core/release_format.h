/* release_format.h - the .sfm file, version 1 (docs/format.md, docs/release.schema.json). */
#ifndef SFMI_RELEASE_FORMAT_H
#define SFMI_RELEASE_FORMAT_H

#define SFMI_FORMAT_NAME "sfumato-release"
#define SFMI_FORMAT_VERSION 1

/* Integers of this size and beyond are written as strings: not every reader of JSON keeps them. */
#define SFMI_FORMAT_STRING_FROM 9007199254740992 /* 2^53 */

#endif
