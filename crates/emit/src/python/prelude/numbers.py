#: mr_is_true
def mr_is_true(a):
    return a is True


#: mr_made
def mr_made(arguments):
    return all(a is not None for a in arguments)


#: mr_lifted
def mr_lifted(function):
    """What is made of an undefined value is undefined."""

    @functools.wraps(function)
    def lifted(*operands):
        return None if any(a is None for a in operands) else function(*operands)

    return lifted


#: mr_exact
def mr_exact(a):
    """Undefined where 128 bits do not hold an integer."""
    return a if type(a) is not int or -(2**127) <= a < 2**127 else None


#: mr_integer
def mr_integer(a):
    """The integer that a number is, if it is one of 128 bits."""
    if type(a) is float:
        return int(a) if math.isfinite(a) and a == math.trunc(a) and -(2.0**127) <= a < 2.0**127 else None
    return a


#: mr_every
def mr_every(items):
    """A sequence; undefined where an element is."""
    items = list(items)
    return None if any(item is None for item in items) else items


#: mr_numeric
def mr_numeric(operation, a, b):
    """Integers stay exact; with a float both are floats."""
    if type(a) is int and type(b) is int:
        return mr_exact(operation(a, b))
    return operation(float(a), float(b))


#: mr_elementary
def mr_elementary(operation, a, b):
    """Numbers, or each element of a sequence and a number."""
    if isinstance(a, list):
        return mr_every(mr_numeric(operation, x, b) for x in a)
    if isinstance(b, list):
        return mr_every(mr_numeric(operation, a, x) for x in b)
    return mr_numeric(operation, a, b)


#: mr_add
@mr_lifted
def mr_add(a, b):
    return mr_elementary(operator.add, a, b)


#: mr_subtract
@mr_lifted
def mr_subtract(a, b):
    return mr_elementary(operator.sub, a, b)


#: mr_multiply
@mr_lifted
def mr_multiply(a, b):
    return mr_elementary(operator.mul, a, b)


