"""How figures, targets and machines are written for people."""


def number(value):
    if value >= 1e5:
        for size, unit in ((1e6, " M"), (1e3, " k")):
            if value >= size:
                return f"{value / size:.3g}{unit}"
    return f"{value:,.0f}" if value >= 99.95 else f"{value:.3g}"


def quantity(value, unit):
    """A figure in the unit that a person would choose."""
    if unit == "ns" and value >= 1000:
        return quantity(value / 1000, "µs")
    if unit == "µs" and value >= 1000:
        return quantity(value / 1000, "ms")
    return number(value) + {"ratio": " ×", "visits": "", "calls": "", "1/s": "/s"}.get(unit, f" {unit}")


def bars_table(bars):
    yield "| | target | measured | |"
    yield "|---|---:|---:|---|"
    for bar in bars:
        bound = "≥" if bar["bound"] == "at least" else "≤"
        yield (f"| {bar['title']} | {bound} {quantity(bar['target'], bar['unit'])} |"
               f" {quantity(bar['measured'], bar['unit'])} |"
               f" {'holds' if bar['holds'] else '**missed**'} |")


def machine_text(machine):
    return (f"{machine['processor']}, {machine['cores']} cores ({', '.join(machine['caches'])}),"
            f" {machine['memoryBytes'] / 2 ** 30:.0f} GiB, {machine['kernel']},"
            f" {machine['architecture']}, {machine.get('compiler', 'unknown compiler')}")
