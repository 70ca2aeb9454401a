/* thesis_2_1.c - figure 2.1 of Hall's thesis: the risk body of a count of one record, absolute
 * loss.
 *
 *   thesis_2_1 FOLDER [SAMPLES]
 *
 * A mechanism for n = 1 has a risk when the count is 0 and one when it is 1; all private mechanisms
 * together make a convex body of such pairs.  The thesis draws it for epsilon 0.05, 0.5, 1 and 5
 * and says that it becomes larger with epsilon and that its lower left edge are the Bayes rules.
 *
 * Here its corners are found by the program itself: in many directions w the mechanism that
 * minimises w0 risk0 + w1 risk1 over all private ones, which takes losses of one's own (for w < 0
 * the loss is 1 less what it was).  By hand they are (0, 1), (v, v), (1, 0) and (1 - v, 1 - v) with
 * v = 1/(1 + e^epsilon), and the area is tanh(epsilon/2).  Nothing here is random: SAMPLES is not
 * used. */
#include <math.h>

#include "draw/draw.h"
#include "mixture.h"
#include "sfumato/optimal.h"

enum { GRID = 1001, PANELS = 4, DIRECTIONS = 64, PRIORS = 39 };
static const double EPSILONS[PANELS] = {0.05, 0.5, 1, 5};
/* Mechanisms are exactly private, their risks near the optimum to this. */
static const double NEAR = 1e-6;

typedef struct pair {
  double x, y; /* the risk when the count is 0, and when it is 1 */
} pair;

typedef struct body {
  pair corners[DIRECTIONS]; /* counterclockwise, from the lowest on the left */
  size_t count;
  double area;
} body;

/* The risks of a mechanism for n = 1: the chance of the other answer. */
static sfm_status risks_of(pair *out, const sfm_release *release, sfm_error *error) {
  double law[2];
  sfm_status status = sfm_optimal_law(release, law, 0, error);
  out->x = law[1];
  if (!status) status = sfm_optimal_law(release, law, 1, error);
  out->y = law[0];
  return status;
}

/* The mechanism that is best in a direction. */
static sfm_status furthest(pair *out, double epsilon, double w0, double w1, sfm_error *error) {
  const double losses[] = {fmax(-w0, 0), fmax(w0, 0), fmax(w1, 0), fmax(-w1, 0)};
  sfm_optimal_settings settings = sfm_optimal_settings_default();
  sfm_release *release;
  settings.n = 1;
  settings.epsilon = epsilon;
  settings.loss = SFM_OPTIMAL_LOSS_OWN;
  settings.losses = losses;
  settings.objective = SFM_OPTIMAL_OBJECTIVE_BAYES;
  sfm_status status = sfm_optimal_design(&release, &settings, error);
  if (!status) status = risks_of(out, release, error);
  sfm_release_destroy(release);
  return status;
}

/* Directions turn once round: so do the corners. */
static sfm_status find_body(body *b, double epsilon, sfm_error *error) {
  *b = (body){0};
  for (size_t d = 0; d < DIRECTIONS; d++) {
    /* An eighth of a turn is among them: the corner there has few other directions. */
    const double angle = 2 * M_PI * (double)d / DIRECTIONS;
    pair at;
    sfm_status status = furthest(&at, epsilon, cos(angle), sin(angle), error);
    if (status) return status;
    const pair *last = b->count ? &b->corners[b->count - 1] : NULL;
    if (last && hypot(at.x - last->x, at.y - last->y) < NEAR) continue;
    b->corners[b->count++] = at;
  }
  const pair *first = b->corners, *last = &b->corners[b->count - 1];
  if (b->count > 1 && hypot(first->x - last->x, first->y - last->y) < NEAR) b->count--;
  for (size_t c = 0; c < b->count; c++) {
    const pair p = b->corners[c], q = b->corners[(c + 1) % b->count];
    b->area += (p.x * q.y - q.x * p.y) / 2;
  }
  b->area = fabs(b->area);
  return SFM_OK;
}

/* The least and the largest y of the body at x. */
static void cut(const body *b, double x, double *low, double *high) {
  *low = INFINITY;
  *high = -INFINITY;
  for (size_t c = 0; c < b->count; c++) {
    const pair p = b->corners[c], q = b->corners[(c + 1) % b->count];
    const double left = fmin(p.x, q.x), right = fmax(p.x, q.x);
    if (x < left - NEAR || x > right + NEAR) continue;
    const double t = right - left < NEAR ? 0 : fmin(fmax((x - p.x) / (q.x - p.x), 0), 1);
    *low = fmin(*low, p.y + t * (q.y - p.y));
    *high = fmax(*high, p.y + t * (q.y - p.y));
  }
}

static double place(size_t i) {
  return (double)i / (GRID - 1);
}

/* How far the corners are from those by hand. */
static double off_by_hand(const body *b, double epsilon) {
  const double v = 1 / (1 + exp(epsilon));
  const pair hand[] = {{0, 1}, {v, v}, {1, 0}, {1 - v, 1 - v}};
  double worst = b->count == 4 ? 0 : 1;
  for (size_t h = 0; h < 4; h++) {
    double nearest = INFINITY;
    for (size_t c = 0; c < b->count; c++)
      nearest = fmin(nearest, hypot(b->corners[c].x - hand[h].x, b->corners[c].y - hand[h].y));
    worst = fmax(worst, nearest);
  }
  return worst;
}

