"""Parts: one release from all of them is the one from all rows, byte for byte; what is refused; what is private."""

import multiprocessing
import os
import pickle
import stat
import subprocess
import threading

import numpy as np
import pytest

import sfumato as sf
from sfumato._paths import COMMAND

BOUNDS = {"age": (0, 100)}
TABLE = {"categories": {"sex": ["F", "M"]}, "bins": {"age": 5}, "bounds": BOUNDS}
KINDS = {
    "density": (sf.partial.density, sf.density, "age", {"bounds": BOUNDS, "bandwidth": 5}),
    "normal": (sf.partial.density, sf.density, "age", {"bounds": BOUNDS, "bandwidth": 5, "delta": 1e-6, "method": "gp"}),
    "add-remove": (sf.partial.density, sf.density, "age", {"bounds": BOUNDS, "bandwidth": 5, "neighbours": "add-remove"}),
    "series": (sf.partial.series, sf.series, "hours", {"bounds": (0, 24), "terms": 7}),
    "histogram": (sf.partial.histogram, sf.histogram, ["sex", "age"], TABLE),
    "count": (sf.partial.count, sf.count, "age >= 65", {}),
    "curve": (sf.partial.curve, sf.curve, ["age", "hours"], {"grid": [0, 1], "clip": 60, "bandwidth": 1}),
}


@pytest.fixture
def frame(columns):
    import pandas as pd

    return pd.DataFrame({**columns, "patient": np.arange(3000) % 700})


@pytest.mark.parametrize("kind", KINDS)
def test_parts_give_the_release_of_all_rows(kind, frame):
    part_of, release, what, settings = KINDS[kind]
    settings = {**settings, "epsilon": 1, "seed": 5}
    n = None if settings.get("neighbours") else len(frame)
    parts = [part_of(frame[i::3], what, part=(i + 1, 3), n=n, job="visits", **settings) for i in range(3)]
    assert [one.parts for one in parts] == [[(1, 1)], [(2, 2)], [(3, 3)]] and parts[2].missing == 1
    merged = sf.partial.merge([parts[2], parts[0]])
    assert (merged.missing, merged.of, merged.job, merged.rows) == (2, 3, "visits", n)
    with pytest.raises(sf.InvalidError, match="part 2"):
        release(merged, what, **settings)
    merged.merge(parts[1])
    assert merged.missing is None and merged.mechanism == release.__name__
    wanted = release(frame, what, **settings)
    assert release(merged, what, **settings) == wanted
    assert release(pickle.loads(pickle.dumps(merged)), what, **settings) == wanted


def test_files_of_parts_are_those_of_the_command(csv, tmp_path):
    settings = {"bounds": (0, 100), "bandwidth": 5, "epsilon": 1, "seed": 5}
    made = sf.partial.density(csv, "age", part=(1, 1), n=3000, job="a job", **settings)
    made.write(tmp_path / "here.sfp")
    line = "--columns age --bounds 0:100 --bandwidth 5 --epsilon 1 --seed 5 --part 1/1 --rows 3000"
    words = [str(COMMAND), "partial", "density", str(csv), *line.split(), "--job", "a job", "-o", str(tmp_path / "there.sfp")]
    subprocess.run(words, check=True, capture_output=True)
    assert (tmp_path / "here.sfp").read_bytes() == (tmp_path / "there.sfp").read_bytes() == made.to_bytes()
    assert stat.S_IMODE(os.stat(tmp_path / "here.sfp").st_mode) == 0o600
    assert sf.density(sf.partial.Partial.read(tmp_path / "there.sfp"), "age", **settings) == sf.density(csv, "age", **settings)
    with pytest.raises(sf.Error):
        made.write(tmp_path / "here.sfp")


def test_rows_are_added_batch_by_batch(frame):
    settings = {"bounds": (0, 100), "bandwidth": 5, "epsilon": 1, "seed": 5}
    part = sf.partial.density(None, "age", n=3000, **settings)
    with pytest.raises(sf.InvalidError, match="number of records"):
        sf.density(part, "age", **settings)
    for i in range(0, 3000, 1000):
        part.add(frame[i : i + 1000])
    assert sf.density(part, "age", **settings) == sf.density(frame, "age", **settings)
    with pytest.raises(sf.InvalidError, match="that was made here"):
        sf.partial.Partial.from_bytes(part.to_bytes()).add(frame)
    with pytest.raises(sf.InvalidError, match="columns are missing"):
        sf.partial.density(None, n=3000, **settings)


