/* What the words of relations mean, as they stand in the C files that are written. Each item begins with a line of its
   names, by which only what a file needs is taken. Compiler builtins stand for the functions of <math.h>, whose names may
   be those of functions under test. */
//:
__extension__ typedef __int128 mr_int;
__extension__ typedef unsigned __int128 mr_natural;

typedef enum { MR_UNDEFINED, MR_TRUTH, MR_WHOLE, MR_REAL, MR_TEXT, MR_LIST } mr_kind;

/* A value. Where something has no value, as after a division by zero, it is undefined, and so is what is made of it. */
typedef struct mr_value mr_value;
struct mr_value {
    mr_kind kind;
    size_t length; /* of a text or list */
    union {
        bool truth;
        mr_int whole;          /* exact: where 128 bits do not hold an integer, it is undefined */
        double real;
        const mr_value *items; /* of a text: characters by their numbers, bytes that are not UTF-8 from MR_BYTE on */
    } as;
};

enum { MR_BYTE = 0x110000 };

/* Memory that lasts as long as a case. */
typedef struct mr_block {
    struct mr_block *before;
    mr_int data[];
} mr_block;

static mr_block *mr_blocks;

static void *mr_take(size_t size) {
    mr_block *block = malloc(sizeof *block + size + 1);
    if (block == NULL) {
        fputs("no memory left\n", stderr);
        exit(3);
    }
    block->before = mr_blocks;
    mr_blocks = block;
    return memset(block->data, 0, size + 1);
}

static void mr_release(void) {
    while (mr_blocks != NULL) {
        mr_block *before = mr_blocks->before;
        free(mr_blocks);
        mr_blocks = before;
    }
}

static mr_value mr_undefined(void) {
    mr_value value;
    memset(&value, 0, sizeof value);
    return value;
}

static mr_value mr_truth(bool truth) {
    mr_value value = mr_undefined();
    value.kind = MR_TRUTH;
    value.as.truth = truth;
    return value;
}

static mr_value mr_items(mr_kind kind, size_t length, const mr_value *items) {
    mr_value value = mr_undefined();
    value.kind = kind;
    value.length = length;
    value.as.items = items;
    return value;
}

static bool mr_is_true(mr_value a) {
    return a.kind == MR_TRUTH && a.as.truth;
}

//: mr_whole
static mr_value mr_whole(mr_int whole) {
    mr_value value = mr_undefined();
    value.kind = MR_WHOLE;
    value.as.whole = whole;
    return value;
}

//: mr_wide
static mr_int mr_wide(uint64_t high, uint64_t low) {
    return (mr_int)((mr_natural)high << 64 | low);
}

//: mr_real
static mr_value mr_real(double real) {
    mr_value value = mr_undefined();
    value.kind = MR_REAL;
    value.as.real = real;
    return value;
}

//: mr_list
/* A list of these values; undefined where one is. */
static mr_value mr_list(size_t length, const mr_value *values) {
    mr_value *items = mr_take(length * sizeof *items);
    for (size_t i = 0; i < length; i++) {
        if (values[i].kind == MR_UNDEFINED) {
            return mr_undefined();
        }
        items[i] = values[i];
    }
    return mr_items(MR_LIST, length, items);
}

//: mr_characters
/* The character at the start of some bytes, and how many bytes it takes. */
static size_t mr_decode(const unsigned char *bytes, size_t length, mr_int *character) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t size = bytes[0] < 0x80 ? 1 : bytes[0] < 0xc2 ? 0 : bytes[0] < 0xe0 ? 2 : bytes[0] < 0xf0 ? 3 : bytes[0] < 0xf5 ? 4 : 0;
    uint32_t code = size < 2 ? bytes[0] : bytes[0] & (0x7fu >> size);
    bool valid = size > 0 && size <= length;
    for (size_t i = 1; valid && i < size; i++) {
        valid = (bytes[i] & 0xc0) == 0x80;
        code = code << 6 | (bytes[i] & 0x3fu);
    }
    valid = valid && code >= least[size] && code < MR_BYTE && !(0xd800 <= code && code < 0xe000);
    *character = valid ? (mr_int)code : (mr_int)MR_BYTE + bytes[0];
    return valid ? size : 1;
}

/* Bytes as a text. */
static mr_value mr_characters(const void *data, size_t length) {
    const unsigned char *bytes = data;
    mr_value *items = mr_take(length * sizeof *items);
    size_t count = 0;
    for (size_t i = 0; i < length; count++) {
        mr_int character;
        i += mr_decode(bytes + i, length - i, &character);
        items[count] = mr_whole(character);
    }
    return mr_items(MR_TEXT, count, items);
}

