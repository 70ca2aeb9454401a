#include "batch_codec.h"

#include <stdlib.h>
#include <string.h>

#include "mechanisms/sessions/session_identity.h"

/* The threshold as two words; the nonce comes behind it. */
static void set_latents(uint64_t latents[SFMI_BATCH_CODEC_LATENTS],
                        const sfmi_interact_position *s) {
  latents[0] = s->questions;
  latents[1] = s->released;
  memcpy(latents + 2, &s->threshold, sizeof s->threshold);
}

static sfmi_interact_position position_of(const uint64_t latents[SFMI_BATCH_CODEC_LATENTS]) {
  sfmi_interact_position s = {.questions = latents[0], .released = latents[1]};
  memcpy(&s.threshold, latents + 2, sizeof s.threshold);
  return s;
}

static uint64_t word_of(double number) {
  uint64_t word;
  memcpy(&word, &number, sizeof word);
  return word;
}

static size_t count_words(const sfmi_private_model *private_model, size_t first, size_t last) {
  const uint32_t *indices;
  const double *u;
  size_t nonzeros, words = 0;
  for (size_t i = first; i < last; i++) {
    (void)sfmi_private_model_released(private_model, &indices, &u, &nonzeros, i);
    words += 1 + 2 * nonzeros;
  }
  return words;
}

sfm_status sfmi_batch_codec_pack(sfmi_batch_codec *l, sfmi_store_batch *batch,
                                 const sfmi_private_model *private_model, size_t first,
                                 sfm_error *error) {
  const sfmi_interact_position position = sfmi_private_model_position(private_model);
  const size_t last = position.released, words = count_words(private_model, first, last);
  *l = (sfmi_batch_codec){.words = sfmi_alloc(words, sizeof *l->words),
                          .answers = sfmi_alloc(last - first, sizeof *l->answers)};
  if (!l->words || !l->answers) return sfmi_fail_memory(error);
  uint64_t *at = l->words;
  for (size_t i = first; i < last; i++) {
    const uint32_t *indices;
    const double *u;
    size_t nonzeros;
    l->answers[i - first] = sfmi_private_model_released(private_model, &indices, &u, &nonzeros, i);
    *at++ = nonzeros;
    for (size_t k = 0; k < nonzeros; k++) *at++ = indices[k];
    for (size_t k = 0; k < nonzeros; k++) *at++ = word_of(u[k]);
  }
  set_latents(l->latents, &position);
  *batch = (sfmi_store_batch){.points = {l->words, words * sizeof *l->words},
                              .answers = {l->answers, (last - first) * sizeof *l->answers},
                              .latents = {l->latents, sizeof l->latents}};
  return sfmi_session_nonce(l->latents + SFMI_BATCH_CODEC_LATENTS - SFMI_BATCH_CODEC_NONCE,
                            SFMI_BATCH_CODEC_NONCE, error);
}

void sfmi_batch_codec_clear(sfmi_batch_codec *l) {
  free(l->words);
  free(l->answers);
  explicit_bzero(l, sizeof *l);
}

static sfm_status fail_written(sfm_error *error) {
  return sfmi_fail(error, SFM_FORMAT, "its answers are not what was written");
}

/* One value, from the words at *at, of which there are *left. */
static sfm_status recall(sfmi_private_model *private_model, int64_t answer, const uint64_t **at,
                         size_t *left, sfm_error *error) {
  if (*left < 1) return fail_written(error);
  const uint64_t nonzeros = *(*at)++;
  (*left)--;
  if (nonzeros > *left / 2) return fail_written(error);
  uint32_t *indices = sfmi_alloc(nonzeros + 1, sizeof *indices);
  double *u = sfmi_alloc(nonzeros + 1, sizeof *u);
  sfm_status status = indices && u ? SFM_OK : sfmi_fail_memory(error);
  for (size_t k = 0; !status && k < nonzeros; k++) {
    if ((*at)[k] > UINT32_MAX) status = fail_written(error);
    indices[k] = (uint32_t)(*at)[k];
  }
  if (!status) {
    memcpy(u, *at + nonzeros, nonzeros * sizeof *u);
    status = sfmi_private_model_replay(private_model, answer, indices, u, nonzeros, error);
  }
  *at += 2 * nonzeros;
  *left -= 2 * nonzeros;
  free(indices);
  free(u);
  return status;
}

sfm_status sfmi_batch_codec_unpack(sfmi_private_model *private_model, const sfmi_store_batch *batch,
                                   sfm_error *error) {
  const sfmi_interact_position before = sfmi_private_model_position(private_model);
  const uint64_t *at = batch->points.at;
  const int64_t *answers = batch->answers.at;
  size_t left = batch->points.size / sizeof *at, count = batch->answers.size / sizeof *answers;
  uint64_t latents[SFMI_BATCH_CODEC_LATENTS];
  if (batch->latents.size != sizeof latents || batch->points.size % sizeof *at ||
      batch->answers.size % sizeof *answers)
    return fail_written(error);
  memcpy(latents, batch->latents.at, sizeof latents);
  sfm_status status = SFM_OK;
  for (size_t i = 0; !status && i < count; i++)
    status = recall(private_model, answers[i], &at, &left, error);
  if (!status && left) status = fail_written(error);
  const sfmi_interact_position after = position_of(latents);
  if (!status) status = sfmi_private_model_resume(private_model, &after, error);
  if (status) sfmi_private_model_rollback(private_model, &before);
  explicit_bzero(latents, sizeof latents);
  return status;
}
