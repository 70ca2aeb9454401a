#include "answers.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM_FIRST = 1024 };

void sfmi_answers_init(sfmi_answers *answers, size_t dimension) {
  *answers = (sfmi_answers){.dimension = dimension};
}

void sfmi_answers_clear(sfmi_answers *answers) {
  free(answers->points);
  free(answers->values);
  free(answers->slots);
  sfmi_answers_init(answers, answers->dimension);
}

/* The finaliser of splitmix64, over all coordinates. */
static uint64_t hash_point(const double *point, size_t dimension) {
  uint64_t z = UINT64_C(0x9e3779b97f4a7c15);
  for (size_t a = 0; a < dimension; a++) {
    uint64_t bits;
    memcpy(&bits, &point[a], sizeof bits);
    z += bits;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
  }
  return z;
}

/* The slot where a point stands, or the free one where it would. */
static size_t slot_of(const sfmi_answers *answers, const double *point) {
  const size_t d = answers->dimension, mask = answers->slot_count - 1;
  size_t slot = (size_t)hash_point(point, d) & mask;
  while (answers->slots[slot] &&
         memcmp(answers->points + (answers->slots[slot] - 1) * d, point, d * sizeof *point) != 0)
    slot = (slot + 1) & mask;
  return slot;
}

size_t sfmi_answers_find(const sfmi_answers *answers, const double *point) {
  if (answers->count == 0) return SFMI_ANSWER_NONE;
  const size_t found = answers->slots[slot_of(answers, point)];
  return found ? found - 1 : SFMI_ANSWER_NONE;
}

/* Twice the room; slots are filled anew, in order. */
static sfm_status grow(sfmi_answers *answers, sfm_error *error) {
  const size_t room = answers->room ? 2 * answers->room : ROOM_FIRST;
  double *points = reallocarray(answers->points, room, answers->dimension * sizeof *points);
  if (points) answers->points = points;
  double *values = reallocarray(answers->values, room, sizeof *values);
  if (values) answers->values = values;
  size_t *slots = sfmi_alloc(2 * room, sizeof *slots);
  if (!points || !values || !slots) {
    free(slots);
    return sfmi_fail_memory(error);
  }
  free(answers->slots);
  answers->slots = slots;
  answers->slot_count = 2 * room;
  answers->room = room;
  for (size_t i = 0; i < answers->count; i++)
    slots[slot_of(answers, answers->points + i * answers->dimension)] = i + 1;
  return SFM_OK;
}

sfm_status sfmi_answers_add(sfmi_answers *answers, const double *point, double value,
                            sfm_error *error) {
  const size_t d = answers->dimension;
  sfm_status status = answers->count == answers->room ? grow(answers, error) : SFM_OK;
  if (status) return status;
  const size_t i = answers->count;
  answers->slots[slot_of(answers, point)] = i + 1;
  memcpy(answers->points + i * d, point, d * sizeof *point);
  answers->values[i] = value;
  answers->count++;
  return SFM_OK;
}

/* From the last one back: a slot that was taken later was never stepped over by an earlier one. */
void sfmi_answers_truncate(sfmi_answers *answers, size_t count) {
  while (answers->count > count) {
    const double *point = answers->points + (answers->count - 1) * answers->dimension;
    answers->slots[slot_of(answers, point)] = 0;
    answers->count--;
  }
}
