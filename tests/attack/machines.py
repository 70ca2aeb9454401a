"""Kernel machines and their scores."""
from hostile_records import FEW, columns
from search import Attack, line

NORMAL = ["--delta", "1e-6"]
# The certificate of the solver is a part of the claim that only an unlucky solver uses: with this
# tolerance it is 0.2 %.
EXACT = ["--tolerance", "0.001", "--threads", "1"]


def train(*more, features="x", epsilon="1", penalty="2"):
    return ["train", "{rows}", "--features", features, "--bounds", "-1:1", "--label", "y", "--lambda",
            penalty, "--epsilon", epsilon, *EXACT, *more]


def labelled(values):
    """Numbers and, last, a label of two."""
    return line(values[:-1])[:-1] + (b",1\n" if values[-1] > 0 else b",-1\n")


def numbered(values):
    """Numbers and, last, a label that is one."""
    return line(values)


def classed(values):
    """Numbers and, last, one of three classes."""
    return line(values[:-1])[:-1] + b",%c\n" % b"abc"[min(2, int(1.5 * (values[-1] + 1)))]


def machine(method, options, number=1, floor=0.997, record=labelled, hostile=FEW[:2], **more):
    """All slopes are at their largest: the penalty is so large that no margin is ever reached."""
    names = b",".join(b"xzuv"[i:i + 1] for i in range(number))
    lines = columns(number + 1, hostile)
    settings = {"known": [[1.0] * (number + 1), [1.0] * number + [-1.0]], "spread": 6, "climbs": 12}
    return Attack("train", method, "replace", options, header=names + b",y\n",
                  before=record([0.5] * number + [1]), after=record([-0.25] * number + [1]),
                  record=record, box=[(-1.0, 1.0)] * (number + 1), hostile=lines, floor=floor,
                  **{**settings, **more})


def attacks():
    yield machine("hinge, normal", train(*NORMAL), hostile=FEW)
    yield machine("hinge, laplace", train())
    yield machine("hinge, 2 features, laplace", train(features="x,z"), 2)
    yield machine("hinge, 2 features, normal", train(*NORMAL, features="x,z"), 2)
    yield machine("hinge, constant feature", train("--constant", "1", *NORMAL))
    yield machine("hinge, polynomial, gp", train("--kernel", "polynomial:2:1", "--method", "gp", *NORMAL,
                                                 penalty="8"))
    yield machine("hinge, gaussian, rff", train("--kernel", "gaussian:0.5", "--method", "rff:2", *NORMAL))
    yield machine("hinge, gaussian, torus", train("--kernel", "gaussian:1", "--method", "gp", *NORMAL))
    yield machine("hinge, one-vs-rest",
                  train("--labels", "a|b|c", "--one-vs-rest", *NORMAL), record=classed,
                  known=[[1.0, 1.0], [-1.0, 1.0]])
    # Slopes at their largest are not attained by the exact machine: the claim is a bound there.
    yield machine("logistic, normal", train("--loss", "logistic", *NORMAL), floor=0.85)
    yield machine("squared-hinge, normal", train("--loss", "squared-hinge", *NORMAL), floor=0.46)
    label = ["--label-bounds", "-1:1", *NORMAL]
    yield machine("huber, a number", train("--loss", "huber:0.1", *label), record=numbered,
                  floor=0.996)
    yield machine("squared, a number", train("--loss", "squared", *label), record=numbered, floor=0.6)
    yield from scores()


def scores():
    crowd = b"1,1\n" * 40 + b"-1,1\n" * 40
    model = {"model.sfm": ["train", "train.csv", "--features", "x", "--bounds", "-1:1", "--label", "y",
                           "--epsilon", "1000", "--lambda", "0.001"],
             "train.csv": b"x,y\n" + b"1,1\n-1,-1\n" * 20}
    for times in (1, 3):
        yield Attack("score", "classes", f"replace {times} records" if times > 1 else "replace",
                     ["score", "model.sfm", "{rows}", "--epsilon", "1", "--contributions", str(times)],
                     header=b"x,y\n", before=crowd, after=b"nan,1\n", box=[],
                     record=lambda values, times=times: times * labelled(values), public=model,
                     known=[], hostile=[times * lines for lines in
                                        [b"1,1\n", b"1,-1\n", b"-1,1\n", *columns(2)]], spread=0)
    number = {**model, "model.sfm": [*model["model.sfm"], "--label-bounds", "-1:1"]}
    yield Attack("score", "a number", "replace", ["score", "model.sfm", "{rows}", "--epsilon", "1"],
                 header=b"x,y\n", before=crowd, after=b"nan,1\n", box=[(-1.0, 1.0)] * 2, record=numbered,
                 public=number, known=[[1.0, 1.0], [1.0, -1.0]], hostile=columns(2), spread=6, climbs=24,
                 floor=0.999)
