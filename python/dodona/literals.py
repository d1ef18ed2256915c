"""Reads values as Dodona writes them."""

ESCAPES = {'"': b'"', "\\": b"\\", "n": b"\n", "r": b"\r", "t": b"\t", "0": b"\0"}


def value_of(text):
    """The value of a literal: a number, `true`, a text in quotes, a list in brackets.

    >>> value_of("[1.5, nan]")[0], value_of('"a\\\\u{e9}"'), value_of("true"), value_of("-7")
    (1.5, 'aé', True, -7)
    """
    if text in ("true", "false"):
        return text == "true"
    if text.startswith("["):
        inner = text[1:-1].strip()
        return [value_of(one.strip()) for one in inner.split(",")] if inner else []
    if text.startswith('"'):
        return text_of(text[1:-1])
    try:
        return int(text)
    except ValueError:
        return float(text)


def text_of(written):
    """A text without its quotes. Bytes that are not UTF-8 are surrogate escapes, as a worker gets them."""
    out, place = bytearray(), 0
    while place < len(written):
        one = written[place]
        if one != "\\":
            out += one.encode("utf-8")
            place += 1
            continue
        kind = written[place + 1]
        if kind == "u":
            end = written.index("}", place)
            out += chr(int(written[place + 3:end], 16)).encode("utf-8")
            place = end + 1
        elif kind == "x":
            out.append(int(written[place + 2:place + 4], 16))
            place += 4
        else:
            out += ESCAPES[kind]
            place += 2
    return out.decode("utf-8", "surrogateescape")
