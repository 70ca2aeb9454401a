/* release_kind.c - members of the file that all kinds or several have. */
#include "release_kind.h"

#include <math.h>

#define AT(field) .offset = offsetof(sfm_release, field)

static bool is_gdp(const void *release) {
  return ((const sfm_release *)release)->guarantee.kind == SFM_GUARANTEE_GDP;
}

static bool is_zcdp(const void *release) {
  return ((const sfm_release *)release)->guarantee.kind == SFM_GUARANTEE_ZCDP;
}

static bool is_random(const void *release) {
  return ((const sfm_release *)release)->guarantee.kind == SFM_GUARANTEE_RANDOM_DP;
}

static bool has_person(const void *release) {
  return ((const sfm_release *)release)->person != NULL;
}

static bool is_hardened(const void *release) {
  return ((const sfm_release *)release)->hardened;
}

static bool is_summed(const void *release) {
  return ((const sfm_release *)release)->summed > 1;
}

static bool has_factor(const void *release) {
  return ((const sfm_release *)release)->factor != 1;
}

static bool has_range(const void *release) {
  return isfinite(((const sfm_release *)release)->range);
}

const sfmi_member sfmi_guarantee_members[] = {
    {"kind", SFMI_MEMBER_WORD, AT(guarantee.kind), .words = SFM_ENUMERATION_GUARANTEE_KIND},
    {"epsilon", SFMI_MEMBER_NUMBER, AT(guarantee.epsilon), .sign = SFMI_NOT_NEGATIVE},
    {"delta", SFMI_MEMBER_NUMBER, AT(guarantee.delta), .most = 1},
    {"mu", SFMI_MEMBER_NUMBER, AT(guarantee.mu), .sign = SFMI_NOT_NEGATIVE, .there = is_gdp,
     .null = true},
    {"rho", SFMI_MEMBER_NUMBER, AT(guarantee.rho), .sign = SFMI_NOT_NEGATIVE, .there = is_zcdp,
     .null = true},
    {"gamma", SFMI_MEMBER_NUMBER, AT(guarantee.gamma), .most = 1, .there = is_random},
    {"neighbours", SFMI_MEMBER_WORD, AT(neighbours), .words = SFM_ENUMERATION_NEIGHBOURS},
    {"contributions", SFMI_MEMBER_UNSIGNED, AT(contributions), .sign = SFMI_POSITIVE, .most = 1e6},
    {"contributions_enforced", SFMI_MEMBER_BOOL, AT(enforced)},
    {"person", SFMI_MEMBER_TEXT, AT(person), .there = has_person, .optional = true},
    {0}};

const sfmi_member sfmi_noise_members[] = {
    {"law", SFMI_MEMBER_WORD, AT(law), .words = SFM_ENUMERATION_NOISE_LAW},
    {"scale", SFMI_MEMBER_WIDTH, AT(scale)},
    {"step", SFMI_MEMBER_NUMBER, AT(step), .there = is_hardened, .null = true},
    {"sensitivity", SFMI_MEMBER_NUMBER, AT(sensitivity), .sign = SFMI_NOT_NEGATIVE},
    {"summed", SFMI_MEMBER_COUNT, AT(summed), .sign = SFMI_POSITIVE, .most = 0x1p53,
     .there = is_summed, .optional = true},
    {"factor", SFMI_MEMBER_NUMBER, AT(factor), .sign = SFMI_POSITIVE, .there = has_factor,
     .optional = true},
    {"range", SFMI_MEMBER_NUMBER, AT(range), .sign = SFMI_POSITIVE, .there = has_range,
     .optional = true},
    {0}};

const sfmi_member sfmi_band_members[] = {
    {"confidence", SFMI_MEMBER_NUMBER, .offset = offsetof(sfm_band, confidence)},
    {"half_width", SFMI_MEMBER_WIDTH, .offset = offsetof(sfm_band, half_width)},
    {"pointwise", SFMI_MEMBER_WIDTH, .offset = offsetof(sfm_band, pointwise)},
    {"systematic", SFMI_MEMBER_WIDTH, .offset = offsetof(sfm_band, systematic)},
    {0}};

const sfmi_member sfmi_outside_member[] = {
    {"outside", SFMI_MEMBER_WORD, AT(outside), .words = SFM_ENUMERATION_OUTSIDE}, {0}};

