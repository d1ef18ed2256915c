//: mr_made
/* Whether all arguments of a call have a value. */
static bool mr_made(size_t count, const mr_value *arguments) {
    for (size_t i = 0; i < count; i++) {
        if (arguments[i].kind == MR_UNDEFINED) {
            return false;
        }
    }
    return true;
}

//: mr_is_number
static bool mr_is_number(mr_value a) {
    return a.kind == MR_WHOLE || a.kind == MR_REAL;
}

//: mr_number
/* A number as a float. */
static double mr_number(mr_value a) {
    return a.kind == MR_WHOLE ? (double)a.as.whole : a.as.real;
}

//: mr_is_finite
static bool mr_is_finite(double x) {
    return x - x == 0;
}

//: mr_above_integers
/* 2^127, the first float above every integer of 128 bits. */
static const double mr_above_integers = 170141183460469231731687303715884105728.0;

//: mr_integer
/* The integer that a number is, if it is one of 128 bits. */
static bool mr_integer(mr_value a, mr_int *integer) {
    double x = a.as.real;
    bool is = a.kind == MR_WHOLE || (a.kind == MR_REAL && -mr_above_integers <= x && x < mr_above_integers && __builtin_trunc(x) == x);
    if (is) {
        *integer = a.kind == MR_WHOLE ? a.as.whole : (mr_int)x;
    }
    return is;
}

//: mr_map
/* Each element of a list, or a value itself; undefined where one is. */
static mr_value mr_map(mr_value a, mr_value (*change)(mr_value)) {
    if (a.kind != MR_LIST) {
        return change(a);
    }
    mr_value *items = mr_take(a.length * sizeof *items);
    for (size_t i = 0; i < a.length; i++) {
        items[i] = change(a.as.items[i]);
    }
    return mr_list(a.length, items);
}

//: mr_elementary
/* Numbers, or each element of a list and a number: integers stay exact, with a float both are floats. */
static mr_value mr_elementary(mr_value a, mr_value b, bool (*exact)(mr_int, mr_int, mr_int *), double (*real)(double, double)) {
    if (a.kind == MR_UNDEFINED || b.kind == MR_UNDEFINED) {
        return mr_undefined();
    }
    if (a.kind == MR_LIST || b.kind == MR_LIST) {
        size_t length = a.kind == MR_LIST ? a.length : b.length;
        mr_value *items = mr_take(length * sizeof *items);
        for (size_t i = 0; i < length; i++) {
            items[i] = mr_elementary(a.kind == MR_LIST ? a.as.items[i] : a, b.kind == MR_LIST ? b.as.items[i] : b, exact, real);
        }
        return mr_list(length, items);
    }
    if (a.kind == MR_WHOLE && b.kind == MR_WHOLE) {
        mr_int result;
        return exact(a.as.whole, b.as.whole, &result) ? mr_undefined() : mr_whole(result);
    }
    return mr_real(real(mr_number(a), mr_number(b)));
}

//: mr_add
static bool mr_add_exact(mr_int a, mr_int b, mr_int *sum) {
    return __builtin_add_overflow(a, b, sum);
}

static double mr_add_real(double a, double b) {
    return a + b;
}

static mr_value mr_add(mr_value a, mr_value b) {
    return mr_elementary(a, b, mr_add_exact, mr_add_real);
}

//: mr_subtract
static bool mr_subtract_exact(mr_int a, mr_int b, mr_int *difference) {
    return __builtin_sub_overflow(a, b, difference);
}

static double mr_subtract_real(double a, double b) {
    return a - b;
}

static mr_value mr_subtract(mr_value a, mr_value b) {
    return mr_elementary(a, b, mr_subtract_exact, mr_subtract_real);
}

//: mr_multiply
static bool mr_multiply_exact(mr_int a, mr_int b, mr_int *product) {
    return __builtin_mul_overflow(a, b, product);
}

static double mr_multiply_real(double a, double b) {
    return a * b;
}

static mr_value mr_multiply(mr_value a, mr_value b) {
    return mr_elementary(a, b, mr_multiply_exact, mr_multiply_real);
}

//: mr_negate
static mr_value mr_negate_one(mr_value a) {
    mr_int result;
    if (a.kind == MR_REAL) {
        return mr_real(-a.as.real);
    }
    return a.kind != MR_WHOLE || __builtin_sub_overflow((mr_int)0, a.as.whole, &result) ? mr_undefined() : mr_whole(result);
}

static mr_value mr_negate(mr_value a) {
    return mr_map(a, mr_negate_one);
}

