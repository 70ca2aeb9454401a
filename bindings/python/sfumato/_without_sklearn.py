"""What the estimators take of scikit-learn, where it is not installed."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sfumato._library import InvalidError

if TYPE_CHECKING:
    from typing_extensions import Self


class NotFittedError(ValueError, AttributeError):
    """The estimator is not fitted."""


class BaseEstimator:
    """Parameters by the names of ``__init__``."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """All parameters."""
        del deep
        return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

    def set_params(self, **parameters: Any) -> Self:
        """Set parameters."""
        for name, value in parameters.items():
            if name not in self.get_params():
                raise InvalidError(f"{type(self).__name__} has no parameter {name!r}")
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        defaults = {name: one.default for name, one in inspect.signature(type(self)).parameters.items()}
        changed = [f"{name}={value!r}" for name, value in self.get_params().items() if value is not defaults[name]]
        return f"{type(self).__name__}({', '.join(changed)})"


class ClassifierMixin:
    """Marks a classifier."""


class DensityMixin:
    """Marks a density."""


class RegressorMixin:
    """Marks a regression."""


def available_if(check: Callable[[Any], bool]) -> Callable[[Any], Any]:
    """A method that is there only if the check says so."""

    class Available:
        def __init__(self, method: Any) -> None:
            self.method = method

        def __get__(self, owner: Any, kind: Any = None) -> Any:
            if owner is not None and not check(owner):
                raise AttributeError(self.method.__name__)
            return self.method.__get__(owner, kind)

    return Available
