"""What Python adds: Density.fit on ten million numbers beside the C program on the same array; evaluation beside
scipy and numpy; data frames beside pyarrow.     bench/python_fit.py ARRAY FOLDER

Fits and the C program take turns, forty times, and the medians of their seconds of the processor are compared: the
clock on the wall is disturbed by other work more than Python adds. What a fit does outside its one call of the library
is measured within it too.
"""
import subprocess
import sys
import time
import types

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import scipy.stats

import sfumato as sf
from sfumato import _library


def best(function, times=7):
    took = []
    for _ in range(times):
        begun = time.perf_counter()
        function()
        took.append(time.perf_counter() - begun)
    return min(took)


def compare_fit(program, path, column):
    model = sf.Density(bounds=(0, 100), bandwidth=2)
    fits, programs, outside = [], [], []
    inside = []
    real = _library.Run.call

    def timed(run, function, *arguments):
        def call(*given):
            begun = time.perf_counter()
            status = function(*given)
            inside.append(time.perf_counter() - begun)
            return status

        return real(run, call, *arguments)

    with subprocess.Popen([program, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as c:
        for _ in range(40):
            c.stdin.write("\n")
            c.stdin.flush()
            programs.append(float(c.stdout.readline()))
            begun = time.process_time()
            model.fit(column)
            fits.append(time.process_time() - begun)
        c.stdin.close()
    _library.Run.call = timed
    for _ in range(10):
        begun = time.perf_counter()
        model.fit(column)
        outside.append(time.perf_counter() - begun - inside[-1])
    _library.Run.call = real
    where = types.SimpleNamespace(stage=_library.lib.SFM_STAGE_READING, done=0, total=0)
    _library._current.run = _library.Run(None, None, "density")
    told = best(lambda: [_library.on_progress(_library.ffi.NULL, _library.ffi.new("sfm_progress *", vars(where))) for _ in range(78)])
    fit, alone = np.median(fits), np.median(programs)
    print(f"Density.fit, 10 million rows: C {alone:.4f} s, Python {fit:.4f} s: {100 * (fit / alone - 1):+.1f} % (wanted at most +5 %); "
          f"of it {1e3 * min(outside):.2f} ms outside the library, and {1e3 * told:.2f} ms where it tells of its progress")


def main():
    program, folder = sys.argv[1:]
    rng = np.random.default_rng(1)
    x = np.clip(rng.normal(40, 15, 10_000_000), 0, 100)
    np.save(folder + "/ten-million.npy", x)
    column = x.reshape(-1, 1)
    compare_fit(program, folder + "/ten-million.npy", column)
    r = sf.Density(bounds=(0, 100), bandwidth=2, seed=1).fit(column).release_
    points = rng.uniform(0, 100, 10_000_000)
    ours = best(lambda: r(points), 3)
    table = np.linspace(0, 100, 1000)
    values = np.sin(table)
    interp = best(lambda: np.interp(points, table, values), 3)
    kde = scipy.stats.gaussian_kde(x[:1000])
    few = points[:10_000]
    scipys = best(lambda: kde(few), 3) * len(points) / len(few)
    print(f"10 million evaluations: {ours:.3f} s, numpy.interp {interp:.3f} s ({interp / ours:.1f} x), "
          f"scipy.stats.gaussian_kde of 1,000 rows {scipys:.0f} s ({scipys / ours:.0f} x)")
    n = 1_000_000
    frame = pa.table({"a": pa.array(rng.integers(0, 100, n), pa.int32()), "b": rng.uniform(0, 100, n),
                      "c": pa.array((rng.uniform(0, 100, n) * 100).astype(int)).cast(pa.decimal128(19, 0)),
                      "d": pa.array(rng.integers(0, 5, n).astype(str))})
    numbers = ["a", "b", "c"]
    ours = best(lambda: sf.histogram(frame, ["a", "b", "c", "d"], bins=[2, 2, 2], bounds=[(0, 100), (0, 100), (0, 10000)],
                                     categories={"d": list("01234")}, epsilon=1))
    theirs = best(lambda: [pc.sum(frame[one]) for one in numbers] + [pc.sum(pc.utf8_length(frame["d"]))])
    theirs_parsed = best(lambda: [pc.sum(frame[one]) for one in numbers] + [pc.sum(pc.cast(frame["d"], pa.float64()))])
    print(f"a million rows of four types: {ours:.4f} s; pyarrow sums them in {theirs_parsed:.4f} s ({ours / theirs_parsed:.2f} x, "
          f"wanted 3 x); without reading the texts as numbers {theirs:.4f} s ({ours / theirs:.2f} x)")


main()