//: mr_bytes
/* A text as bytes with a zero behind them. */
static char *mr_bytes(mr_value text, size_t *length) {
    char *bytes = mr_take(4 * text.length + 1);
    size_t at = 0;
    for (size_t i = 0; i < text.length; i++) {
        uint32_t c = (uint32_t)text.as.items[i].as.whole;
        if (c >= MR_BYTE || c < 0x80) {
            bytes[at++] = (char)(c >= MR_BYTE ? c - MR_BYTE : c);
            continue;
        }
        int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
        bytes[at++] = (char)((0xf00u >> more & 0xff) | c >> 6 * more);
        while (more-- > 0) {
            bytes[at++] = (char)(0x80 | (c >> 6 * more & 0x3f));
        }
    }
    bytes[at] = 0;
    *length = at;
    return bytes;
}

//: mr_print
static void mr_print_whole(mr_int i) {
    char digits[48];
    size_t at = sizeof digits - 1;
    mr_natural rest = i < 0 ? -(mr_natural)i : (mr_natural)i;
    digits[at] = 0;
    do {
        digits[--at] = (char)('0' + (int)(rest % 10));
        rest /= 10;
    } while (rest > 0);
    printf("%s%s", i < 0 ? "-" : "", digits + at);
}

static void mr_print(mr_value value) {
    size_t length;
    switch (value.kind) {
    case MR_UNDEFINED: fputs("undefined", stdout); break;
    case MR_TRUTH: fputs(value.as.truth ? "true" : "false", stdout); break;
    case MR_WHOLE: mr_print_whole(value.as.whole); break;
    case MR_REAL: printf("%.17g", value.as.real); break;
    case MR_TEXT: {
        char *bytes = mr_bytes(value, &length);
        putchar('"');
        for (size_t i = 0; i < length; i++) {
            unsigned char c = (unsigned char)bytes[i];
            if (c < ' ' || c == '"' || c == '\\' || c == 0x7f) {
                printf("\\x%02x", c);
            } else {
                putchar(c);
            }
        }
        putchar('"');
        break;
    }
    case MR_LIST:
        putchar('[');
        for (size_t i = 0; i < value.length; i++) {
            fputs(i > 0 ? ", " : "", stdout);
            mr_print(value.as.items[i]);
        }
        putchar(']');
        break;
    }
}

//: mr_call mr_begin mr_ended mr_give mr_returned mr_failed mr_watch MR_LANDED
/* A call of a function under test. */
typedef struct {
    const char *name;
    size_t argument_count;
    const mr_value *arguments;
    enum { MR_NOT_MADE, MR_BEGUN, MR_RETURNED, MR_TRAPPED, MR_MALFORMED } state;
    size_t output_count;
    mr_value outputs[8];
} mr_call;

/* Begins a call, which is made only where every argument has a value. */
static mr_call mr_begin(const char *name, size_t count, const mr_value *arguments) {
    mr_call call;
    memset(&call, 0, sizeof call);
    mr_value *kept = mr_take(count * sizeof *kept);
    call.name = name;
    call.argument_count = count;
    call.state = MR_BEGUN;
    for (size_t i = 0; i < count; i++) {
        kept[i] = arguments[i];
        if (arguments[i].kind == MR_UNDEFINED) {
            call.state = MR_NOT_MADE;
        }
    }
    call.arguments = kept;
    return call;
}

#if defined(__unix__) || defined(__APPLE__)
/* What a fault raises ends the call: it is a trap. */
static sigjmp_buf mr_landing;
static volatile sig_atomic_t mr_armed;

static void mr_land(int number) {
    if (mr_armed) {
        mr_armed = 0;
        siglongjmp(mr_landing, 1);
    }
    signal(number, SIG_DFL);
    raise(number);
}

static void mr_watch(void) {
    static const int faults[] = {SIGILL, SIGFPE, SIGSEGV, SIGBUS, SIGABRT, SIGTRAP};
    /* A stack of its own, for a fault may be that the other is full. */
    static mr_int room[1 << 13];
    stack_t stack;
    struct sigaction action;
    memset(&stack, 0, sizeof stack);
    stack.ss_sp = room;
    stack.ss_size = sizeof room;
    sigaltstack(&stack, NULL);
    memset(&action, 0, sizeof action);
    action.sa_handler = mr_land;
    action.sa_flags = SA_ONSTACK | SA_NODEFER;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        sigaction(faults[i], &action, NULL);
    }
}

#define MR_LANDED (sigsetjmp(mr_landing, 1) != 0)
#else
static int mr_armed;

static void mr_watch(void) {
}

#define MR_LANDED 0
#endif

static mr_call mr_ended(mr_call call, bool malformed) {
    mr_armed = 0;
    call.state = malformed ? MR_MALFORMED : MR_TRAPPED;
    return call;
}

static void mr_give(mr_call *call, mr_value output) {
    call->state = MR_RETURNED;
    call->outputs[call->output_count++] = output;
}

static bool mr_returned(const mr_call *call) {
    return call->state == MR_RETURNED;
}

static bool mr_failed(const mr_call *call) {
    return call->state == MR_TRAPPED || call->state == MR_MALFORMED;
}

