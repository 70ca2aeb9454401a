"""How records are read: nothing in one decides how another is, nor how many there are."""
from densities import call
from machines import EXACT, NORMAL
from persons import attack, lots
from search import Attack

# A record that is a whole gzip stream, of nothing.
GZIP = bytes.fromhex("1f8b08000000000000030300000000000000000000")
SPARSE = [b"1 1:1\n", b"-1 1:1\n", b"1 1:-1\n", b"\n", b"x\n", b"1\n", b"1 1:nan\n", b"1 1:1e308\n",
          b"1 1:inf\n", b"1 9:1\n", b"1 1:1 1:1\n", b"1 2:1 1:1\n", b"nan 1:1\n", b"1 1:1 #c\n",
          b"\xef\xbb\xbf1 1:1\n", b"\x1f\x8b\n", b"\x1f\x8b\x08\0\0\0\0\0\0\3\n", GZIP + b"\n",
          b"\x93NUMPY\1\0v\0\n", b"x,y\n", b'"\n', b"\0\n", b"-1 1:1 2:1\n"]


def attacks():
    # libsvm text has no header: the first bytes of the file are those of a record.
    yield Attack("train", "hinge, libsvm text", "replace, the first record",
                 ["train", "{rows}", "--dimension", "2", "--clip-norm", "1", "--lambda", "2",
                  "--epsilon", "1", *NORMAL, *EXACT], header=b"", before=b"",
                 after=b"1 1:0.5\n-1 2:0.5\n", box=[], hostile=SPARSE, floor=0.997, spread=0)
    # Bytes after the last line end are no record, whatever they are.
    yield Attack("density", "lattice", "after the last line end", call("lattice"), after=b"", box=[],
                 hostile=[b"", b"0.5", b"0", b"nan", b" ", b'"'], spread=0, floor=0)
    # Blanks around an id are no part of it.
    cells = [b"0", b"1", b"nan"]
    ids = [b"7", b" 7", b"7 "]
    yield attack("histogram", "laplace, ids with blanks",
                 ["--columns", "x", "--bins", "4", "--bounds", "0:1"], cells,
                 hostile=[b"".join(lots(id_, [cell] * 2) for id_ in ids) for cell in cells])
