"""The package itself: examples, types, imports, the command, the version."""

import doctest
import importlib
import inspect
import os
import pathlib
import pkgutil
import platform
import subprocess
import sys

import numpy as np
import pytest

import sfumato as sf
from sfumato._paths import COMMAND

MODULES = ["sfumato"] + [
    "sfumato." + one.name for one in pkgutil.iter_modules(sf.__path__) if one.name not in ("__main__", "_declarations")
]


@pytest.mark.parametrize("module", MODULES)
def test_examples_run(module):
    assert doctest.testmod(importlib.import_module(module)).failed == 0


def public():
    """What sfumato and its modules offer: functions, classes, and the methods that these define or have of others of it."""
    for module in (sf, sf.limits, sf.partial, sf.plan):
        for name in [*module.__all__, *(sf._ESTIMATORS if module is sf else ())]:
            one = getattr(module, name)
            if not callable(one):
                continue
            yield f"{module.__name__}.{name}", one
            for member, method in inspect.getmembers(one, inspect.isroutine) if isinstance(one, type) else ():
                if not member.startswith("_") and (getattr(method, "__module__", None) or "").startswith("sfumato"):
                    yield f"{module.__name__}.{name}.{member}", method


def test_every_public_function_class_and_method_has_an_example():
    found = dict(public())
    assert {"sfumato.Release.band", "sfumato.Online.transcript", "sfumato.plan.Plan.plot", "sfumato.Density.fit"} <= set(found)
    assert [name for name, one in found.items() if ">>>" not in (one.__doc__ or "")] == []


def test_every_property_says_what_it_is():
    classes = {one for _, one in public() if isinstance(one, type) and one.__module__.startswith("sfumato")}
    properties = [(one, name, member) for one in classes for name, member in vars(one).items() if isinstance(member, property)]
    assert len(properties) > 40
    assert [(one, name) for one, name, member in properties if not name.startswith("_") and not member.__doc__] == []


def test_importing_takes_no_heavy_package():
    heavy = "pandas polars pyarrow sklearn matplotlib tqdm scipy duckdb"
    script = f"import sys, sfumato; print([name for name in {heavy!r}.split() if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_without_scikit_learn():
    script = """
import sys
sys.modules["sklearn"] = None
import numpy as np, sfumato as sf
d = sf.Density(bounds=(0, 1), seed=1)
assert "bounds" in d.get_params() and d.set_params(epsilon=2) is d and "epsilon" in repr(d)
print(d.fit(np.linspace(0, 1, 50).reshape(-1, 1)).release_.guarantee.epsilon)
c = sf.Classifier(bounds=(-1, 1), classes=[0, 1], seed=1).fit(np.linspace(-1, 1, 50).reshape(-1, 1), np.arange(50) // 25)
print(hasattr(c, "predict_proba"), c.predict([[0.5]]).shape)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout == "2.0\nFalse (1,)\n", done.stderr


def test_the_command_is_in_the_package():
    said = subprocess.run([sys.executable, "-m", "sfumato", "--version"], capture_output=True, text=True, check=True).stdout
    assert said == subprocess.run([str(COMMAND), "--version"], capture_output=True, text=True, check=True).stdout
    assert said.strip() == f"sfumato {sf.__version__}"
    assert subprocess.run([sys.executable, "-m", "sfumato", "nothing"], capture_output=True, check=False).returncode == 2


def test_the_version_is_that_of_the_package():
    from importlib.metadata import version

    assert version("sfumato") == sf.__version__


def test_notices_come_along():
    folder = next(pathlib.Path(sf.__file__).parent.parent.glob("sfumato-*.dist-info"))
    notice = (folder / "licenses" / "NOTICE").read_text(encoding="utf-8")
    for name in (
        "libopenblas.a",
        "libgfortran.a",
        "libClp",
        "libCoinUtils",
        "libmpfr",
        "libgmp",
        "libcairo",
        "DejaVuSans",
        "Frances Y. Kuo",
    ):
        assert name in notice
    assert (folder / "licenses" / "LICENSE").exists()


SOLVE = """
import ctypes, glob, os, sys
import numpy as np, sfumato as sf
blas = ctypes.CDLL(glob.glob(os.path.join(os.path.dirname(sf.__file__), "..", "sfumato.libs", "libopenblas*"))[0])
blas.openblas_get_corename.restype = ctypes.c_char_p
x = np.random.default_rng(1).uniform(-1, 1, (900, 2))
rows = np.column_stack([x, np.where(x[:, 0] > 0, 1, -1)])
m = sf.train(rows, "y", columns=["a", "b", "y"], classes=[-1, 1], bounds=(-1, 1), epsilon=1, delta=1e-6, method="gp",
             kernel="gaussian", bandwidth=0.5, places=x[:300] / 2, seed=1)
r = sf.series(rows[:, 0], "a", bounds=(-1, 1), basis="eigen", kernel="gaussian", bandwidth=0.2, terms=5, epsilon=1, seed=1)
linear = sf.plan.count(n=30, epsilon=1).best.relative
print(blas.openblas_get_corename().decode(), blas.openblas_get_num_threads(), *m.values, *r.values, linear)
"""


def _solved(**environment):
    done = subprocess.run(
        [sys.executable, "-c", SOLVE], capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )
    assert done.returncode == 0, done.stderr
    core, threads, *numbers = done.stdout.split()
    return core, int(threads), np.array(numbers, dtype=float)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the names of kernels are those of x86-64")
def test_openblas_chooses_its_kernels_where_it_runs():
    core, threads, numbers = _solved(OPENBLAS_CORETYPE="Prescott", OPENBLAS_NUM_THREADS="1")
    assert (core, threads) == ("Prescott", 1) and np.isfinite(numbers).all() and len(numbers) > 300
    core, threads, others = _solved(OPENBLAS_CORETYPE="Nehalem", OPENBLAS_NUM_THREADS="2")
    assert (core, threads) == ("Nehalem", min(2, os.cpu_count()))
    assert np.allclose(numbers, others, rtol=1e-6, atol=1e-6 * np.abs(numbers).max())


def test_style():
    folder = pathlib.Path(__file__).resolve().parent.parent
    for words in (["check"], ["format", "--check"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *words, "sfumato", "tests", "declarations.py"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_types():
    folder = pathlib.Path(__file__).resolve().parent.parent
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", str(folder / "pyproject.toml"), "--strict"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_types_by_pyright():
    folder = pathlib.Path(__file__).resolve().parent.parent
    words = [sys.executable, "-m", "pyright"]
    settings = {"cwd": folder, "capture_output": True, "text": True, "check": False}
    settings["env"] = {**os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}
    if subprocess.run([*words, "--version"], **settings).returncode:
        pytest.skip("pyright is not installed, or has no node")
    done = subprocess.run([*words, "--pythonpath", sys.executable], **settings)
    assert done.returncode == 0, done.stdout + done.stderr
