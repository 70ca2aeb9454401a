/* function.c - the mean of private curves, released with differential privacy.
 *
 * Each person has a smooth curve on [0, 1], a combination of kernels whose norm in the kernel's
 * space is at most TAU.  Replacing one person's curve moves the mean of N curves by at most 2
 * TAU/N.
 *
 *   cc -std=c17 function.c $(pkg-config --cflags --libs sfumato) -o function && ./function */
#include <stdio.h>
#include <string.h>

#include <sfumato/sfumato.h>

enum { N = 500 };
static const char *const COLUMNS[] = {"time"};
static const double TAU = 1, WIDTH[] = {0.15}, LOWER[] = {0}, UPPER[] = {1};

/* The private part: person i's curve is TAU times a kernel at a place of its own, of norm TAU. */
static double place_of(int person) {
  double turn = person * 0.618033988749895;
  return 0.3 + 0.4 * (turn - (int)turn);
}

static sfm_status mean_curve(void *data, double *values, const double *points, size_t count,
                             sfm_error *error) {
  const sfm_kernel *kernel = (const sfm_kernel *)data;
  (void)error;
  for (size_t i = 0; i < count; i++) {
    values[i] = 0;
    for (int person = 0; person < N; person++) {
      double place = place_of(person);
      values[i] += TAU * sfm_kernel_at(kernel, &points[i], &place) / N;
    }
  }
  return SFM_OK;
}

int main(void) {
  sfm_kernel kernel;
  sfm_function_settings settings = sfm_function_settings_default();
  sfm_release *release = NULL;
  sfm_evaluator *evaluator = NULL;
  sfm_error error;
  memset(&kernel, 0, sizeof kernel);
  kernel.family = SFM_KERNEL_MATERN52;
  kernel.dimension = 1;
  kernel.bandwidth = WIDTH;
  settings.kernel = &kernel;
  settings.sensitivity = 2 * TAU / N;
  settings.rounding = 1e-14; /* of a mean of 500 doubles below one */
  settings.values = mean_curve;
  settings.values_data = &kernel;
  settings.columns = COLUMNS;
  settings.lower = LOWER;
  settings.upper = UPPER;
  settings.grid[0] = 101;
  settings.epsilon = 1;
  settings.delta = 1e-6;
  if (sfm_function_release(&release, &settings, &error) ||
      sfm_evaluator_create(&evaluator, release, 0, &error))
    return fprintf(stderr, "%s\n", error.message), sfm_status_exit_code(error.status);
  puts(sfm_release_sentence(release));
  for (double x = 0; x <= 1; x += 0.25) {
    double value, exact;
    if (sfm_evaluator_at(evaluator, &value, &x, 1, &error) ||
        mean_curve(&kernel, &exact, &x, 1, &error))
      return fprintf(stderr, "%s\n", error.message), 1;
    printf("at %.2f: %.4f (exactly %.4f), within %.4f\n", x, value, exact,
           sfm_release_band(release).half_width);
  }
  sfm_evaluator_destroy(evaluator);
  sfm_release_destroy(release);
  return 0;
}
