#include "distinct_places.h"

#include <stdlib.h>

typedef struct item {
  const double *point;
  size_t dimension;
} item;

/* By coordinates, then by where it stands in the list. */
static int compare(const void *left, const void *right) {
  const item *a = left, *b = right;
  for (size_t k = 0; k < a->dimension; k++)
    if (a->point[k] != b->point[k]) return a->point[k] < b->point[k] ? -1 : 1;
  return a->point < b->point ? -1 : a->point > b->point;
}

static bool same(const item *a, const item *b) {
  for (size_t k = 0; k < a->dimension; k++)
    if (a->point[k] != b->point[k]) return false;
  return true;
}

/* of[i] := the first place that is place i, from the sorted items. */
static void find_first(size_t *of, const item *items, const sfmi_places *places) {
  size_t first = 0;
  for (size_t k = 0; k < places->count; k++) {
    const size_t i = (size_t)(items[k].point - places->points) / places->dimension;
    if (k == 0 || !same(&items[k], &items[k - 1])) first = i;
    of[i] = first;
  }
}

sfm_status sfmi_distinct_init(sfmi_distinct *distinct, const sfmi_places *places,
                              sfm_error *error) {
  *distinct = (sfmi_distinct){.count = places->count};
  if (!places->points) return SFM_OK; /* no place of a grid occurs twice */
  item *items = sfmi_alloc(places->count, sizeof *items);
  distinct->first = sfmi_alloc(places->count, sizeof *distinct->first);
  distinct->of = sfmi_alloc(places->count, sizeof *distinct->of);
  if (!items || !distinct->first || !distinct->of) {
    free(items);
    sfmi_distinct_clear(distinct);
    return sfmi_fail_memory(error);
  }
  for (size_t i = 0; i < places->count; i++)
    items[i] = (item){places->points + i * places->dimension, places->dimension};
  qsort(items, places->count, sizeof *items, compare);
  find_first(distinct->of, items, places);
  distinct->count = 0;
  for (size_t i = 0; i < places->count;
       i++) { /* the first of equal places has its number by then */
    if (distinct->of[i] == i) {
      distinct->first[distinct->count] = i;
      distinct->of[i] = distinct->count++;
    } else {
      distinct->of[i] = distinct->of[distinct->of[i]];
    }
  }
  free(items);
  return SFM_OK;
}

void sfmi_distinct_clear(sfmi_distinct *distinct) {
  free(distinct->first);
  free(distinct->of);
  *distinct = (sfmi_distinct){0};
}

void sfmi_distinct_at(const sfmi_distinct *distinct, const sfmi_places *places, size_t k,
                      double *point) {
  sfmi_places_at(places, distinct->first ? distinct->first[k] : k, point);
}

void sfmi_distinct_spread(const sfmi_distinct *distinct, double *path, const double *values,
                          size_t count) {
  for (size_t i = 0; i < count; i++) path[i] = values[distinct->of ? distinct->of[i] : i];
}
