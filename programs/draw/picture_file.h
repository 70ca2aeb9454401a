/* picture_file.h - pictures as svg, png and pdf files. */
#ifndef DRAW_PICTURE_FILE_H
#define DRAW_PICTURE_FILE_H

#include "page.h"

/* A picture: something laid out on one cairo_t and shown on another. */
typedef struct draw_picture_source {
  void *content;
  const draw_page *page; /* its size, title and captions, once laid out */
  void (*layout)(void *content, cairo_t *cr);
  void (*show)(void *content, cairo_t *cr);
} draw_picture_source;
/* The file, as draw_file says.  fault: what is wrong with the content; NULL: nothing.  Without
 * content there was no memory for it. */
sfm_status draw_picture(const draw_picture_source *source, const char *fault, const char *path,
                        sfm_error *error);

#endif
