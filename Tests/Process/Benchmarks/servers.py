"""Starts the measured servers, each on core 0 unless said otherwise, and reads the processor time that they have used."""

import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time

START_SECONDS_MAX = 10
FOLDER = pathlib.Path(__file__).resolve().parent
EXAMPLE = FOLDER.parents[2] / "deploy/examples/ipad-mail.json"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A process that serves on a port of its own."""

    def __init__(self, command, port, pinned=("taskset", "-c", "0")):
        self.port = port
        self.process = subprocess.Popen(
            [*pinned, *map(str, command)], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        self._wait()
        # nginx: its one worker does the work, and its cost is what counts.
        children = pathlib.Path(
            f"/proc/{self.process.pid}/task/{self.process.pid}/children"
        ).read_text(encoding="ascii").split()
        self.pid = int(children[0]) if children else self.process.pid

    def _wait(self):
        end = time.monotonic() + START_SECONDS_MAX
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.02)
        self.end()
        sys.exit(f"nothing listens on port {self.port}")

    def cpu_seconds(self):
        stat = pathlib.Path(f"/proc/{self.pid}/stat").read_text(encoding="ascii")
        fields = stat.rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident_bytes(self):
        pages = pathlib.Path(f"/proc/{self.pid}/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def traitd(binary, *options):
    port = free_port()
    return Server(
        [binary, "--port", port, "--shards", 1, "--load", EXAMPLE, *options], port)


def loop(binary):
    port = free_port()
    return Server([binary, port], port)


def nginx():
    """nginx answering 400 bytes from its configuration; None where there is no nginx."""
    if subprocess.run(["which", "nginx"], capture_output=True, check=False).returncode != 0:
        return None
    port = free_port()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="nginx-bench-"))
    body = '{"value":"' + "x" * 388 + '"}'
    (folder / "nginx.conf").write_text(
        f"""
worker_processes 1;
daemon off;
pid {folder}/pid;
error_log /dev/null crit;
events {{ worker_connections 20000; }}
http {{
    access_log off;
    keepalive_requests 1000000000;
    default_type application/json;
    server {{ listen 127.0.0.1:{port}; location / {{ return 200 '{body}'; }} }}
}}
""", encoding="ascii")
    return Server(["nginx", "-p", folder, "-c", folder / "nginx.conf"], port)
