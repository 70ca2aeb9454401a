"""``python -m sfumato`` is the command ``sfumato``."""

import os
import sys

from sfumato._paths import COMMAND


def main() -> None:
    """Run the command in the place of this process."""
    os.execv(COMMAND, ["sfumato", *sys.argv[1:]])


if __name__ == "__main__":
    main()