static void mr_print_call(const mr_call *call) {
    printf("    %s(", call->name);
    for (size_t i = 0; i < call->argument_count; i++) {
        fputs(i > 0 ? ", " : "", stdout);
        mr_print(call->arguments[i]);
    }
    static const char *const ends[] = {" is not called", "", " gives", " traps", " gives what is not of its type"};
    printf(")%s", ends[call->state]);
    for (size_t i = 0; i < call->output_count; i++) {
        fputs(i > 0 ? ", " : " ", stdout);
        mr_print(call->outputs[i]);
    }
    putchar('\n');
}

//: mr_output
static mr_value mr_output(const mr_call *call, size_t index) {
    return mr_returned(call) ? call->outputs[index] : mr_undefined();
}

//: mr_traps
/* Whether it trapped; undefined where it was not made. */
static mr_value mr_traps(const mr_call *call) {
    return call->state == MR_NOT_MADE ? mr_undefined() : mr_truth(call->state == MR_TRAPPED);
}

//: mr_judge mr_verdict mr_judged mr_beyond
typedef enum { MR_HOLDS, MR_VIOLATED, MR_INELIGIBLE } mr_verdict;

/* A call with what its failing means: other calls may fail, the relation is violated, or nothing by itself. */
typedef struct {
    enum { MR_SOURCE, MR_FOLLOW_UP, MR_OBSERVED } standing;
    const mr_call *call;
} mr_judged;

/* Set where a word met what it does not know. */
static bool mr_beyond;

/* The verdict: what is expected is true, and no follow-up call failed where the source calls returned. */
static mr_verdict mr_judge(size_t count, const mr_judged *calls, mr_value expected) {
    bool crashed = false, source_failed = false;
    for (size_t i = 0; i < count; i++) {
        crashed = crashed || (calls[i].standing == MR_FOLLOW_UP && mr_failed(calls[i].call));
        source_failed = source_failed || (calls[i].standing == MR_SOURCE && mr_failed(calls[i].call));
    }
    crashed = crashed && !source_failed;
    if (mr_beyond) {
        return MR_INELIGIBLE;
    }
    if (mr_is_true(expected) && !crashed) {
        return MR_HOLDS;
    }
    puts(crashed                           ? "a follow-up call fails where the source calls return:"
         : expected.kind == MR_UNDEFINED ? "what is expected has no value:"
                                           : "what is expected is false:");
    for (size_t i = 0; i < count; i++) {
        mr_print_call(calls[i].call);
    }
    return MR_VIOLATED;
}

//: mr_random mr_state mr_below
/* SplitMix64. */
static uint64_t mr_state;