/* How far Bayes rules of many priors are above the lower left edge. */
static sfm_status off_the_edge(double *worst, const body *b, double epsilon, sfm_error *error) {
  *worst = 0;
  for (int p = 1; p <= PRIORS; p++) {
    const double prior[] = {p / (PRIORS + 1.0), 1 - p / (PRIORS + 1.0)};
    sfm_optimal_settings settings = sfm_optimal_settings_default();
    sfm_release *release;
    pair at = {0, 0};
    double low, high;
    settings.n = 1;
    settings.epsilon = epsilon;
    settings.objective = SFM_OPTIMAL_OBJECTIVE_BAYES;
    settings.prior = prior;
    sfm_status status = sfm_optimal_design(&release, &settings, error);
    if (!status) status = risks_of(&at, release, error);
    sfm_release_destroy(release);
    if (status) return status;
    cut(b, at.x, &low, &high);
    *worst = fmax(*worst, fabs(at.y - low));
  }
  return SFM_OK;
}

/* ---- what is written ---- */

static sfm_status paint_panel(const body *b, double epsilon, const char *folder, sfm_error *error) {
  double low[GRID], high[GRID];
  char title[128], path[4096];
  for (size_t i = 0; i < GRID; i++) cut(b, place(i), &low[i], &high[i]);
  snprintf(title, sizeof title, "Figure 2.1: the risk body, n = 1, \u03b5 = %g", epsilon);
  const draw_figure figure = {
      .title = title,
      .labels = {"risk when the count is 0"},
      .value_label = "risk when it is 1",
      .caption = "The risks, under absolute loss, of all private mechanisms for a count of one "
                 "record: the tinted area. Its lower edge are the Bayes rules.",
      .dimension = 1,
      .counts = {GRID},
      .upper = {1},
      .values = low,
      .reference = high,
      .names = {"Bayes rules", "the worst that are private"},
      .between = "private mechanisms",
  };
  sfm_status status = SFM_OK;
  for (int png = 0; png < 2 && !status; png++) {
    snprintf(path, sizeof path, "%s/figure-2.1-%g.%s", folder, epsilon, png ? "png" : "svg");
    status = draw_file(&figure, path, error);
  }
  return status;
}

static bool write_corners(const body *bodies, const char *folder) {
  FILE *file = mixture_create(folder, "2.1", ".csv");
  if (!file) return false;
  fprintf(file, "epsilon,corner,risk_0,risk_1\n");
  for (size_t p = 0; p < PANELS; p++)
    for (size_t c = 0; c < bodies[p].count; c++)
      fprintf(file, "%g,%zu,%.9f,%.9f\n", EPSILONS[p], c + 1, bodies[p].corners[c].x,
              bodies[p].corners[c].y);
  return fclose(file) == 0;
}

/* Whether the body before lies within this one. */
static bool contains(const body *b, const body *before) {
  double low, high;
  for (size_t c = 0; c < before->count; c++) {
    cut(b, before->corners[c].x, &low, &high);
    if (before->corners[c].y < low - NEAR || before->corners[c].y > high + NEAR) return false;
  }
  return true;
}

int main(int count, char **words) {
  static body bodies[PANELS];
  const char *folder;
  size_t samples;
  sfm_error error;
  bool larger = true, edges = true, hand = true;
  if (!mixture_arguments(&folder, &samples, count, words, 2)) return 2;
  printf("figure 2.1 of the thesis: n = 1, absolute loss, corners of the body in %d directions\n",
         DIRECTIONS);
  for (size_t p = 0; p < PANELS; p++) {
    double above = 0;
    sfm_status status = find_body(&bodies[p], EPSILONS[p], &error);
    if (!status) status = off_the_edge(&above, &bodies[p], EPSILONS[p], &error);
    if (!status) status = paint_panel(&bodies[p], EPSILONS[p], folder, &error);
    if (status) {
      fprintf(stderr, "thesis_2_1: %s\n", error.message);
      return 1;
    }
    const double off = off_by_hand(&bodies[p], EPSILONS[p]);
    printf(
        "  epsilon %-5g %zu corners, %.0e from those by hand; area %.6f (tanh(epsilon/2) = %.6f); "
        "Bayes rules within %.0e of the edge\n",
        EPSILONS[p], bodies[p].count, off, bodies[p].area, tanh(EPSILONS[p] / 2), above);
    larger =
        larger &&
        (p == 0 || (bodies[p].area > bodies[p - 1].area && contains(&bodies[p], &bodies[p - 1])));
    edges = edges && above < NEAR;
    hand = hand && off < NEAR;
  }
  if (!write_corners(bodies, folder)) return 1;
  printf("claim \"the risk body becoming larger as alpha increases\": %s\n",
         larger ? "held" : "did not hold");
  printf("claim \"the lower left edge of each polygon correspond to the Bayes' rules\": %s, for %d "
         "priors each\n",
         edges ? "held" : "did not hold", PRIORS);
  printf("figure 2.1: %s\n",
         larger && edges && hand ? "the claims held" : "the claims did NOT hold");
  return 0;
}
