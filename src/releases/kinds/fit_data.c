#include "fit_data.h"

enum { SHAPES = 3 };

const char *sfmi_fit_name(sfmi_fit_shape shape) {
  static const char *const names[SHAPES] = {"values", "isotropic", "kernel"};
  return (unsigned)shape < SHAPES ? names[shape] : NULL;
}

/* The numbers, by their keys. */
typedef struct member {
  const char *key;
  size_t offset;
} member;

static const member members[] = {
    {"radius", offsetof(sfmi_fit, radius)},
    {"ridge", offsetof(sfmi_fit, ridge)},
    {"rms", offsetof(sfmi_fit, rms)},
    {"choosing", offsetof(sfmi_fit, choosing)},
    {"watching", offsetof(sfmi_fit, watching)},
    {"comparing", offsetof(sfmi_fit, comparing)},
    {"answering", offsetof(sfmi_fit, answering)},
    {"threshold", offsetof(sfmi_fit, threshold)},
};
enum { MEMBERS = sizeof members / sizeof members[0] };

json_t *sfmi_fit_json(const sfmi_fit *fit) {
  json_t *object = json_pack("{s:s, s:I, s:I}", "shape", sfmi_fit_name(fit->shape), "answers",
                             (json_int_t)fit->answers, "rounds", (json_int_t)fit->rounds);
  for (size_t i = 0; object && i < MEMBERS; i++) {
    const double number = *(const double *)((const char *)fit + members[i].offset);
    json_object_set_new(object, members[i].key, isfinite(number) ? json_real(number) : json_null());
  }
  return object;
}

sfm_status sfmi_fit_read(const sfmi_parse_context *at, sfmi_fit *fit, const json_t *root) {
  const json_t *object = json_object_get(root, "fit");
  const char *words[SHAPES];
  unsigned shape = 0;
  *fit = sfmi_fit_none();
  if (!json_is_object(object)) return sfmi_parse_wrong(at, "fit", "an object");
  for (unsigned i = 0; i < SHAPES; i++) words[i] = sfmi_fit_name((sfmi_fit_shape)i);
  sfm_status status = sfmi_parse_word(at, &shape, object, "shape", words, SHAPES);
  if (status) return status;
  fit->shape = (sfmi_fit_shape)shape;
  status = sfmi_parse_count(at, &fit->answers, object, "answers", INT64_MAX);
  if (!status) status = sfmi_parse_count(at, &fit->rounds, object, "rounds", INT64_MAX);
  if (status) return status;
  for (size_t i = 0; i < MEMBERS; i++) {
    double *number = (double *)((char *)fit + members[i].offset);
    status = sfmi_parse_width(at, number, object, members[i].key);
    if (status) return status;
    if (!isfinite(*number)) *number = NAN;
  }
  return SFM_OK;
}
