/* fuzz_shape.c - any words as a shape: refused with a message, or a density of integral one whose
 * draws lie within the bounds, and whose canonical words mean the same. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "planner/forecast/shape.h"
#include "planner/forecast/shape_model.h"
#include "promise.h"

enum { COLUMNS = 2, DRAWS = 4 };
static const double LOWER[COLUMNS] = {0, -3}, UPPER[COLUMNS] = {100, 3};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_shape_model(const sfm_shape *shape) {
  sfm_error error = {0};
  sfmi_shape_model *shape_model = NULL;
  sfmi_prng prng;
  double points[DRAWS * COLUMNS], values[DRAWS];
  if (sfmi_shape_model_create(&shape_model, shape, NULL, COLUMNS, LOWER, UPPER, &error)) {
    PROMISE(shape_model == NULL && error.status == SFM_INVALID && error.message[0] != '\0');
    return;
  }
  sfmi_prng_init(&prng, 1);
  sfmi_shape_model_draw(shape_model, points, DRAWS, &prng);
  sfmi_shape_model_at(shape_model, values, points, DRAWS);
  for (size_t i = 0; i < DRAWS * COLUMNS; i++)
    PROMISE(points[i] >= LOWER[i % COLUMNS] && points[i] <= UPPER[i % COLUMNS]);
  for (size_t i = 0; i < DRAWS; i++) PROMISE(values[i] >= 0 && !isnan(values[i]));
  PROMISE(sfmi_shape_model_peak(shape_model) > 0);
  sfmi_shape_model_destroy(shape_model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  sfm_error error = {0};
  sfm_shape *shape = NULL, *again = NULL;
  char *words = malloc(size + 1);
  if (!words) return 0;
  memcpy(words, data, size);
  words[size] = '\0';
  if (words[0] == '@') words[0] = 'a'; /* no files */
  if (sfm_shape_parse(&shape, words, COLUMNS, &error)) {
    PROMISE(shape == NULL && error.status == SFM_INVALID && error.message[0] != '\0');
  } else {
    char *canonical = sfmi_shape_text(shape), *second = NULL;
    PROMISE(canonical && !sfm_shape_parse(&again, canonical, COLUMNS, &error));
    second = sfmi_shape_text(again);
    PROMISE(second && strcmp(canonical, second) == 0);
    check_shape_model(shape);
    free(canonical);
    free(second);
  }
  sfm_shape_destroy(shape);
  sfm_shape_destroy(again);
  free(words);
  return 0;
}
