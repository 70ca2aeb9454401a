#include "read_ahead.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/arena.h"
#include "base/system/thread.h"
#include "base/system/thread_pool.h"
#include "row_layout.h"

enum { WORKERS_MAX = SFMI_THREAD_POOL_MAX - 1, PIECES_MAX = 2 * SFMI_THREAD_POOL_MAX + 2 };

/* Bytes of a batch that several may have, and of text after which a piece is not made longer. */
#define BATCH_MAX ((size_t)1 << 22)
#define TEXT_MAX ((size_t)1 << 26)

typedef enum piece_state {
  PIECE_FREE,
  PIECE_READ,  /* its text is there */
  PIECE_TAKEN, /* somebody parses it */
  PIECE_PARSED,
} piece_state;

typedef struct piece {
  piece_state state;
  char *text;
  size_t length, capacity;
  sfmi_batch batch;
} piece;

struct sfmi_read_ahead {
  sfmi_csv *csv;
  const sfmi_row_layout *layout;
  locale_t c;
  sfmi_arena arena; /* of the batches */
  piece pieces[PIECES_MAX];
  size_t piece_count;
  uint64_t read, handed;  /* pieces read so far, and handed out: piece i stands at i modulo count */
  bool lent;              /* the piece after those handed out is with the caller */
  bool ended;             /* all text was read */
  size_t wanted, started; /* workers */
  pthread_t workers[WORKERS_MAX];
  pthread_mutex_t mutex; /* of states and stopping */
  pthread_cond_t changed;
  bool stopping;
};

bool sfmi_read_ahead_fits(const sfmi_row_layout *layout) {
  return (layout->slots + layout->codes + 1) * SFMI_BATCH_ROWS * sizeof(double) <= BATCH_MAX;
}

sfm_status sfmi_read_ahead_create(sfmi_read_ahead **out, sfmi_csv *csv,
                                  const sfmi_row_layout *layout, size_t threads, sfm_error *error) {
  *out = NULL;
  sfmi_read_ahead *ahead = sfmi_alloc(1, sizeof *ahead);
  if (!ahead) return sfmi_fail_memory(error);
  ahead->csv = csv;
  ahead->layout = layout;
  ahead->c = csv->c;
  ahead->wanted = sfmi_thread_count(threads, WORKERS_MAX + 1) - 1;
  ahead->piece_count = 2 * ahead->wanted + 2;
  pthread_mutex_init(&ahead->mutex, NULL);
  pthread_cond_init(&ahead->changed, NULL);
  bool room = true;
  for (size_t i = 0; room && i < ahead->piece_count; i++)
    room = sfmi_batch_make(&ahead->pieces[i].batch, &ahead->arena, layout, SFMI_CELL_FORM_TEXT);
  if (!room) {
    sfmi_read_ahead_destroy(ahead);
    return sfmi_fail_memory(error);
  }
  *out = ahead;
  return SFM_OK;
}

void sfmi_read_ahead_destroy(sfmi_read_ahead *ahead) {
  if (!ahead) return;
  pthread_mutex_lock(&ahead->mutex);
  ahead->stopping = true;
  pthread_cond_broadcast(&ahead->changed);
  pthread_mutex_unlock(&ahead->mutex);
  for (size_t i = 0; i < ahead->started; i++) pthread_join(ahead->workers[i], NULL);
  for (size_t i = 0; i < ahead->piece_count; i++) free(ahead->pieces[i].text);
  sfmi_arena_clear(&ahead->arena);
  pthread_cond_destroy(&ahead->changed);
  pthread_mutex_destroy(&ahead->mutex);
  free(ahead);
}

/* The first piece that nobody has taken, or NULL.  With the mutex. */
static piece *find_work(sfmi_read_ahead *ahead) {
  for (uint64_t i = ahead->handed; i < ahead->read; i++) {
    piece *p = &ahead->pieces[i % ahead->piece_count];
    if (p->state == PIECE_READ) return p;
  }
  return NULL;
}

/* Parses a piece that was found; the mutex is held before and after, not meanwhile. */
static void work_on(sfmi_read_ahead *ahead, piece *p) {
  p->state = PIECE_TAKEN;
  pthread_mutex_unlock(&ahead->mutex);
  sfmi_csv_parse(&p->batch, p->text, p->length, ahead->layout, ahead->c);
  sfmi_row_layout_apply(ahead->layout, &p->batch);
  pthread_mutex_lock(&ahead->mutex);
  p->state = PIECE_PARSED;
  pthread_cond_broadcast(&ahead->changed);
}

