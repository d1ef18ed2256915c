//: mr_chance
/* True so many times in a thousand. */
static bool mr_chance(unsigned share) {
    return mr_below(1000) < share;
}

//: mr_spread mr_by_magnitude MR_MIXED MR_UNIFORM MR_LOGARITHMIC
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
/* A finite float of one of some closed ranges, of which one may be NaN alone. */
static mr_value mr_draw_real(size_t count, double ranges[][2], mr_spread spread) {
    double *range = ranges[mr_below(count)], low = range[0], high = range[1];
    if (low != low) {
        return mr_real(low);
    }
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
