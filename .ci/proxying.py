"""Starts nginx and HAProxy with the files of deploy/proxies, on ports of a check's own."""

import pathlib
import shutil
import socket
import ssl
import subprocess
import time

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "deploy/proxies"
NAME = "traits.example"
START_SECONDS_MAX = 10


def missing():
    return [name for name in ("nginx", "haproxy", "openssl") if find(name) is None]


def find(name):
    """Debian has servers in a folder that users' paths may not have."""
    return shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def certificate(work):
    """A certificate for NAME, and the context of a client that trusts it."""
    key, certificate = pathlib.Path(work, "key.pem"), pathlib.Path(work, "certificate.pem")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
         "-nodes", "-keyout", key, "-out", certificate, "-days", "1", "-subj", f"/CN={NAME}",
         "-addext", f"subjectAltName=DNS:{NAME}"], check=True, capture_output=True)
    both = pathlib.Path(work, "both.pem")
    both.write_text(certificate.read_text() + key.read_text())
    return key, certificate, both, ssl.create_default_context(cafile=str(certificate))


class Proxy:
    """One proxy as a context manager."""

    def __init__(self, command, port, log):
        self.command, self.port, self.log = command, port, log

    def __enter__(self):
        self.file = open(self.log, "w", encoding="utf-8")
        self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=self.file,
                                        stderr=subprocess.STDOUT)
        end = time.monotonic() + START_SECONDS_MAX
        while time.monotonic() < end and self.process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return self
            except OSError:
                time.sleep(0.05)
        self.__exit__()
        raise SystemExit(f"{self.command[0]} does not serve: {pathlib.Path(self.log).read_text()}")

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.file.close()


def nginx(work, port, server, key, certificate, changes=()):
    text = (FOLDER / "nginx.conf").read_text(encoding="utf-8")
    text = replaced(text, [
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"), ("127.0.0.1:8080", server),
        ("/etc/ssl/certs/traits.example.pem", str(certificate)),
        ("/etc/ssl/private/traits.example.key", str(key)), *changes])
    configuration = pathlib.Path(work, f"nginx-{port}.conf")
    temporary = "".join(f"    {kind}_temp_path {work}/{kind};\n"
                        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    user = "user root;\n" if pathlib.Path(work).owner() == "root" else ""
    configuration.write_text(
        f"{user}daemon off;\npid {work}/nginx-{port}.pid;\nerror_log stderr;\n"
        f"events {{}}\nhttp {{\n    access_log off;\n{temporary}{text}}}\n")
    return Proxy([find("nginx"), "-c", configuration, "-p", work], port, f"{work}/nginx.log")


def haproxy(work, port, servers, both, changes=()):
    text = (FOLDER / "haproxy.cfg").read_text(encoding="utf-8")
    text = replaced(text, [
        ("bind :443", f"bind 127.0.0.1:{port}"), ("maxconn 20000", "maxconn 500"),
        ("/etc/ssl/private/traits.example.pem", str(both)),
        ("127.0.0.1:8080", servers[0]),
        ("    server b 127.0.0.1:8090\n",
         f"    server b {servers[1]}\n" if len(servers) > 1 else ""), *changes])
    configuration = pathlib.Path(work, f"haproxy-{port}.cfg")
    configuration.write_text(text)
    return Proxy([find("haproxy"), "-db", "-f", configuration], port, f"{work}/haproxy.log")


def replaced(text, changes):
    for old, new in changes:
        if old not in text:
            raise SystemExit(f"the file of the proxy has no '{old}'")
        text = text.replace(old, new)
    return text
