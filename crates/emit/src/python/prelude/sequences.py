#: mr_len
@mr_lifted
def mr_len(s):
    return len(s)


#: mr_sum
@mr_lifted
def mr_sum(s):
    return functools.reduce(lambda total, x: None if total is None else mr_exact(total + x), s, 0)


#: mr_sum_floats
@mr_lifted
def mr_sum_floats(s):
    """From left to right, also of no floats at all."""
    return functools.reduce(operator.add, s, 0.0)


#: mr_like
def mr_like(s, items):
    """Elements as a text where the other is one."""
    return "".join(items) if isinstance(s, str) else list(items)


#: mr_reverse
@mr_lifted
def mr_reverse(s):
    return s[::-1]


#: mr_order
def mr_order(x):
    """Where an element stands among others in ascending order; NaN last."""
    return (x != x, 0 if x != x else x)


#: mr_sorted
@mr_lifted
def mr_sorted(s):
    """Ascending; NaN last."""
    return mr_like(s, sorted(s, key=mr_order))


#: mr_sorted_by
@mr_lifted
def mr_sorted_by(s, keys):
    """In ascending order of the keys; undefined unless there is one key for each element."""
    if len(s) != len(keys):
        return None
    return mr_like(s, [s[i] for i in sorted(range(len(s)), key=lambda i: mr_order(keys[i]))])


#: mr_distinct
@mr_lifted
def mr_distinct(s):
    """Without the elements that stand before already."""
    return mr_like(s, [x for i, x in enumerate(s) if not any(mr_same(x, y) for y in s[:i])])


#: mr_remove
@mr_lifted
def mr_remove(s, i):
    """Counts from the end below zero; changes nothing where there is no such place."""
    i = mr_integer(i)
    if i is None:
        return None
    hole = i + len(s) if i < 0 else i
    return s[:hole] + s[hole + 1 :] if 0 <= hole < len(s) else s


#: mr_truncate
@mr_lifted
def mr_truncate(s, n):
    """The first n, or all where there are fewer."""
    n = mr_integer(n)
    return None if n is None else s[: max(n, 0)]


#: mr_slice
@mr_lifted
def mr_slice(s, start, end):
    """Undefined where it reaches out of the sequence."""
    start, end = mr_integer(start), mr_integer(end)
    if start is None or end is None or not 0 <= start <= end <= len(s):
        return None
    return s[start:end]


#: mr_drop_first
@mr_lifted
def mr_drop_first(s, start):
    """Undefined where it reaches out of the sequence."""
    return mr_slice(s, start, len(s))


#: mr_index
@mr_lifted
def mr_index(s, i):
    """An element, or a text of one character. Undefined out of range."""
    i = mr_integer(i)
    return s[i] if i is not None and 0 <= i < len(s) else None


#: mr_concat
@mr_lifted
def mr_concat(s, t):
    return s + t


#: mr_contains
@mr_lifted
def mr_contains(s, part):
    """Whether a sequence has another inside, unbroken."""
    return any(mr_same(s[i : i + len(part)], part) for i in range(len(s) - len(part) + 1))


#: mr_has_element
@mr_lifted
def mr_has_element(s, x):
    return any(mr_same(item, x) for item in s)


#: mr_count
@mr_lifted
def mr_count(s, x):
    """How many elements equal x; in a text, how often the text x occurs without overlap."""
    return s.count(x) if isinstance(s, str) else sum(mr_same(item, x) for item in s)


#: mr_is_prefix_of
@mr_lifted
def mr_is_prefix_of(part, s):
    return mr_same(s[: len(part)], part)


#: mr_is_suffix_of
@mr_lifted
def mr_is_suffix_of(part, s):
    return len(part) <= len(s) and mr_same(s[len(s) - len(part) :], part)


#: mr_upper
@mr_lifted
def mr_upper(s):
    """Character by character: a letter's form does not depend on the letters beside it."""
    return "".join(c.upper() for c in s)


#: mr_lower
@mr_lifted
def mr_lower(s):
    """Character by character: a letter's form does not depend on the letters beside it."""
    return "".join(c.lower() for c in s)


#: mr_trim
@mr_lifted
def mr_trim(s):
    """Without white space of ASCII at both ends."""
    return s.strip(" \t\n\r\x0b\x0c")


#: mr_lines
@mr_lifted
def mr_lines(s):
    """A number for each line."""
    numbers = []
    for line in s.removesuffix("\n").split("\n") if s else []:
        number = 0xCBF29CE484222325
        for c in line:
            # A byte that is not UTF-8 is a lone surrogate.
            code = ord(c) + 0x110000 - 0xDC00 if 0xDC80 <= ord(c) < 0xDD00 else ord(c)
            number = (number ^ code) * 0x100000001B3 % 2**64
        numbers.append(number >> 1)
    return numbers


#: mr_to_number
@mr_lifted
def mr_to_number(a):
    """The number that a text is the decimal of."""
    if a in ("nan", "inf", "-inf"):
        return float(a)
    if re.fullmatch(r"-?[0-9]+", a):
        return mr_exact(int(a))
    if re.fullmatch(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?", a):
        return float(a)
    return None


#: mr_text
@mr_lifted
def mr_text(a):
    """As the relation language writes a number."""
    if type(a) is bool:
        return "true" if a else "false"
    return re.sub(r"e([+-])0*(\d+)", lambda e: "e" + e[1].replace("+", "") + e[2], repr(a))
