/* player.h - whole transcripts of a session, many times over: who asks chooses the next question by
 * the answers so far, the session is closed and opened again in between, and the attack is on
 * everything that was answered.
 *
 * What is played are the steps of a session without its file: the values of both inputs as the
 * production code makes them, and the noise of sfmi_dyadic under a fresh key, or of sfmi_extension
 * with fresh normals.  player_init compares them, bit for bit, with seeded sessions in files. */
#ifndef TESTS_AUDIT_PLAYER_H
#define TESTS_AUDIT_PLAYER_H

#include "audit/audit.h"
#include "fields/dyadic.h"
#include "fields/extension.h"
#include "fields/field.h"
#include "random/stream.h"
#include "trial.h"

enum { PLAYER_PLACES = 10, PLAYER_ANSWERS = 2 * PLAYER_PLACES };

/* Scores of a transcript. */
enum {
  PLAYER_RATIO,  /* log-likelihood ratio of everything answered */
  PLAYER_AGAIN,  /* the first place again, after the restart: how far its answers are apart */
  PLAYER_PAIR,   /* the difference of answers a hair apart, where both were asked */
  PLAYER_ENDS,   /* answers at one row less those at the other, means over all there are */
  PLAYER_SUM,    /* of all answers */
  PLAYER_COURSE, /* which way the questions went */
  PLAYER_BITS,   /* the low bits of the first answer */
  PLAYER_SCORES
};

/* What is wrong with a twin. */
typedef enum player_twin {
  PLAYER_HONEST,
  PLAYER_REDRAWN,   /* what is opened again draws anew */
  PLAYER_COPIED,    /* a copy of the file, made at first, answers too */
  PLAYER_UNROUNDED, /* markov: the function where it was asked, the noise at the dyadic point */
  PLAYER_CLIPPED,   /* gram: variance below zero, by rounding, is none */
  PLAYER_PRINTED,   /* the function left out, as printed in the thesis */
} player_twin;

/* The places that may be asked; those of the first half lie about the one row, those of the second
 * about the other.  The first of each half is asked always, and `hair` are two places that are a
 * hair apart. */
typedef struct player {
  player_twin twin;
  sfm_kernel kernel;
  double bandwidth[SFM_MAX_DIMENSION];
  sfmi_places places;
  size_t hair[2];
  double scale, nugget;
  sfmi_i128 *integers[2], *unrounded[2]; /* where the process is, and where it was asked for */
  double values[2][PLAYER_PLACES];
  double covariance[PLAYER_PLACES * PLAYER_PLACES];
  sfmi_stream *stream;
  /* The function: one of the two. */
  sfmi_dyadic *dyadic;
  unsigned char key[SFMI_STREAM_KEY_BYTES];
  sfmi_extension *extension;
  double points[PLAYER_ANSWERS * SFM_MAX_DIMENSION], normals[PLAYER_ANSWERS];
  size_t count; /* of the extension's places */
  /* The transcript. */
  struct player_answer {
    size_t place;
    int copy; /* answers of different copies are independent draws */
    double value;
  } answers[PLAYER_ANSWERS];
  size_t answered;
  int copy;
} player;

/* Where it may be asked: ten places, five about each of two rows. */
typedef enum player_list {
  PLAYER_LINE,   /* the rows first; for markov two places that are one dyadic point */
  PLAYER_SQUARE, /* in two dimensions; some are 1e-9 apart */
  PLAYER_SMOOTH, /* first two between which a smooth kernel is 1 in doubles */
} player_list;

/* A session by markov or gram with bounds 0:8, bandwidth 1, epsilon 2 and delta 0.1, of three
 * people, one of whom moves from one end to the other.  A twin is chosen afterwards.  Not moved
 * until it is cleared. */
void player_init(player *p, sfm_engine engine, sfm_kernel_family kernel, player_list list);
void player_clear(player *p);

/* The answer at a place: given before, or drawn. */
double player_ask(player *p, int input, size_t place);
/* A new session, and the same one closed and opened again. */
void player_begin(player *p);
void player_reopen(player *p);

/* One transcript, and its scores: an audit_draw. */
void player_draw(void *context, int input, double *scores);

/* Transcripts on each input; a twin's are half as many. */
size_t player_transcripts(void);
audit_mechanism player_mechanism(const char *name, player *p);

#endif
