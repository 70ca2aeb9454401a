/* header_names.h - names of columns in the header of a file. */
#ifndef CLI_HEADER_NAMES_H
#define CLI_HEADER_NAMES_H

/* Calls take for each name in the first line of a CSV (plain or gzip), each number of a column of
 * an NPY matrix, each column of a release of up to 4 MB.  For none where the file is none of these
 * or no regular file, and where the first line has a number in it: then it may be a record. */
void header_names(const char *path, void (*take)(void *data, const char *name), void *data);

#endif
