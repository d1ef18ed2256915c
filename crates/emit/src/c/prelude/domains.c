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
static bool mr_is_nan_real(mr_value a) {
    return a.kind == MR_REAL && a.as.real != a.as.real;
}

static bool mr_in_ranges_one(mr_value a, const void *about) {
    const mr_numbers *ends = about;
    bool inside = false;
    for (size_t i = 0; !inside && i < ends->count; i += 2) {
        int low = mr_order(a, ends->numbers[i]), high = mr_order(a, ends->numbers[i + 1]);
        inside = ((low == 0 || low == 1) && high <= 0) || (mr_is_nan_real(a) && mr_is_nan_real(ends->numbers[i]));
    }
    return inside;
}

/* Whether each number is in one of some closed ranges, whose ends are given in pairs; one may be NaN alone. */
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