static void *work(void *context) {
  sfmi_read_ahead *ahead = context;
  pthread_mutex_lock(&ahead->mutex);
  while (!ahead->stopping) {
    piece *p = find_work(ahead);
    if (p)
      work_on(ahead, p);
    else
      pthread_cond_wait(&ahead->changed, &ahead->mutex);
  }
  pthread_mutex_unlock(&ahead->mutex);
  return NULL;
}

static sfm_status make_room(piece *p, size_t more, sfm_error *error) {
  const size_t needed = p->length + more + SFMI_LINES_SLACK;
  if (needed <= p->capacity) return SFM_OK;
  const size_t capacity = needed < 2 * p->capacity ? 2 * p->capacity : needed;
  char *text = realloc(p->text, capacity);
  if (!text) return sfmi_fail_memory(error);
  p->text = text;
  p->capacity = capacity;
  return SFM_OK;
}

/* The text of the next piece: a batch of lines, or those that are left. */
static sfm_status read_piece(sfmi_read_ahead *ahead, piece *p, sfm_error *error) {
  sfmi_lines *lines = &ahead->csv->lines;
  sfm_status status = SFM_OK;
  size_t count = 0;
  p->length = 0;
  while (!status && count < p->batch.stride && p->length < TEXT_MAX) {
    if (lines->next == lines->whole) {
      status = sfmi_lines_refill(lines, error);
      if (status || lines->next == lines->whole) break;
    }
    size_t found;
    const char *text = lines->buffer + lines->next;
    const size_t size =
        sfmi_lines_measure(text, lines->whole - lines->next, p->batch.stride - count, &found);
    status = make_room(p, size, error);
    if (status) break;
    memcpy(p->text + p->length, text, size);
    p->length += size;
    lines->next += size;
    count += found;
  }
  if (!status && count > 0) memset(p->text + p->length, 0, SFMI_LINES_SLACK);
  if (!status && count == 0) ahead->ended = true;
  return status;
}

/* Reads text as far as there are free pieces. */
static sfm_status read_pieces(sfmi_read_ahead *ahead, sfm_error *error) {
  while (!ahead->ended && ahead->read - ahead->handed < ahead->piece_count) {
    piece *p = &ahead->pieces[ahead->read % ahead->piece_count];
    const sfm_status status = read_piece(ahead, p, error);
    if (status) return status;
    if (ahead->ended) break;
    pthread_mutex_lock(&ahead->mutex);
    p->state = PIECE_READ;
    ahead->read++;
    pthread_cond_signal(&ahead->changed);
    pthread_mutex_unlock(&ahead->mutex);
  }
  /* Two pieces or more are left when this one is handed out. */
  while (ahead->started < ahead->wanted && ahead->read - ahead->handed > ahead->started + 2 &&
         sfmi_thread_start(&ahead->workers[ahead->started], work, ahead))
    ahead->started++;
  return SFM_OK;
}

sfm_status sfmi_read_ahead_next(sfmi_read_ahead *ahead, const sfmi_batch **batch,
                                sfm_error *error) {
  *batch = NULL;
  /* The piece before was used, and is free. */
  pthread_mutex_lock(&ahead->mutex);
  if (ahead->lent) {
    ahead->pieces[ahead->handed % ahead->piece_count].state = PIECE_FREE;
    ahead->handed++;
  }
  ahead->lent = false;
  pthread_mutex_unlock(&ahead->mutex);
  const sfm_status status = read_pieces(ahead, error);
  if (status || ahead->handed == ahead->read) return status;
  piece *wanted = &ahead->pieces[ahead->handed % ahead->piece_count];
  pthread_mutex_lock(&ahead->mutex);
  while (wanted->state != PIECE_PARSED) {
    piece *p = find_work(ahead);
    if (p)
      work_on(ahead, p);
    else
      pthread_cond_wait(&ahead->changed, &ahead->mutex);
  }
  pthread_mutex_unlock(&ahead->mutex);
  ahead->lent = true;
  if (wanted->batch.failed) return sfmi_fail_memory(error);
  *batch = &wanted->batch;
  return SFM_OK;
}
