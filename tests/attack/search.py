"""The search for the two neighbours that a release tells apart best.

Files that agree in all lines but those of one person are each other's neighbours.  So one pool of
such files, each released once, has as neighbours all its pairs; under add-remove, those of the file
without the person and each other.  From the pool's worst pair the search climbs: it moves the
numbers of one side, keeps what is worse, and halves its steps.
"""
import math
import operator
import os
import random
from dataclasses import dataclass, field
from fractions import Fraction

from command import LAST_BITS, Refused

LONGER = 10  # so many times as many releases with SFM_LONG=1


def is_long():
    return os.environ.get("SFM_LONG", "") not in ("", "0")


def text(value):
    return repr(float(value))


def line(values):
    """A record of numbers."""
    return ",".join(text(v) for v in values).encode() + b"\n"


@dataclass
class Attack:
    """One way to call the command, and how to look for its worst neighbours."""
    verb: str
    method: str
    neighbours: str
    options: list  # all of the call but seed and output; {rows} is the private file
    header: bytes = b"x\n"
    before: bytes = b"0.3\n"  # lines of the others
    after: bytes = b"0.9\nnan\n"
    record: object = line  # numbers -> the lines of the person who changes
    box: list = field(default_factory=lambda: [(0.0, 1.0)])  # of these numbers
    known: list = field(default_factory=list)  # numbers from which to start: the worst by proof
    hostile: list = field(default_factory=list)  # lines of the person as they are
    hub: object = None  # neighbours are the pairs with these lines alone; b"": add-remove
    floor: float = 1.0  # what the search must reach: below it, it has lost its teeth
    slack: float = 0.0  # idealised releases: what doubles may be off by, relative
    climbs: int = 24  # launches of the ordinary run's climb
    spread: int = 12  # places of the ordinary run's pool, besides the known ones
    crowds: int = 0  # other people's lines that the ordinary run tries: they shift what is rounded
    crowd: object = None  # random.Random -> such lines
    optional: bool = False  # no fault if the command does not offer this
    public: dict = field(default_factory=dict)  # other files of the call, by name: bytes, or arguments
    apart: object = None  # (Vector, Vector) -> movement in units of the claim, where no norm does

    def name(self):
        return f"{self.verb}, {self.method}, {self.neighbours}"


def movement(a, b, norm):
    """|a - b|: of integers exactly, in l2 its square."""
    moved = map(operator.sub, a.numbers, b.numbers)
    if norm == 2:
        return sum(d * d for d in moved)
    return (sum if norm == 1 else max)(map(abs, moved))


class Outcome:
    """What a search has found: the largest ratio, and whether it passes the claim."""

    def __init__(self):
        self.ratio = 0.0
        self.passed = False
        self.pair = None
        self.faults = []


