"""Derives the polynomial coefficients of src/math/single.rs and src/noise/gaussian.rs.

Run:  python3 -m venv venv && venv/bin/pip install mpmath && venv/bin/python minimax.py

Each approximation minimises the largest relative error over its interval (Remez exchange). The
coefficients are then rounded to float32, where possible one after the other, lowest power first,
with the remaining ones fitted again. The error that is printed is that of the rounded coefficients
in exact arithmetic; rounding in the evaluation comes on top and is measured by the crate's tests.
"""

import struct

from mpmath import mp, mpf

mp.dps = 40
GRID = 600


def single(value):
    """The float32 nearest to a value."""
    return mpf(struct.unpack("f", struct.pack("f", float(value)))[0])


def shortest(value):
    """The shortest decimal that reads back as the same float32."""
    return next(text for text in (mp.nstr(value, n) for n in range(1, 10)) if single(mpf(text)) == value)


def grid(low, high):
    """Points that crowd towards both ends, where the extrema of a minimax error crowd too."""
    return [(low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * i / GRID) for i in range(GRID + 1)]


def exchange(columns, target, weight):
    """Minimax solution of weight * (sum_j c_j columns_j - target) on a grid: coefficients, error.

    One Remez exchange of all points per round: solve for an error of equal size and alternating
    sign on the reference, then move the reference to the extrema of the error that results.
    """
    unknowns = len(columns)
    last = len(target) - 1
    reference = [round(last * k / unknowns) for k in range(unknowns + 1)]
    for _ in range(60):
        matrix = mp.matrix(unknowns + 1, unknowns + 1)
        right = mp.matrix(unknowns + 1, 1)
        for row, point in enumerate(reference):
            for column in range(unknowns):
                matrix[row, column] = columns[column][point]
            matrix[row, unknowns] = (-1) ** row / weight[point]
            right[row] = target[point]
        solution = mp.lu_solve(matrix, right)
        coefficients = [solution[j] for j in range(unknowns)]
        level = abs(solution[unknowns])
        error = [
            w * (mp.fsum(c * column[i] for c, column in zip(coefficients, columns)) - t)
            for i, (w, t) in enumerate(zip(weight, target))
        ]
        extrema = []
        for i, value in enumerate(error):
            if extrema and (error[extrema[-1]] > 0) == (value > 0):
                if abs(value) > abs(error[extrema[-1]]):
                    extrema[-1] = i
            else:
                extrema.append(i)
        while len(extrema) > unknowns + 1:
            extrema.pop(0 if abs(error[extrema[0]]) < abs(error[extrema[-1]]) else -1)
        largest = max(abs(value) for value in error)
        if len(extrema) < unknowns + 1 or largest < level * mpf("1.001"):
            break
        reference = extrema
    return coefficients, largest


def rounded(columns, target, weight):
    """The same, with every coefficient a float32, and the error that is left.

    Rounding one coefficient at a time and fitting the others again is better where it works; on an
    interval around zero the smaller problems have no alternating solution, and rounding all at
    once may win. Both are tried.
    """
    def error(coefficients):
        return max(
            abs(w * (mp.fsum(c * column[i] for c, column in zip(coefficients, columns)) - t))
            for i, (w, t) in enumerate(zip(weight, target))
        )

    at_once = [single(c) for c in exchange(columns, target, weight)[0]]
    in_turn, rest = [], target
    for j, column in enumerate(columns):
        in_turn.append(single(exchange(columns[j:], rest, weight)[0][0]))
        rest = [t - in_turn[-1] * c for t, c in zip(rest, column)]
    best = min(at_once, in_turn, key=error)
    return best, error(best)


def show(name, coefficients, error):
    """One line for each approximation, lowest power first."""
    print(f"{name}: relative error {float(error):.2e}")
    print("    [" + ", ".join(shortest(c) for c in coefficients) + "]")


