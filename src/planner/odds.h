/* odds.h - where a squared error lies 19 times in 20, as far as its mean and variance tell. */
#ifndef SFMI_ODDS_H
#define SFMI_ODDS_H

/* Predictions themselves are off by no more than this part. */
#define SFMI_ODDS_FLOOR 0.02

/* The error is fixed + W, W >= 0 of that mean and variance: W is taken to be of the gamma
 * distribution, which it is for a sum of squares of as large normal errors, and near otherwise. */
void sfmi_odds(double *low, double *high, double fixed, double mean, double variance);

#endif
