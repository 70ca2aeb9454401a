/* picture_file.c - a page as a file: made in memory, then put in its place whole or not at all. */
#include "picture_file.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <ctype.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sfumato/files.h"
#include "svg_words.h"

#ifdef __SANITIZE_ADDRESS__
/* fontconfig keeps its caches until the process ends. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
__attribute__((visibility("default"))) const char *__lsan_default_options(void);
const char *__lsan_default_suppressions(void) {
  return "leak:libfontconfig";
}
const char *__lsan_default_options(void) {
  return "print_suppressions=0";
}
#endif

static sfm_status fail(sfm_error *error, sfm_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static sfm_status fail(sfm_error *error, sfm_status status, const char *format, ...) {
  if (error) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    error->status = status;
  }
  return status;
}

static cairo_status_t collect(void *closure, const unsigned char *data, unsigned length) {
  return draw_bytes_add(closure, data, length) ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_NO_MEMORY;
}

typedef enum format { FORMAT_SVG, FORMAT_PNG, FORMAT_PDF, FORMAT_NONE } format;

static format format_of(const char *path) {
  static const char *const endings[] = {".svg", ".png", ".pdf"};
  const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
  if (!dot || (slash && dot < slash)) return FORMAT_NONE;
  for (int k = 0; k < FORMAT_NONE; k++)
    if (strcasecmp(dot, endings[k]) == 0) return (format)k;
  return FORMAT_NONE;
}

static const double PNG_SCALE = 2; /* pixels per point */

static cairo_surface_t *surface_for(format kind, const draw_page *page, draw_bytes *out) {
  if (kind == FORMAT_SVG)
    return cairo_svg_surface_create_for_stream(collect, out, page->width, page->height);
  if (kind == FORMAT_PNG)
    return cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)(page->width * PNG_SCALE),
                                      (int)(page->height * PNG_SCALE));
  cairo_surface_t *pdf =
      cairo_pdf_surface_create_for_stream(collect, out, page->width, page->height);
  cairo_pdf_surface_set_metadata(pdf, CAIRO_PDF_METADATA_TITLE, page->title);
  cairo_pdf_surface_set_metadata(pdf, CAIRO_PDF_METADATA_SUBJECT, page->captions.text[0]);
  cairo_pdf_surface_set_metadata(pdf, CAIRO_PDF_METADATA_CREATE_DATE, "");
  return pdf;
}

static cairo_status_t render(const draw_picture_source *source, format kind, draw_bytes *out,
                             draw_svg_words *words) {
  cairo_surface_t *scratch = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
  cairo_t *cr = cairo_create(scratch);
  source->layout(source->content, cr);
  cairo_status_t status = cairo_status(cr);
  cairo_destroy(cr);
  cairo_surface_destroy(scratch);
  if (status) return status;

  cairo_surface_t *surface = surface_for(kind, source->page, out);
  cr = cairo_create(surface);
  if (kind == FORMAT_PNG) cairo_scale(cr, PNG_SCALE, PNG_SCALE);
  if (kind == FORMAT_SVG) draw_svg_words_attach(cr, words);
  source->show(source->content, cr);
  status = words->failed ? CAIRO_STATUS_NO_MEMORY : cairo_status(cr);
  cairo_destroy(cr);
  if (!status && kind == FORMAT_PNG)
    status = cairo_surface_write_to_png_stream(surface, collect, out);
  cairo_surface_finish(surface);
  if (!status) status = cairo_surface_status(surface);
  cairo_surface_destroy(surface);
  return status;
}

static bool append_element(draw_bytes *out, const char *name, const char *text) {
  char tag[32];
  snprintf(tag, sizeof tag, "<%s>", name);
  bool good = draw_bytes_add(out, tag, strlen(tag)) && draw_bytes_add_text(out, text);
  snprintf(tag, sizeof tag, "</%s>\n", name);
  return good && draw_bytes_add(out, tag, strlen(tag));
}

enum { IDS_MAX = 1024 };
typedef struct identifier {
  unsigned long number;
  char kind; /* the first letter: clip, image, surface */
} identifier;

/* If s begins an identifier such as surface12 (before a quote or a parenthesis), its letters'
 * length and its number. */
static bool numbered(const char *s, size_t *letters, unsigned long *number, size_t *length) {
  *letters = 0;
  while (isalpha((unsigned char)s[*letters])) ++*letters;
  if (*letters == 0 || !isdigit((unsigned char)s[*letters])) return false;
  char *end;
  *number = strtoul(s + *letters, &end, 10);
  *length = (size_t)(end - s);
  return *end == '"' || *end == ')';
}

