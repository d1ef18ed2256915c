#: mr_same
def mr_same(a, b):
    """Exact equality; NaN equals NaN."""
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(mr_same, a, b))
    return a == b or (a != a and b != b)


#: mr_equal
@mr_lifted
def mr_equal(a, b):
    return mr_same(a, b)


#: mr_differs
@mr_lifted
def mr_differs(a, b):
    return not mr_same(a, b)


#: mr_less
@mr_lifted
def mr_less(a, b):
    return a < b


#: mr_at_most
@mr_lifted
def mr_at_most(a, b):
    return a <= b


#: mr_approximate
def mr_approximate(a, b, near):
    """Numbers, or numbers of sequences one by one, by a test of floats; everything else by equality."""
    if isinstance(a, list):
        return len(a) == len(b) and all(mr_approximate(x, y, near) for x, y in zip(a, b))
    if isinstance(a, (str, bool)):
        return a == b
    return near(float(a), float(b))


#: mr_is_within
def mr_is_within(a, b, relative):
    difference = abs(a - b)
    within = difference <= relative * max(abs(a), abs(b)) and difference < math.inf
    return within or mr_same(a, b)


#: mr_near
@mr_lifted
def mr_near(a, b, relative):
    """|a - b| <= relative * max(|a|, |b|). NaN is near NaN; an infinity only itself."""
    return mr_approximate(a, b, lambda a, b: mr_is_within(a, b, relative))


#: mr_near_either
@mr_lifted
def mr_near_either(a, b, relative, absolute):
    """As mr_near, or |a - b| <= absolute."""
    return mr_approximate(a, b, lambda a, b: mr_is_within(a, b, relative) or abs(a - b) <= absolute)


#: mr_moved
def mr_moved(repetition, place, single, x):
    """A value whose floats are moved by less than eight units in the last place, in a way that depends on the repetition. Without
    one it stays as it is."""
    return mr_moved_by(8.0, repetition, place, single, x)


#: mr_moved_made
def mr_moved_made(repetition, place, single, x):
    """As mr_moved, for a value that the relation made without rounding: the repetitions from 8 on move it a thousand times as far,
    and those from 16 on leave it."""
    if repetition is None or repetition >= 16:
        return x
    return mr_moved_by(8.0 if repetition < 8 else 8192.0, repetition, place, single, x)


#: mr_moved_by
def mr_moved_by(units, repetition, place, single, x):
    """A value whose floats are moved by less than so many units in the last place."""
    units *= 2.0**-23 if single else 2.0**-52
    mask = (1 << 64) - 1

    def moved(element, x):
        if not isinstance(x, float):
            return x
        z = ((place << 32 | (element & 0xFFFFFFF) << 3 | repetition % 8 // 2) + 0x9E3779B97F4A7C15) & mask
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & mask
        z = (z ^ z >> 27) * 0x94D049BB133111EB & mask
        z ^= z >> 31
        size = 0.5 + (z >> 12) * 2.0**-53
        return x * (1.0 + units * (-size if (z ^ repetition) & 1 else size))

    if repetition is None or x is None:
        return x
    all_moved = [moved(i, each) for i, each in enumerate(x)] if isinstance(x, list) else moved(0, x)
    return mr_to_single(all_moved) if single else all_moved


#: mr_within_rounding
def mr_within_rounding(near, relative, made, again):
    """Whether sides are near, or no farther apart than rounding explains: the largest change of their difference when they are
    computed again with moved numbers. If exact numbers were moved, wider moves have to change much more: else the function has a step
    there, and what was rounded has to explain the difference alone."""

    def sides(repetition):
        found = again(repetition)
        if found is None or None in found:
            return [], []
        return [[float(x) for x in side] if isinstance(side, list) else [float(side)] for side in found]

    if near is not False:
        return near
    a, b = sides(None)
    if len(a) != len(b):
        return near
    gaps = {i: x - y for i, (x, y) in enumerate(zip(a, b)) if not mr_is_within(x, y, relative)}
    if not gaps or not all(map(math.isfinite, gaps.values())):
        return near

    def changes(repetitions, times):
        most = dict.fromkeys(gaps, 0.0)
        for repetition in repetitions:
            a, b = sides(repetition)
            for i in gaps:
                change = abs(a[i] - b[i] - gaps[i]) if i < min(len(a), len(b)) else 0.0
                if math.isfinite(change):
                    most[i] = max(most[i], change)
        return all(most[i] >= times * abs(gaps[i]) for i in gaps)

    if not changes(range(8), 1.0):
        return False
    return not made or changes(range(8, 16), 16.0) or changes(range(16, 24), 1.0)


#: mr_near_ulps
@mr_lifted
def mr_near_ulps(a, b, ulps):
    """Near in units in the last place."""

    def place(x):
        magnitude = struct.unpack("<q", struct.pack("<d", abs(x)))[0]
        return -magnitude if x < 0 else magnitude

    def near(a, b):
        finite = math.isfinite(a) and math.isfinite(b)
        return mr_same(a, b) or (finite and abs(place(a) - place(b)) <= ulps)

    return mr_approximate(a, b, near)


#: mr_near_single_ulps
@mr_lifted
def mr_near_single_ulps(a, b, ulps):
    """Near in units in the last place of single precision."""

    def place(x):
        magnitude = struct.unpack("<i", struct.pack("<f", abs(x)))[0]
        return -magnitude if x < 0 else magnitude

    def near(a, b):
        x, y = mr_single(a), mr_single(b)
        finite = math.isfinite(x) and math.isfinite(y)
        return mr_same(a, b) or (finite and abs(place(x) - place(y)) <= ulps)

    return mr_approximate(a, b, near)


#: mr_not
@mr_lifted
def mr_not(a):
    return not a


#: mr_and
def mr_and(a, b):
    """False where either side is false, whatever the other."""
    if a is False or b is False:
        return False
    return None if a is None or b is None else True


#: mr_or
def mr_or(a, b):
    """True where either side is true, whatever the other."""
    if a is True or b is True:
        return True
    return None if a is None or b is None else False


#: mr_implies
def mr_implies(a, b):
    return mr_or(mr_not(a), b)


#: mr_either
def mr_either(condition, then, otherwise):
    if condition is None:
        return None
    return then if condition else otherwise


#: mr_given
def mr_given(condition, value):
    return mr_either(condition, value, None)


#: mr_defined
def mr_defined(a):
    return a is not None
