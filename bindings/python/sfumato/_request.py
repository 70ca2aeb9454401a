"""What every call states: the public facts about the rows, the budget, and the settings of the mechanism."""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from sfumato._library import (
    InvalidError,
    Progress,
    Run,
    call,
    create,
    ffi,
    lib,
    number_of,
    on_charge,
    on_progress,
    on_remark,
    owned,
    path_of,
    real,
    shown,
    text,
    texts,
    utf8,
    whole,
)
from sfumato._rows import Rows, RowsLike

if TYPE_CHECKING:
    from sfumato.ledger import Dataset

#: A pair for all columns, a list of pairs in the order of the columns, or a dict by name.
Bounds = Any
Numbers = Any


class Facts(TypedDict, total=False):
    """What can be stated in every call that releases. All of it is public, and none is read from rows.

    Attributes
    ----------
    bounds : pair, list of pairs, or dict
        Lower and upper bound of the columns: one pair for all, one per column, or by name.
    categories : dict
        The categories of columns, by name.
    schema : path or dict
        A Frictionless Table Schema that states the same and more.
    person : str
        The column that says whose record a row is: all records of a person are protected together.
    contributions : int
        How many records of one person are used. Default: 1.
    neighbours : str
        ``"replace"`` (the number of records is public) or ``"add-remove"`` (it is private).
    ledger : Dataset
        The dataset of a ledger that is charged; usually by calling its methods.
    request : str
        A name for this request: asked again, it returns the same release and charges nothing.
    confidence : float
        Of the error band. Default: 0.95.
    progress : callable or True
        Called with a :class:`Progress`; True: a bar by tqdm.
    seed : int
        For tests: noise that can be repeated, which is not private, and the release says so.
    threads : int
        Default: one per processor, at most eight.

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> facts: sf.Facts = {"bounds": (0, 10), "neighbours": "add-remove", "seed": 1}
    >>> sf.density(np.linspace(0, 9, 500), "x", bandwidth=1, epsilon=1, **facts).neighbours
    'add-remove'
    """

    bounds: Bounds
    categories: Mapping[str, Iterable[Any]]
    schema: Any
    person: str
    contributions: int
    neighbours: str
    ledger: Dataset
    request: str
    confidence: float
    progress: Callable[[Progress], Any] | bool
    seed: int
    threads: int


_FACTS = frozenset(Facts.__annotations__)


def no_bounds(columns: Sequence[str] = ()) -> str:
    """Why bounds are needed, and of which columns."""
    of = "".join(f" of {', '.join(map(repr, columns[:5]))}{', ...' if len(columns) > 5 else ''}" for _ in columns[:1])
    return (
        f"bounds{of} must be stated: a lower and an upper bound for each column, from knowledge of the subject, for example "
        "bounds=(0, 100) or bounds={'age': (0, 120)}. They are public, so they are never read from the rows: the smallest and "
        "the largest value are two people's values"
    )


def pairs_of(bounds: Bounds, columns: Sequence[str]) -> dict[str, tuple[float, float]]:
    """Bounds by name, from a pair for all, a list of pairs, or a dict."""
    if bounds is None:
        return {}
    if isinstance(bounds, Mapping):
        return {str(name): pair_of(pair, f"bounds[{name!r}]") for name, pair in bounds.items()}
    if isinstance(bounds, str) or not hasattr(bounds, "__len__"):
        raise InvalidError(f"bounds={shown(bounds)} is not a pair of numbers: bounds=(0, 100), or bounds={{'age': (0, 100)}}")
    if len(bounds) == 2 and not any(isinstance(end, (Sequence, np.ndarray)) and not isinstance(end, str) for end in bounds):
        return {name: pair_of(bounds, "bounds") for name in columns}
    if len(bounds) != len(columns):
        raise InvalidError(
            f"bounds has {len(bounds)} pairs for {len(columns)} columns: give one pair for all, one per column, or a dict by name"
        )
    return {name: pair_of(pair, f"bounds[{i}]") for i, (name, pair) in enumerate(zip(columns, bounds))}


