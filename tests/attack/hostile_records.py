"""Records that no one would write by accident."""

# Cells of a column of numbers: at, beyond and far beyond bounds, not finite, not numbers.
CELLS = [b"0", b"1", b"-0", b"-1e-300", b"1.0000000000000002", b"-5", b"7", b"1e308", b"-1e308",
         b"1e999", b"nan", b"NaN", b"inf", b"-inf", b"", b" ", b"text", b"0.5x", b"5e-324", b"0x1p-1",
         b"1,5", b'"0.5"', b'"', b'"0.5', b'0.5"', b"\0", b"\xff\xfe", b"\xef\xbb\xbf0.5", b"\x1f\x8b",
         b"0.5\r", b"\r", b";", b"0.5\t0.5", b"\xd9\xa1", b"#", b"+0.5", b".5", b"1e", b"--1",
         b"x", b"=1+1"]
FEW = [b"nan", b"", b"-inf", b"1e308", b"-1e308", b"text", b'"', b"\x1f\x8b"]
# Longer than the longest line that is read.
LONG = b"9" * (2**20 + 1)


def column(cells=CELLS):
    """Lines of one column."""
    return [cell + b"\n" for cell in cells]


def columns(number, cells=FEW, good=b"0.5"):
    """Lines of several: a hostile cell in each of them, in all, too few cells and too many."""
    lines = []
    for cell in cells:
        lines.append(b",".join([cell] * number) + b"\n")
        lines.append(b",".join([cell] + [good] * (number - 1)) + b"\n")
        lines.append(b",".join([good] * (number - 1) + [cell]) + b"\n")
    return lines + [good + b"\n", b",".join([good] * (number + 3)) + b"\n"]
