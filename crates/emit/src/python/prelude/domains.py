#: mr_fits
def mr_fits(a, ty):
    """Whether a value is of a type, each element of a sequence of its elements'; undefined is."""
    if isinstance(a, list):
        return all(mr_fits(x, ty[1:-1]) for x in a)
    if ty == "text" and a is not None:
        return all(not 0xD800 <= ord(c) <= 0xDFFF for c in a)
    if a is None or ty in ("text", "bool", "f64"):
        return True
    if ty == "f32":
        return not math.isfinite(a) or math.isfinite(mr_single(float(a)))
    i, bits = mr_integer(a), int(ty[1:])
    low, high = (0, 2**bits) if ty[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1))
    return i is not None and low <= i < high


#: mr_each
def mr_each(a, truth):
    """Whether something is true of a value itself, or of every element of a sequence. Undefined is anything."""
    return a is None or (all(map(truth, a)) if isinstance(a, list) else truth(a))


#: mr_ordered
def mr_ordered(a, b):
    """Whether a number is at most another: exactly between integers, else as floats."""
    exact = type(a) is not float and type(b) is not float
    return a <= b if exact else float(a) <= float(b)


#: mr_in_ranges
def mr_in_ranges(a, ranges):
    """Whether each number is in one of some closed ranges, of which one may be NaN alone."""

    def inside(x, low, high):
        return (mr_ordered(low, x) and mr_ordered(x, high)) or (x != x and low != low)

    return mr_each(a, lambda x: any(inside(x, low, high) for low, high in ranges))


#: mr_is_none_of
def mr_is_none_of(a, numbers):
    """Whether no number is one of some."""
    return mr_each(a, lambda x: not any(mr_ordered(n, x) and mr_ordered(x, n) for n in numbers))


#: mr_has_no_nan
def mr_has_no_nan(a):
    return mr_each(a, lambda x: x == x)


#: mr_has_length
def mr_has_length(s, least, most):
    return s is None or least <= len(s) <= most


#: mr_has_alphabet
def mr_has_alphabet(s, alphabet):
    return s is None or all(c in alphabet for c in s)


#: mr_is_one_of
def mr_is_one_of(s, texts):
    return s is None or s in texts


#: mr_is_sorted
def mr_is_sorted(s):
    return s is None or all(a <= b for a, b in zip(s, s[1:]))


#: mr_is_distinct
def mr_is_distinct(s):
    return s is None or not any(mr_same(a, b) for i, a in enumerate(s) for b in s[:i])


#: mr_has_no_nul
def mr_has_no_nul(s):
    return s is None or not any(x == "\0" or (type(x) is int and x == 0) for x in s)