/* cairo numbers surfaces through the life of the process; here they count from 1 in each file. */
static bool number_ids(draw_bytes *out, const char *s) {
  identifier ids[IDS_MAX];
  size_t known = 0;
  bool good = true;
  while (good && *s) {
    size_t plain = strcspn(s, "\"#"), letters, length;
    unsigned long number;
    plain += s[plain] != 0;
    good = draw_bytes_add(out, s, plain);
    s += plain;
    if (!good || !numbered(s, &letters, &number, &length)) continue;
    size_t k = 0;
    while (k < known && (ids[k].number != number || ids[k].kind != *s)) k++;
    if (k == IDS_MAX) continue;
    if (k == known) ids[known++] = (identifier){number, *s};
    char written[24];
    snprintf(written, sizeof written, "%zu", k + 1);
    good = draw_bytes_add(out, s, letters) && draw_bytes_add(out, written, strlen(written));
    s += length;
  }
  return good;
}

static bool add(draw_bytes *out, const char *markup) {
  return draw_bytes_add(out, markup, strlen(markup));
}

/* What cairo drew, with the page's title and caption at its head and its words at its end, over all
 * else.  Verdana is as wide as DejaVu Sans, for which the words were placed. */
static bool settle_svg(const draw_page *page, draw_bytes *svg, const draw_svg_words *words) {
  draw_bytes out = {0};
  bool good = draw_bytes_add(svg, "", 1);
  char *head = good ? strstr((char *)svg->bytes, "<svg") : NULL;
  char *rest = head ? strchr(head, '>') : NULL, *end = rest ? strstr(rest, "</svg>") : NULL;
  good = end != NULL;
  if (good) {
    *end = 0;
    good = draw_bytes_add(&out, svg->bytes, (size_t)(rest + 1 - (char *)svg->bytes)) &&
           add(&out, "\n") && append_element(&out, "title", page->title) &&
           append_element(&out, "desc", page->captions.text[0]) && number_ids(&out, rest + 1) &&
           add(&out, "<g font-family=\"'DejaVu Sans', Verdana, sans-serif\">\n") &&
           draw_bytes_add(&out, words->elements.bytes, words->elements.length) &&
           add(&out, "</g>\n</svg>\n");
  }
  free(svg->bytes);
  *svg = out;
  return good;
}

/* No signal that ends programs comes in between, so that nothing half-written stays. */
static sfm_status put(const char *path, const draw_bytes *data, sfm_error *error) {
  sigset_t ending, before;
  sfm_output *out;
  sigemptyset(&ending);
  sigaddset(&ending, SIGINT);
  sigaddset(&ending, SIGTERM);
  sigaddset(&ending, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &ending, &before);
  sfm_status status = sfm_output_begin(&out, path, error);
  if (!status) {
    fwrite(data->bytes, 1, data->length, sfm_output_stream(out));
    status = sfm_output_commit(out, error);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (status && error) error->status = SFM_IO;
  return status ? SFM_IO : SFM_OK;
}

sfm_status draw_picture(const draw_picture_source *source, const char *fault, const char *path,
                        sfm_error *error) {
  format kind = format_of(path);
  if (kind == FORMAT_NONE)
    return fail(error, SFM_INVALID,
                "cannot tell what kind of picture %s should be: end its name in .svg, .png or .pdf",
                path);
  if (fault) return fail(error, SFM_INVALID, "cannot draw %s: %s", path, fault);
  draw_bytes data = {0};
  sfm_status status = SFM_OK;
  draw_svg_words words = {0};
  cairo_status_t drawn =
      source->content ? render(source, kind, &data, &words) : CAIRO_STATUS_NO_MEMORY;
  if (!drawn && kind == FORMAT_SVG && !settle_svg(source->page, &data, &words))
    drawn = CAIRO_STATUS_NO_MEMORY;
  free(words.elements.bytes);
  if (drawn == CAIRO_STATUS_NO_MEMORY)
    status = fail(error, SFM_MEMORY, "not enough memory to draw %s", path);
  else if (drawn)
    status = fail(error, SFM_INTERNAL, "cannot draw %s: %s", path, cairo_status_to_string(drawn));
  else
    status = put(path, &data, error);
  free(data.bytes);
  return status;
}

/* A figure and the page that it is drawn on. */
typedef struct framed {
  draw_page page;
  const draw_figure *figure;
} framed;

static void layout_figure(void *content, cairo_t *cr) {
  framed *f = content;
  draw_page_layout(&f->page, f->figure, cr);
}

static void show_figure(void *content, cairo_t *cr) {
  framed *f = content;
  draw_page_show(&f->page, f->figure, cr);
}

sfm_status draw_file(const draw_figure *figure, const char *path, sfm_error *error) {
  framed f = {.figure = figure};
  const draw_picture_source source = {&f, &f.page, layout_figure, show_figure};
  return draw_picture(&source, draw_figure_fault(figure), path, error);
}
