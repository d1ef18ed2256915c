#include <stddef.h>
typedef struct { double val, err; } result;
int status(double x, result *r) { r->val = x; r->err = 0; return 0; }
double mean(const double *x, size_t n, double *var) { double s = 0; for (size_t i = 0; i < n; i++) s += x[i]; *var = 0; return s / n; }