def polynomial(name, low, high, function, exact, tail, count):
    """f(x) = exact(x) + tail(x) * polynomial(x), with `count` coefficients; error relative to f."""
    points = grid(mpf(low), mpf(high))
    points = [x for x in points if abs(x) > mpf("1e-9")]
    values = [function(x) for x in points]
    columns = [[tail(x) * x**j for x in points] for j in range(count)]
    target = [v - exact(x) for v, x in zip(values, points)]
    show(name, *rounded(columns, target, [1 / abs(v) for v in values]))


def even(name, high, function, exact, tail, count):
    """The same with a polynomial in x^2, on [0, high]."""
    points = [x for x in grid(mpf(0), mpf(high)) if x > mpf("1e-9")]
    values = [function(x) for x in points]
    columns = [[tail(x) * x ** (2 * j) for x in points] for j in range(count)]
    target = [v - exact(x) for v, x in zip(values, points)]
    show(name, *rounded(columns, target, [1 / abs(v) for v in values]))


def tanh_quotient(high, above, below):
    """tanh x = x (1 + t P(t)) / (1 + t Q(t)) with t = x^2, on [0, high].

    Loeb's iteration: the linear problem 1 + t P - f (1 + t Q) = 0, f = tanh(x) / x, weighted with
    the denominator of the round before, converges to the minimax quotient. The denominator is
    then rounded first and the numerator fitted to it.
    """
    points = [x for x in grid(mpf(0), mpf(high)) if x > mpf("1e-6")]
    ratio = [mp.tanh(x) / x for x in points]
    powers = [[x ** (2 * j) for x in points] for j in range(1, max(above, below) + 1)]
    numerator = powers[:above]
    denominator = [[-f * p for f, p in zip(ratio, power)] for power in powers[:below]]
    target = [f - 1 for f in ratio]
    weight = [1 / f for f in ratio]
    for _ in range(12):
        coefficients, _ = exchange(numerator + denominator, target, weight)
        bottom = coefficients[above:]
        divisor = [1 + mp.fsum(q * p[i] for q, p in zip(bottom, powers)) for i in range(len(points))]
        weight = [1 / (f * d) for f, d in zip(ratio, divisor)]
    bottom = [single(q) for q in bottom]
    divisor = [1 + mp.fsum(q * p[i] for q, p in zip(bottom, powers)) for i in range(len(points))]
    weight = [1 / (f * d) for f, d in zip(ratio, divisor)]
    top, error = rounded(numerator, [f * d - 1 for f, d in zip(ratio, divisor)], weight)
    show("tanh numerator", top, error)
    show("tanh denominator", bottom, error)


def main():
    half = mp.log(2) / 2
    root = mp.sqrt(2)
    high = mpf(round(mp.log(2) * 2**12)) / 2**12
    print("ln 2 in two parts:", shortest(high), shortest(single(mp.log(2) - high)))
    polynomial("2 exp(r) = 2 + 2 r + r^2 P(r)", -half * 1.0001, half * 1.0001,
               lambda r: 2 * mp.exp(r), lambda r: 2 + 2 * r, lambda r: r**2, 5)
    polynomial("ln(1 + f) = f + f^2 P(f)", 1 / root - 1, root - 1,
               lambda f: mp.log(1 + f), lambda f: f, lambda f: f**2, 8)
    polynomial("ln(1 + u) = u + u^2 P(u)", 0, 1,
               lambda u: mp.log(1 + u), lambda u: u, lambda u: u**2, 8)
    tanh_quotient("9.02", 4, 4)
    even("sin a = a + a^3 P(a^2)", mp.pi / 4, mp.sin, lambda a: a, lambda a: a**3, 3)
    even("cos a = 1 - a^2/2 + a^4 P(a^2)", mp.pi / 4, mp.cos,
         lambda a: 1 - a**2 / 2, lambda a: a**4, 3)


if __name__ == "__main__":
    main()
