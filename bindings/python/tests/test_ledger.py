"""Budgets: charges, refusals, repeated requests, forks, kills and interrupts."""

import multiprocessing
import os
import re
import signal
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import sfumato as sf

AGES = np.random.default_rng(3).normal(40, 12, 2000).clip(0, 100)
SETTINGS = {"bounds": (0, 100), "bandwidth": 5}


def test_charges_add_up_and_the_last_is_refused(ledger):
    with ledger.dataset("rows") as d:
        first = d.density(AGES, "age", epsilon=2, **SETTINGS)
        assert (first.dataset, d.left.spent_epsilon, d.left.left_epsilon) == ("rows", "2", "3")
        with pytest.raises(sf.BudgetExceeded):
            d.density(AGES, "age", epsilon=4, **SETTINGS)
        assert d.left.charges == 1
    assert [entry.kind for entry in ledger.history()] == ["create", "charge", "bind", "answer"] or len(ledger.history()) >= 3
    assert ledger.verify() == len(ledger.history())
    ledger.close_dataset("rows")
    with pytest.raises(sf.BudgetExceeded):
        ledger.dataset("rows").density(AGES, "age", epsilon=1, **SETTINGS)


def test_a_request_is_charged_once(ledger):
    with ledger.dataset("rows") as d:
        one = d.density(AGES, "age", epsilon=1, request="ages", **SETTINGS)
        assert d.density(AGES, "age", epsilon=1, request="ages", **SETTINGS) == one
        assert d.left.spent_epsilon == "1" and one.request == "ages"


def test_other_rows_are_refused(ledger):
    with ledger.dataset("rows") as d:
        d.density(AGES, "age", epsilon=1, **SETTINGS)
        with pytest.raises(sf.BudgetExceeded):
            d.density(AGES + 1, "age", epsilon=1, **SETTINGS)


def test_misuse_costs_nothing(ledger):
    with ledger.dataset("rows") as d:
        for bad in ({"epsilon": -1}, {"epsilon": 1, "method": "gp"}, {"epsilon": 1, "bandwidth": 0}):
            with pytest.raises(sf.InvalidError):
                d.density(AGES, "age", **{**SETTINGS, **bad})
        assert d.left.charges == 0


def test_a_dataset_that_is_not_there(ledger):
    with pytest.raises(sf.InvalidError, match="rows"):
        ledger.dataset("other")


def _noise(seedless, out):
    out.put(seedless())


def _counts():
    return [sf.count(AGES, "x0 > 50", epsilon=0.01).value for _ in range(8)]


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_noise_differs_in_every_process(method):
    context = multiprocessing.get_context(method)
    out = context.SimpleQueue()
    sf.count(AGES, "x0 > 50", epsilon=0.01)  # the stream of this process is in use
    children = [context.Process(target=_noise, args=(_counts, out)) for _ in range(2)]
    for child in children:
        child.start()
    drawn = [out.get() for _ in children] + [_counts()]
    for child in children:
        child.join()
    assert len({tuple(one) for one in drawn}) == 3


def _charge_in_child(ledger, out):
    try:
        out.put(ledger.dataset("rows").density(AGES, "age", epsilon=1, **SETTINGS).dataset)
    except Exception as error:
        out.put(repr(error))


def test_a_ledger_goes_through_a_fork(ledger):
    ledger.dataset("rows").density(AGES, "age", epsilon=1, **SETTINGS)
    context = multiprocessing.get_context("fork")
    out = context.SimpleQueue()
    child = context.Process(target=_charge_in_child, args=(ledger, out))
    child.start()
    assert out.get() == "rows"
    child.join()
    assert ledger.dataset("rows").left.spent_epsilon == "2"


def test_a_fork_while_another_thread_has_the_locks(ledger, tmp_path):
    session = sf.open_online(tmp_path / "s.sfs", AGES, "age", bounds=(0, 100), bandwidth=5, epsilon=1, delta=1e-6)
    rows = sf.Rows(AGES, ["age"])
    has, done = threading.Event(), threading.Event()

    def hold():
        with ledger._lock, session._lock, rows.borrow():
            has.set()
            done.wait()

    def in_child(out):
        said = [ledger.dataset("rows").density(rows, "age", epsilon=1, **SETTINGS).dataset]
        for use in (lambda: session.ask(1.0), lambda: session.guarantee, session.close):
            try:
                said.append(use())
            except sf.InvalidError as error:
                said.append("another process" in str(error))
        out.put(said)

    thread = threading.Thread(target=hold)
    thread.start()
    has.wait()
    context = multiprocessing.get_context("fork")
    out = context.SimpleQueue()
    child = context.Process(target=in_child, args=(out,))
    child.start()
    child.join(30)
    stuck = child.is_alive()
    child.kill()
    done.set()
    thread.join()
    assert not stuck and out.get() == ["rows", True, True, None]
    assert session.ask(1.0) == session.ask(1.0)


