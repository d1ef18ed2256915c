"""Draws bars and lines as SVG."""

from html import escape

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 400, 60, 20, 40, 90
COLOURS = ["#1b6ca8", "#d1495b", "#8d99ae", "#e09f3e", "#2a9d8f", "#6d597a"]


def text(x, y, words, anchor="middle", size=12):
    """Words with a white rim, so that a line behind them does not cross them out."""
    rim = 'stroke="white" stroke-width="3" paint-order="stroke"'
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" {rim}>{escape(words)}</text>'


def line(x1, y1, x2, y2, colour="#cccccc", width=1):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{width}"/>'


def up(value, top, low=0.0):
    """The height on the page of a value between `low` and `top`."""
    return HEIGHT - BOTTOM - (value - low) / (top - low) * (HEIGHT - TOP - BOTTOM)


def frame(title, top, step, form, low=0.0):
    parts = [text(WIDTH / 2, 22, title, size=15)]
    ticks = int((top - low) / step + 1e-9)
    for tick in range(ticks + 1):
        value = low + tick * step
        y = up(value, top, low)
        parts += [line(LEFT, y, WIDTH - RIGHT, y), text(LEFT - 8, y + 4, form.format(value), "end")]
    return parts


def legend(names):
    parts = []
    for i, name in enumerate(names):
        across = 2 if len(names) == 4 else 3
        x, y = LEFT + (i % across) * 230, HEIGHT - 42 + (i // across) * 20
        parts.append(f'<rect x="{x}" y="{y}" width="12" height="12" fill="{COLOURS[i % len(COLOURS)]}"/>')
        parts.append(text(x + 18, y + 11, name, "start"))
    return parts


def write(path, parts):
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">'
    back = f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>'
    path.write_text("\n".join([head, back, *parts, "</svg>"]) + "\n")


def bars(path, title, groups, series):
    """Groups of bars, a bar of each series in each group."""
    # With room for the number on the highest bar.
    top = 20 * (int(1.06 * max(max(values) for values in series.values()) / 20) + 1)
    parts = frame(title, top, 20, "{:.0f}")
    wide = (WIDTH - LEFT - RIGHT) / len(groups)
    bar = 0.8 * wide / len(series)
    for g, group in enumerate(groups):
        parts.append(text(LEFT + (g + 0.5) * wide, HEIGHT - BOTTOM + 18, group))
        for s, values in enumerate(series.values()):
            x, y = LEFT + g * wide + 0.1 * wide + s * bar, up(values[g], top)
            size = f'width="{bar - 2:.1f}" height="{HEIGHT - BOTTOM - y:.1f}"'
            parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" {size} fill="{COLOURS[s]}"/>')
            parts.append(text(x + bar / 2 - 1, y - 4, f"{values[g]:.0f}", size=10))
    write(path, parts + legend(series))


def lines(path, title, below, series, bounds, step):
    """Lines through points (x, y), x being whole numbers and y within `bounds`; a series has pieces, between which no line is drawn.

    A series whose name ends in `study` is dashed, with squares for points.
    """
    low, top = bounds
    xs = sorted({x for pieces in series.values() for piece in pieces for x, _ in piece})
    parts = frame(title, top, step, "{:.1f}", low)
    across = lambda x: LEFT + (x - xs[0] + 0.5) / (xs[-1] - xs[0] + 1) * (WIDTH - LEFT - RIGHT)
    parts += [text(across(x), HEIGHT - BOTTOM + 18, str(x)) for x in xs]
    parts.append(text(WIDTH - RIGHT, HEIGHT - BOTTOM + 34, below, "end"))
    for s, (name, pieces) in enumerate(series.items()):
        colour, is_study = COLOURS[s], name.endswith("study")
        dashes = ' stroke-dasharray="6 4"' if is_study else ""
        for piece in pieces:
            places = " ".join(f"{across(x):.1f},{up(y, top, low):.1f}" for x, y in piece)
            parts.append(f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>')
            for x, y in ((across(x), up(y, top, low)) for x, y in piece):
                square = f'<rect x="{x - 3:.1f}" y="{y - 3:.1f}" width="6" height="6" fill="{colour}"/>'
                parts.append(square if is_study else f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>')
    write(path, parts + legend(series))


def quantile(ordered, share):
    """Of values in order, the one that so many of them lie below, with what lies between two of them."""
    at = share * (len(ordered) - 1)
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (at - low) * (ordered[high] - ordered[low])


def summary(values):
    """What a box shows of values: quartiles, the least and the most within 1.5 times their distance, and what lies beyond."""
    ordered = sorted(values)
    lower, median, upper = (quantile(ordered, share) for share in (0.25, 0.5, 0.75))
    reach = 1.5 * (upper - lower)
    inside = [value for value in ordered if lower - reach <= value <= upper + reach]
    beyond = sorted(set(ordered) - set(inside))
    return {"lower": lower, "median": median, "upper": upper, "least": inside[0], "most": inside[-1], "beyond": beyond}


def boxes(path, title, groups, series, top, step, form="{:.1f}"):
    """Groups of boxes, a box of each series in each group: quartiles, whiskers to the last value within 1.5 times their distance, dots beyond.

    `series` has for each name a summary of each group, or None.
    """
    parts = frame(title, top, step, form)
    wide = (WIDTH - LEFT - RIGHT) / len(groups)
    box = 0.84 * wide / len(series)
    for g, group in enumerate(groups):
        parts.append(text(LEFT + (g + 0.5) * wide, HEIGHT - BOTTOM + 18, group))
        for s, summaries in enumerate(series.values()):
            if summaries[g]:
                colour = COLOURS[s % len(COLOURS)] if len(series) <= len(COLOURS) else COLOURS[0]
                parts += one_box(LEFT + g * wide + 0.08 * wide + s * box, box - 2, summaries[g], top, colour)
    below = legend(series) if len(series) <= len(COLOURS) else []
    write(path, parts + below)


def one_box(x, width, of, top, colour):
    y = lambda value: up(value, top)
    middle = x + width / 2
    parts = [line(middle, y(of["least"]), middle, y(of["most"]), colour)]
    size = f'width="{width:.1f}" height="{max(y(of["lower"]) - y(of["upper"]), 1):.1f}"'
    parts.append(f'<rect x="{x:.1f}" y="{y(of["upper"]):.1f}" {size} fill="{colour}" fill-opacity="0.35" stroke="{colour}"/>')
    parts.append(line(x, y(of["median"]), x + width, y(of["median"]), colour, 2))
    parts += [f'<circle cx="{middle:.1f}" cy="{y(value):.1f}" r="1.5" fill="{colour}"/>' for value in of["beyond"]]
    return parts
