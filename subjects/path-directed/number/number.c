/* Text to a number of the smallest type that holds it: what NumberUtils.createNumber of Commons Lang 3 does.

   A number is given as its kind, its unscaled value and its scale, as BigDecimal has them: value = unscaled / 10^scale.
   What Java throws a NumberFormatException for is of kind NONE; what it would throw an index error for is a trap.
   Simpler than the original: no whitespace around a number, no "NaN" and "Infinity", no hexadecimal floats; the magnitude
   that a float or a double holds is told by the power of ten of the first digit; and 0 with an exponent is a float.

   LANG_1 ... LANG_58 bring back faults of the original that its bug tracker tells, after their numbers in Defects4J. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../here.h"

enum kind { NONE = 0, INTEGER = 1, LONG = 2, BIG_INTEGER = 3, FLOAT = 4, DOUBLE = 5, BIG_DECIMAL = 6 };

struct number {
    int64_t kind;
    int64_t unscaled;
    int64_t scale;
};

/* A part of a text; `NULL` where there is none, which is not the same as an empty one. */
struct text {
    const char *chars;
    int32_t length;
};

static const struct text ABSENT = {NULL, 0};
static const struct number NO_NUMBER = {NONE, 0, 0};

static const int32_t MOST_FLOAT_DECIMALS = 7;
static const int32_t MOST_DOUBLE_DECIMALS = 16;

/* Powers of ten of the first digit. */
static const int32_t FLOAT_LEAST = -45, FLOAT_GREATEST = 37;
static const int32_t DOUBLE_LEAST = -323, DOUBLE_GREATEST = 307;

/* An exponent of more digits is of no number. */
static const int32_t MOST_EXPONENT_DIGITS = 6;

/* ---- text ---- */

static char char_at(struct text text, int32_t at) {
    if (at < 0 || at >= text.length) {
        __builtin_trap();
    }
    return text.chars[at];
}

static struct text substring(struct text text, int32_t from, int32_t to) {
    if (from < 0 || to < from || to > text.length) {
        __builtin_trap();
    }
    return (struct text){text.chars + from, to - from};
}

