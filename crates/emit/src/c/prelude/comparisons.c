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

//: mr_within
static bool mr_within(double a, double b, double relative) {
    double difference = __builtin_fabs(a - b), x = __builtin_fabs(a), y = __builtin_fabs(b);
    return difference <= relative * (x > y ? x : y) && mr_is_finite(difference);
}

//: mr_near_either
static double mr_absolute;

static bool mr_within_either(double a, double b, double relative) {
    return mr_within(a, b, relative) || __builtin_fabs(a - b) <= mr_absolute;
}

/* As mr_near, or |a - b| <= absolute. */
static mr_value mr_near_either(mr_value a, mr_value b, double relative, double absolute) {
    bool undefined = a.kind == MR_UNDEFINED || b.kind == MR_UNDEFINED;
    mr_absolute = absolute;
    return undefined ? mr_undefined() : mr_truth(mr_approximate(a, b, mr_within_either, relative));
}

//: mr_moved_by
static double mr_factor(int repetition, uint64_t place, size_t element, double units) {
    uint64_t z = (place << 32 | (uint64_t)(element & 0xfffffff) << 3 | (uint64_t)(repetition % 8 / 2)) + 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    double size = 0.5 + (double)(z >> 12) / 9007199254740992.0;
    return 1.0 + units * (((z ^ (uint64_t)repetition) & 1) == 0 ? size : -size);
}

/* A value whose floats are moved by less than so many units in the last place. Without a repetition, which is -1, it stays as it is. */
static mr_value mr_moved_by(double units, int repetition, uint64_t place, bool single, mr_value x) {
    mr_value moved = x;
    units *= single ? 1.0 / 8388608.0 : 1.0 / 4503599627370496.0;
    if (repetition < 0) {
        return x;
    }
    if (x.kind == MR_REAL) {
        moved.as.real = x.as.real * mr_factor(repetition, place, 0, units);
    } else if (x.kind == MR_LIST) {
        mr_value *items = mr_take(x.length * sizeof *items);
        for (size_t i = 0; i < x.length; i++) {
            items[i] = x.as.items[i];
            if (items[i].kind == MR_REAL) {
                items[i].as.real *= mr_factor(repetition, place, i, units);
            }
        }
        moved.as.items = items;
    } else {
        return x;
    }
    return single ? mr_to_single(moved) : moved;
}

//: mr_moved
/* A value whose floats are moved by less than eight units in the last place, in a way that depends on the repetition. */
static mr_value mr_moved(int repetition, uint64_t place, bool single, mr_value x) {
    return mr_moved_by(8.0, repetition, place, single, x);
}

//: mr_moved_made
/* As mr_moved, for a value that the relation made without rounding: the repetitions from 8 on move it a thousand times as far, and
   those from 16 on leave it. */
static mr_value mr_moved_made(int repetition, uint64_t place, bool single, mr_value x) {
    return mr_moved_by(repetition < 8 ? 8.0 : 8192.0, repetition < 16 ? repetition : -1, place, single, x);
}

//: mr_within_rounding
typedef bool mr_again(const mr_value *variables, int repetition, mr_value *sides);

static double mr_element(mr_value x, size_t i) {
    return mr_number(x.kind == MR_LIST ? x.as.items[i] : x);
}

/* Whether the largest change of the sides' difference, when they are computed again by the eight repetitions from `from` on, is so many
   times the difference. */
static bool mr_changes(const double *gaps, size_t count, bool lists, int from, double times, mr_again *again, const mr_value *variables) {
    mr_value moved[2];
    double *changes = mr_take(count * sizeof *changes);
    for (size_t i = 0; i < count; i++) {
        changes[i] = 0;
    }
    for (int repetition = from; repetition < from + 8; repetition++) {
        bool made = again(variables, repetition, moved) && moved[0].kind != MR_UNDEFINED && moved[1].kind != MR_UNDEFINED;
        for (size_t i = 0; made && i < count; i++) {
            if (lists && (i >= moved[0].length || i >= moved[1].length)) {
                break;
            }
            double change = __builtin_fabs(mr_element(moved[0], i) - mr_element(moved[1], i) - gaps[i]);
            if (mr_is_finite(change) && change > changes[i]) {
                changes[i] = change;
            }
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (changes[i] < times * __builtin_fabs(gaps[i])) {
            return false;
        }
    }
    return true;
}

/* Whether sides are near, or no farther apart than rounding explains: the largest change of their difference when they are computed
   again with moved numbers. If exact numbers were moved, wider moves have to change much more: else the function has a step there, and
   what was rounded has to explain the difference alone. */
static mr_value mr_within_rounding(mr_value near, double relative, bool made, mr_again *again, const mr_value *variables) {
    mr_value first[2];
    if (near.kind != MR_TRUTH || near.as.truth || !again(variables, -1, first)) {
        return near;
    }
    bool lists = first[0].kind == MR_LIST;
    size_t count = lists ? first[0].length : 1;
    if (lists != (first[1].kind == MR_LIST) || (lists && count != first[1].length)) {
        return near;
    }
    double *gaps = mr_take(count * sizeof *gaps);
    for (size_t i = 0; i < count; i++) {
        double x = mr_element(first[0], i), y = mr_element(first[1], i);
        bool is_near = x == y || (x != x && y != y) || mr_within(x, y, relative);
        gaps[i] = is_near ? 0 : x - y;
        if (!mr_is_finite(gaps[i])) {
            return near;
        }
    }
    bool explained = mr_changes(gaps, count, lists, 0, 1.0, again, variables);
    if (explained && made) {
        explained = mr_changes(gaps, count, lists, 8, 16.0, again, variables) || mr_changes(gaps, count, lists, 16, 1.0, again, variables);
    }
    return explained ? mr_truth(true) : near;
}

//: mr_near
/* |a - b| <= relative * max(|a|, |b|). NaN is near NaN; an infinity only itself. */
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

//: mr_either
static mr_value mr_either(mr_value condition, mr_value then, mr_value otherwise) {
    if (condition.kind != MR_TRUTH) {
        return mr_undefined();
    }
    return condition.as.truth ? then : otherwise;
}

//: mr_given
static mr_value mr_given(mr_value condition, mr_value value) {
    return mr_either(condition, value, mr_undefined());
}

//: mr_defined
static mr_value mr_defined(mr_value a) {
    return mr_truth(a.kind != MR_UNDEFINED);
}
