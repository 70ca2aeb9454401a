/* loglog.h - one plot of a report on paper, and its legend. */
#ifndef DRAW_LOGLOG_H
#define DRAW_LOGLOG_H

#include "loglog_curves.h"
#include "page.h"

#define DRAW_LOGLOG_REACH 1.0 /* decades by which other series widen the scale of the first */

/* The axis of values, for the page's top and bottom, and that of places, for left and right. */
void draw_loglog_up(draw_page *page, const draw_plan_page *report, size_t k);
void draw_loglog_across(draw_page *page, const draw_plan_page *report, size_t k);
/* Where the label of a tick across begins and ends. */
void draw_loglog_label(const draw_page *page, unsigned tick, double *left, double *right);
/* Curves k between the page's left and right, top and bottom; their values are written at the left
 * only if so wanted. */
void draw_loglog(const draw_page *page, const draw_plan_page *report, size_t k, const draw_key *key,
                 bool up_labels);

/* The legend flows over rows between the margins, the first at baseline y; returns how many rows.
 * Without show it is only measured. */
unsigned draw_loglog_legend(const draw_page *page, const draw_key *key, double y, bool show);
#define DRAW_LEGEND_LEADING 17.0

#endif
