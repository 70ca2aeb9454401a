#include "shape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/c_locale.h"
#include "base/system/status.h"

/* Points of a pilot's grid along every axis, by the number of axes. */
static const size_t PILOT_GRID[SFMI_PILOT_DIMENSIONS] = {2049, 257, 65};

void sfm_shape_destroy(sfm_shape *shape) {
  if (!shape) return;
  free(shape->pilot.values);
  free(shape);
}

/* ---- words ---- */

static sfm_status bad_word(sfm_error *error, const char *word, size_t length) {
  return sfmi_fail(error, SFM_INVALID,
                   "\"%.*s\" is not a shape: write uniform, normal:MEAN:DEVIATION as in "
                   "normal:40:12, several joined by + in equal parts, or @FILE, a release",
                   (int)(length < 80 ? length : 80), word);
}

/* A finite number that ends where the word does or at a colon. */
static bool take_number(double *out, const char **at, const char *end) {
  char *stop;
  if (*at >= end || !strchr("+-.0123456789", **at)) return false;
  *out = sfmi_strtod(*at, &stop);
  if (stop == *at || stop > end || !isfinite(*out)) return false;
  *at = stop;
  return true;
}

static sfm_status parse_part(sfmi_shape_part *out, const char *word, size_t length,
                             sfm_error *error) {
  static const char NORMAL[] = "normal:";
  const char *at = word + sizeof NORMAL - 1, *end = word + length;
  *out = (sfmi_shape_part){0};
  if (length == 7 && strncmp(word, "uniform", 7) == 0) return SFM_OK;
  if (length < sizeof NORMAL || strncmp(word, NORMAL, sizeof NORMAL - 1) != 0)
    return bad_word(error, word, length);
  if (!take_number(&out->mean, &at, end) || at >= end || *at++ != ':' ||
      !take_number(&out->deviation, &at, end) || at != end)
    return bad_word(error, word, length);
  if (!(out->deviation > 0))
    return sfmi_fail(error, SFM_INVALID,
                     "the deviation of the shape \"%.*s\" must be positive, in the column's unit",
                     (int)(length < 80 ? length : 80), word);
  return SFM_OK;
}

/* The end of a part: a plus that is not in a number. */
static size_t part_length(const char *text, size_t length) {
  for (size_t i = 1; i < length; i++)
    if (text[i] == '+' && text[i - 1] != 'e' && text[i - 1] != 'E' && text[i - 1] != ':') return i;
  return length;
}

static sfm_status parse_column(sfmi_shape_column *out, const char *text, size_t length,
                               sfm_error *error) {
  *out = (sfmi_shape_column){0};
  for (size_t at = 0; at <= length;) {
    if (out->count == SFMI_SHAPE_PARTS_MAX)
      return sfmi_fail(error, SFM_INVALID, "a shape has at most %d parts per column",
                       SFMI_SHAPE_PARTS_MAX);
    const size_t size = part_length(text + at, length - at);
    sfm_status status = parse_part(&out->parts[out->count++], text + at, size, error);
    if (status) return status;
    at += size + 1;
  }
  return SFM_OK;
}

static sfm_status parse_columns(sfm_shape *shape, const char *text, sfm_error *error) {
  size_t count = 0;
  for (const char *at = text;; at++) {
    const size_t length = strcspn(at, ",");
    if (count == shape->dimension)
      return sfmi_fail(
          error, SFM_INVALID,
          "the shape has words for more than %zu column%s: write one per column, or one for all",
          shape->dimension, shape->dimension > 1 ? "s" : "");
    sfm_status status = parse_column(&shape->columns[count++], at, length, error);
    if (status) return status;
    at += length;
    if (!*at) break;
  }
  if (count != 1 && count != shape->dimension)
    return sfmi_fail(
        error, SFM_INVALID,
        "the shape has words for %zu columns of %zu: write one per column, or one for all", count,
        shape->dimension);
  for (; count < shape->dimension; count++) shape->columns[count] = shape->columns[0];
  return SFM_OK;
}

static sfm_status read_pilot(sfm_shape **out, const char *path, size_t dimension,
                             sfm_error *error) {
  sfm_release *release = NULL;
  sfm_status status = sfm_release_read(&release, path, error);
  if (!status && sfm_release_dimension(release) != dimension)
    status = sfmi_fail(error, SFM_INVALID,
                       "%s is a release of %zu variables, and the shape is wanted for %zu", path,
                       sfm_release_dimension(release), dimension);
  if (!status) status = sfm_shape_from_release(out, release, error);
  sfm_release_destroy(release);
  return status;
}

