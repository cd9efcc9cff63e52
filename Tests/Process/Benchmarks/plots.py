"""Line charts as SVG with logarithmic axes, for the figures in docs/performance.

A chart brings its own background and both palettes along, so that it reads on a light and on a dark
page; the palette is Okabe and Ito's, which people with any colour vision can distinguish, and every
series has a marker of its own shape beside.
"""

import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 800, 420
LEFT, RIGHT, TOP, BOTTOM = 76, 244, 46, 56
LIGHT = ["#0072B2", "#D55E00", "#007A5E", "#A6467F", "#8A6D00", "#3B8FBF", "#5B5B5B"]
DARK = ["#56B4E9", "#F0904D", "#2BC79A", "#E08CC0", "#F0E442", "#9AD3F5", "#BBBBBB"]


class Series:
    def __init__(self, label, points, dashed=False):
        """`points` are (x, y) or (x, y, lower quartile, upper quartile)."""
        self.label = label
        self.points = sorted(points)
        self.dashed = dashed


class Chart:
    def __init__(self, title, x_label, y_label, series, lines=(), x_log=True, y_log=True):
        """`lines` are (y, label): targets across the whole chart."""
        self.title, self.x_label, self.y_label = title, x_label, y_label
        self.series = [one for one in series if one.points]
        self.lines = lines
        xs = [point[0] for one in self.series for point in one.points]
        ys = [value for one in self.series for point in one.points for value in point[1:]]
        ys += [y for y, _ in lines]
        self.x_axis = Axis(xs, x_log, LEFT, WIDTH - RIGHT)
        self.y_axis = Axis(ys, y_log, HEIGHT - BOTTOM, TOP)

    def svg(self):
        parts = [head(), f'<rect class="page" width="{WIDTH}" height="{HEIGHT}" rx="6"/>',
                 text(LEFT, 26, self.title, "title")]
        parts += self.grid()
        for y, label in self.lines:
            at = self.y_axis.place(y)
            parts.append(
                f'<path class="target" d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}"/>')
            parts.append(text(WIDTH - RIGHT - 4, at - 5, label, "note", "end"))
        for number, one in enumerate(self.series):
            parts += self.draw(number, one)
        parts.append("</svg>\n")
        return "\n".join(parts)

    def grid(self):
        bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
        for value in self.x_axis.ticks():
            at = self.x_axis.place(value)
            yield f'<path class="grid" d="M{at:.1f} {TOP}V{bottom}"/>'
            yield text(at, bottom + 18, short(value), "tick", "middle")
        for value in self.y_axis.ticks():
            at = self.y_axis.place(value)
            yield f'<path class="grid" d="M{LEFT} {at:.1f}H{right}"/>'
            yield text(LEFT - 8, at + 4, short(value), "tick", "end")
        yield f'<path class="axis" d="M{LEFT} {TOP}V{bottom}H{right}"/>'
        yield text((LEFT + right) / 2, HEIGHT - 14, self.x_label, "label", "middle")
        middle = (TOP + bottom) / 2
        yield (f'<text class="label" text-anchor="middle" transform="rotate(-90)"'
               f' x="{-middle}" y="20">{escape(self.y_label)}</text>')

    def draw(self, number, one):
        places = [(self.x_axis.place(point[0]), self.y_axis.place(point[1]))
                  for point in one.points]
        dash = ' stroke-dasharray="6 4"' if one.dashed else ""
        if len(places) > 1:
            path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
            yield f'<path class="line c{number}"{dash} d="M{path}"/>'
        for point, (x, y) in zip(one.points, places):
            if len(point) == 4:
                low, high = (self.y_axis.place(value) for value in point[2:])
                yield f'<path class="spread c{number}" d="M{x:.1f} {low:.1f}V{high:.1f}"/>'
            yield marker(number, x, y)
        # The legend is in the order of the list.
        at = TOP + 8 + number * 22
        start = WIDTH - RIGHT + 14
        yield f'<path class="line c{number}"{dash} d="M{start} {at}H{start + 26}"/>'
        yield marker(number, start + 13, at)
        yield text(start + 34, at + 4, one.label, "legend")


class Axis:
    """From values to places on the page."""

    def __init__(self, values, is_log, first, last):
        self.is_log, self.first, self.last = is_log, first, last
        low, high = min(values), max(values)
        if is_log:
            # Whole decades; half of one where little of it is used.
            self.low = 10 ** math.floor(math.log10(low) + 1e-9)
            self.high = 10 ** math.ceil(math.log10(high) - 1e-9)
            if high <= self.high / 3.2:
                self.high /= 10 ** 0.5
            if low >= self.low * 3.2:
                self.low *= 10 ** 0.5
            if self.high <= self.low:
                self.high = self.low * 10
        else:
            step = 10 ** math.floor(math.log10(max(high, 1e-9)))
            self.step = step if high / step > 4 else step / 2
            self.low, self.high = 0, self.step * math.ceil(high / self.step)

    def place(self, value):
        if self.is_log:
            share = math.log10(value / self.low) / math.log10(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.first + share * (self.last - self.first)

    def ticks(self):
        if not self.is_log:
            count = round(self.high / self.step)
            return [self.step * number for number in range(count + 1)]
        decades = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        few = math.log10(self.high / self.low) <= 2.6
        values = [10 ** decade * digit for decade in decades for digit in ((1, 2, 5) if few else (1,))]
        return [value for value in values if self.low * 0.999 <= value <= self.high * 1.001]


def short(value):
    for size, unit in ((1e6, " M"), (1e3, " k")):
        if value >= size:
            return f"{value / size:g}{unit}"
    return f"{value:g}"


def text(x, y, content, style, anchor="start"):
    return (f'<text class="{style}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">'
            f"{escape(content)}</text>")


def marker(number, x, y):
    shapes = [
        f'<circle class="dot c{number}" cx="{x:.1f}" cy="{y:.1f}" r="4"/>',
        f'<rect class="dot c{number}" x="{x - 3.6:.1f}" y="{y - 3.6:.1f}" width="7.2" height="7.2"/>',
        f'<path class="dot c{number}" d="M{x:.1f} {y - 5:.1f}l4.8 8.4h-9.6z"/>',
        f'<path class="dot c{number}" d="M{x:.1f} {y - 5:.1f}l5 5l-5 5l-5-5z"/>',
        f'<path class="dot c{number}" d="M{x:.1f} {y + 5:.1f}l4.8-8.4h-9.6z"/>',
    ]
    return shapes[number % len(shapes)]


def head():
    def palette(colors):
        return "".join(f".c{i}{{stroke:{c}}}.dot.c{i}{{fill:{c}}}" for i, c in enumerate(colors))

    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
        f' width="{WIDTH}" height="{HEIGHT}" role="img">\n<style>\n'
        "text{font-family:system-ui,sans-serif;font-size:12px;fill:#24292f}"
        ".title{font-size:15px;font-weight:600}.note{font-size:11px}\n"
        ".page{fill:#ffffff}.grid{stroke:#d8dee4;fill:none}.axis{stroke:#57606a;fill:none}"
        ".target{stroke:#57606a;fill:none;stroke-dasharray:2 3}\n"
        ".line{fill:none;stroke-width:2}.spread{fill:none;stroke-width:1.2}.dot{stroke:none}\n"
        + palette(LIGHT)
        + "\n@media (prefers-color-scheme: dark){text{fill:#e6edf3}.page{fill:#0d1117}"
        ".grid{stroke:#30363d}.axis,.target{stroke:#8b949e}" + palette(DARK) + "}\n</style>"
    )
