"""The command, started once for all calls of a script (command_server.c): the client in Python.

    with Server("build/release/sfumato") as server:
        code = server.run(["show", "r.sfm"], cwd=folder, stderr=file)

A call has the caller's umask and limits, and ends as the command ended: minus the number of a signal.  Beside
a command that was built without the server, every call starts the command anew.
"""
import array
import os
import resource
import socket
import struct
import subprocess
import tempfile
import time

LIMITS = 16  # RLIM_NLIMITS of Linux


class Server:
    def __init__(self, command):
        self.command = os.path.abspath(command)
        self.program = os.path.join(os.path.dirname(self.command), "tests", "command_server")

    def __enter__(self):
        self.process = None
        if os.access(self.program, os.X_OK):
            self.folder = tempfile.TemporaryDirectory()
            self.path = os.path.join(self.folder.name, "socket")
            self.process = subprocess.Popen([self.program, self.path], stdin=subprocess.DEVNULL)
            while not os.path.exists(self.path):
                if self.process.poll() is not None:
                    raise RuntimeError("command_server has ended")
                time.sleep(0.01)
        return self

    def __exit__(self, *_):
        if self.process:
            self.process.terminate()
            self.process.wait()
            self.folder.cleanup()

    def run(self, words, cwd=".", env=None, stdout=None, stderr=None):
        """The exit code; outputs are files, and /dev/null where none is given."""
        env = os.environ if env is None else env
        with open(os.devnull, "r+b") as nothing:
            files = [nothing, stdout or nothing, stderr or nothing]
            if not self.process:
                return subprocess.run([self.command, *words], cwd=cwd, env=env, stdin=nothing, stdout=files[1],
                                      stderr=files[2], check=False).returncode
            return self._ask(words, cwd, env, [file.fileno() for file in files])

    def _ask(self, words, cwd, env, files):
        strings = b"".join(os.fsencode(word) + b"\0" for word in ["sfumato", *words, *map("=".join, env.items())])
        mask = os.umask(0)
        os.umask(mask)
        limits = [bound % 2**64 for which in range(LIMITS) for bound in resource.getrlimit(which)]
        head = struct.pack(f"4I{len(limits)}Q", 1 + len(words), len(env), len(strings), mask, *limits)
        folder = os.open(cwd, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
                server.connect(self.path)
                rights = array.array("i", [*files, folder])
                server.sendmsg([head], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
                server.sendall(strings)
                answer = server.recv(4, socket.MSG_WAITALL)
        finally:
            os.close(folder)
        if len(answer) != 4:
            raise RuntimeError("command_server has not answered")
        return os.waitstatus_to_exitcode(struct.unpack("i", answer)[0])
