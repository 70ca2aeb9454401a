"""What several mechanisms guarantee together, and what an epsilon means."""

from __future__ import annotations

import html
import json
import subprocess
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from sfumato._library import COMMAND, InvalidError, call, ffi, lib, plain, whole
from sfumato.release import Release


class Interval(NamedTuple):
    """The exact value is between these two."""

    lower: float
    upper: float


_KINDS = {
    "gaussian": lib.SFM_PRIVACY_LOSS_GAUSSIAN,
    "laplace": lib.SFM_PRIVACY_LOSS_LAPLACE,
    "discrete-laplace": lib.SFM_PRIVACY_LOSS_DISCRETE_LAPLACE,
    "discrete-gaussian": lib.SFM_PRIVACY_LOSS_DISCRETE_GAUSSIAN,
    "randomised-response": lib.SFM_PRIVACY_LOSS_RANDOMISED_RESPONSE,
    "pure": lib.SFM_PRIVACY_LOSS_PURE,
}


def account(losses: Iterable[Any] | Mapping[str, Any], *, delta: float | None = None, epsilon: float | None = None) -> Interval:
    """The least epsilon at a delta, or the least delta at an epsilon, of several mechanisms together.

    Parameters
    ----------
    losses : list of (kind, parameter), (kind, parameter, count) or Release
        Releases protect the same: one person column, one kind of neighbours. Kinds: gaussian (sigma over the
        sensitivity), laplace, discrete-laplace, pure (epsilon),
        discrete-gaussian (sigma), randomised-response (epsilon).
    delta : float
        Give this, or `epsilon`.
    epsilon : float

    Returns
    -------
    Interval
        It contains the exact value.

    Examples
    --------
    >>> import sfumato as sf
    >>> e = sf.account([("gaussian", 10, 100)], delta=1e-6)
    >>> round(e.upper, 3)
    4.887
    """
    if (delta is None) == (epsilon is None):
        raise InvalidError("give delta, to compute epsilon, or epsilon, to compute delta: one of the two")
    items = list(losses.items()) if isinstance(losses, Mapping) else list(losses)
    array = ffi.new("sfm_privacy_loss[]", len(items))
    _same_unit([item for item in items if isinstance(item, Release)])
    for made, item in zip(array, items):
        kind, parameter, *count = _loss_of(item) if isinstance(item, Release) else item
        if kind not in _KINDS:
            raise InvalidError(f"{kind!r} is not one of {', '.join(map(repr, _KINDS))}")
        made.kind, made.parameter, made.count = _KINDS[kind], float(parameter), whole(count[0], "the count") if count else 1
    out = ffi.new("sfm_interval *")
    if delta is not None:
        call(lib.sfm_account_epsilon, out, array, len(items), float(delta))
    else:
        call(lib.sfm_account_delta, out, array, len(items), float(epsilon))  # type: ignore[arg-type]
    return Interval(out.lower, out.upper)


def _loss_of(release: Release) -> tuple[str, float]:
    g = release.guarantee
    if g.kind == "pure":
        return "pure", g.epsilon
    if g.kind == "gdp":
        return "gaussian", 1 / g.mu
    raise InvalidError(f"a guarantee of the kind {g.kind} is not composed here: a ledger with accounting='zcdp' does it")


def _same_unit(releases: list[Release]) -> None:
    units = {(one.neighbours, one.person) for one in releases}
    if len(units) > 1:
        named = " and ".join(sorted(f"{neighbours} of {person or 'records'}" for neighbours, person in units))
        raise InvalidError(f"these releases protect different things, {named}: their guarantees do not add up")


class Explanation:
    """What an epsilon and a delta mean for one person, in words and as numbers (`numbers`)."""

    def __init__(self, words: str, numbers: dict[str, Any]) -> None:
        self.words, self.numbers = words, numbers

    def __str__(self) -> str:
        return self.words

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.words)}</pre>"

    def __repr__(self) -> str:
        return self.words


def explain(epsilon: float | Release, delta: float = 0) -> Explanation:
    """Explain what an epsilon and a delta mean for a person among the rows.

    Parameters
    ----------
    epsilon : float or Release
        Of a release, its own epsilon and delta.
    delta : float

    Returns
    -------
    Explanation

    Examples
    --------
    >>> import sfumato as sf
    >>> "epsilon" in sf.explain(1).numbers
    True
    """
    if isinstance(epsilon, Release):
        g: Any = epsilon.guarantee
        epsilon, delta = float(g.epsilon), float(g.delta)
    words = ["explain", "--epsilon", repr(float(epsilon)), *(["--delta", repr(float(delta))] if delta else [])]
    return Explanation(_command(words), json.loads(_command([*words, "--json"])))


def _command(words: list[str]) -> str:
    done = subprocess.run([str(COMMAND), *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise InvalidError(plain(done.stderr.strip()))
    return done.stdout.strip()
