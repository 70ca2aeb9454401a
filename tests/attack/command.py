"""Runs the command on private lines and reads what its release hides and what it claims.

The hidden integers.  A hardened release is `integers + noise` in units of `noise.step`.  With --seed
the noise is a function of the seed and of public input alone, so two runs with one seed, on two files
that agree in all that is public, have the same noise: the difference of the two releases is exactly
the difference of the hidden integers.  That the noise is the same is tested, not trusted: see
`broken` and twins.py.

The claim is `noise.sensitivity`, the most that one neighbour may move the integers: in l1 for Laplace
noise and in l2 for normal noise, where an attack knows no better norm.  The noise must be large enough
for it: the scale times epsilon, or mu.
"""
import json
import math
import os
import tempfile
from fractions import Fraction

SEED = "20"
# The scale and mu of a release are doubles; their product is off by a few units in the last place.
LAST_BITS = Fraction(1, 2**50)


class Refused(Exception):
    """The command did not answer: a refusal that depends on private lines tells of them."""


# What follows from the noisy numbers.  Bands of some methods are bounded through the released height.
HIDDEN = ("coefficients", "band", "count", "proportion")


class Vector:
    """What one release holds: numbers in steps, and the claim in the same unit."""

    def __init__(self, release):
        noise, choice = release["noise"], release.get("choice")
        guarantee = choice["rest"] if choice else release["guarantee"]
        self.release = release
        self.hardened = release["hardened"]
        self.numbers = [int(c) if self.hardened else float(c) for c in release["coefficients"]]
        self.step = Fraction(noise["step"] or 1)
        self.claim = Fraction(noise["sensitivity"]) / self.step
        self.norm = {"discrete-laplace": 1, "discrete-linf": math.inf}.get(noise["law"], 2)
        loss = guarantee["epsilon"] if guarantee["mu"] is None else guarantee["mu"]
        self.chosen = choice and choice["chosen"]  # privately: where it differs, so does all else
        # All but the numbers: must be the same for neighbours.
        self.public = json.dumps({key: release[key] for key in release if key not in HIDDEN})
        self.paid = Fraction(noise["scale"]) * Fraction(loss) / self.step


class Command:
    """`server` runs the command; files are written into `place`, an empty folder of its own."""

    def __init__(self, server, place, environment=None):
        self.server = server
        self.place = place
        self.environment = {**os.environ, "LC_ALL": "C", "OPENBLAS_NUM_THREADS": "1",
                            **(environment or {})}
        self.launches = 0

    def write(self, name, content):
        path = os.path.join(self.place, name)
        with open(path, "wb") as file:
            file.write(content)
        return path

    def run(self, arguments):
        self.launches += 1
        with tempfile.TemporaryFile() as said:
            code = self.server.run(arguments, cwd=self.place, env=self.environment, stderr=said)
            said.seek(0)
            told = said.read().decode("utf-8", "replace").strip().splitlines() if code else []
        if code != 0:
            raise Refused(f"exit {code}: {told[-1] if told else 'nothing said'}")

    def release(self, arguments, rows):
        """The release of `rows`, the bytes of a file, which {rows} among the arguments stands for.

        Where one call does not do, as for sessions, the arguments are a list of calls that name the
        seed, as {seed}, and out.sfm themselves.
        """
        for left in os.listdir(self.place):  # by a session
            if left.startswith("s."):
                os.remove(os.path.join(self.place, left))
        words = {"{rows}": self.write("rows", rows), "{seed}": SEED}
        one = isinstance(arguments[0], str)
        for call in [[*arguments, "--seed", SEED, "-o", "out.sfm"]] if one else arguments:
            self.run([words.get(word, word) for word in call])
        with open(os.path.join(self.place, "out.sfm"), encoding="utf-8") as file:
            return Vector(json.load(file))