sfm_status sfm_shape_parse(sfm_shape **out, const char *text, size_t dimension, sfm_error *error) {
  *out = NULL;
  if (dimension < 1 || dimension > SFM_MAX_DIMENSION)
    return sfmi_fail(error, SFM_INVALID, "a shape has 1 to %d columns, not %zu", SFM_MAX_DIMENSION,
                     dimension);
  if (text[0] == '@') return read_pilot(out, text + 1, dimension, error);
  sfm_shape *shape = sfmi_alloc(1, sizeof *shape);
  if (!shape) return sfmi_fail_memory(error);
  shape->dimension = dimension;
  sfm_status status = parse_columns(shape, text, error);
  if (!status)
    *out = shape;
  else
    sfm_shape_destroy(shape);
  return status;
}

/* ---- releases ---- */

static sfm_status check_pilot(const sfm_release *release, sfm_error *error) {
  if (sfm_release_kind(release) != SFM_KIND_DENSITY)
    return sfmi_fail(error, SFM_INVALID,
                     "the shape must be a released density, and this is a %s; write normal:MEAN:"
                     "DEVIATION or uniform instead",
                     sfm_kind_name(sfm_release_kind(release)));
  if (sfm_release_group_count(release) > 1)
    return sfmi_fail(error, SFM_INVALID,
                     "the shape must be one density, and this release has one for each of %zu "
                     "groups; write one of them with sfm_release_group",
                     sfm_release_group_count(release));
  if (sfm_release_dimension(release) > SFMI_PILOT_DIMENSIONS)
    return sfmi_fail(error, SFM_INVALID,
                     "a release can be the shape of up to %d columns, not of %zu; write one word "
                     "per column instead, such as normal:40:12",
                     SFMI_PILOT_DIMENSIONS, sfm_release_dimension(release));
  if (sfm_release_too_few(release))
    return sfmi_fail(error, SFM_INVALID,
                     "this release has too few records to divide by, so it cannot be a shape");
  return SFM_OK;
}

sfm_status sfm_shape_from_release(sfm_shape **out, const sfm_release *release, sfm_error *error) {
  sfm_evaluator *evaluator = NULL;
  *out = NULL;
  sfm_status status = check_pilot(release, error);
  if (status) return status;
  sfm_shape *shape = sfmi_alloc(1, sizeof *shape);
  if (!shape) return sfmi_fail_memory(error);
  sfmi_pilot *p = &shape->pilot;
  shape->released = true;
  shape->dimension = sfm_release_dimension(release);
  p->length = 1;
  for (size_t a = 0; a < shape->dimension; a++) {
    p->counts[a] = PILOT_GRID[shape->dimension - 1];
    p->length *= p->counts[a];
    sfm_release_bounds(release, &p->lower[a], &p->upper[a], a);
  }
  p->values = sfmi_alloc(p->length, sizeof *p->values);
  status =
      p->values ? sfm_evaluator_create(&evaluator, release, 0, error) : sfmi_fail_memory(error);
  if (!status) status = sfm_evaluator_grid(evaluator, p->values, p->counts, error);
  sfm_evaluator_destroy(evaluator);
  double largest = 0;
  for (size_t i = 0; !status && i < p->length; i++) {
    p->values[i] = p->values[i] > 0 && isfinite(p->values[i]) ? p->values[i] : 0;
    largest = fmax(largest, p->values[i]);
  }
  if (!status && !(largest > 0))
    status =
        sfmi_fail(error, SFM_INVALID, "this release is nowhere positive, so it cannot be a shape");
  if (!status)
    *out = shape;
  else
    sfm_shape_destroy(shape);
  return status;
}

/* FNV-1a: it tells shapes apart, and hides nothing. */
static const uint64_t HASH_START = 14695981039346656037u;

static uint64_t hash_on(uint64_t hash, const double *numbers, size_t count) {
  const unsigned char *bytes = (const unsigned char *)numbers;
  for (size_t i = 0; i < count * sizeof *numbers; i++) hash = (hash ^ bytes[i]) * 1099511628211u;
  return hash;
}

char *sfmi_shape_text(const sfm_shape *shape) {
  char *text = NULL;
  size_t size;
  FILE *stream = open_memstream(&text, &size);
  if (!stream) return NULL;
  if (shape->released) {
    const sfmi_pilot *p = &shape->pilot;
    uint64_t hash = hash_on(HASH_START, p->values, p->length);
    hash = hash_on(hash_on(hash, p->lower, shape->dimension), p->upper, shape->dimension);
    sfmi_fprintf(stream, "release:%016llx", (unsigned long long)hash);
  }
  for (size_t a = 0; !shape->released && a < shape->dimension; a++)
    for (size_t i = 0; i < shape->columns[a].count; i++) {
      const sfmi_shape_part *p = &shape->columns[a].parts[i];
      fputs(i ? "+" : a ? "," : "", stream);
      if (p->deviation > 0)
        sfmi_fprintf(stream, "normal:%.17g:%.17g", p->mean, p->deviation);
      else
        fputs("uniform", stream);
    }
  return fclose(stream) == 0 ? text : NULL;
}