def pair_of(pair: Any, name: str) -> tuple[float, float]:
    if isinstance(pair, str):
        raise InvalidError(f"{name}={pair!r} is a text: give a pair of numbers, (lower, upper)")
    try:
        lower, upper = pair
        if isinstance(lower, str) or isinstance(upper, str):
            raise InvalidError(f"{name}={shown(pair)} has texts: bounds are numbers; of dates, the seconds since 1970")
        return float(lower), float(upper)
    except (TypeError, ValueError, OverflowError) as error:
        if isinstance(error, InvalidError):
            raise
        raise InvalidError(f"{name}={shown(pair)} is not a pair of numbers (lower, upper)") from None


def known_columns(columns: Sequence[str], facts: Mapping[str, Any]) -> None:
    """Refuses facts about columns that the rows do not have, as they are mostly misspelt."""
    if not columns:  # libsvm text
        return
    for fact in ("bounds", "categories"):
        stated = facts.get(fact)
        if fact == "categories" and stated is not None and not isinstance(stated, Mapping):
            raise InvalidError("categories is a dict by column: categories={'sex': ['F', 'M']}")
        for name in stated if isinstance(stated, Mapping) else ():
            if str(name) not in columns:
                raise InvalidError(f"{fact} has {name!r}, which is not a column of the rows{nearest(str(name), columns)}")
    person = facts.get("person")
    if person is not None and not isinstance(person, str):
        raise InvalidError(f"person is the name of a column, not {shown(person)}")
    if person is not None and person not in columns:
        raise InvalidError(f"person={shown(person)} is not a column of the rows{nearest(str(person), columns)}")


def nearest(word: str, words: Iterable[str]) -> str:
    """What may have been meant."""
    listed = list(words)
    found = difflib.get_close_matches(word, listed, 1)
    if found:
        return f": did you mean {found[0]!r}?"
    return f": they are {', '.join(map(repr, listed[:20]))}{', ...' if len(listed) > 20 else ''}"


