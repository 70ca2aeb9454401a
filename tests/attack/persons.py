"""Persons: all records of one id change, and there may be any number of them."""
from search import Attack


def lots(id_, cells):
    """The records of one person."""
    return b"".join(id_ + b"," + cell + b"\n" for cell in cells)


def people(id_, cells):
    """What a person with six records may have in them."""
    found = []
    for one in cells:
        found.append(lots(id_, [one] * 6))
        for other in cells:
            found.append(lots(id_, [one] * 3 + [other] * 3))
            found.append(lots(id_, [one] + [other] * 5))
    found.append(lots(b"", [cells[0]] * 6))
    found.append(lots(b"new", [cells[0]] * 6))
    return list(dict.fromkeys(found))


def attack(verb, method, options, cells, *, keep=2, neighbours="replace", header=b"id,x\n", **more):
    words = f"{neighbours}, {keep} of a person's 6"
    settings = {"hostile": people(b"7", cells), "before": b"1,0.3\n2,0.9\n1,0.2\n",
                "after": b"2,0.1\n3,nan\n,0.5\n"}
    return Attack(verb, method, words,
                  [verb, "{rows}", *options, "--epsilon", "1", "--person", "id", "--contributions",
                   str(keep)], header=header, box=[], spread=0, **{**settings, **more})


def attacks():
    ends = [b"0", b"1", b"nan"]
    density = ["--columns", "x", "--bounds", "0:1", "--bandwidth", "0.05"]
    yield attack("density", "lattice", [*density, "--method", "lattice"], ends)
    yield attack("density", "lattice",
                 [*density, "--method", "lattice", "--neighbours", "add-remove"], ends,
                 neighbours="add-remove", hub=b"")
    yield attack("density", "gp", [*density, "--method", "gp", "--delta", "1e-6"], ends, floor=0.999)
    yield attack("series", "haar, 8 terms", ["--columns", "x", "--bounds", "0:1", "--basis", "haar",
                                             "--terms", "8"], ends, floor=0.999)
    table = ["--columns", "x", "--bins", "4", "--bounds", "0:1"]
    yield attack("histogram", "laplace", table, ends)
    yield attack("histogram", "laplace", [*table, "--neighbours", "add-remove"], ends,
                 neighbours="add-remove", hub=b"")
    crowd = b"".join(b"a%d,0.1\nb%d,0.9\n" % (i, i) for i in range(40))
    yield attack("count", "geometric", ["--where", "x > 0.5"], ends, before=crowd)
    # 0 and 1 are in the first and the last bin.
    yield attack("linear", "laplace", [*table, "--matrix", "M.csv", "--method", "laplace"], ends,
                 public={"M.csv": b"1,0,0,-1\n"})
    yield attack("curve", "normal", ["--columns", "a,b", "--grid", "0:1", "--kernel", "matern52:0.5",
                                     "--clip", "1", "--delta", "1e-6"],
                 [b"1e6,1e6", b"-1e6,-1e6", b"nan,nan", b"0.1,0.1"], header=b"id,a,b\n",
                 before=b"1,0.1,0.2\n", after=b"2,0.3,nan\n", floor=0.99999)
    yield attack("train", "hinge, normal",
                 ["--features", "x", "--bounds", "-1:1", "--label", "y", "--lambda", "2", "--delta",
                  "1e-6", "--tolerance", "0.001", "--threads", "1"], [b"1,1", b"1,-1", b"nan,1"],
                 header=b"id,x,y\n", before=b"1,0.5,1\n", after=b"2,-0.5,-1\n", floor=0.997)