//: mr_divide
/* Integers that divide exactly give an integer, everything else a float. Undefined for a zero divisor. */
static mr_value mr_divide(mr_value a, mr_value b) {
    if (!mr_is_number(a) || !mr_is_number(b) || mr_number(b) == 0) {
        return mr_undefined();
    }
    if (a.kind == MR_WHOLE && b.kind == MR_WHOLE) {
        if (b.as.whole == -1) {
            return mr_negate(a);
        }
        if (a.as.whole % b.as.whole == 0) {
            return mr_whole(a.as.whole / b.as.whole);
        }
    }
    return mr_real(mr_number(a) / mr_number(b));
}

//: mr_div
/* The quotient of integers, toward zero. */
static mr_value mr_div(mr_value a, mr_value b) {
    mr_int x, y;
    if (!mr_integer(a, &x) || !mr_integer(b, &y) || y == 0) {
        return mr_undefined();
    }
    return y == -1 ? mr_negate(mr_whole(x)) : mr_whole(x / y);
}

//: mr_modulo
/* The remainder of integers, with the sign of the first. */
static mr_value mr_modulo(mr_value a, mr_value b) {
    mr_int x, y;
    if (!mr_integer(a, &x) || !mr_integer(b, &y) || y == 0) {
        return mr_undefined();
    }
    return mr_whole(y == -1 ? 0 : x % y);
}

//: mr_power
/* An integer to a power that is an integer and not negative stays one. */
static mr_value mr_power(mr_value a, mr_value b) {
    if (!mr_is_number(a) || !mr_is_number(b)) {
        return mr_undefined();
    }
    if (a.kind == MR_WHOLE && b.kind == MR_WHOLE && b.as.whole >= 0) {
        mr_int result = 1, rest = b.as.whole;
        if (-1 <= a.as.whole && a.as.whole <= 1) {
            rest = rest == 0 ? 0 : 2 - rest % 2;
        }
        for (; rest > 0; rest--) {
            if (__builtin_mul_overflow(result, a.as.whole, &result)) {
                return mr_undefined();
            }
        }
        return mr_whole(result);
    }
    double x = mr_number(a), y = mr_number(b);
    return mr_real(y == 2 ? x * x : __builtin_pow(x, y));
}

//: mr_min_real
/* The lesser; NaN where either is, and -0 before 0. */
static double mr_min_real(double a, double b) {
    if (a != a || b != b) {
        return __builtin_nan("");
    }
    return a < b || (a == b && __builtin_signbit(a)) ? a : b;
}

//: mr_min
static bool mr_min_exact(mr_int a, mr_int b, mr_int *least) {
    *least = a < b ? a : b;
    return false;
}

static mr_value mr_min(mr_value a, mr_value b) {
    return mr_elementary(a, b, mr_min_exact, mr_min_real);
}

//: mr_max
static bool mr_max_exact(mr_int a, mr_int b, mr_int *greatest) {
    *greatest = a > b ? a : b;
    return false;
}

static double mr_max_real(double a, double b) {
    return -mr_min_real(-a, -b);
}

static mr_value mr_max(mr_value a, mr_value b) {
    return mr_elementary(a, b, mr_max_exact, mr_max_real);
}

//: mr_abs
static mr_value mr_abs_one(mr_value a) {
    if (a.kind == MR_REAL) {
        return mr_real(__builtin_fabs(a.as.real));
    }
    return a.kind == MR_WHOLE && a.as.whole < 0 ? mr_negate(a) : a;
}

static mr_value mr_abs(mr_value a) {
    return mr_map(a, mr_abs_one);
}

//: mr_rounded
/* An integer where 128 bits hold it. */
static mr_value mr_rounded(double x) {
    mr_int integer;
    return mr_integer(mr_real(x), &integer) ? mr_whole(integer) : mr_real(x);
}

//: mr_floor
static mr_value mr_floor(mr_value a) {
    return a.kind == MR_REAL ? mr_rounded(__builtin_floor(a.as.real)) : a;
}

//: mr_ceil
static mr_value mr_ceil(mr_value a) {
    return a.kind == MR_REAL ? mr_rounded(__builtin_ceil(a.as.real)) : a;
}

//: mr_sqrt
static mr_value mr_sqrt(mr_value a) {
    return mr_is_number(a) ? mr_real(__builtin_sqrt(mr_number(a))) : a;
}

//: mr_exp
static mr_value mr_exp(mr_value a) {
    return mr_is_number(a) ? mr_real(__builtin_exp(mr_number(a))) : a;
}

//: mr_ln
static mr_value mr_ln(mr_value a) {
    return mr_is_number(a) ? mr_real(__builtin_log(mr_number(a))) : a;
}