def test_eight_threads_charge_at_once(ledger):
    made, failed = [], []

    def work(i):
        try:
            made.append(ledger.dataset("rows").density(AGES, "age", epsilon=0.5, request=f"r{i}", **SETTINGS))
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed and len({one.dumps() for one in made}) == 8
    assert ledger.dataset("rows").left.spent_epsilon == "4"


def test_an_interrupt_before_the_charge_stops(ledger):
    def stop(at):
        if at.stage == "prepared":
            raise KeyboardInterrupt

    with ledger.dataset("rows") as d, pytest.raises(KeyboardInterrupt):
        d.density(AGES, "age", epsilon=1, progress=stop, **SETTINGS)
    assert ledger.dataset("rows").left.charges == 0


def test_an_interrupt_after_the_charge_waits_for_the_answer(ledger):
    def stop(at):
        if at.stage != "prepared":
            raise KeyboardInterrupt

    rows = np.tile(AGES, 200)
    with ledger.dataset("rows") as d:
        with pytest.raises(KeyboardInterrupt):
            d.density(rows, "age", epsilon=1, progress=stop, request="ages", **SETTINGS)
        assert (d.left.charges, d.left.answers) == (1, 1)
        assert d.density(rows, "age", epsilon=1, request="ages", **SETTINGS).request == "ages"
        assert d.left.charges == 1