/* Where the first such character is, or -1. */
static int32_t index_of(struct text text, char c) {
    for (int32_t i = 0; i < text.length; i++) {
        if (text.chars[i] == c) {
            return i;
        }
    }
    HERE; return -1;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_digits(struct text text) {
    if (text.length == 0) {
        HERE; return false;
    }
    for (int32_t i = 0; i < text.length; i++) {
        if (!is_digit(text.chars[i])) {
            HERE; return false;
        }
    }
    HERE; return true;
}

static bool has_sign(struct text text) {
    return text.length > 0 && (text.chars[0] == '-' || text.chars[0] == '+');
}

static struct text without_sign(struct text text) {
    if (has_sign(text)) {
        return substring(text, 1, text.length);
    }
    return text;
}

/* ---- integers ---- */

/* The value of a digit; that of a character which is none is no smaller than any base. */
static int32_t digit_value(char c) {
    if (is_digit(c)) {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    if (c >= 'A' && c <= 'F') {
        return c - 'A' + 10;
    }
    HERE; return 16;
}

/* The length of `0x`, `0X` or `#` before the digits. */
static int32_t hex_prefix(struct text unsigned_text) {
    if (unsigned_text.length >= 1 && unsigned_text.chars[0] == '#') {
        HERE; return 1;
    }
    if (unsigned_text.length >= 2 && unsigned_text.chars[0] == '0') {
        if (unsigned_text.chars[1] == 'x') {
            HERE; return 2;
        }
        if (unsigned_text.chars[1] == 'X') {
            HERE; return 2;
        }
    }
    HERE; return 0;
}

/* A magnitude of 64 bits; beyond, its low bits and that it is too large. */
struct magnitude {
    uint64_t bits;
    bool is_valid;
    bool is_large;
};

static struct magnitude magnitude_of(struct text digits, int32_t base) {
    struct magnitude m = {0, digits.length > 0, false};
    for (int32_t i = 0; i < digits.length; i++) {
        int32_t value = digit_value(digits.chars[i]);
        if (value >= base) {
            m.is_valid = false;
            return m;
        }
        if (m.bits > (UINT64_MAX - (uint64_t)value) / (uint64_t)base) {
            m.is_large = true;
        }
        m.bits = m.bits * (uint64_t)base + (uint64_t)value;
    }
    return m;
}

/* Decimal, hexadecimal by prefix, octal by a leading zero: Integer.decode, Long.decode, createBigInteger. */
static struct magnitude decode(struct text text) {
    struct text rest = without_sign(text);
    int32_t prefix = hex_prefix(rest);
    if (prefix > 0) {
        return magnitude_of(substring(rest, prefix, rest.length), 16);
    }
    if (rest.length > 1 && rest.chars[0] == '0') {
        return magnitude_of(substring(rest, 1, rest.length), 8);
    }
    return magnitude_of(rest, 10);
}

static bool is_negative(struct text text) {
    return text.length > 0 && text.chars[0] == '-';
}

/* Whether an integer of so many bits holds it. */
static bool fits(struct magnitude m, bool negative, int32_t bits) {
    uint64_t limit = (uint64_t)1 << (bits - 1);
    if (m.is_large) {
        HERE; return false;
    }
    if (negative) {
        return m.bits <= limit;
    }
    return m.bits < limit;
}

/* An integer of this kind: none where the text is no integer, or the kind too small. */
static struct number create_integer(struct text text, enum kind kind) {
    struct magnitude m = decode(text);
    bool negative = is_negative(text);
    if (!m.is_valid) {
        HERE; return NO_NUMBER;
    }
    if (kind == INTEGER && !fits(m, negative, 32)) {
        HERE; return NO_NUMBER;
    }
    if (kind == LONG && !fits(m, negative, 64)) {
        HERE; return NO_NUMBER;
    }
    uint64_t value = m.bits;
    if (negative) {
        value = 0 - value;
    }
    return (struct number){kind, (int64_t)value, 0};
}

/* ---- decimals ---- */

/* A decimal number read: digits, their scale, and the power of ten of the first digit that is not 0. */
struct decimal {
    bool is_valid;
    uint64_t unscaled;
    int32_t scale;
    bool is_zero;
    int32_t power;
};

/* The value of `[+-]digits`, or that it is none. */
static bool read_exponent(struct text text, int32_t *exponent) {
    struct text digits = without_sign(text);
    if (!is_digits(digits) || digits.length > MOST_EXPONENT_DIGITS) {
        HERE; return false;
    }
    int32_t value = 0;
    for (int32_t i = 0; i < digits.length; i++) {
        value = value * 10 + (digits.chars[i] - '0');
    }
    *exponent = is_negative(text) ? -value : value;
    HERE; return true;
}

/* Reads digits with at most one point among them. */
static bool read_mantissa(struct text text, struct decimal *d) {
    bool point = false, digit = false;
    for (int32_t i = 0; i < text.length; i++) {
        char c = text.chars[i];
        if (c == '.') {
            if (point) {
                HERE; return false;
            }
            point = true;
            continue;
        }
        if (!is_digit(c)) {
            HERE; return false;
        }
        digit = true;
        d->unscaled = d->unscaled * 10 + (uint64_t)(c - '0');
        if (point) {
            d->scale++;
        }
        if (!d->is_zero) {
            d->power++;
        } else if (c != '0') {
            d->is_zero = false;
            d->power = 0;
        }
    }
    return digit;
}

/* Reads `[+-]digits.digits[eE][+-]digits`, where one of the rows of digits may be missing. */
static struct decimal read_decimal(struct text text) {
    struct decimal d = {true, 0, 0, true, 0};
    struct text mantissa = without_sign(text);
    int32_t e = index_of(mantissa, 'e');
    if (e < 0) {
        e = index_of(mantissa, 'E');
    }
    int32_t exponent = 0;
    if (e >= 0) {
        d.is_valid = read_exponent(substring(mantissa, e + 1, mantissa.length), &exponent);
        mantissa = substring(mantissa, 0, e);
    }
    d.is_valid = read_mantissa(mantissa, &d) && d.is_valid;
    d.power += exponent - d.scale;
    d.scale -= exponent;
    return d;
}

static struct number decimal_of_kind(struct text text, const struct decimal *d, enum kind kind) {
    uint64_t value = d->unscaled;
    if (is_negative(text)) {
        value = 0 - value;
    }
    return (struct number){kind, (int64_t)value, d->scale};
}

/* A float or double: none where it would be infinite, or 0 though a digit is not 0. */
static struct number create_float(struct text text, enum kind kind, int32_t least, int32_t greatest) {
    struct decimal d = read_decimal(text);
    if (!d.is_valid) {
        HERE; return NO_NUMBER;
    }
    if (!d.is_zero && (d.power < least || d.power > greatest)) {
        HERE; return NO_NUMBER;
    }
    return decimal_of_kind(text, &d, kind);
}

static struct number create_big_decimal(struct text text) {
    struct decimal d = read_decimal(text);
    if (!d.is_valid) {
        HERE; return NO_NUMBER;
    }
    return decimal_of_kind(text, &d, BIG_DECIMAL);
}

/* ---- createNumber ---- */

/* The parts of a text that is not hexadecimal. */
struct parts {
    struct text mantissa; /* before the point or the exponent */
    struct text decimals; /* behind the point */
    int32_t exponent_at;  /* where `e` or `E` is, or -1 */
};

/* Hexadecimal numbers: the digits tell the type. */
static struct number create_hexadecimal(struct text text, int32_t prefix) {
    char first = 0;
#ifndef LANG_1
    for (int32_t i = prefix; i < text.length; i++) {
        first = text.chars[i];
        if (first != '0') {
            break;
        }
        prefix++;
    }
#endif
    int32_t digits = text.length - prefix;
    if (digits > 16 || (digits == 16 && first > '7')) {
        return create_integer(text, BIG_INTEGER);
    }
    if (digits > 8 || (digits == 8 && first > '7')) {
        return create_integer(text, LONG);
    }
    return create_integer(text, INTEGER);
}

/* False where the text cannot be a number. */
static bool split(struct text text, struct parts *parts) {
    int32_t point = index_of(text, '.');
    /* One of them is -1 unless both occur; then the sum is a place that no exponent can have. */
    int32_t exponent = index_of(text, 'e') + index_of(text, 'E') + 1;
    parts->exponent_at = exponent;
    parts->decimals = ABSENT;
    if (point >= 0) {
        int32_t end = text.length;
        if (exponent >= 0) {
#ifdef LANG_27
            if (exponent <= point) {
#else
            if (exponent <= point || exponent > text.length) {
#endif
                HERE; return false;
            }
            end = exponent;
        }
        parts->decimals = substring(text, point + 1, end);
        parts->mantissa = substring(text, 0, point);
        HERE; return true;
    }
    if (exponent >= 0) {
#ifndef LANG_27
        if (exponent > text.length) {
            HERE; return false;
        }
#endif
        parts->mantissa = substring(text, 0, exponent);
        HERE; return true;
    }
    parts->mantissa = text;
    HERE; return true;
}

/* A number with `L` behind it. */
static struct number create_long(struct text numeric, const struct parts *parts, struct text exponent) {
    if (parts->decimals.chars != NULL || exponent.chars != NULL) {
        HERE; return NO_NUMBER;
    }
#ifndef LANG_44
    if (numeric.length == 0) {
        HERE; return NO_NUMBER;
    }
#endif
#ifdef LANG_58
    char first = char_at(numeric, 0);
    bool is_long = is_digits(substring(numeric, 1, numeric.length)) && (first == '-' || is_digit(first));
#else
    bool is_minus = char_at(numeric, 0) == '-';
    bool is_long = (is_minus && is_digits(substring(numeric, 1, numeric.length))) || is_digits(numeric);
#endif
    if (!is_long) {
        HERE; return NO_NUMBER;
    }
    struct number number = create_integer(numeric, LONG);
    if (number.kind != NONE) {
        return number;
    }
    return create_integer(numeric, BIG_INTEGER);
}

/* A number with the letter of a type behind it. */
static struct number create_requested(struct text text, const struct parts *parts) {
    int32_t last = text.length - 1;
    struct text exponent = ABSENT;
    if (parts->exponent_at >= 0 && parts->exponent_at < last) {
        exponent = substring(text, parts->exponent_at + 1, last);
    }
    struct text numeric = substring(text, 0, last);
    struct number number = NO_NUMBER;
    switch (char_at(text, last)) {
    case 'l':
    case 'L':
        return create_long(numeric, parts, exponent);
    case 'f':
    case 'F':
        number = create_float(numeric, FLOAT, FLOAT_LEAST, FLOAT_GREATEST);
        if (number.kind != NONE) {
            return number;
        }
        /* Too large or too small for a float. */
        __attribute__((fallthrough));
    case 'd':
    case 'D':
        number = create_float(numeric, DOUBLE, DOUBLE_LEAST, DOUBLE_GREATEST);
        if (number.kind != NONE) {
            return number;
        }
        return create_big_decimal(numeric);
    default:
        HERE; return NO_NUMBER;
    }
}

/* The smallest of Integer, Long and BigInteger. */
static struct number create_smallest_integer(struct text text) {
    struct number number = create_integer(text, INTEGER);
    if (number.kind != NONE) {
        return number;
    }
    number = create_integer(text, LONG);
    if (number.kind != NONE) {
        return number;
    }
    return create_integer(text, BIG_INTEGER);
}

/* The smallest of Float, Double and BigDecimal that loses no digit behind the point. */
static struct number create_smallest_decimal(struct text text, const struct parts *parts) {
#ifdef LANG_3
    int32_t decimals = 0;
#else
    int32_t decimals = parts->decimals.length;
#endif
    struct number number = NO_NUMBER;
    if (decimals <= MOST_FLOAT_DECIMALS) {
        number = create_float(text, FLOAT, FLOAT_LEAST, FLOAT_GREATEST);
        if (number.kind != NONE) {
            return number;
        }
    }
    if (decimals <= MOST_DOUBLE_DECIMALS) {
        number = create_float(text, DOUBLE, DOUBLE_LEAST, DOUBLE_GREATEST);
        if (number.kind != NONE) {
            return number;
        }
    }
    return create_big_decimal(text);
}

static struct number create(struct text text) {
    if (text.length == 0) {
        HERE; return NO_NUMBER;
    }
    int32_t sign = is_negative(text) ? 1 : 0;
    int32_t prefix = hex_prefix(substring(text, sign, text.length));
#ifdef LANG_16
    if (prefix == 2 && text.chars[sign + 1] == 'X') {
        prefix = 0;
    }
#endif
    if (prefix > 0) {
        return create_hexadecimal(text, sign + prefix);
    }
#ifdef LANG_5
    if (text.chars[0] == '.') {
        HERE; return NO_NUMBER;
    }
#endif
    struct parts parts;
    if (!split(text, &parts)) {
        HERE; return NO_NUMBER;
    }
    char last = char_at(text, text.length - 1);
#ifdef LANG_36
    if (!is_digit(last)) {
#else
    if (!is_digit(last) && last != '.') {
#endif
        return create_requested(text, &parts);
    }
    struct text exponent = ABSENT;
    if (parts.exponent_at >= 0 && parts.exponent_at < text.length - 1) {
        exponent = substring(text, parts.exponent_at + 1, text.length);
    }
    if (parts.decimals.chars == NULL && exponent.chars == NULL) {
        return create_smallest_integer(text);
    }
    return create_smallest_decimal(text, &parts);
}

/* Writes kind, unscaled value and scale, and returns that they are three; nothing where there is no room. */
size_t create_number(const char *chars, size_t length, int64_t *out, size_t capacity) {
    if (capacity < 3) {
        HERE; return 0;
    }
    struct number number = create((struct text){chars, (int32_t)length});
    out[0] = number.kind;
    out[1] = number.unscaled;
    out[2] = number.scale;
    HERE; return 3;
}
