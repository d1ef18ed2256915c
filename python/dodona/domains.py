"""What values the parameters of a relation are drawn from."""

import dataclasses
import typing


@dataclasses.dataclass(frozen=True)
class Domain:
    """A type of Dodona, and the table that says where in it values lie (see the manifest in the book)."""

    type: str
    keys: tuple = ()

    def declared(self, name):
        """The line of a manifest; none where the whole type is meant."""
        if not self.keys:
            return ""
        return f"domain.{name} = {{ {', '.join(f'{key} = {toml(value)}' for key, value in self.keys)} }}\n"


def toml(value):
    """A value as a manifest has it."""
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(toml(one) for one in value) + "]"
    if isinstance(value, str):
        return '"' + "".join(one if one.isprintable() and one not in '"\\' else f"\\U{ord(one):08x}" for one in value) + '"'
    if isinstance(value, float):
        # An integer of TOML has 64 bits only where it has no point.
        return repr(value)
    return str(value)


def between(least, most):
    return (("range", (least, most)),)


def floats(least=None, most=None):
    """Floating-point numbers between two bounds, or all of them: NaN and infinities too."""
    if least is None and most is None:
        return Domain("f64")
    return Domain("f64", between(-1.7976931348623157e308 if least is None else float(least), 1.7976931348623157e308 if most is None else float(most)))


def integers(least=-(2**63), most=2**63 - 1):
    """Integers between two bounds, at most of 64 bits."""
    return Domain("i64", between(least, most))


def booleans():
    """False and True."""
    return Domain("bool")


def texts(alphabet=None, ranges=None, length=None):
    """Texts: of the characters of an alphabet such as "+-.e", or of ranges of characters such as ["a-z", "0-9"], or of all; and of a length of (least, most) bytes."""
    keys = (("alphabet", alphabet), ("alphabet-ranges", ranges), ("length", length))
    return Domain("text", tuple((key, value) for key, value in keys if value is not None))


def lists(elements, length=None):
    """Lists of numbers or Booleans of a domain, and of a length of (least, most)."""
    if elements.type.startswith("[") or elements.type == "text":
        raise TypeError(f"there are no lists of {elements.type}: lists are of numbers or Booleans")
    return Domain(f"[{elements.type}]", elements.keys + ((("length", length),) if length is not None else ()))


def of_annotation(annotation):
    """The domain of a parameter that has only a type."""
    plain = {float: floats, int: integers, bool: booleans, str: texts}
    if annotation in plain:
        return plain[annotation]()
    if typing.get_origin(annotation) in (list, typing.get_origin(typing.Sequence[int])) and len(typing.get_args(annotation)) == 1:
        return lists(of_annotation(typing.get_args(annotation)[0]))
    raise TypeError(f"{annotation!r} is no type that values are drawn of: float, int, bool, str, or a list of numbers; or give a domain, such as x=floats(0, 1)")
