/* thesis_2_2.c - figure 2.2 of Hall's thesis: the minimax risk of a count of up to 70 records,
 * absolute loss, beside 1/epsilon.
 *
 *   thesis_2_2 FOLDER [SAMPLES]
 *
 * The thesis names no range of epsilon; here it is 0.1 to 2.  It says that the minimax risk lies
 * below 1/epsilon, that the two come closer as epsilon falls, and that "the choice n = 70 is great
 * enough that for all displayed epsilon the risk is no longer increasing with n".  The last is so
 * only down to some epsilon, where the ends of the range begin to be felt everywhere: below it the
 * risk tends to that of guessing, n/2 at the most, and leaves 1/epsilon again.  So the range is
 * found where twice as many records have the same risk to a percent, and the other two claims are
 * looked at there and elsewhere.  What the risk tends to as n grows is 1/sinh(epsilon), the risk of
 * the geometric mechanism, from below; a second picture has it.  Nothing here is random: SAMPLES is
 * not used. */
#include <math.h>

#include "draw/draw.h"
#include "mixture.h"
#include "sfumato/optimal.h"

enum { COUNT = 70, EPSILONS = 39 };
/* "No longer increasing": twice the records add less. */
static const double SETTLED = 0.01;

typedef struct point {
  double epsilon, risk, doubled; /* minimax risks of n = 70 and n = 140 */
  double repair;
} point;

static double place(size_t i) {
  return 0.1 + 0.05 * (double)i;
}

static sfm_status minimax(double *risk, double *repair, size_t n, double epsilon,
                          sfm_error *error) {
  sfm_optimal_settings settings = sfm_optimal_settings_default();
  sfm_optimal_facts facts;
  sfm_release *release;
  settings.n = n;
  settings.epsilon = round(epsilon * 100) / 100;
  sfm_status status = sfm_optimal_design(&release, &settings, error);
  if (!status) status = sfm_optimal_describe(release, &facts, error);
  sfm_release_destroy(release);
  if (status) return status;
  *risk = facts.risk;
  *repair = facts.repair_cost;
  return SFM_OK;
}

static bool settled(const point *p) {
  return p->doubled <= p->risk * (1 + SETTLED);
}

static double short_of(const point *p) {
  return 1 - p->risk * p->epsilon;
}

static sfm_status paint(draw_figure *figure, const char *folder, const char *name,
                        sfm_error *error) {
  char path[4096];
  sfm_status status = SFM_OK;
  figure->labels[0] = "\u03b5";
  figure->dimension = 1;
  figure->counts[0] = EPSILONS;
  figure->lower[0] = place(0);
  figure->upper[0] = place(EPSILONS - 1);
  for (int png = 0; png < 2 && !status; png++) {
    snprintf(path, sizeof path, "%s/%s.%s", folder, name, png ? "png" : "svg");
    status = draw_file(figure, path, error);
  }
  return status;
}

/* As the thesis has it; and both as parts of 1/epsilon, where they can be told apart. */
static sfm_status paint_both(const point *points, const char *folder, sfm_error *error) {
  double risk[EPSILONS], inverse[EPSILONS], part[EPSILONS], limit[EPSILONS];
  for (size_t i = 0; i < EPSILONS; i++) {
    const double epsilon = points[i].epsilon;
    risk[i] = log10(points[i].risk);
    inverse[i] = -log10(epsilon);
    part[i] = points[i].risk * epsilon;
    limit[i] = epsilon / sinh(epsilon);
  }
  draw_figure plain = {
      .title = "Figure 2.2: the minimax risk of a count, n = 70",
      .value_label = "risk",
      .caption = "The least risk at the worst count that any private mechanism has, absolute loss.",
      .powers = true,
      .values = risk,
      .reference = inverse,
      .names = {"minimax risk", "1/\u03b5"},
  };
  draw_figure parts = {
      .title = "Figure 2.2: the minimax risk as a part of 1/\u03b5",
      .value_label = "risk times \u03b5",
      .caption = "As n grows the risk tends to 1/sinh \u03b5 from below; for small \u03b5 a count "
                 "of up to 70 is known better than that before anything is asked.",
      .values = part,
      .reference = limit,
      .names = {"n = 70", "as n grows"},
  };
  sfm_status status = paint(&plain, folder, "figure-2.2", error);
  return status ? status : paint(&parts, folder, "figure-2.2-part", error);
}

