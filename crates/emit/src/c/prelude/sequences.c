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

//: mr_sorted_by
/* In ascending order of the keys, by insertion; undefined unless there is one key for each element. */
static mr_value mr_sorted_by(mr_value s, mr_value keys) {
    if (!mr_is_sequence(s) || !mr_is_sequence(keys) || s.length != keys.length) {
        return mr_undefined();
    }
    mr_value *items = mr_take(s.length * sizeof *items), *by = mr_take(s.length * sizeof *by);
    for (size_t i = 0; i < s.length; i++) {
        size_t hole = i;
        for (; hole > 0 && mr_before(keys.as.items[i], by[hole - 1]); hole--) {
            items[hole] = items[hole - 1];
            by[hole] = by[hole - 1];
        }
        items[hole] = s.as.items[i];
        by[hole] = keys.as.items[i];
    }
    return mr_items(s.kind, s.length, items);
}

//: mr_sorted
/* Ascending; NaN last. */
static mr_value mr_sorted(mr_value s) {
    return mr_sorted_by(s, s);
}

//: mr_occurrences
/* How many elements are the same as a value. */
static size_t mr_occurrences(mr_value s, mr_value x) {
    size_t found = 0;
    for (size_t i = 0; i < s.length; i++) {
        found += mr_same(s.as.items[i], x);
    }
    return found;
}

//: mr_distinct
/* Without the elements that stand before already. */
static mr_value mr_distinct(mr_value s) {
    mr_value *items = mr_take(s.length * sizeof *items);
    mr_value kept = mr_items(s.kind, 0, items);
    for (size_t i = 0; i < s.length; i++) {
        if (mr_occurrences(kept, s.as.items[i]) == 0) {
            items[kept.length++] = s.as.items[i];
        }
    }
    return mr_is_sequence(s) ? kept : s;
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

//: mr_count
/* How many elements equal a value; in a text, how often a text occurs without overlap. */
static mr_value mr_count(mr_value s, mr_value x) {
    mr_int found = 0;
    if (!mr_is_sequence(s) || x.kind == MR_UNDEFINED) {
        return mr_undefined();
    }
    if (s.kind != MR_TEXT) {
        return mr_whole((mr_int)mr_occurrences(s, x));
    }
    for (size_t i = 0; i + x.length <= s.length;) {
        bool here = mr_stands_at(x, s, i);
        found += here;
        i += here && x.length > 0 ? x.length : 1;
    }
    return mr_whole(found);
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

//: mr_trim
static bool mr_is_space(mr_value c) {
    return c.as.whole == ' ' || ('\t' <= c.as.whole && c.as.whole <= '\r');
}

/* Without white space of ASCII at both ends. */
static mr_value mr_trim(mr_value s) {
    size_t from = 0, to = s.length;
    if (s.kind != MR_TEXT) {
        return s;
    }
    while (from < to && mr_is_space(s.as.items[from])) {
        from++;
    }
    while (from < to && mr_is_space(s.as.items[to - 1])) {
        to--;
    }
    return mr_range(s, from, to);
}

//: mr_lines
/* A number for each line. */
static mr_value mr_lines(mr_value s) {
    if (s.kind != MR_TEXT) {
        return s;
    }
    mr_value *items = mr_take((s.length + 1) * sizeof *items);
    size_t count = 0;
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < s.length; i++) {
        bool ends = s.as.items[i].as.whole == '\n';
        if (!ends) {
            hash = (hash ^ (uint64_t)s.as.items[i].as.whole) * 0x100000001b3u;
        }
        if (ends || i + 1 == s.length) {
            items[count++] = mr_whole((mr_int)(hash >> 1));
            hash = 0xcbf29ce484222325u;
        }
    }
    return mr_items(MR_LIST, count, items);
}

//: mr_to_number
static size_t mr_digits(const char *text) {
    size_t count = 0;
    while ('0' <= text[count] && text[count] <= '9') {
        count++;
    }
    return count;
}

/* The number that a text is the decimal of. */
static mr_value mr_to_number(mr_value a) {
    if (a.kind != MR_TEXT) {
        return mr_undefined();
    }
    char *text = mr_take(a.length);
    for (size_t i = 0; i < a.length; i++) {
        mr_int character = a.as.items[i].as.whole;
        if (character <= 0 || character > 127) {
            return mr_undefined();
        }
        text[i] = (char)character;
    }
    bool negative = text[0] == '-';
    const char *rest = text + negative;
    if (strcmp(rest, "inf") == 0) {
        return mr_real(negative ? -__builtin_inf() : __builtin_inf());
    }
    if (strcmp(text, "nan") == 0) {
        return mr_real(__builtin_nan(""));
    }
    size_t digits = mr_digits(rest);
    if (digits == 0) {
        return mr_undefined();
    }
    if (rest[digits] == 0) {
        mr_int whole = 0;
        for (size_t i = 0; i < digits; i++) {
            mr_int digit = rest[i] - '0';
            if (__builtin_mul_overflow(whole, 10, &whole)
                || __builtin_add_overflow(whole, negative ? -digit : digit, &whole)) {
                return mr_undefined();
            }
        }
        return mr_whole(whole);
    }
    rest += digits;
    if (*rest == '.') {
        digits = mr_digits(rest + 1);
        if (digits == 0) {
            return mr_undefined();
        }
        rest += 1 + digits;
    }
    if (*rest == 'e' || *rest == 'E') {
        rest += 1 + (rest[1] == '+' || rest[1] == '-');
        digits = mr_digits(rest);
        if (digits == 0) {
            return mr_undefined();
        }
        rest += digits;
    }
    return *rest == 0 ? mr_real(strtod(text, NULL)) : mr_undefined();
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