def cell(value: Any) -> str:
    """A category as the library compares it. There is one for every value."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    try:
        return str(value)
    except Exception:  # a whole number of too many digits, or an object that cannot say what it is
        return ""


def distinct(values: Iterable[Any], name: str) -> list[str]:
    """Categories or classes as texts; one that is stated twice is not repeated, as it may be the value of a record."""
    listed = [cell(value) for value in values]
    if len(set(listed)) < len(listed):
        raise InvalidError(f"{name} has one of its values twice: state each once. They are public, never a column of rows")
    return listed


def make_schema(columns: Sequence[str], facts: Mapping[str, Any]) -> Any:
    """The schema of the facts: those of `schema` first, then what is stated beside it."""
    given = facts.get("schema")
    if given is None:
        pointer = create("sfm_schema", lib.sfm_schema_create)
    elif isinstance(given, Mapping):
        data = utf8(json.dumps(given))
        pointer = create("sfm_schema", lib.sfm_schema_parse, data, len(data), b"schema")
    elif not isinstance(given, (str, bytes, os.PathLike)):
        raise InvalidError(f"schema={shown(given)} is not the path of a schema, nor a dict")
    else:
        pointer = create("sfm_schema", lib.sfm_schema_load, path_of(given))
    schema = owned(pointer, lib.sfm_schema_destroy)
    texts_of = facts.get("categories") or {}
    numeric = [name for name in columns if name not in texts_of and not has_categories(schema, name)]
    for name, (lower, upper) in pairs_of(facts.get("bounds"), numeric).items():
        call(lib.sfm_schema_set_bounds, schema, utf8(name), lower, upper)
    for name, values in (facts.get("categories") or {}).items():
        if isinstance(values, str) or not isinstance(values, Iterable):
            raise InvalidError(f"categories[{name!r}]={shown(values)} is not a list: give a list of categories")
        keep: list[Any] = []
        listed = distinct(values, f"categories[{name!r}]")
        try:
            call(lib.sfm_schema_set_categories, schema, utf8(str(name)), texts(listed, keep), len(listed))
        except InvalidError:
            if isinstance(values, (list, tuple, set, frozenset, range)):
                raise
            wrong = f"categories[{name!r}] of type {type(values).__name__} is no list of categories that can be used"
        else:
            continue
        raise InvalidError(wrong)  # a column of a frame may have been given, so what is wrong is not repeated
    if facts.get("person") is not None:
        call(lib.sfm_schema_set_person, schema, utf8(facts["person"]))
    if facts.get("neighbours") is not None:
        call(lib.sfm_schema_set_neighbours, schema, number_of("sfm_neighbours", facts["neighbours"], "neighbours"))
    if facts.get("contributions") is not None:
        call(lib.sfm_schema_set_contributions, schema, whole(facts["contributions"], "contributions", 2**32 - 1))
    return schema


def has_bounds(schema: Any, name: str) -> bool:
    column = lib.sfm_schema_find(schema, utf8(name))
    return bool(column != ffi.NULL and column.has_bounds)


def has_categories(schema: Any, name: str) -> bool:
    column = lib.sfm_schema_find(schema, utf8(name))
    return bool(column != ffi.NULL and column.category_count > 0)


def refuse_unknown(stated: Iterable[str], others: Iterable[str]) -> None:
    """Refuses names that are neither facts nor `others`."""
    names = [*others, *sorted(_FACTS)]
    for name in stated:
        if name not in names:
            raise TypeError(f"there is no parameter {name!r}{nearest(name, names)}")


class Request:
    """The settings of one call, and all that they point to."""

    def __init__(self, mechanism: str, columns: Sequence[str], facts: Mapping[str, Any], *, has_schema: bool = True) -> None:
        refuse_unknown(facts, ())
        self.mechanism = mechanism
        self.keep: list[Any] = []
        self.settings = ffi.new(f"sfm_{mechanism}_settings *")
        getattr(lib, f"sfm_{mechanism}_settings_init")(self.settings, ffi.sizeof(f"sfm_{mechanism}_settings"))
        self.fields = dict(ffi.typeof(f"sfm_{mechanism}_settings").fields)
        self.schema = make_schema(columns, facts) if has_schema else None
        self.dataset: Dataset | None = facts.get("ledger")
        if self.dataset is not None and not (hasattr(self.dataset, "ledger") and hasattr(self.dataset, "name")):
            raise InvalidError(f"ledger={shown(self.dataset)} is not a dataset: ledger=sf.Ledger('visits.db').dataset('visits')")
        charged_to = None if self.dataset is None else self.dataset.name
        self.run = Run(
            _progress(facts.get("progress")), charged_to, f"{mechanism} of {', '.join(columns)}" if columns else mechanism
        )
        if "context" in self.fields:
            self._fill_context(facts)

    def _fill_context(self, facts: Mapping[str, Any]) -> None:
        context = self.settings.context
        if self.schema is not None:
            context.schema = self.schema
        if facts.get("confidence") is not None:
            context.confidence = real(facts["confidence"], "confidence")
        if facts.get("seed") is not None:
            context.seeded, context.seed = True, whole(facts["seed"], "seed")
        if facts.get("threads") is not None:
            context.threads = whole(facts["threads"], "threads", 2**32 - 1)
        context.progress = on_progress
        context.remark = on_remark
        if self.dataset is not None:
            charge = ffi.new("sfm_charge *")
            self.keep += [charge, self.dataset]
            handle = self.dataset.ledger._open()
            self.keep.append(handle)  # open until the call ends, whoever closes the ledger
            charge.ledger = handle
            charge.told = on_charge
            charge.dataset = self.text(self.dataset.name)
            if facts.get("request") is not None:
                charge.request = self.text(facts["request"], "request")
            context.charge = charge
        elif facts.get("request") is not None:
            raise InvalidError("request is a name in a ledger: give ledger= too, or leave it out")

    def another_run(self) -> Run:
        """For another call with the same settings: a run says once how it ended."""
        progress = _Bar() if isinstance(self.run.progress, _Bar) else self.run.progress
        return Run(progress, None if self.dataset is None else self.dataset.name, self.run.what)

    # ---- members by their type ----

    def text(self, value: Any, name: str = "a name") -> Any:
        if not isinstance(value, str):
            raise InvalidError(f"{name} is a text, not {shown(value)}")
        data = ffi.new("char[]", utf8(value))
        self.keep.append(data)
        return data

    def doubles(self, values: Any, name: str, shape: tuple[int | None, ...]) -> tuple[Any, int]:
        """Numbers of exactly this shape (None: any length), for C, which reads as many; and the first length."""
        array = array_of(values, name, shape)
        self.keep.append(array)
        return ffi.cast("double *", array.ctypes.data), len(array)

    def matrix(self, values: Any, width: int, **members: str) -> None:
        """Rows of `width` numbers, of which members of the settings have the numbers and their count."""
        (name, parameter), (count, _) = members.items()
        pointer, length = self.doubles(values, parameter, (None, width))
        setattr(self.settings, name, pointer)
        setattr(self.settings, count, length)

    def vector(
        self, name: str, values: Any, size: int | None = None, *, count: str | None = None, parameter: str | None = None
    ) -> None:
        """Numbers in a row, of which a member of the settings may have the count."""
        pointer, length = self.doubles(values, parameter or name, (size,))
        setattr(self.settings, name, pointer)
        if count is not None:
            setattr(self.settings, count, length)

    def set(self, **members: Any) -> None:
        """Sets members of the settings; None keeps the default."""
        for name, value in members.items():
            if value is None:
                continue
            kind = self.fields[name].type
            if kind.kind == "enum":
                value = number_of(kind.cname.removeprefix("enum "), value, name)
            elif kind.cname == "double *":
                raise TypeError(f"{name} is set by vector or matrix, which know its length")
            elif kind.cname == "char *":
                value = self.text(value, name)
            elif kind.cname == "char * *":
                value = texts([str(one) for one in value], self.keep)
            elif kind.kind == "array":
                value = [int(one) for one in value]
            elif kind.kind == "primitive":
                value = _number(value, kind.cname, name)
            try:
                setattr(self.settings, name, value)
            except OverflowError:
                raise InvalidError(f"{name}={shown(value)} is out of range") from None

    def words(self, name: str, enumeration: str, values: Any, columns: Sequence[str]) -> None:
        """An array of an enumeration with one value per column: from one word for all, a list or a dict."""
        if values is None:
            return
        listed = per_column(values, columns, name, 0)
        numbers = [0 if word == 0 else number_of(enumeration, word, name) for word in listed]
        array = ffi.new(f"{enumeration}[]", numbers)
        self.keep.append(array)
        setattr(self.settings, name, array)

    def per_column(self, name: str, values: Any, columns: Sequence[str]) -> None:
        """An array of doubles with one per column."""
        if values is None:
            return
        if isinstance(values, str):
            raise InvalidError(f"{name}={values!r} is a text: give a number, or leave {name} out, and it is chosen")
        self.vector(name, per_column(values, columns, name, None), len(columns))

    # ---- the call ----

    def release(self, function: Any, *arguments: Any) -> Any:
        """A pointer to the release that a function makes through its first parameter."""
        out = ffi.new("sfm_release **")
        try:
            self.run.call(function, out, *arguments)
        except BaseException:  # an interrupt comes out when the release is there
            lib.sfm_release_destroy(out[0])
            raise
        return out[0]


def array_of(values: Any, name: str, shape: tuple[int | None, ...]) -> np.ndarray[Any, Any]:
    """Numbers of exactly this shape (None: any length), as C reads them."""
    try:
        array = np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InvalidError(f"{name}={shown(values)} is not numbers") from None
    if len(shape) == 2 and shape[1] == 1 and array.ndim == 1:
        array = array.reshape(-1, 1)
    if array.ndim != len(shape) or any(wanted not in (None, got) for wanted, got in zip(shape, array.shape)):
        row = f"rows of {shape[1]} numbers" if len(shape) == 2 else f"{'some' if shape[0] is None else shape[0]} numbers"
        raise InvalidError(f"{name} has shape {array.shape}: it is {row}")
    return array


def _number(value: Any, kind: str, name: str) -> Any:
    if kind == "double":
        return real(value, name)
    if kind == "_Bool":
        return bool(value)
    try:
        if int(value) != value:
            raise ValueError
        return int(value)
    except (TypeError, ValueError, OverflowError):
        raise InvalidError(f"{name}={shown(value)} is not a whole number") from None


def per_column(values: Any, columns: Sequence[str], name: str, missing: Any) -> list[Any]:
    """One value per column, from one for all, a list, or a dict by name."""
    if isinstance(values, Mapping):
        unknown = [one for one in values if one not in columns]
        if unknown:
            raise InvalidError(f"{name} has {unknown[0]!r}, which is not one of the columns {', '.join(map(repr, columns))}")
        if missing is None and len(values) < len(columns):
            raise InvalidError(f"{name} has no value for {next(one for one in columns if one not in values)!r}")
        return [values.get(column, missing) for column in columns]
    if isinstance(values, str) or not hasattr(values, "__len__"):
        return [values] * len(columns)
    if len(values) != len(columns):
        raise InvalidError(f"{name} has {len(values)} values for {len(columns)} columns")
    return list(values)


def _progress(given: Any) -> Callable[[Progress], Any] | None:
    if given is None or given is False:
        return None
    if given is not True and not callable(given):
        raise InvalidError(f"progress={shown(given)} is neither True nor a function")
    if given is not True:
        return given  # type: ignore[no-any-return]
    return _Bar()


class _Bar:
    """Progress as a bar of tqdm, from the first stage until the run ends."""

    def __init__(self) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            raise InvalidError(
                "progress=True draws a bar by tqdm, which is not installed: pip install tqdm, or give a function"
            ) from None
        self._make: Any = tqdm
        self._bar: Any = None

    def __call__(self, at: Progress) -> None:
        if self._bar is None:
            self._bar = self._make(unit=" rows", leave=False)
        self._bar.set_description(at.stage)
        self._bar.total = at.total or None
        self._bar.n = at.done
        self._bar.refresh()

    def end_of_run(self) -> None:
        if self._bar is not None:
            self._bar.close()


def open_rows(rows: RowsLike, columns: Sequence[str] | None, facts: Mapping[str, Any]) -> Rows:
    """Rows as they are, or opened, or what stands for them; names of columns are given to an array, which has none."""
    if hasattr(rows, "_as_rows"):
        return rows._as_rows()  # type: ignore[no-any-return]
    nameless = not isinstance(rows, (str, os.PathLike)) and not hasattr(rows, "columns")
    opened = rows if isinstance(rows, Rows) else Rows(rows, columns if nameless else None, _if_empty=stated_columns(facts))
    known_columns(opened.columns, facts)
    if opened.numeric and isinstance(facts, dict) and isinstance(facts.get("categories"), Mapping):
        facts["categories"] = {name: _as_numbers(values) for name, values in facts["categories"].items()}
    return opened


def _as_numbers(values: Any) -> Any:
    """Categories of a column of an array, where False and True are 0 and 1."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        return values
    listed = list(values)
    return [int(one) if isinstance(one, (bool, np.bool_)) else one for one in listed]