class Search:
    def __init__(self, attack, command, long=False, blunt=1):
        self.attack = attack
        self.command = command
        self.long = long
        self.blunt = Fraction(blunt)  # twins: the claim is divided by this
        self.random = random.Random(attack.name())
        self.before = attack.before
        self.known = {}  # (others, lines of the person) -> Vector
        self.outcome = Outcome()

    # ---- one release, two releases ----

    def file(self, lines):
        return self.attack.header + self.before + lines + self.attack.after

    def vector(self, lines):
        """The release of the file in which the person has these lines; None if refused."""
        key = self.before, lines
        if key not in self.known:
            try:
                self.known[key] = self.command.release(self.attack.options, self.file(lines))
            except Refused as refused:
                self.fault(f"{refused} for {shorten(lines)}")
                self.known[key] = None
        return self.known[key]

    def fault(self, words):
        if words not in self.outcome.faults:
            self.outcome.faults.append(words)

    def ratio(self, one, other):
        a, b = self.vector(one), self.vector(other)
        if a is None or b is None:
            return 0.0
        if a.chosen != b.chosen:
            return 0.0
        if len(a.numbers) != len(b.numbers) or a.public != b.public:
            self.fault(f"what is public differs for {shorten(one)} and {shorten(other)}")
            return 0.0
        ratio, passed = self.compare(a, b)
        if math.isnan(ratio):
            self.fault(f"the release of {shorten(one)} or {shorten(other)} is not finite")
            return 0.0
        if passed:
            self.outcome.passed = True
        if ratio > self.outcome.ratio:
            self.outcome.ratio, self.outcome.pair = ratio, (one, other)
        return ratio

    def compare(self, a, b):
        """movement/claim, and whether it passes 1: decided in exact arithmetic."""
        if self.attack.apart:
            ratio = self.attack.apart(a, b) * float(self.blunt)
            return ratio, ratio > 1 + self.attack.slack
        claim = a.claim / self.blunt
        moved = movement(a, b, a.norm)
        if a.norm != 2:
            return float(Fraction(moved) / claim), moved > claim * (1 + Fraction(self.attack.slack))
        room = 1 + LAST_BITS + Fraction(self.attack.slack)
        return math.sqrt(moved) / float(claim), Fraction(moved) > (claim * room)**2

    # ---- which files ----

    def places(self):
        """Numbers of records: the known ones, corners, and some in between."""
        box = self.attack.box
        found = [list(values) for values in self.attack.known]
        found += [[low for low, _ in box], [high for _, high in box]]
        spread = self.attack.spread
        if len(box) == 1:
            low, high = box[0]
            found += [[low + (high - low) * (i + 0.5) / spread] for i in range(spread)]
        if len(box) > 1 or self.long:
            for _ in range(spread * (LONGER if self.long else 1)):
                found.append([self.random.uniform(low, high) for low, high in box])
        return found

    def prepare(self):
        """Public files: those that are bytes, then those that the command makes of them."""
        made = sorted(self.attack.public.items(), key=lambda item: isinstance(item[1], list))
        for name, content in made:
            if isinstance(content, list):
                self.command.run([*content, "--seed", "1", "-o", name])
            else:
                self.command.write(name, content)

    def pairs(self, people):
        if self.attack.hub is not None:
            return ((self.attack.hub, lines) for lines in people)
        return ((people[i], people[j]) for i in range(len(people)) for j in range(i))

    def run(self):
        attack = self.attack
        self.prepare()
        numbers = {attack.record(values): values for values in self.places()} if attack.box else {}
        people = list(numbers) + [lines for lines in attack.hostile if lines not in numbers]
        if attack.optional and self.vector(people[0]) is None:
            self.outcome.faults.clear()
            return self.outcome
        self.twice(people[0])
        best, start = -1.0, None
        for one, other in self.pairs(people):
            ratio = self.ratio(one, other)
            if ratio > best and other in numbers and (one in numbers or one == attack.hub):
                best, start = ratio, (numbers.get(one), numbers[other])
        if start and attack.box:
            self.climb(list(start), best, attack.climbs * (LONGER if self.long else 1))
        if attack.crowd and self.outcome.pair:
            self.shift(*self.outcome.pair, attack.crowds * (LONGER if self.long else 1))
        return self.outcome

    def twice(self, lines):
        """The noise is a function of the seed and public input: the same file, the same release."""
        first = self.vector(lines)
        if first is None:
            return
        again = self.command.release(self.attack.options, self.file(lines))
        if again.numbers != first.numbers:
            self.fault("the same file twice has two releases: the noise is not that of the seed")
        if first.claim > first.paid * (1 + 2**20 * LAST_BITS):
            self.fault("the noise is smaller than the stated sensitivity needs")

    def shift(self, one, other, tries):
        """The worst pair among other people: sums are rounded once, up or down as they lie."""
        for _ in range(tries):
            self.before = self.attack.crowd(self.random)
            self.ratio(one, other)
        self.before = self.attack.before

    # ---- the climb ----

    def side(self, values):
        return self.attack.hub if values is None else self.attack.record(values)

    def climb(self, pair, best, launches):
        """Moves one number of one side at a time; steps double after a gain and halve after none."""
        end = self.command.launches + launches
        size = 0.5 / max(4, self.attack.spread) if len(self.attack.box) == 1 else 0.125
        while self.command.launches < end and size > 1e-9:
            gained = False
            for which in (0, 1):
                if pair[which] is None:
                    continue
                for values in self.around(pair[which], size):
                    if self.command.launches >= end:
                        break
                    trial = list(pair)
                    trial[which] = values
                    ratio = self.ratio(self.side(trial[0]), self.side(trial[1]))
                    if ratio > best:
                        best, pair, gained = ratio, trial, True
            size = min(0.5, size * 2) if gained else size / 2

    def around(self, values, size):
        order = list(range(len(values)))
        self.random.shuffle(order)
        for i in order:
            low, high = self.attack.box[i]
            for sign in (1, -1):
                moved = min(high, max(low, values[i] + sign * size * (high - low)))
                if moved != values[i]:
                    yield [*values[:i], moved, *values[i + 1:]]


def shorten(lines):
    told = repr(lines)
    return told if len(told) <= 60 else told[:57] + "..."