def _worker(job):
    rows, i, settings = job
    return sf.partial.density(rows, "age", part=(i, 4), n=len(rows) * 4, **settings)


def test_processes_send_their_parts(columns):
    ages = columns["age"][:2000]
    settings = {"bounds": (0, 100), "bandwidth": 5, "epsilon": 1, "seed": 5}
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        parts = pool.map(_worker, [(ages[i::4], i + 1, settings) for i in range(4)])
    assert sf.density(sf.partial.merge(parts), "age", **settings) == sf.density(ages, "age", **settings)


def test_a_release_from_parts_is_charged_once(frame, ledger, tmp_path):
    dataset = ledger.dataset("rows")
    key = dataset.key()
    settings = {"bounds": (0, 100), "bandwidth": 5, "epsilon": 1}
    assert sf.Key.from_text(key.to_text()).dataset == key.dataset == "rows"
    key.write(tmp_path / "rows.key")
    again = sf.Key.read(tmp_path / "rows.key")
    parts = [sf.partial.density(frame[i::2], "age", part=(i + 1, 2), n=3000, key=again, **settings) for i in range(2)]
    assert all(one.keyed for one in parts)
    merged = sf.partial.merge(parts)
    one = dataset.density(merged, "age", request="ages", **settings)
    assert dataset.density(merged, "age", request="ages", **settings) == one
    assert dataset.density(frame, "age", request="ages", **settings) == one
    assert (dataset.left.spent_epsilon, one.dataset) == ("1", "rows")
    with pytest.raises(sf.InvalidError, match="without a key"):
        dataset.density(sf.partial.density(frame, "age", n=3000, **settings), "age", **settings)
    with pytest.raises(sf.InvalidError, match="leave out ledger, and give key"):
        sf.partial.density(frame, "age", n=3000, ledger=dataset, **settings)
    for private in (repr(key), str(key)):
        assert key.to_text() not in private
    with pytest.raises(TypeError, match="not pickled"):
        pickle.dumps(key)
    with pytest.raises(sf.Error):
        key.write(tmp_path / "rows.key")


def test_persons_are_divided_by_the_key(frame, ledger, tmp_path):
    key = ledger.dataset("rows").key()
    settings = {"bounds": (0, 24), "bandwidth": 2, "epsilon": 1, "person": "patient", "contributions": 2, "request": "hours"}
    frame.to_csv(tmp_path / "rows.csv", index=False)
    sf.partial.split(tmp_path / "rows.csv", str(tmp_path / "part-%.csv"), parts=3, key=key, person="patient")
    files = [tmp_path / f"part-{i}.csv" for i in (1, 2, 3)]
    assert sum(len(one.read_text().splitlines()) - 1 for one in files) == 3000
    without = {name: value for name, value in settings.items() if name != "request"}
    whole = [sf.partial.density(tmp_path / "rows.csv", "hours", part=(i, 3), n=3000, key=key, **without) for i in (1, 2, 3)]
    divided = [sf.partial.density(one, "hours", part=(i, 3), n=3000, key=key, **without) for i, one in enumerate(files, 1)]
    made = ledger.dataset("rows").density(sf.partial.merge(divided), "hours", **settings)
    mixed = sf.partial.merge([whole[0], divided[1], whole[2]])
    again = {**settings, "request": "again"}  # of the same rows, or it would be refused
    assert ledger.dataset("rows").density(mixed, "hours", **again).dataset == "rows"
    assert made == ledger.dataset("rows").density(tmp_path / "rows.csv", "hours", **settings)
    with pytest.raises(sf.InvalidError):
        sf.partial.split(tmp_path / "rows.csv", str(tmp_path / "part-%.csv"), parts=3, key=key, person="patient")
    with pytest.raises(sf.InvalidError, match="person"):
        sf.partial.split(tmp_path / "rows.csv", str(tmp_path / "other-%.csv"), parts=3, key=key)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"part": 2}, "part="),
        ({"part": (3, 2)}, "part is 3"),
        ({"part": (0, 2)}, "part is 0"),
        ({"part": (1.5, 2)}, "whole number"),
        ({"n": None}, "state with n"),
        ({"n": -1}, "whole number"),
        ({"neighbours": "add-remove"}, "leave out n"),
        ({"job": 7}, "job is a text"),
        ({"job": "x" * 200}, "job is"),
        ({"person": "patient"}, "ledger.dataset"),
        ({"bandwidth": None, "candidates": [1, 2]}, ""),
    ],
)
def test_misuse_names_the_parameter(settings, said, frame):
    with pytest.raises(sf.InvalidError) as raised:
        sf.partial.density(frame, "age", **{"n": 3000, "bounds": BOUNDS, "bandwidth": 5, "epsilon": 1, **settings})
    assert said in str(raised.value)
    assert "sfm_" not in str(raised.value) and "part." not in str(raised.value)