static uint64_t mr_random(void) {
    uint64_t z = mr_state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Less than a number that is not zero. */
static mr_natural mr_below(mr_natural count) {
    return mr_random() % count;
}

//: mr_main mr_test
typedef struct {
    const char *name;
    const char *relation;
    mr_verdict (*check)(void);
} mr_test;

/* Checks each relation on so many eligible inputs. */
static int mr_main(size_t count, const mr_test *tests, unsigned long cases, uint64_t seed) {
    mr_watch();
    for (size_t i = 0; i < count; i++) {
        unsigned long eligible = 0, drawn = 0;
        mr_state = seed + i;
        for (; eligible < cases && drawn < 100 * cases; drawn++) {
            mr_beyond = false;
            mr_verdict verdict = tests[i].check();
            mr_release();
            if (verdict == MR_VIOLATED) {
                printf("%s: VIOLATED\n    %s\n", tests[i].name, tests[i].relation);
                return 1;
            }
            eligible += verdict == MR_HOLDS;
        }
        if (eligible == 0) {
            printf("%s: none of %lu inputs was eligible\n    %s\n", tests[i].name, drawn, tests[i].relation);
            return 2;
        }
        printf("%s: ok (%lu inputs)\n", tests[i].name, eligible);
    }
    return 0;
}

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

//: mr_integer
/* 2^127, the first float above every integer of 128 bits. */
static const double mr_above_integers = 170141183460469231731687303715884105728.0;

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

//: mr_compare
/* The exact order of numbers, also between integers and floats: below, at or above 0; 2 where either is NaN. */
static int mr_compare(mr_value a, mr_value b) {
    if (a.kind == MR_REAL && b.kind == MR_REAL) {
        double x = a.as.real, y = b.as.real;
        return x < y ? -1 : x > y ? 1 : x == y ? 0 : 2;
    }
    if (a.kind == MR_WHOLE && b.kind == MR_WHOLE) {
        return (a.as.whole > b.as.whole) - (a.as.whole < b.as.whole);
    }
    if (a.kind == MR_REAL) {
        int order = mr_compare(b, a);
        return order == 2 ? 2 : -order;
    }
    double x = b.as.real;
    if (x != x) {
        return 2;
    }
    if (x >= mr_above_integers || x < -mr_above_integers) {
        return x > 0 ? -1 : 1;
    }
    mr_int whole = (mr_int)x;
    double rest = x - __builtin_trunc(x);
    return a.as.whole < whole ? -1 : a.as.whole > whole ? 1 : rest > 0 ? -1 : rest < 0;
}

//: mr_same
/* Exact equality; NaN equals NaN. */
static bool mr_same(mr_value a, mr_value b) {
    if (a.kind == MR_TRUTH) {
        return a.as.truth == b.as.truth;
    }
    if (mr_is_number(a)) {
        bool nan = a.kind == MR_REAL && b.kind == MR_REAL && a.as.real != a.as.real && b.as.real != b.as.real;
        return nan || mr_compare(a, b) == 0;
    }
    bool same = a.length == b.length;
    for (size_t i = 0; same && i < a.length; i++) {
        same = mr_same(a.as.items[i], b.as.items[i]);
    }
    return same;
}

//: mr_equal
static mr_value mr_equal(mr_value a, mr_value b) {
    return a.kind == MR_UNDEFINED || b.kind == MR_UNDEFINED ? mr_undefined() : mr_truth(mr_same(a, b));
}

//: mr_differs
static mr_value mr_differs(mr_value a, mr_value b) {
    return a.kind == MR_UNDEFINED || b.kind == MR_UNDEFINED ? mr_undefined() : mr_truth(!mr_same(a, b));
}

//: mr_less
static mr_value mr_less(mr_value a, mr_value b) {
    return mr_is_number(a) && mr_is_number(b) ? mr_truth(mr_compare(a, b) == -1) : mr_undefined();
}

//: mr_at_most
static mr_value mr_at_most(mr_value a, mr_value b) {
    return mr_is_number(a) && mr_is_number(b) ? mr_truth(mr_compare(a, b) <= 0) : mr_undefined();
}

//: mr_approximate
/* Numbers, or numbers of lists one by one, by a test of floats; everything else by equality. */
static bool mr_approximate(mr_value a, mr_value b, bool (*near)(double, double, double), double allowed) {
    if (mr_is_number(a)) {
        double x = mr_number(a), y = mr_number(b);
        return x == y || (x != x && y != y) || near(x, y, allowed);
    }
    if (a.kind != MR_LIST) {
        return mr_same(a, b);
    }
    bool same = a.length == b.length;
    for (size_t i = 0; same && i < a.length; i++) {
        same = mr_approximate(a.as.items[i], b.as.items[i], near, allowed);
    }
    return same;
}

//: mr_near
static bool mr_within(double a, double b, double relative) {
    double difference = __builtin_fabs(a - b), x = __builtin_fabs(a), y = __builtin_fabs(b);
    return difference <= 1e-12 + relative * (x > y ? x : y) && mr_is_finite(difference);
}

/* |a - b| <= 1e-12 + relative * max(|a|, |b|). NaN is near NaN; an infinity only itself. */
static mr_value mr_near(mr_value a, mr_value b, double relative) {
    bool undefined = a.kind == MR_UNDEFINED || b.kind == MR_UNDEFINED;
    return undefined ? mr_undefined() : mr_truth(mr_approximate(a, b, mr_within, relative));
}

//: mr_near_ulps
static uint64_t mr_place_bits(double x) {
    uint64_t bits;
    x = __builtin_fabs(x);
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static bool mr_within_ulps(double a, double b, double ulps) {
    uint64_t x = mr_place_bits(a), y = mr_place_bits(b);
    mr_natural apart = (a < 0) != (b < 0) ? (mr_natural)x + y : x > y ? x - y : y - x;
    return mr_is_finite(a) && mr_is_finite(b) && (double)apart <= ulps;
}

/* Near in units in the last place. */
static mr_value mr_near_ulps(mr_value a, mr_value b, double ulps) {
    bool undefined = a.kind == MR_UNDEFINED || b.kind == MR_UNDEFINED;
    return undefined ? mr_undefined() : mr_truth(mr_approximate(a, b, mr_within_ulps, ulps));
}

//: mr_near_single_ulps
static uint64_t mr_single_bits(double x) {
    uint32_t bits;
    float single = (float)__builtin_fabs(x);
    memcpy(&bits, &single, sizeof bits);
    return bits;
}

static bool mr_within_single_ulps(double a, double b, double ulps) {
    uint64_t x = mr_single_bits(a), y = mr_single_bits(b);
    uint64_t apart = (a < 0) != (b < 0) ? x + y : x > y ? x - y : y - x;
    return mr_is_finite((double)(float)a) && mr_is_finite((double)(float)b) && (double)apart <= ulps;
}

/* Near in units in the last place of single precision. */
static mr_value mr_near_single_ulps(mr_value a, mr_value b, double ulps) {
    bool undefined = a.kind == MR_UNDEFINED || b.kind == MR_UNDEFINED;
    return undefined ? mr_undefined() : mr_truth(mr_approximate(a, b, mr_within_single_ulps, ulps));
}

//: mr_not
static mr_value mr_not(mr_value a) {
    return a.kind == MR_UNDEFINED ? a : mr_truth(!a.as.truth);
}

//: mr_and
/* False where either side is false, whatever the other. */
static mr_value mr_and(mr_value a, mr_value b) {
    if ((a.kind == MR_TRUTH && !a.as.truth) || (b.kind == MR_TRUTH && !b.as.truth)) {
        return mr_truth(false);
    }
    return a.kind == MR_UNDEFINED ? a : b;
}

//: mr_or
/* True where either side is true, whatever the other. */
static mr_value mr_or(mr_value a, mr_value b) {
    if (mr_is_true(a) || mr_is_true(b)) {
        return mr_truth(true);
    }
    return a.kind == MR_UNDEFINED ? a : b;
}

//: mr_implies
static mr_value mr_implies(mr_value a, mr_value b) {
    return mr_or(mr_not(a), b);
}

//: mr_defined
static mr_value mr_defined(mr_value a) {
    return mr_truth(a.kind != MR_UNDEFINED);
}

//: mr_is_sequence
static bool mr_is_sequence(mr_value s) {
    return s.kind == MR_TEXT || s.kind == MR_LIST;
}

//: mr_len
static mr_value mr_len(mr_value s) {
    return mr_is_sequence(s) ? mr_whole((mr_int)s.length) : s;
}

//: mr_sum
static mr_value mr_sum(mr_value s) {
    mr_value sum = s.kind == MR_LIST ? mr_whole(0) : mr_undefined();
    for (size_t i = 0; i < s.length; i++) {
        sum = mr_add(sum, s.as.items[i]);
    }
    return sum;
}

//: mr_sum_floats
/* From left to right. */
static mr_value mr_sum_floats(mr_value s) {
    mr_value sum = s.kind == MR_LIST ? mr_real(0) : mr_undefined();
    for (size_t i = 0; i < s.length; i++) {
        sum = mr_add(sum, s.as.items[i]);
    }
    return sum;
}

//: mr_range
/* The elements of a range of places. */
static mr_value mr_range(mr_value s, size_t from, size_t to) {
    return mr_items(s.kind, to - from, s.as.items + from);
}

//: mr_concat
static mr_value mr_concat(mr_value s, mr_value t) {
    if (!mr_is_sequence(s) || !mr_is_sequence(t)) {
        return mr_undefined();
    }
    mr_value *items = mr_take((s.length + t.length) * sizeof *items);
    for (size_t i = 0; i < s.length + t.length; i++) {
        items[i] = i < s.length ? s.as.items[i] : t.as.items[i - s.length];
    }
    return mr_items(s.kind, s.length + t.length, items);
}

//: mr_reverse
static mr_value mr_reverse(mr_value s) {
    mr_value *items = mr_take(s.length * sizeof *items);
    for (size_t i = 0; i < s.length; i++) {
        items[i] = s.as.items[s.length - 1 - i];
    }
    return mr_is_sequence(s) ? mr_items(s.kind, s.length, items) : s;
}

//: mr_before
/* Whether an element stands before another in ascending order; NaN stands last. */
static bool mr_before(mr_value a, mr_value b) {
    if (a.kind == MR_TRUTH) {
        return !a.as.truth && b.as.truth;
    }
    bool b_is_nan = b.kind == MR_REAL && b.as.real != b.as.real, a_is_nan = a.kind == MR_REAL && a.as.real != a.as.real;
    return a_is_nan || b_is_nan ? !a_is_nan : mr_compare(a, b) == -1;
}

//: mr_sorted
/* Ascending, by insertion. */
static mr_value mr_sorted(mr_value s) {
    mr_value *items = mr_take(s.length * sizeof *items);
    for (size_t i = 0; i < s.length; i++) {
        size_t hole = i;
        for (; hole > 0 && mr_before(s.as.items[i], items[hole - 1]); hole--) {
            items[hole] = items[hole - 1];
        }
        items[hole] = s.as.items[i];
    }
    return mr_is_sequence(s) ? mr_items(s.kind, s.length, items) : s;
}

//: mr_remove
/* Counts from the end below zero; changes nothing where there is no such place. */
static mr_value mr_remove(mr_value s, mr_value i) {
    mr_int place;
    if (!mr_is_sequence(s) || !mr_integer(i, &place)) {
        return mr_undefined();
    }
    place = place < 0 ? place + (mr_int)s.length : place;
    if (place < 0 || place >= (mr_int)s.length) {
        return s;
    }
    return mr_concat(mr_range(s, 0, (size_t)place), mr_range(s, (size_t)place + 1, s.length));
}

//: mr_truncate
/* The first n, or all where there are fewer. */
static mr_value mr_truncate(mr_value s, mr_value n) {
    mr_int kept;
    if (!mr_is_sequence(s) || !mr_integer(n, &kept)) {
        return mr_undefined();
    }
    return mr_range(s, 0, kept < 0 ? 0 : kept < (mr_int)s.length ? (size_t)kept : s.length);
}

//: mr_slice
/* Undefined where it reaches out of the sequence. */
static mr_value mr_slice(mr_value s, mr_value from, mr_value to) {
    mr_int start, end;
    bool inside = mr_is_sequence(s) && mr_integer(from, &start) && mr_integer(to, &end) && 0 <= start && start <= end && end <= (mr_int)s.length;
    return inside ? mr_range(s, (size_t)start, (size_t)end) : mr_undefined();
}

//: mr_drop_first
/* Undefined where it reaches out of the sequence. */
static mr_value mr_drop_first(mr_value s, mr_value from) {
    return mr_slice(s, from, mr_len(s));
}

//: mr_index
/* An element, or a text of one character. Undefined out of range. */
static mr_value mr_index(mr_value s, mr_value i) {
    mr_int place;
    if (!mr_is_sequence(s) || !mr_integer(i, &place) || place < 0 || place >= (mr_int)s.length) {
        return mr_undefined();
    }
    return s.kind == MR_TEXT ? mr_range(s, (size_t)place, (size_t)place + 1) : s.as.items[place];
}

//: mr_stands_at
/* Whether a sequence stands in another at a place. */
static bool mr_stands_at(mr_value part, mr_value s, size_t place) {
    return place + part.length <= s.length && mr_same(part, mr_range(s, place, place + part.length));
}

//: mr_contains
/* Whether a sequence has another inside, unbroken. */
static mr_value mr_contains(mr_value s, mr_value part) {
    bool found = false;
    if (!mr_is_sequence(s) || !mr_is_sequence(part)) {
        return mr_undefined();
    }
    for (size_t i = 0; !found && i + part.length <= s.length; i++) {
        found = mr_stands_at(part, s, i);
    }
    return mr_truth(found);
}

//: mr_has_element
static mr_value mr_has_element(mr_value s, mr_value x) {
    bool found = false;
    if (!mr_is_sequence(s) || x.kind == MR_UNDEFINED) {
        return mr_undefined();
    }
    for (size_t i = 0; !found && i < s.length; i++) {
        found = mr_same(s.as.items[i], x);
    }
    return mr_truth(found);
}

//: mr_is_prefix_of
static mr_value mr_is_prefix_of(mr_value part, mr_value s) {
    return mr_is_sequence(part) && mr_is_sequence(s) ? mr_truth(mr_stands_at(part, s, 0)) : mr_undefined();
}

//: mr_is_suffix_of
static mr_value mr_is_suffix_of(mr_value part, mr_value s) {
    if (!mr_is_sequence(part) || !mr_is_sequence(s)) {
        return mr_undefined();
    }
    return mr_truth(part.length <= s.length && mr_stands_at(part, s, s.length - part.length));
}

//: mr_cased
/* ASCII with its letters changed; inputs with other characters are not judged. */
static mr_value mr_cased(mr_value s, int (*change)(int)) {
    mr_value *items = mr_take(s.length * sizeof *items);
    for (size_t i = 0; i < s.length; i++) {
        mr_int c = s.as.items[i].as.whole;
        mr_beyond = mr_beyond || (c >= 0x80 && c < MR_BYTE);
        items[i] = mr_whole(c < 0x80 ? change((int)c) : c);
    }
    return s.kind == MR_TEXT ? mr_items(MR_TEXT, s.length, items) : s;
}

//: mr_upper
static int mr_upper_ascii(int c) {
    return 'a' <= c && c <= 'z' ? c - 'a' + 'A' : c;
}

static mr_value mr_upper(mr_value s) {
    return mr_cased(s, mr_upper_ascii);
}

//: mr_lower
static int mr_lower_ascii(int c) {
    return 'A' <= c && c <= 'Z' ? c - 'A' + 'a' : c;
}

static mr_value mr_lower(mr_value s) {
    return mr_cased(s, mr_lower_ascii);
}

//: mr_text
static mr_value mr_text_of_real(double x) {
    char digits[40], text[64];
    int precision = 0, exponent;
    if (x != x || !mr_is_finite(x)) {
        return mr_characters(x != x ? "nan" : x > 0 ? "inf" : "-inf", x != x || x > 0 ? 3 : 4);
    }
    /* As few digits as give the same float back. */
    do {
        snprintf(digits, sizeof digits, "%.*e", precision, x);
    } while (strtod(digits, NULL) != x && ++precision < 17);
    exponent = atoi(strchr(digits, 'e') + 1);
    if (x != 0 && (exponent < -4 || exponent >= 16)) {
        *strchr(digits, 'e') = 0;
        snprintf(text, sizeof text, "%se%d", digits, exponent);
    } else {
        int places = precision - exponent;
        snprintf(text, sizeof text, "%.*f", places > 1 ? places : 1, x);
    }
    return mr_characters(text, strlen(text));
}

/* As the relation language writes a number. */
static mr_value mr_text(mr_value a) {
    char digits[48];
    size_t at = sizeof digits;
    if (a.kind == MR_TRUTH) {
        return mr_characters(a.as.truth ? "true" : "false", a.as.truth ? 4 : 5);
    }
    if (a.kind != MR_WHOLE) {
        return a.kind == MR_REAL ? mr_text_of_real(a.as.real) : a;
    }
    mr_natural rest = a.as.whole < 0 ? -(mr_natural)a.as.whole : (mr_natural)a.as.whole;
    do {
        digits[--at] = (char)('0' + (int)(rest % 10));
        rest /= 10;
    } while (rest > 0);
    if (a.as.whole < 0) {
        digits[--at] = '-';
    }
    return mr_characters(digits + at, sizeof digits - at);
}

//: mr_each
/* Whether something is true of a value itself, or of every element of a list. Undefined is anything. */
static bool mr_each(mr_value a, bool (*truth)(mr_value, const void *), const void *about) {
    bool all = a.kind == MR_UNDEFINED || mr_is_sequence(a) || truth(a, about);
    for (size_t i = 0; all && i < a.length; i++) {
        all = truth(a.as.items[i], about);
    }
    return all;
}

//: mr_fits
typedef enum { MR_ANY, MR_INTEGERS, MR_SINGLES, MR_UTF8 } mr_type;

typedef struct {
    mr_type type;
    mr_int least, most;
} mr_bounds;

static bool mr_fits_one(mr_value a, const void *about) {
    const mr_bounds *bounds = about;
    mr_int integer;
    switch (bounds->type) {
    case MR_INTEGERS: return mr_integer(a, &integer) && bounds->least <= integer && integer <= bounds->most;
    case MR_SINGLES: return !mr_is_finite(mr_number(a)) || mr_is_finite((double)(float)mr_number(a));
    case MR_UTF8: return a.as.whole < MR_BYTE;
    default: return true;
    }
}

/* Whether numbers are of a type; undefined is. */
static bool mr_fits(mr_value a, mr_type type, mr_int least, mr_int most) {
    mr_bounds bounds = {type, least, most};
    return mr_each(a, mr_fits_one, &bounds);
}

//: mr_order
/* The order of a number and a bound: exact between integers, else that of floats. */
static int mr_order(mr_value a, mr_value bound) {
    if (a.kind == MR_TRUTH) {
        a = mr_whole(a.as.truth);
    }
    bool exact = a.kind == MR_WHOLE && bound.kind == MR_WHOLE;
    return exact ? mr_compare(a, bound) : mr_compare(mr_real(mr_number(a)), mr_real(mr_number(bound)));
}

//: mr_numbers
typedef struct {
    size_t count;
    const mr_value *numbers;
} mr_numbers;

//: mr_in_ranges
static bool mr_in_ranges_one(mr_value a, const void *about) {
    const mr_numbers *ends = about;
    bool inside = false;
    for (size_t i = 0; !inside && i < ends->count; i += 2) {
        int low = mr_order(a, ends->numbers[i]), high = mr_order(a, ends->numbers[i + 1]);
        inside = (low == 0 || low == 1) && high <= 0;
    }
    return inside;
}

/* Whether each number is in one of some closed ranges, whose ends are given in pairs. */
static bool mr_in_ranges(mr_value a, size_t count, const mr_value *ends) {
    mr_numbers about = {count, ends};
    return mr_each(a, mr_in_ranges_one, &about);
}

//: mr_is_none_of
static bool mr_is_none_of_one(mr_value a, const void *about) {
    const mr_numbers *except = about;
    bool none = true;
    for (size_t i = 0; none && i < except->count; i++) {
        none = mr_order(a, except->numbers[i]) != 0;
    }
    return none;
}

/* Whether no number is one of some. */
static bool mr_is_none_of(mr_value a, size_t count, const mr_value *except) {
    mr_numbers about = {count, except};
    return mr_each(a, mr_is_none_of_one, &about);
}

//: mr_has_no_nan
static bool mr_is_no_nan(mr_value a, const void *about) {
    (void)about;
    return a.kind != MR_REAL || a.as.real == a.as.real;
}

static bool mr_has_no_nan(mr_value a) {
    return mr_each(a, mr_is_no_nan, NULL);
}

//: mr_has_length
static bool mr_has_length(mr_value s, uint64_t least, uint64_t most) {
    return s.kind == MR_UNDEFINED || (least <= s.length && s.length <= most);
}

//: mr_has_alphabet
static bool mr_is_in(mr_value c, const void *about) {
    const mr_value *alphabet = about;
    bool found = false;
    for (size_t i = 0; !found && i < alphabet->length; i++) {
        found = mr_same(c, alphabet->as.items[i]);
    }
    return found;
}

/* Whether all characters are of an alphabet. */
static bool mr_has_alphabet(mr_value s, mr_value alphabet) {
    return mr_each(s, mr_is_in, &alphabet);
}

//: mr_is_one_of
static bool mr_is_one_of(mr_value s, size_t count, const mr_value *texts) {
    bool found = s.kind == MR_UNDEFINED;
    for (size_t i = 0; !found && i < count; i++) {
        found = mr_same(s, texts[i]);
    }
    return found;
}

//: mr_is_sorted
static bool mr_is_sorted(mr_value s) {
    bool sorted = true;
    for (size_t i = 1; sorted && i < s.length; i++) {
        mr_value a = s.as.items[i - 1], b = s.as.items[i];
        sorted = a.kind == MR_TRUTH ? !mr_before(b, a) : mr_compare(a, b) <= 0;
    }
    return sorted;
}

//: mr_is_distinct
static bool mr_is_distinct(mr_value s) {
    bool distinct = true;
    for (size_t i = 0; distinct && i < s.length; i++) {
        for (size_t j = 0; distinct && j < i; j++) {
            distinct = !mr_same(s.as.items[i], s.as.items[j]);
        }
    }
    return distinct;
}

//: mr_has_no_nul
static bool mr_is_no_nul(mr_value a, const void *about) {
    (void)about;
    return a.kind != MR_WHOLE || a.as.whole != 0;
}

static bool mr_has_no_nul(mr_value s) {
    return mr_each(s, mr_is_no_nul, NULL);
}

//: mr_chance
/* True so many times in a thousand. */
static bool mr_chance(unsigned share) {
    return mr_below(1000) < share;
}

//: mr_spread
typedef enum { MR_MIXED, MR_UNIFORM, MR_LOGARITHMIC } mr_spread;

/* Whether to draw small numbers as often as large ones. */
static bool mr_by_magnitude(mr_spread spread) {
    return spread == MR_LOGARITHMIC || (spread == MR_MIXED && mr_below(2) == 0);
}

//: mr_draw_whole
/* An integer of one of some closed ranges. */
static mr_value mr_draw_whole(size_t count, mr_int ranges[][2], mr_spread spread) {
    mr_int *range = ranges[mr_below(count)], low = range[0], high = range[1];
    if (mr_by_magnitude(spread)) {
        mr_int most = low < 0 && -low > high ? -low : high;
        mr_int magnitude = (mr_int)mr_below(((mr_natural)1 << mr_below(64)) + 1);
        mr_int drawn = mr_below(2) == 0 ? magnitude : -magnitude;
        if (magnitude <= most && low <= drawn && drawn <= high) {
            return mr_whole(drawn);
        }
    }
    return mr_whole(low + (mr_int)mr_below((mr_natural)(high - low) + 1));
}

//: mr_draw_real
/* A finite float of one of some closed ranges. */
static mr_value mr_draw_real(size_t count, double ranges[][2], mr_spread spread) {
    double *range = ranges[mr_below(count)], low = range[0], high = range[1];
    double share = (double)(mr_random() >> 11) / 9007199254740992.0;
    if (mr_by_magnitude(spread)) {
        double most = -low > high ? -low : high;
        double drawn = __builtin_ldexp(0.5 + share / 2, (int)mr_below((mr_natural)__builtin_ilogb(most > 1 ? most : 1) + 32) - 30);
        drawn = mr_below(2) == 0 ? drawn : -drawn;
        if (low <= drawn && drawn <= high) {
            return mr_real(drawn);
        }
    }
    /* In halves, so that the width of the range is finite. */
    double drawn = 2 * (low / 2 + share * (high / 2 - low / 2));
    return mr_real(drawn < low ? low : drawn > high ? high : drawn);
}

//: mr_draw_truth
static mr_value mr_draw_truth(size_t count, const bool *truths) {
    return mr_truth(truths[mr_below(count)]);
}

//: mr_draw_length
static size_t mr_draw_length(uint64_t least, uint64_t most) {
    return (size_t)(least + mr_below((mr_natural)(most - least) + 1));
}

//: mr_draw_list
static mr_value mr_draw_list(mr_value (*draw)(void), uint64_t least, uint64_t most) {
    size_t length = mr_draw_length(least, most);
    mr_value *items = mr_take(length * sizeof *items);
    for (size_t i = 0; i < length; i++) {
        items[i] = draw();
    }
    return mr_items(MR_LIST, length, items);
}

//: mr_draw_text
/* A text of an alphabet; of printable ASCII and some Unicode where the alphabet is empty. */
static mr_value mr_draw_text(mr_value alphabet, uint64_t least, uint64_t most) {
    size_t length = mr_draw_length(least, most);
    mr_value *items = mr_take(length * sizeof *items);
    for (size_t i = 0; i < length; i++) {
        static const uint32_t ends[] = {0x80, 0x800, 0x10000, MR_BYTE};
        uint32_t c = mr_below(8) > 0 ? ' ' + (uint32_t)mr_below(95) : (uint32_t)mr_below(ends[mr_below(4)]);
        c = 0xd800 <= c && c < 0xe000 ? ' ' : c;
        items[i] = alphabet.length > 0 ? alphabet.as.items[mr_below(alphabet.length)] : mr_whole(c);
    }
    return mr_items(MR_TEXT, length, items);
}

//: mr_distinct
/* Without the elements that stand before already. */
static mr_value mr_distinct(mr_value s) {
    mr_value kept = mr_items(s.kind, 0, s.as.items);
    for (size_t i = 0; i < s.length; i++) {
        mr_value one = mr_range(s, i, i + 1);
        if (mr_is_distinct(mr_concat(kept, one))) {
            kept = mr_concat(kept, one);
        }
    }
    return kept;
}
