/* read.c - what anyone can do with a released density of one column: its guarantee, values with
 * their band, mean and quantiles with their intervals, synthetic rows.
 *
 *   read age.sfm
 *
 * Build it against an installed sfumato (docs/guides/embed.md):
 *   cc -std=c17 read.c $(pkg-config --cflags --libs sfumato) -o read */
#include <stdio.h>

#include <sfumato/sfumato.h>

static sfm_status print_query(const sfm_release *release, sfm_error *error) {
  const double shares[] = {0.25, 0.5, 0.75};
  sfm_estimate mean, quantiles[3];
  sfm_query *query = NULL;
  sfm_status status = sfm_query_create(&query, release, 0.95, error);
  if (!status) status = sfm_query_mean(query, &mean, error);
  if (!status) status = sfm_query_quantiles(query, quantiles, shares, 3, error);
  if (!status) {
    printf("mean %.2f (%.2f to %.2f)\n", mean.value, mean.lower, mean.upper);
    for (int i = 0; i < 3; i++)
      printf("quantile %g: %.2f (%.2f to %.2f)\n", shares[i], quantiles[i].value,
             quantiles[i].lower, quantiles[i].upper);
  }
  sfm_query_destroy(query);
  return status;
}

static sfm_status print_sample(const sfm_release *release, sfm_error *error) {
  double rows[5];
  sfm_sample *sample = NULL;
  sfm_status status = sfm_sample_create(&sample, release, NULL, 0, 1, error);
  if (status) return status;
  sfm_sample_draw(sample, rows, NULL, 5);
  sfm_sample_destroy(sample);
  printf("synthetic rows: %.1f %.1f %.1f %.1f %.1f\n", rows[0], rows[1], rows[2], rows[3], rows[4]);
  return SFM_OK;
}

int main(int count, char **words) {
  if (count != 2) {
    fprintf(stderr, "usage: read RELEASE\n");
    return 2;
  }
  sfm_error error;
  sfm_release *release = NULL;
  sfm_status status = sfm_release_read(&release, words[1], &error);
  if (!status) printf("%s\n", sfm_release_sentence(release));
  if (!status) status = print_query(release, &error);
  if (!status) status = print_sample(release, &error);
  if (status) fprintf(stderr, "read: %s\n", error.message);
  sfm_release_destroy(release);
  return sfm_status_exit_code(status);
}
