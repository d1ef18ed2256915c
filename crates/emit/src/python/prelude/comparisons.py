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


#: mr_near
@mr_lifted
def mr_near(a, b, relative):
    """|a - b| <= 1e-12 + relative * max(|a|, |b|). NaN is near NaN; an infinity only itself."""

    def near(a, b):
        difference = abs(a - b)
        within = difference <= 1e-12 + relative * max(abs(a), abs(b)) and difference < math.inf
        return within or mr_same(a, b)

    return mr_approximate(a, b, near)


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


#: mr_defined
def mr_defined(a):
    return a is not None