static bool write_points(const point *points, const char *folder) {
  FILE *file = mixture_create(folder, "2.2", ".csv");
  if (!file) return false;
  fprintf(file, "epsilon,minimax,one_over_epsilon,one_over_sinh,minimax_140\n");
  for (size_t i = 0; i < EPSILONS; i++)
    fprintf(file, "%.2f,%.9f,%.9f,%.9f,%.9f\n", points[i].epsilon, points[i].risk,
            1 / points[i].epsilon, 1 / sinh(points[i].epsilon), points[i].doubled);
  return fclose(file) == 0;
}

/* The claims where n is great enough, epsilons of which begin at `from`. */
static void print_verdict(const point *points, size_t from) {
  bool below = true, closer = from < EPSILONS, limit = true;
  for (size_t i = 0; i < EPSILONS; i++) {
    below = below && points[i].risk * points[i].epsilon < 1;
    limit = limit && points[i].risk * sinh(points[i].epsilon) < 1 + 1e-9;
    if (i > from) closer = closer && short_of(&points[i - 1]) < short_of(&points[i]);
  }
  printf("claim \"the minimax risk lies underneath\" 1/epsilon: %s, and under 1/sinh(epsilon) too: "
         "%s\n",
         below ? "held" : "did not hold", limit ? "so it is" : "not so");
  printf("claim \"as alpha decreases towards zero the two curves are brought closer together\": %s "
         "from epsilon %.2f on, where n = 70 is great enough; below, from %.1f %% apart at %.2f to "
         "%.1f %% at %.2f, they part again\n",
         closer ? "held" : "did not hold", points[from].epsilon, 100 * short_of(&points[from]),
         points[from].epsilon, 100 * short_of(&points[0]), points[0].epsilon);
  if (below && closer)
    printf("figure 2.2: the claims held, from epsilon %.2f on\n", points[from].epsilon);
  else
    printf("figure 2.2: the claims did NOT hold\n");
}

int main(int count, char **words) {
  static point points[EPSILONS];
  const char *folder;
  size_t samples, from = EPSILONS;
  sfm_error error;
  double repair, worst = 0;
  if (!mixture_arguments(&folder, &samples, count, words, 2)) return 2;
  sfm_status status = SFM_OK;
  for (size_t i = 0; i < EPSILONS && !status; i++) {
    points[i].epsilon = place(i);
    status = minimax(&points[i].risk, &repair, COUNT, place(i), &error);
    worst = fmax(worst, repair);
    if (!status) status = minimax(&points[i].doubled, &repair, 2 * COUNT, place(i), &error);
  }
  if (!status) status = paint_both(points, folder, &error);
  if (status) {
    fprintf(stderr, "thesis_2_2: %s\n", error.message);
    return 1;
  }
  if (!write_points(points, folder)) return 1;
  for (size_t i = EPSILONS; i-- > 0 && settled(&points[i]);) from = i;
  printf(
      "figure 2.2 of the thesis: n = %d, absolute loss, %d epsilons from %.1f to %.1f; exactness "
      "costs at most %.0e of the risk\n",
      COUNT, EPSILONS, place(0), place(EPSILONS - 1), worst);
  printf("  epsilon      %10s %10s %10s %12s\n", "minimax", "1/epsilon", "1/sinh", "n = 140");
  for (size_t i = 0; i < EPSILONS; i += i < 8 ? 2 : 10)
    printf("  %-12.2f %10.6f %10.6f %10.6f %12.6f\n", points[i].epsilon, points[i].risk,
           1 / points[i].epsilon, 1 / sinh(points[i].epsilon), points[i].doubled);
  printf("claim \"n = 70 is great enough that the risk is no longer increasing with n\": held from "
         "epsilon %.2f on, where 140 records add less than a percent\n",
         from < EPSILONS ? points[from].epsilon : INFINITY);
  print_verdict(points, from < EPSILONS ? from : EPSILONS - 1);
  return 0;
}