def test_control_c_arrives(tmp_path):
    script = textwrap.dedent(
        """
        import numpy as np, sfumato as sf, sys, os, signal, threading
        rows = np.random.default_rng(0).uniform(0, 1, (4_000_000, 2))
        threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            for _ in range(200):
                sf.density(rows, bounds=(0, 1), bandwidth=0.01, epsilon=1)
        except KeyboardInterrupt:
            print("interrupted")
        """
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout == "interrupted\n", done.stderr


CONTROL_C = """
import numpy as np, sfumato as sf, sys, os, signal, threading
stage = sys.argv[2]
ages = np.tile(np.random.default_rng(3).normal(40, 12, 2000).clip(0, 100), 500)
def stop(at):
    if at.stage == stage:
        os.kill(os.getpid(), signal.SIGINT)
if stage == "any":
    threading.Timer(0.02, os.kill, (os.getpid(), signal.SIGINT)).start()
rows = sf.Ledger(sys.argv[1]).dataset("rows")
try:
    for _ in range(500):
        rows.density(ages, "age", bounds=(0, 100), bandwidth=5, epsilon=0.001, progress=None if stage == "any" else stop)
    sys.exit("the interrupt is lost")
except KeyboardInterrupt as interrupt:
    print(*getattr(interrupt, "__notes__", ()), sep="\\n")
"""


@pytest.mark.parametrize("stage", ["prepared", "reading", "any"])
def test_control_c_leaves_no_charge_or_one_that_answers(ledger, stage):
    done = subprocess.run([sys.executable, "-c", CONTROL_C, ledger.path, stage], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    said = re.search(r"same call with request='([^']+)' returns its stored answer, at no cost", done.stdout)
    with ledger.dataset("rows") as d:
        before = d.left
        assert before.charges == before.answers
        if stage != "any":
            assert (before.charges, said is None) == ((0, True) if stage == "prepared" else (1, False))
        if said is not None:
            rows = np.tile(AGES, 500)
            answer = d.density(rows, "age", epsilon=0.001, request=said[1], **SETTINGS)
            assert answer.request == said[1] and answer.private and d.left == before


def test_an_interrupt_as_the_charge_is_told_of_is_not_lost(ledger, monkeypatch):
    import sfumato._library

    text, raised = sfumato._library.text, []

    def interrupted_once(words):
        if not raised and sys._getframe(1).f_code.co_name == "on_charge":
            raised.append(True)
            raise KeyboardInterrupt
        return text(words)

    monkeypatch.setattr(sfumato._library, "text", interrupted_once)
    with ledger.dataset("rows") as d:
        with pytest.raises(KeyboardInterrupt) as interrupt:
            d.density(AGES, "age", epsilon=1, **SETTINGS)
        assert raised and d.left.charges == d.left.answers == 1
        assert any("returns its stored answer" in note for note in interrupt.value.__notes__)


def test_an_interrupt_frees_what_was_made(ledger, monkeypatch):
    import sfumato._request

    freed = []

    class Watched:
        def __getattr__(self, name):
            return getattr(sfumato._library.lib, name)

        def sfm_release_destroy(self, pointer):
            freed.append(pointer != sf._library.ffi.NULL)
            sfumato._library.lib.sfm_release_destroy(pointer)

    def stop(at):
        if at.stage != "prepared":
            raise KeyboardInterrupt

    monkeypatch.setattr(sfumato._request, "lib", Watched())
    with ledger.dataset("rows") as d, pytest.raises(KeyboardInterrupt):
        d.density(AGES, "age", epsilon=1, progress=stop, **SETTINGS)
    assert freed == [True]


def test_an_interrupt_while_a_session_is_made_says_where_it_is(ledger, tmp_path):
    def stop(at):
        if at.stage != "prepared":
            raise KeyboardInterrupt

    settings = {"bounds": (0, 100), "bandwidth": 5, "epsilon": 1, "delta": 1e-6, "ledger": ledger.dataset("rows")}
    with pytest.raises(KeyboardInterrupt) as raised:
        sf.open_online(tmp_path / "s.sfs", AGES, "age", progress=stop, **settings)
    assert "by its path alone" in raised.value.__notes__[0] and "s.sfs" in raised.value.__notes__[0]
    with sf.open_online(tmp_path / "s.sfs") as session:
        assert session.ask(40.0) > 0
    assert ledger.dataset("rows").left.charges == 1


def test_a_process_killed_in_fit_leaves_a_ledger_that_goes_on(ledger):
    script = textwrap.dedent(
        """
        import numpy as np, sfumato as sf, sys, os, signal
        def die(at):
            if at.stage == "reading":
                os.kill(os.getpid(), signal.SIGKILL)
        ages = np.tile(np.random.default_rng(3).normal(40, 12, 2000).clip(0, 100), 200)
        rows = sf.Ledger(sys.argv[1]).dataset("rows")
        rows.density(ages, "age", bounds=(0, 100), bandwidth=5, epsilon=1, request="ages", progress=die)
        """
    )
    done = subprocess.run([sys.executable, "-c", script, ledger.path], capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    with ledger.dataset("rows") as d:
        assert (d.left.charges, d.left.answers) == (1, 0)
        d.density(np.tile(AGES, 200), "age", epsilon=1, request="ages", **SETTINGS)
        assert (d.left.charges, d.left.answers) == (1, 1)
    assert ledger.verify() > 0


def test_an_exception_of_the_progress_function_comes_out():
    def fail(_at):
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        sf.density(AGES, "age", epsilon=1, progress=fail, **SETTINGS)


def test_runs_are_logged_without_anything_of_the_rows(ledger, caplog):
    rows = AGES[:1733] + 0.123
    with caplog.at_level("DEBUG", logger="sfumato"), ledger.dataset("rows") as d:
        d.density(rows, "age", epsilon=1, **SETTINGS)
        with pytest.raises(sf.BudgetExceeded):
            d.density(rows, "age", epsilon=9, **SETTINGS)
    said = [record.getMessage() for record in caplog.records]
    what = "density of age, dataset 'rows': "
    assert said[:3] == [what + "begins", what + "prepared", what + "reading"] and what + "done" in said
    assert said[-1] == what + "refused or failed"
    assert "1733" not in caplog.text and "0.123" not in caplog.text


def test_an_interrupt_that_waits_is_logged(ledger, caplog):
    def stop(at):
        if at.stage == "reading":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ledger.dataset("rows").density(AGES, "age", epsilon=1, progress=stop, **SETTINGS)
    assert "interrupted after the charge" in caplog.text


def test_a_bar_is_drawn_and_closed(capsys, monkeypatch):
    import tqdm.auto

    bars = []

    class Bar(tqdm.auto.tqdm):
        def __init__(self, **settings):
            super().__init__(**settings)
            bars.append(self)

    monkeypatch.setattr(tqdm.auto, "tqdm", Bar)
    sf.density(AGES, "age", epsilon=1, progress=True, **SETTINGS)
    assert len(bars) == 1 and bars[0].n > 0 and bars[0].disable
    assert "reading" in capsys.readouterr().err


def test_a_session_belongs_to_its_process(tmp_path):
    session = sf.open_online(tmp_path / "s.sfs", AGES, "age", bounds=(0, 100), bandwidth=5, epsilon=1, delta=1e-6)
    context = multiprocessing.get_context("fork")
    out = context.SimpleQueue()

    def ask():
        try:
            out.put(session.ask(1.0))
        except sf.InvalidError as error:
            out.put(str(error))

    child = context.Process(target=ask)
    child.start()
    assert "another process" in out.get()
    child.join()
    assert os.path.exists(tmp_path / "s.sfs")
    session.wipe()
    assert not os.path.exists(tmp_path / "s.sfs")
