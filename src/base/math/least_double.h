/* least_double.h - the least double for which a statement holds. */
#ifndef SFMI_LEAST_DOUBLE_H
#define SFMI_LEAST_DOUBLE_H

#include <stdbool.h>

/* The least double x in (below, above] for which holds(x, context), where holds is false, then
 * true as x grows and is known to be true at above; 0 <= below < above. */
double sfmi_least_double(double below, double above, bool (*holds)(double x, const void *context),
                         const void *context);

#endif
