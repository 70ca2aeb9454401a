"""What reads no rows and costs nothing: mechanisms for counts, and noise by itself."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sfumato._library import InvalidError, call, create, ffi, lib, number_of, owned, shown, utf8, whole
from sfumato._request import Request
from sfumato.release import Release


def optimal(
    n: int,
    *,
    epsilon: float,
    objective: str | None = None,
    loss: Any = "absolute",
    prior: Any = None,
) -> Release:
    """Compute the private mechanism of least risk for a count, to be used by ``count(mechanism=...)``.

    No rows are read and nothing is charged. The mechanism is public, and anyone can check it
    (:meth:`Release.verify`).

    Parameters
    ----------
    n : int
        The largest count, usually the number of records: 1 to 500, or 60 for losses that are not monotone.
    epsilon : float
        Of an answer, 1e-6 to 15.
    objective : {"minimax", "bayes", "equaliser"}, optional
        The least risk at the worst count, on average over a prior, or among mechanisms of the same risk at every count.
        Default: minimax; with a prior bayes.
    loss : {"absolute", "squared", "zero-one"} or array
        Of an answer; an array of n + 1 rows (counts) and n + 1 columns (answers) is a loss of your own.
    prior : array, optional
        n + 1 weights that sum to one. Default: uniform.

    Returns
    -------
    Release

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> m = sf.optimal(100, epsilon=0.5)
    >>> round(m.verify().epsilon, 9)
    0.5
    >>> c = sf.count(np.arange(100.0), "age >= 65", columns="age", mechanism=m, seed=1)
    >>> 0 <= c.value <= 100
    True
    """
    request = Request("optimal", [], {}, has_schema=False)
    request.set(n=n, epsilon=epsilon, objective=objective or ("minimax" if prior is None else "bayes"))
    if prior is not None:
        if objective not in (None, "bayes"):
            raise InvalidError(f"prior is for objective='bayes', which is a mean over it, and objective={shown(objective)}")
        request.vector("prior", prior, request.settings.n + 1)
    if isinstance(loss, str):
        request.set(loss=loss)
    else:
        request.settings.loss = lib.SFM_OPTIMAL_LOSS_OWN
        numbers, _ = request.doubles(loss, "loss", (request.settings.n + 1,) * 2)
        request.settings.losses = numbers
    return Release(request.release(lib.sfm_optimal_design, request.settings))


_LAWS = {"laplace": "discrete-laplace", "normal": "rounded-normal", "gaussian": "discrete-gaussian"}


def noise(law: str, scale: Any, size: int | tuple[int, ...] | None = None, *, seed: int | None = None) -> Any:
    """Draw exact integer noise: the probability of each integer is that of the formula, without rounding.

    Parameters
    ----------
    law : {"laplace", "normal", "gaussian"}
        laplace: P(z) is proportional to exp(-\\|z\\|/scale); normal: the nearest integer to scale times a standard normal;
        gaussian: P(z) is proportional to exp(-z^2/(2 scale^2)).
    scale : int, float, str or Fraction
        Exact: ``"3/2"``, ``1.5`` or ``Fraction(3, 2)``; a float stands for its shortest decimal.
    size : int or tuple of int, optional
        The shape of the array. Default: one integer.
    seed : int, optional
        For tests: draws that can be repeated, and protect nobody.

    Returns
    -------
    int or array of int64

    Examples
    --------
    >>> import sfumato as sf
    >>> sf.noise("laplace", "3/2", size=(2, 3)).shape
    (2, 3)
    >>> sf.noise("gaussian", 10, seed=1) == sf.noise("gaussian", 10, seed=1)
    True
    """
    if law not in _LAWS:
        raise InvalidError(f"law={shown(law)} is not one of {', '.join(map(repr, _LAWS))}")
    shape = () if size is None else tuple(whole(one, "size") for one in (size if isinstance(size, (tuple, list)) else [size]))
    ratio = ffi.new("sfm_ratio *")
    call(lib.sfm_ratio_parse, ratio, utf8(str(scale)))
    which = number_of("sfm_noise_law", _LAWS[law], "law")
    if seed is None:
        pointer = create("sfm_noise", lib.sfm_noise_create, which, ratio[0])
    else:
        pointer = create("sfm_noise", lib.sfm_noise_create_seeded, which, ratio[0], whole(seed, "seed"))
    sampler, values = owned(pointer, lib.sfm_noise_destroy), np.empty(shape, dtype=np.int64)
    lib.sfm_noise_draw(sampler, ffi.cast("int64_t *", values.ctypes.data), math.prod(shape))
    return int(values) if size is None else values


__all__ = ["noise", "optimal"]