def test_parts_of_other_settings_are_not_added(frame):
    settings = {"n": 3000, "bounds": BOUNDS, "bandwidth": 5, "epsilon": 1}
    one = sf.partial.density(frame[:1000], "age", part=(1, 2), **settings)
    before = one.to_bytes()
    others = [
        sf.partial.density(frame[1000:], "age", part=(2, 2), **{**settings, "bandwidth": 6}),
        sf.partial.density(frame[1000:], "age", part=(2, 2), job="other", **settings),
        sf.partial.density(frame[1000:], "age", part=(2, 3), **settings),
        sf.partial.density(frame[1000:], "age", part=(1, 2), **settings),
        one,
    ]
    for other in others:
        with pytest.raises(sf.InvalidError):
            one.merge(other)
        assert one.to_bytes() == before
    with pytest.raises(sf.InvalidError, match="not a part"):
        one.merge(frame)
    with pytest.raises(sf.InvalidError, match="no parts"):
        sf.partial.merge([])
    for bad in (b"", b"{}", before[:-1], before[:50] + b"x" + before[51:]):
        with pytest.raises(sf.InvalidError):
            sf.partial.Partial.from_bytes(bad)
    with pytest.raises(TypeError, match="did you mean 'bandwidth'"):
        sf.partial.density(frame, "age", **{**settings, "bandwith": 5})
    with pytest.raises(sf.InvalidError):
        sf.train(one, "ill", ["age"], bounds=(0, 100), classes=[0, 1], epsilon=1)


def test_a_part_is_of_one_call_at_a_time(frame):
    said = []

    def again(_at):
        if not said:
            said.append("")
            with pytest.raises(sf.InvalidError, match="another call"):
                part.to_bytes()
            with pytest.raises(sf.InvalidError, match="another call"):
                part.add(frame)
            said.append("asked")

    settings = {"bounds": BOUNDS, "bandwidth": 5, "epsilon": 1, "seed": 1}
    part = sf.partial.density(None, "age", n=6000, progress=again, **settings)
    said.clear()
    part.add(frame)
    assert said == ["", "asked"]
    part.add(frame)
    made = sf.density(part, "age", **settings)
    assert made.rows == 6000
    wrong = []

    def work():
        for _ in range(20):
            try:
                sf.partial.merge([part])
            except sf.InvalidError:
                continue
            except Exception as error:
                wrong.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and sf.density(part, "age", **settings) == made


def test_an_interrupt_leaves_the_part_as_it_was(frame):
    settings = {"bounds": BOUNDS, "bandwidth": 5, "epsilon": 1, "seed": 1}
    stops = []

    def stop(at):
        if at.stage == "reading" and stops:
            raise KeyboardInterrupt

    part = sf.partial.density(None, "age", n=3000, progress=stop, **settings)
    before = part.to_bytes()
    stops.append(True)
    with pytest.raises(KeyboardInterrupt):
        part.add(frame)
    assert part.to_bytes() == before
    stops.clear()
    part.add(frame)
    assert sf.density(part, "age", **settings) == sf.density(frame, "age", **settings)


def test_nothing_shown_of_a_part_is_of_the_rows(frame):
    part = sf.partial.density(frame[:13], "age", n=3000, bounds=BOUNDS, bandwidth=5, epsilon=1)
    shown = repr(part) + str(part.settings) + str(part.rows)
    assert "13" not in repr(part) and str(frame["age"][0]) not in shown