void sfmi_release_set_rows(json_t *object, const sfm_release *release) {
  if (release->has_rows)
    json_object_set_new(object, "rows", json_integer((json_int_t)release->rows));
}

sfm_status sfmi_release_read_rows(const sfmi_parse_context *at, sfm_release *release,
                                  const json_t *root) {
  release->has_rows = json_object_get(root, "rows") != NULL;
  return release->has_rows ? sfmi_parse_count(at, &release->rows, root, "rows", INT64_MAX) : SFM_OK;
}

bool sfmi_release_set_domain(json_t *object, const sfm_release *release) {
  json_t *domain = json_array();
  bool good = true;
  for (size_t a = 0; a < release->dimension; a++) {
    const double bounds[] = {release->lower[a], release->upper[a]};
    json_t *column = sfmi_json_column(release->columns[a], NULL, 0, bounds, &good);
    if (release->boundary[a] != SFM_BOUNDARY_OPEN)
      json_object_set_new(column, "boundary", json_string(sfm_boundary_name(release->boundary[a])));
    json_array_append_new(domain, column);
  }
  return json_object_set_new(object, "domain", domain) == 0 && good;
}

sfm_status sfmi_release_read_domain(const sfmi_parse_context *at, sfm_release *release,
                                    const json_t *root, size_t most) {
  const json_t *domain = json_object_get(root, "domain");
  const size_t count = json_array_size(domain);
  if (count < 1 || count > most)
    return sfmi_parse_wrong(at, "domain",
                            most == 1 ? "an array of one column" : "an array of 1 to 64 columns");
  release->dimension = count;
  sfm_status status = SFM_OK;
  for (size_t a = 0; a < count && !status; a++) {
    const json_t *column = json_array_get(domain, a);
    unsigned boundary = SFM_BOUNDARY_OPEN;
    if (!json_is_object(column)) return sfmi_parse_wrong(at, "domain", "an array of objects");
    status = sfmi_parse_text(at, &release->columns[a], column, "column");
    if (!status) status = sfmi_parse_number(at, &release->lower[a], column, "lower");
    if (!status) status = sfmi_parse_number(at, &release->upper[a], column, "upper");
    if (!status && json_object_get(column, "boundary"))
      status = sfmi_parse_value(at, &boundary, column, "boundary", SFM_ENUMERATION_BOUNDARY);
    release->boundary[a] = (sfm_boundary)boundary;
  }
  return status;
}

/* fourier-laplace and caratheodory refuse more themselves. */
static bool has_boundary(const sfm_release *release, sfm_boundary boundary) {
  if (boundary == SFM_BOUNDARY_OPEN || release->refined.done) return true;
  if (release->method == SFMI_GP && release->function->engine == SFM_ENGINE_SPECTRAL)
    return boundary == SFM_BOUNDARY_REFLECT;
  return release->method == SFMI_LATTICE || release->method == SFMI_FOURIER_LAPLACE ||
         release->method == SFMI_CARATHEODORY;
}

sfm_status sfmi_release_check(const sfm_release *release, const char *name, sfm_error *error) {
  const sfmi_release_kind *kind = release->kind;
  if ((release->length == 0 && !kind->empty) || release->length > SFMI_RELEASE_MAX)
    return sfmi_fail(error, SFM_FORMAT, "%s: between 1 and %zu coefficients are possible, not %zu",
                     name, SFMI_RELEASE_MAX, release->length);
  const bool scaled = isfinite(release->scale) || kind->scaleless;
  if (!(release->scale >= 0) || !scaled || !(release->step >= 0) || !isfinite(release->step) ||
      (release->hardened && release->step == 0))
    return sfmi_fail(error, SFM_FORMAT, "%s: noise needs a scale and a positive step", name);
  for (size_t a = 0; a < release->dimension; a++)
    if (!has_boundary(release, release->boundary[a]))
      return sfmi_fail(error, SFM_FORMAT,
                       "%s: domain[%zu] has the boundary %s, which this release by %s cannot have",
                       name, a, sfm_boundary_name(release->boundary[a]),
                       sfmi_method_name(release->method));
  return kind->check ? kind->check(release, name, error) : SFM_OK;
}
