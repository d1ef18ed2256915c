/* In place of a header that the C library of WASI does not have. */
#define __BEGIN_DECLS
#define __END_DECLS
