#!/usr/bin/env python3
"""Writes frequencies.csv: kernel, dimension, seed, frequency, axis, turns a bandwidth.

What a reader in another language has to do with the seed of a release by the engine random, from
the description in src/features/bases/random_basis.c alone: words of xoshiro256++ (its state from
splitmix64), uniforms, normals by the cosine half of Box and Muller; and then Gram-Schmidt, here in
50 digits.

    python3 frequencies.py > frequencies.csv        (needs mpmath; a second)
"""
from mpmath import cos, log, mp, mpf, nstr, pi, sqrt, tan

mp.dps = 50
MASK = (1 << 64) - 1


class Generator:
    def __init__(self, seed):
        self.state = []
        for _ in range(4):
            seed = (seed + 0x9E3779B97F4A7C15) & MASK
            z = seed
            z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
            self.state.append(z ^ (z >> 31))

    def word(self):
        rotate = lambda x, k: ((x << k) | (x >> (64 - k))) & MASK
        s = self.state
        result = (rotate((s[0] + s[3]) & MASK, 23) + s[0]) & MASK
        t = (s[1] << 17) & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotate(s[3], 45)
        return result

    def uniform(self):
        return mpf((self.word() >> 11) + 0.5) / 2**53

    def normal(self):
        radius = sqrt(-2 * log(self.uniform()))
        return radius * cos(2 * pi * self.uniform())

    def laplace(self):
        size = -log(self.uniform())
        return size if self.word() >> 63 else -size


FREEDOM = {"matern12": 1, "matern32": 3, "matern52": 5}


def block(generator, kernel, d):
    rows = [[generator.normal() for _ in range(d)] for _ in range(d)]
    for k, row in enumerate(rows):
        for other in rows[:k]:
            along = sum(x * y for x, y in zip(row, other))
            row[:] = [x - along * y for x, y in zip(row, other)]
        length = sqrt(sum(x * x for x in row))
        row[:] = [x / length for x in row]
    for row in rows:
        length = sqrt(sum(generator.normal() ** 2 for _ in range(d)))
        if kernel in FREEDOM:
            f = FREEDOM[kernel]
            length *= sqrt(f / sum(generator.normal() ** 2 for _ in range(f)))
        row[:] = [x * length for x in row]
    return rows


def frequencies(kernel, d, seed, count):
    generator, found = Generator(seed), []
    while len(found) < count:
        if kernel == "laplacian":
            found.append([tan(pi * (generator.uniform() - mpf(1) / 2)) for _ in range(d)])
        elif kernel == "cauchy":
            found.append([generator.laplace() for _ in range(d)])
        else:
            found += block(generator, kernel, d)
    return found[:count]


print("kernel,dimension,seed,frequency,axis,turns")
for kernel in ("gaussian", "laplacian", "matern12", "matern32", "matern52", "cauchy"):
    for d, seed in ((1, 0), (3, 1), (6, 2**53 - 1)):
        for i, row in enumerate(frequencies(kernel, d, seed, 7)):
            for a, omega in enumerate(row):
                print(f"{kernel},{d},{seed},{i},{a},{nstr(omega / (2 * pi), 17)}")
