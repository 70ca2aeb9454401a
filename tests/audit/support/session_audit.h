/* session_audit.h - whole transcripts of a session, many times over: who asks chooses the next
 * question by the answers so far, the session is closed and opened again in between, and the attack
 * is on everything that was answered.
 *
 * What is played are the steps of a session without its file: the values of both inputs as the
 * production code makes them, and the noise of sfmi_dyadic under a fresh key, or of
 * sfmi_sequential_field with fresh normals.  session_audit_init compares them, bit for bit, with
 * seeded sessions in files. */
#ifndef TESTS_AUDIT_SESSION_AUDIT_H
#define TESTS_AUDIT_SESSION_AUDIT_H

#include "audit.h"
#include "fields/dyadic_path.h"
#include "fields/sequential_field.h"
#include "fields/gaussian_field.h"
#include "random/stream.h"
#include "test_support.h"

enum { SESSION_AUDIT_PLACES = 10, SESSION_AUDIT_ANSWERS = 2 * SESSION_AUDIT_PLACES };

/* Scores of a transcript. */
enum {
  SESSION_AUDIT_RATIO, /* log-likelihood ratio of everything answered */
  SESSION_AUDIT_AGAIN, /* the first place again, after the restart: how far its answers are apart */
  SESSION_AUDIT_PAIR,  /* the difference of answers a hair apart, where both were asked */
  SESSION_AUDIT_ENDS,  /* answers at one row less those at the other, means over all there are */
  SESSION_AUDIT_SUM,   /* of all answers */
  SESSION_AUDIT_COURSE, /* which way the questions went */
  SESSION_AUDIT_BITS,   /* the low bits of the first answer */
  SESSION_AUDIT_SCORES
};

/* What is wrong with a twin. */
typedef enum session_audit_twin {
  SESSION_AUDIT_HONEST,
  SESSION_AUDIT_REDRAWN,   /* what is opened again draws anew */
  SESSION_AUDIT_COPIED,    /* a copy of the file, made at first, answers too */
  SESSION_AUDIT_UNROUNDED, /* markov: the function where it was asked, the noise at the dyadic point
                            */
  SESSION_AUDIT_CLIPPED,   /* gram: variance below zero, by rounding, is none */
  SESSION_AUDIT_PRINTED,   /* the function left out, as printed in the thesis */
} session_audit_twin;

/* The places that may be asked; those of the first half lie about the one row, those of the second
 * about the other.  The first of each half is asked always, and `hair` are two places that are a
 * hair apart. */
typedef struct session_audit {
  session_audit_twin twin;
  sfm_kernel kernel;
  double bandwidth[SFM_MAX_DIMENSION];
  sfmi_places places;
  size_t hair[2];
  double scale, nugget;
  sfmi_i128 *integers[2], *unrounded[2]; /* where the process is, and where it was asked for */
  double values[2][SESSION_AUDIT_PLACES];
  double covariance[SESSION_AUDIT_PLACES * SESSION_AUDIT_PLACES];
  sfmi_stream *stream;
  /* The function: one of the two. */
  sfmi_dyadic *dyadic;
  unsigned char key[SFMI_STREAM_KEY_BYTES];
  sfmi_sequential_field *extension;
  double points[SESSION_AUDIT_ANSWERS * SFM_MAX_DIMENSION], normals[SESSION_AUDIT_ANSWERS];
  size_t count; /* of the extension's places */
  /* The transcript. */
  struct session_audit_answer {
    size_t place;
    int copy; /* answers of different copies are independent draws */
    double value;
  } answers[SESSION_AUDIT_ANSWERS];
  size_t answered;
  int copy;
} session_audit;

/* Where it may be asked: ten places, five about each of two rows. */
typedef enum session_audit_list {
  SESSION_AUDIT_LINE,   /* the rows first; for markov two places that are one dyadic point */
  SESSION_AUDIT_SQUARE, /* in two dimensions; some are 1e-9 apart */
  SESSION_AUDIT_SMOOTH, /* first two between which a smooth kernel is 1 in doubles */
} session_audit_list;

/* A session by markov or gram with bounds 0:8, bandwidth 1, epsilon 2 and delta 0.1, of three
 * people, one of whom moves from one end to the other.  A twin is chosen afterwards.  Not moved
 * until it is cleared. */
void session_audit_init(session_audit *p, sfm_engine engine, sfm_kernel_family kernel,
                        session_audit_list list);
void session_audit_clear(session_audit *p);

/* The answer at a place: given before, or drawn. */
double session_audit_ask(session_audit *p, int input, size_t place);
/* A new session, and the same one closed and opened again. */
void session_audit_begin(session_audit *p);
void session_audit_reopen(session_audit *p);

/* One transcript, and its scores: an audit_draw. */
void session_audit_draw(void *context, int input, double *scores);

/* Transcripts on each input; a twin's are half as many. */
size_t session_audit_transcripts(void);
audit_mechanism session_audit_mechanism(const char *name, session_audit *p);

#endif
