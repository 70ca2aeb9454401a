"""Attacks on commands that are broken on purpose, and attacks that are: the run must say so.

A twin is an attack, what is broken (a word of `broken`), what the claim is divided by, and the words
that the verdict must hold.
"""
from dataclasses import replace

import densities
import persons


def first(family, name):
    """An attack of the table, cut to a few releases."""
    found = next(attack for attack in family.attacks() if attack.name().startswith(name))
    return replace(found, spread=0, climbs=0, hostile=found.hostile[:16])


def twins():
    lattice = first(densities, "density, lattice, replace")
    lattice = replace(lattice, hostile=[b"nan\n", b"inf\n", b"0.5\n"])
    normal = replace(first(densities, "density, gp, replace"), hostile=[])
    person = first(persons, "density, lattice, replace")
    passes = "PASSES THE CLAIM"
    yield "a claim of 2 % less", lattice, "", 1.02, passes
    yield "a claim of 0.1 % less, normal noise", normal, "", 1.001, passes
    yield "the id column is not looked at", person, "person", 1, passes
    yield "a record counts for its neighbour too", lattice, "two", 1, passes
    yield "the noise follows the rows", lattice, "noise", 1, passes
    yield "a record is refused", lattice, "refuse", 1, "exit 1"
    yield "the number of values is told", lattice, "count", 1, "what is public differs"
    yield "half of the noise", lattice, "scale", 1, "smaller than the stated"
    yield "a search without the worst pair", replace(lattice, known=[], box=[], hostile=[
        b"0.5\n", b"0.51\n", b"nan\n"]), "", 1, "too weak"
