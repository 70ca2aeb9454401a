#include "candidate_kinds.h"

#include "density_settings.h"

bool sfmi_candidate_kind_hardened(sfmi_candidate_kind kind) {
  return kind <= SFMI_CANDIDATE_FOURIER;
}

bool sfmi_candidate_kind_lattice(sfmi_candidate_kind kind) {
  return kind == SFMI_CANDIDATE_LAPLACE || kind == SFMI_CANDIDATE_NORMAL;
}

bool sfmi_candidate_kind_reflects(sfmi_candidate_kind kind) {
  return sfmi_candidate_kind_lattice(kind) || kind == SFMI_CANDIDATE_SPECTRAL;
}

bool sfmi_candidate_kind_frequencies(sfmi_candidate_kind kind) {
  return kind == SFMI_CANDIDATE_FOURIER || kind == SFMI_CANDIDATE_BODY ||
         kind == SFMI_CANDIDATE_HULL;
}

bool sfmi_candidate_kind_normal(sfmi_candidate_kind kind) {
  return kind != SFMI_CANDIDATE_LAPLACE && !sfmi_candidate_kind_frequencies(kind);
}

sfm_density_method sfmi_candidate_kind_method(sfmi_candidate_kind kind) {
  static const sfm_density_method methods[] = {
      SFM_DENSITY_LATTICE, SFM_DENSITY_LATTICE,         SFM_DENSITY_GP,
      SFM_DENSITY_GP,      SFM_DENSITY_FOURIER_LAPLACE, SFM_DENSITY_GP,
      SFM_DENSITY_SOBOLEV, SFM_DENSITY_CARATHEODORY,    SFM_DENSITY_CARATHEODORY};
  return methods[kind];
}

/* The engine that gp stands for. */
static sfmi_candidate_kind gp_kind(const sfm_density_settings *settings) {
  sfm_density_settings gp = *settings;
  gp.method = SFM_DENSITY_GP;
  return sfmi_density_settings_random(&gp)   ? SFMI_CANDIDATE_RANDOM
         : sfmi_density_settings_placed(&gp) ? SFMI_CANDIDATE_PLACED
                                             : SFMI_CANDIDATE_SPECTRAL;
}

bool sfmi_candidate_kind_asked(const sfm_density_settings *settings, sfmi_candidate_kind kind) {
  const sfm_density_method method = sfmi_candidate_kind_method(kind), asked = settings->method;
  if (method == SFM_DENSITY_GP && kind != gp_kind(settings)) return false;
  if (asked == SFM_DENSITY_AUTO) return true;
  if (asked == SFM_DENSITY_CARATHEODORY && method == asked)
    return (kind == SFMI_CANDIDATE_HULL) == (settings->body == SFM_DENSITY_BODY_HULL);
  return method == asked;
}

static bool reflects(const sfmi_design_density *design) {
  for (size_t a = 0; a < design->dimension; a++)
    if (design->boundary[a] == SFM_BOUNDARY_REFLECT) return true;
  return false;
}

static const char *why_not_lattice(const sfm_density_settings *s, sfmi_candidate_kind kind) {
  if (kind == SFMI_CANDIDATE_LAPLACE && s->noise == SFM_DENSITY_NOISE_NORMAL)
    return "normal noise was asked for";
  if (kind == SFMI_CANDIDATE_NORMAL && s->noise == SFM_DENSITY_NOISE_LAPLACE)
    return "laplace noise was asked for";
  return s->dimension > SFMI_LATTICE_DIMENSIONS ? "is for up to 12 columns" : NULL;
}

static const char *why_not_frequencies(const sfmi_design_density *design,
                                       const sfm_density_settings *s, sfmi_candidate_kind kind) {
  if (kind != SFMI_CANDIDATE_FOURIER && s->dimension > 1) return "is for one column";
  if (s->dimension > SFMI_LATTICE_DIMENSIONS) return "is for up to 12 columns";
  if (design->neighbours != SFM_NEIGHBOURS_REPLACE) return "takes the number of records as public";
  if (reflects(design)) return "does not reflect";
  return s->noise != SFM_DENSITY_NOISE_AUTO ? "has a noise of its own" : NULL;
}

/* The boundaries that gp cannot have, and sobolev. */
static const char *why_not_boundary(const sfm_density_settings *settings,
                                    sfmi_candidate_kind kind) {
  sfm_density_settings s = *settings;
  s.method = sfmi_candidate_kind_method(kind);
  if (sfmi_density_settings_process_fits(&s)) return NULL;
  return kind == SFMI_CANDIDATE_SPECTRAL ? "is not periodic" : "has no boundaries but open ones";
}

/* gp and sobolev. */
static const char *why_not_process(const sfmi_design_density *design, const sfm_density_settings *s,
                                   sfmi_candidate_kind kind) {
  const bool places = s->release_points || s->release_grid[0];
  const char *boundary = why_not_boundary(s, kind);
  if (boundary) return boundary;
  if (s->noise == SFM_DENSITY_NOISE_LAPLACE) return "has normal noise";
  if (kind != SFMI_CANDIDATE_PLACED && kind != SFMI_CANDIDATE_SOBOLEV) return NULL;
  if (design->neighbours != SFM_NEIGHBOURS_REPLACE) return "takes the number of records as public";
  if (s->dimension > 3 && !places) return "has no usual grid in more than three columns";
  return s->dimension > SFMI_KERNEL_SUM_DIMENSIONS ? "is for up to 8 columns" : NULL;
}

const char *sfmi_candidate_kind_absent(const sfmi_design_density *design,
                                       const sfm_density_settings *settings,
                                       sfmi_candidate_kind kind) {
  if (!sfmi_candidate_kind_lattice(kind) && settings->by_count) return "has no groups";
  if (sfmi_candidate_kind_normal(kind) && !(settings->delta > 0))
    return "normal noise needs a delta";
  if (sfmi_candidate_kind_lattice(kind)) return why_not_lattice(settings, kind);
  return sfmi_candidate_kind_frequencies(kind) ? why_not_frequencies(design, settings, kind)
                                               : why_not_process(design, settings, kind);
}
