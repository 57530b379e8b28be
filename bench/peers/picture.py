"""Recall against speed as an SVG: a panel for each collection and threshold, two in a row, and a dot for each
way of running, pale where precision is low. Standard library only."""

import html
import math

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 600, 330, 60, 36, 48


def panel(title, dots):
    """`dots`: (name, MB/s, recall, precision)."""
    slowest = 10 ** math.floor(math.log10(min(dot[1] for dot in dots)))
    fastest = max(10 * slowest, 10 ** math.ceil(math.log10(max(dot[1] for dot in dots))))
    floor = min(0.9, math.floor(min(dot[2] for dot in dots) * 10) / 10)

    def x(speed):
        return LEFT + (WIDTH - LEFT - 150) * math.log(speed / slowest) / math.log(fastest / slowest)

    def y(recall):
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - recall) / (1 - floor)

    out = [f'<text x="{LEFT}" y="20" class="title">{html.escape(title)}</text>']
    speed = slowest
    while speed <= fastest:
        out.append(f'<line x1="{x(speed):.1f}" x2="{x(speed):.1f}" y1="{y(1):.1f}" y2="{y(floor):.1f}"/>'
                   f'<text x="{x(speed):.1f}" y="{y(floor) + 16:.1f}" class="mid">{speed:g}</text>')
        speed *= 10
    for step in range(5):
        recall = floor + (1 - floor) * step / 4
        out.append(f'<line x1="{LEFT}" x2="{x(fastest):.1f}" y1="{y(recall):.1f}" y2="{y(recall):.1f}"/>'
                   f'<text x="{LEFT - 6}" y="{y(recall) + 4:.1f}" class="end">{recall:.3g}</text>')
    out.append(f'<text x="{x(fastest) / 2 + LEFT / 2:.1f}" y="{y(floor) + 34:.1f}" class="mid">'
               'MB of text a CPU second</text>')
    taken = []
    for name, speed, recall, precision in sorted(dots, key=lambda dot: -dot[2]):
        at = y(recall) + 4  # Names go down where dots lie close.
        begin, end = x(speed) - 8, x(speed) + 8 + 6 * len(f"{name} (0.00)")
        while any(abs(at - other) < 12 and begin < last and first < end for first, last, other in taken):
            at += 4
        taken.append((begin, end, at))
        color = "#0b6" if name.startswith("twinset") else "#357"
        out.append(f'<circle cx="{x(speed):.1f}" cy="{y(recall):.1f}" r="5" fill="{color}" '
                   f'fill-opacity="{max(0.15, precision ** 3):.2f}" stroke="{color}"/>'
                   f'<text x="{x(speed) + 8:.1f}" y="{at:.1f}">{html.escape(name)} '
                   f'({precision:.2f})</text>')
    return "\n".join(out)


def drawn(dots):
    """`dots`: (collection, threshold, name, MB/s, recall, precision)."""
    panels = {}
    for collection, threshold, *dot in dots:
        panels.setdefault(f"{collection}, {threshold:g}: recall against speed (precision)", []).append(dot)
    body = "\n".join(f'<g transform="translate({place % 2 * WIDTH} {place // 2 * HEIGHT})">\n'
                     f"{panel(title, each)}\n</g>" for place, (title, each) in enumerate(panels.items()))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {min(2, len(panels)) * WIDTH} '
            f'{(len(panels) + 1) // 2 * HEIGHT}">\n'
            "<style>text{font:11px sans-serif;fill:#222}.title{font-weight:bold;font-size:13px}"
            ".mid{text-anchor:middle}.end{text-anchor:end}line{stroke:#ddd}</style>\n"
            f'<rect width="100%" height="100%" fill="#fff"/>\n{body}\n</svg>\n')