def stated_columns(facts: Mapping[str, Any]) -> list[str]:
    """The columns that the facts name."""
    named = [str(name) for fact in ("bounds", "categories") if isinstance(facts.get(fact), Mapping) for name in facts[fact]]
    if facts.get("schema") is not None:
        schema = make_schema([], {"schema": facts["schema"]})
        named += [text(lib.sfm_schema_column(schema, i).name) for i in range(lib.sfm_schema_column_count(schema))]
    named += [facts["person"]] if isinstance(facts.get("person"), str) else []
    return list(dict.fromkeys(named))


def column_list(columns: str | Sequence[str] | None) -> list[str] | None:
    if columns is None:
        return None
    listed = [columns] if isinstance(columns, str) else list(columns)
    for one in listed:
        if not isinstance(one, str):
            raise InvalidError(f"columns are names, texts, and this is a {type(columns).__name__} of {type(one).__name__}")
    return listed


def chosen_columns(rows: Rows, columns: Sequence[str] | None, facts: Mapping[str, Any]) -> list[str]:
    """The columns that a call is about: those named, those with bounds, or all but the person's."""
    if columns is not None:
        return list(columns)
    bounds, there = facts.get("bounds"), [name for name in rows.columns if name != facts.get("person")]
    if isinstance(bounds, Mapping):
        return [str(name) for name in bounds]
    if bounds is None and facts.get("schema") is not None:
        schema = make_schema([], {"schema": facts["schema"]})
        return [name for name in there if has_bounds(schema, name)] or there
    return there


__all__ = [
    "Bounds",
    "Facts",
    "Request",
    "array_of",
    "chosen_columns",
    "column_list",
    "has_bounds",
    "has_categories",
    "make_schema",
    "nearest",
    "no_bounds",
    "open_rows",
    "pair_of",
    "pairs_of",
    "per_column",
    "refuse_unknown",
    "shown",
    "text",
]
