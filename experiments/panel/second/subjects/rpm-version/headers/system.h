/* In place of the header of the whole program: what rpmvercmp.c needs of it. */
#include <string.h>
