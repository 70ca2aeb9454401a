"""What several mechanisms guarantee together, and what an epsilon means."""

from __future__ import annotations

import html
import json
import subprocess
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from sfumato._library import COMMAND, InvalidError, call, ffi, lib, number_of, plain, real, whole
from sfumato.release import Guarantee, Release, guarantee_of


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
    losses : list of (kind, parameter), (kind, parameter, count), (kind, parameter, count, categories) or Release
        Releases protect the same: one person column, one kind of neighbours. Kinds: gaussian (sigma over the
        sensitivity), laplace, discrete-laplace, pure (epsilon),
        discrete-gaussian (sigma), randomised-response (epsilon; of two categories, or as many as are stated).
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
    array = _losses(losses)
    out = ffi.new("sfm_interval *")
    if delta is not None:
        call(lib.sfm_account_epsilon, out, array, len(array), real(delta, "delta"))
    else:
        call(lib.sfm_account_delta, out, array, len(array), real(epsilon, "epsilon"))
    return Interval(out.lower, out.upper)


def _losses(losses: Iterable[Any] | Mapping[str, Any]) -> Any:
    items = list(losses.items()) if isinstance(losses, Mapping) else list(losses)
    array = ffi.new("sfm_privacy_loss[]", len(items))
    _same_unit([item for item in items if isinstance(item, Release)])
    for made, item in zip(array, items):
        if not isinstance(item, (Release, tuple, list)) or (not isinstance(item, Release) and not 2 <= len(item) <= 4):
            raise InvalidError("losses are releases, or tuples of a kind, a parameter and perhaps a count: ('gaussian', 10, 100)")
        kind, parameter, *rest = _loss_of(item) if isinstance(item, Release) else item
        if kind not in _KINDS:
            raise InvalidError(f"{kind!r} is not one of {', '.join(map(repr, _KINDS))}")
        made.kind, made.parameter, made.count = _KINDS[kind], real(parameter, kind), whole(rest[0], "the count") if rest else 1
        made.categories = whole(rest[1], "categories") if len(rest) > 1 else 0
    return array


def account_curve(
    losses: Iterable[Any] | Mapping[str, Any], epsilon: tuple[float, float], *, points: int = 101
) -> tuple[Any, Any, Any]:
    """The least delta of several mechanisms together, at evenly spaced epsilons.

    Parameters
    ----------
    losses
        As of :func:`account`.
    epsilon : pair
        The first and the last.
    points : int

    Returns
    -------
    epsilon, lower, upper : array
        The exact deltas are between the last two.

    Examples
    --------
    >>> import sfumato as sf
    >>> x, lower, upper = sf.account_curve([("gaussian", 10, 100)], (0, 5), points=6)
    >>> bool((lower <= upper).all() and (upper[1:] <= upper[:-1]).all())
    True
    """
    if len(epsilon) != 2:
        raise InvalidError("epsilon is a pair, the first and the last: epsilon=(0, 5)")
    array, (first, last) = _losses(losses), map(float, epsilon)
    out = ffi.new("sfm_interval[]", max(1, whole(points, "points")))
    call(lib.sfm_account_curve, out, points, array, len(array), first, last)
    lower, upper = np.frombuffer(ffi.buffer(out)).reshape(-1, 2).T.copy()
    return np.linspace(first, last, points), lower, upper


def account_sum(losses: Iterable[Any] | Mapping[str, Any], kind: str = "zcdp") -> Guarantee:
    """The sum that a ledger keeps, which also holds if each release is chosen after seeing the earlier ones.

    Parameters
    ----------
    losses
        As of :func:`account`.
    kind : {"pure", "gdp", "zcdp"}

    Returns
    -------
    Guarantee

    Examples
    --------
    >>> import sfumato as sf
    >>> round(sf.account_sum([("pure", 0.5, 2), ("gaussian", 10)]).rho, 6)
    0.255
    """
    array, out = _losses(losses), ffi.new("sfm_guarantee *")
    call(lib.sfm_account_sum, out, array, len(array), number_of("sfm_guarantee_kind", kind, "kind"))
    return guarantee_of(out)


def account_random(parts: Iterable[Any]) -> Guarantee:
    """What releases promise together if some are under random differential privacy: then all have that weaker promise.

    Parameters
    ----------
    parts : list of Release, Guarantee, (epsilon, delta, gamma) or (epsilon, delta, gamma, count)

    Returns
    -------
    Guarantee

    Examples
    --------
    >>> import sfumato as sf
    >>> g = sf.account_random([(1, 1e-6, 0.05), (0.5, 0, 0.01, 2)])
    >>> g.kind, round(g.epsilon, 9), round(g.gamma, 9)
    ('random-dp', 2.0, 0.07)
    """
    listed = list(parts)
    _same_unit([one for one in listed if isinstance(one, Release)])
    made, counts = ffi.new("sfm_guarantee[]", max(1, len(listed))), ffi.new("uint64_t[]", [1] * max(1, len(listed)))
    for i, one in enumerate(listed):
        stated: Any = one.guarantee if isinstance(one, Release) else one
        if not isinstance(stated, Guarantee):
            epsilon, delta, gamma, *count = stated
            stated = Guarantee("random-dp", float(epsilon), float(delta), 0.0, 0.0, float(gamma))
            counts[i] = whole(count[0], "the count") if count else 1
        made[i].kind = number_of("sfm_guarantee_kind", stated.kind, "kind")
        for name in ("epsilon", "delta", "mu", "rho", "gamma"):
            setattr(made[i], name, getattr(stated, name))
    out = ffi.new("sfm_guarantee *")
    call(lib.sfm_account_random, out, made, counts, len(listed))
    return guarantee_of(out)


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
        Of a release, its own epsilon and delta; under random differential privacy, which is weaker, its own sentence.
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
        if g.kind == "random-dp" or not g.epsilon:  # what an epsilon and a delta alone do not say
            return Explanation(epsilon.sentence, {name: value for name, value in g._asdict().items() if value})
        made_with_a_seed = "" if epsilon.private else "NOT PRIVATE: this release was made with a seed. Without one:\n\n"
        explained = explain(float(g.epsilon), float(g.delta))
        return Explanation(made_with_a_seed + explained.words, explained.numbers)
    words = ["explain", "--epsilon", repr(real(epsilon, "epsilon"))]
    words += ["--delta", repr(real(delta, "delta"))] if delta else []
    return Explanation(_command(words), json.loads(_command([*words, "--json"])))


def _command(words: list[str]) -> str:
    done = subprocess.run([str(COMMAND), *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise InvalidError(plain(done.stderr.strip()))
    return done.stdout.strip()