#: mr_divide
@mr_lifted
def mr_divide(a, b):
    """Integers that divide exactly give an integer, everything else a float. Undefined for a zero divisor."""
    if b == 0:
        return None
    if type(a) is int and type(b) is int and a % b == 0:
        return mr_exact(a // b)
    return float(a) / float(b)


#: mr_div
@mr_lifted
def mr_div(a, b):
    """The quotient of integers, toward zero."""
    a, b = mr_integer(a), mr_integer(b)
    if a is None or b is None or b == 0:
        return None
    quotient = abs(a) // abs(b)
    return mr_exact(quotient if (a < 0) == (b < 0) else -quotient)


#: mr_modulo
@mr_lifted
def mr_modulo(a, b):
    """The remainder of integers, with the sign of the first."""
    a, b = mr_integer(a), mr_integer(b)
    if a is None or b is None or b == 0:
        return None
    return abs(a) % abs(b) * (-1 if a < 0 else 1)


#: mr_power
@mr_lifted
def mr_power(a, b):
    """An integer to a power that is an integer and not negative stays one."""
    if type(a) is int and type(b) is int and b >= 0:
        if abs(a) > 1 and b > 127:
            return None
        if abs(a) <= 1 and b > 1:
            b = 2 - b % 2
        return mr_exact(a**b)
    a, b = float(a), float(b)
    if b == 2.0:
        return a * a
    odd = math.isfinite(b) and b % 2.0 == 1.0
    negative = math.copysign(1.0, a) < 0 and odd
    try:
        return math.pow(a, b)
    except OverflowError:
        return -math.inf if negative else math.inf
    except ValueError:
        return (-math.inf if negative else math.inf) if a == 0.0 else math.nan


#: mr_min_float
def mr_min_float(a, b):
    """The lesser; NaN where either is, and -0 before 0."""
    if a != a or b != b:
        return math.nan
    return a if a < b or (a == b and math.copysign(1.0, a) < 0) else b


#: mr_min
@mr_lifted
def mr_min(a, b):
    return min(a, b) if type(a) is int and type(b) is int else mr_min_float(float(a), float(b))


#: mr_max
@mr_lifted
def mr_max(a, b):
    return max(a, b) if type(a) is int and type(b) is int else -mr_min_float(-float(a), -float(b))


#: mr_negate
@mr_lifted
def mr_negate(a):
    return mr_every(map(mr_negate, a)) if isinstance(a, list) else mr_exact(-a)


#: mr_abs
@mr_lifted
def mr_abs(a):
    return mr_every(map(mr_abs, a)) if isinstance(a, list) else mr_exact(abs(a))


#: mr_rounded
def mr_rounded(a, whole):
    """An integer where 128 bits hold it."""
    if type(a) is int or not math.isfinite(a):
        return a
    return whole(a) if mr_exact(whole(a)) is not None else a


#: mr_floor
@mr_lifted
def mr_floor(a):
    return mr_rounded(a, math.floor)


#: mr_ceil
@mr_lifted
def mr_ceil(a):
    return mr_rounded(a, math.ceil)


#: mr_analytic
def mr_analytic(function, a, beyond):
    """A function of floats; `beyond` where Python has an error for what floats have a value for."""
    try:
        return function(a)
    except (ValueError, OverflowError):
        return beyond


#: mr_sqrt
@mr_lifted
def mr_sqrt(a):
    return mr_analytic(math.sqrt, float(a), math.nan)


#: mr_exp
@mr_lifted
def mr_exp(a):
    return mr_analytic(math.exp, float(a), math.inf)


#: mr_ln
@mr_lifted
def mr_ln(a):
    return mr_analytic(math.log, float(a), -math.inf if a == 0 else math.nan)


#: mr_sin
@mr_lifted
def mr_sin(a):
    return mr_analytic(math.sin, float(a), math.nan)


#: mr_cos
@mr_lifted
def mr_cos(a):
    return mr_analytic(math.cos, float(a), math.nan)


#: mr_asin
@mr_lifted
def mr_asin(a):
    return mr_analytic(math.asin, float(a), math.nan)


#: mr_acos
@mr_lifted
def mr_acos(a):
    return mr_analytic(math.acos, float(a), math.nan)


#: mr_atan
@mr_lifted
def mr_atan(a):
    return math.atan(float(a))


#: mr_atan2
@mr_lifted
def mr_atan2(a, b):
    return math.atan2(float(a), float(b))


#: mr_fmod
@mr_lifted
def mr_fmod(a, b):
    """The remainder of floats, with the sign of the dividend."""
    return mr_analytic(lambda a: math.fmod(a, float(b)), float(a), math.nan)


#: mr_integers
def mr_integers(function, a, b):
    """A function of two integers, whose value fits 128 bits."""
    a, b = mr_integer(a), mr_integer(b)
    value = None if a is None or b is None else function(a, b)
    return None if value is None else mr_exact(value)


#: mr_bitand
@mr_lifted
def mr_bitand(a, b):
    return mr_integers(lambda a, b: a & b, a, b)


#: mr_bitor
@mr_lifted
def mr_bitor(a, b):
    return mr_integers(lambda a, b: a | b, a, b)


#: mr_bitxor
@mr_lifted
def mr_bitxor(a, b):
    return mr_integers(lambda a, b: a ^ b, a, b)


#: mr_shl
@mr_lifted
def mr_shl(a, n):
    """An integer times a power of two; undefined where 128 bits do not hold the result."""
    return mr_integers(lambda a, n: None if n < 0 else a and a << min(n, 128), a, n)


#: mr_shr
@mr_lifted
def mr_shr(a, n):
    """An integer divided by a power of two, rounded down."""
    return mr_integers(lambda a, n: None if n < 0 else a >> min(n, 127), a, n)


#: mr_popcount
@mr_lifted
def mr_popcount(a):
    """How many bits of an integer that is not negative are set."""
    a = mr_integer(a)
    return None if a is None or a < 0 else bin(a).count("1")


#: mr_is_nan
@mr_lifted
def mr_is_nan(a):
    return a != a


#: mr_to_int
@mr_lifted
def mr_to_int(a):
    """Numbers as integers; undefined where one is none."""
    return mr_every(map(mr_integer, a)) if isinstance(a, list) else mr_integer(a)


#: mr_to_float
@mr_lifted
def mr_to_float(a):
    return [float(x) for x in a] if isinstance(a, list) else float(a)


#: mr_single
def mr_single(x):
    """A float rounded to single precision."""
    try:
        return struct.unpack("<f", struct.pack("<f", x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


#: mr_to_single
@mr_lifted
def mr_to_single(a):
    return [mr_single(float(x)) for x in a] if isinstance(a, list) else mr_single(float(a))


#: mr_to_bools
@mr_lifted
def mr_to_bools(a):
    """The empty sequence as one of Booleans."""
    return [x != 0 for x in a]
