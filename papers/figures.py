"""Charts for the papers' pages, as SVG; the same bytes in every run.

    svg = curves("Recall", [("ours", [(0, 0), (1, 1)])], "resemblance", "share found")

The colors are readable on a light and on a dark background, and differ in lightness too.
"""

import html

COLORS = ["#3b76b8", "#d1823a", "#4c9a5b", "#9b62a8", "#8a8a8a", "#b8504a", "#5aa6a6"]
INK = "#808080"
STYLE = f'font-family="sans-serif" font-size="12" fill="{INK}"'


def _number(value):
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return text if text != "-0" else "0"


def plain(value):
    """The label of a value on an axis; above 999 with commas."""
    return f"{value:,.2f}".rstrip("0").rstrip(".")


def power_of_ten(value):
    """The label of a logarithm to the base 10: its number, of two digits."""
    return plain(float(f"{10 ** value:.2g}"))


def _open(width, height, title):
    return [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" role="img">',
            f"<title>{html.escape(title)}</title>"]


def _text(x, y, text, anchor="start", more=""):
    return (f'<text x="{_number(x)}" y="{_number(y)}" text-anchor="{anchor}" {STYLE}{more}>'
            f"{html.escape(text)}</text>")


def curves(title, series, x_name, y_name, x_range=(0, 1), y_range=(0, 1), points=(),
           x_label=plain, y_label=plain):
    """Lines (name, [(x, y)]) and dots (name, [(x, y)]), with five intervals on each axis. For a
    logarithmic axis give logarithms, and `power_of_ten` for its labels."""
    width, height, left, top, right, bottom = 560, 340, 60, 20, 150, 50
    inner_width, inner_height = width - left - right, height - top - bottom

    def place(x, y):
        return (left + (x - x_range[0]) / (x_range[1] - x_range[0]) * inner_width,
                top + inner_height - (y - y_range[0]) / (y_range[1] - y_range[0]) * inner_height)

    out = _open(width, height, title)
    for i in range(6):
        share = i / 5
        x = x_range[0] + share * (x_range[1] - x_range[0])
        y = y_range[0] + share * (y_range[1] - y_range[0])
        at_x, at_y = place(x, y)
        out.append(f'<line x1="{left}" x2="{left + inner_width}" y1="{_number(at_y)}" '
                   f'y2="{_number(at_y)}" stroke="{INK}" stroke-opacity="0.25"/>')
        out.append(_text(left - 6, at_y + 4, y_label(y), "end"))
        out.append(_text(at_x, top + inner_height + 18, x_label(x), "middle"))
    out.append(_text(left + inner_width / 2, height - 10, x_name, "middle"))
    out.append(_text(14, top + inner_height / 2, y_name, "middle",
                     f' transform="rotate(-90 14 {_number(top + inner_height / 2)})"'))
    names = []
    for name, line in series:
        color = COLORS[len(names) % len(COLORS)]
        names.append((name, color))
        path = " ".join(",".join(map(_number, place(x, y))) for x, y in line)
        out.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>')
    for name, dots in points:
        color = COLORS[len(names) % len(COLORS)]
        names.append((name, color))
        for x, y in dots:
            at_x, at_y = place(x, y)
            out.append(f'<circle cx="{_number(at_x)}" cy="{_number(at_y)}" r="4" fill="{color}"/>')
    for i, (name, color) in enumerate(names):
        y = top + 10 + 20 * i
        out.append(f'<rect x="{width - right + 14}" y="{y - 9}" width="10" height="10" '
                   f'fill="{color}"/>')
        out.append(_text(width - right + 30, y, name))
    return "\n".join(out) + "\n</svg>\n"


def shares(title, bars):
    """Bars whose parts make up a whole: (name, [(part, share)]); a part has one color in all
    bars."""
    parts = list(dict.fromkeys(part for _, row in bars for part, _ in row))
    color = {part: COLORS[i % len(COLORS)] for i, part in enumerate(parts)}
    width, left, bar, gap = 640, 80, 30, 16
    per_line = 3
    lines = -(-len(parts) // per_line)
    legend = len(bars) * (bar + gap) + 10
    out = _open(width, legend + 22 * lines + 10, title)
    for i, (name, row) in enumerate(bars):
        y = 8 + i * (bar + gap)
        out.append(_text(left - 8, y + bar / 2 + 4, name, "end"))
        x = float(left)
        whole = sum(share for _, share in row)
        for part, share in row:
            length = share / whole * (width - left - 10)
            out.append(f'<rect x="{_number(x)}" y="{y}" width="{_number(length)}" height="{bar}" '
                       f'fill="{color[part]}"><title>{html.escape(part)} '
                       f"{100 * share / whole:.0f} %</title></rect>")
            if length > 34:
                out.append(f'<text x="{_number(x + length / 2)}" y="{y + 20}" font-size="12" '
                           f'font-family="sans-serif" text-anchor="middle" fill="#ffffff">'
                           f"{100 * share / whole:.0f} %</text>")
            x += length
    for i, part in enumerate(parts):
        x = left + i % per_line * 185
        y = legend + 14 + i // per_line * 22
        out.append(f'<rect x="{x}" y="{y - 10}" width="10" height="10" fill="{color[part]}"/>')
        out.append(_text(x + 16, y, part))
    return "\n".join(out) + "\n</svg>\n"
