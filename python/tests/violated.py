"""Relations that do not hold. They are no tests: a test says what comes of them."""

from dodona import assume, booleans, integers, relation, texts


@relation(n=integers(-1000, 1000))
def small(n):
    return n < 77


@relation(text=texts(ranges=["a-c"], length=(0, 8)), flag=booleans())
def without(text, flag):
    assume(flag)
    if "cb" in text:
        raise LookupError("cb")
