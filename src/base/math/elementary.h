/* elementary.h - elementary functions that the C library does not have. */
#ifndef SFMI_ELEMENTARY_H
#define SFMI_ELEMENTARY_H

/* sin(pi x)/(pi x). */
double sfmi_sinc(double x);
/* x^n by multiplication. */
double sfmi_power(double x, unsigned n);

#endif