//: mr_sin
static mr_value mr_sin(mr_value a) {
    return mr_is_number(a) ? mr_real(__builtin_sin(mr_number(a))) : a;
}

//: mr_cos
static mr_value mr_cos(mr_value a) {
    return mr_is_number(a) ? mr_real(__builtin_cos(mr_number(a))) : a;
}

//: mr_asin
static mr_value mr_asin(mr_value a) {
    return mr_is_number(a) ? mr_real(__builtin_asin(mr_number(a))) : a;
}

//: mr_acos
static mr_value mr_acos(mr_value a) {
    return mr_is_number(a) ? mr_real(__builtin_acos(mr_number(a))) : a;
}

//: mr_atan
static mr_value mr_atan(mr_value a) {
    return mr_is_number(a) ? mr_real(__builtin_atan(mr_number(a))) : a;
}

//: mr_atan2
static mr_value mr_atan2(mr_value a, mr_value b) {
    if (!mr_is_number(a) || !mr_is_number(b)) {
        return mr_undefined();
    }
    return mr_real(__builtin_atan2(mr_number(a), mr_number(b)));
}

//: mr_fmod
/* The remainder of floats, with the sign of the dividend. */
static mr_value mr_fmod(mr_value a, mr_value b) {
    if (!mr_is_number(a) || !mr_is_number(b)) {
        return mr_undefined();
    }
    return mr_real(__builtin_fmod(mr_number(a), mr_number(b)));
}

//: mr_bitand
static mr_value mr_bitand(mr_value a, mr_value b) {
    mr_int x, y;
    return mr_integer(a, &x) && mr_integer(b, &y) ? mr_whole(x & y) : mr_undefined();
}

//: mr_bitor
static mr_value mr_bitor(mr_value a, mr_value b) {
    mr_int x, y;
    return mr_integer(a, &x) && mr_integer(b, &y) ? mr_whole(x | y) : mr_undefined();
}

//: mr_bitxor
static mr_value mr_bitxor(mr_value a, mr_value b) {
    mr_int x, y;
    return mr_integer(a, &x) && mr_integer(b, &y) ? mr_whole(x ^ y) : mr_undefined();
}

//: mr_shl
/* An integer times a power of two; undefined where 128 bits do not hold the result. */
static mr_value mr_shl(mr_value a, mr_value n) {
    mr_int x, y;
    if (!mr_integer(a, &x) || !mr_integer(n, &y) || y < 0) {
        return mr_undefined();
    }
    for (; y > 0 && x != 0; y--) {
        if (__builtin_mul_overflow(x, 2, &x)) {
            return mr_undefined();
        }
    }
    return mr_whole(x);
}

//: mr_shr
/* An integer divided by a power of two, rounded down. */
static mr_value mr_shr(mr_value a, mr_value n) {
    mr_int x, y;
    if (!mr_integer(a, &x) || !mr_integer(n, &y) || y < 0) {
        return mr_undefined();
    }
    return mr_whole(x >> (y < 127 ? y : 127));
}

//: mr_popcount
/* How many bits of an integer that is not negative are set. */
static mr_value mr_popcount(mr_value a) {
    mr_int x, count = 0;
    if (!mr_integer(a, &x) || x < 0) {
        return mr_undefined();
    }
    for (; x > 0; x >>= 1) {
        count += x & 1;
    }
    return mr_whole(count);
}

//: mr_is_nan
static mr_value mr_is_nan(mr_value a) {
    return mr_is_number(a) ? mr_truth(a.kind == MR_REAL && a.as.real != a.as.real) : a;
}

//: mr_to_int
static mr_value mr_to_int_one(mr_value a) {
    mr_int integer;
    return mr_integer(a, &integer) ? mr_whole(integer) : mr_undefined();
}

/* Numbers as integers; undefined where one is none. */
static mr_value mr_to_int(mr_value a) {
    return mr_map(a, mr_to_int_one);
}

//: mr_to_float
static mr_value mr_to_float_one(mr_value a) {
    return mr_is_number(a) ? mr_real(mr_number(a)) : a;
}

static mr_value mr_to_float(mr_value a) {
    return mr_map(a, mr_to_float_one);
}

//: mr_to_single
static mr_value mr_to_single_one(mr_value a) {
    return mr_is_number(a) ? mr_real((double)(float)mr_number(a)) : a;
}

/* Numbers as floats, rounded to single precision. */
static mr_value mr_to_single(mr_value a) {
    return mr_map(a, mr_to_single_one);
}

//: mr_to_bools
/* The empty list goes with all kinds. */
static mr_value mr_to_bools(mr_value a) {
    return a;
}
