"""Starts nginx and HAProxy with the files of deploy/proxies, on ports of a check's own."""

import contextlib
import pathlib
import shutil
import socket
import subprocess
import time

import pace
import requests

FOLDER = pathlib.Path(__file__).resolve().parent.parent.parent / "deploy/proxies"
NAME = "traits.example"
START_SECONDS_MAX, ANSWER_SECONDS_MAX = 10, 120


def certify(work):
    """Makes a certificate for the address of the proxies."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
         "-keyout", "key.pem", "-out", "certificate.pem", "-days", "1", "-subj", f"/CN={NAME}",
         "-addext", "subjectAltName=IP:127.0.0.1"], cwd=work, check=True, capture_output=True)
    work = pathlib.Path(work)
    (work / "both.pem").write_text((work / "certificate.pem").read_text() + (work / "key.pem").read_text())


def replaced(file, *changes):
    text = (FOLDER / file).read_text(encoding="utf-8")
    for old, new in changes:
        if old not in text:
            raise SystemExit(f"deploy/proxies/{file} has no '{old}'")
        text = text.replace(old, new)
    return text


@contextlib.contextmanager
def running(work, scheme, port, text, name, *arguments):
    """Runs a proxy. Gives a function that sends a request to a path below /traits/v1, as `requests.request` does."""
    configuration, log = pathlib.Path(work, f"{name}.cfg"), pathlib.Path(work, f"{name}.log")
    configuration.write_text(text, encoding="utf-8")
    # Debian has servers in a folder that users' paths may not have.
    program = shutil.which(name) or f"/usr/sbin/{name}"
    with open(log, "w", encoding="utf-8") as output:
        process = subprocess.Popen([program, *arguments, configuration], stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=output)
    try:
        deadline = pace.Deadline(START_SECONDS_MAX)
        while socket.socket().connect_ex(("127.0.0.1", port)) != 0:
            if process.poll() is not None or deadline.has_passed:
                raise SystemExit(f"{name} does not serve: {log.read_text()}")
            time.sleep(0.05)
        session = requests.Session()
        # The environment may name certificates and a proxy.
        session.trust_env = False
        session.verify = f"{work}/certificate.pem"
        session.headers["Host"] = NAME
        yield lambda method, path, **options: session.request(
            method, f"{scheme}://127.0.0.1:{port}/traits/{path}", timeout=ANSWER_SECONDS_MAX, **options)
    finally:
        process.terminate()
        process.wait(10)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def nginx(work, server, port=None):
    port = port or free_port()
    text = replaced(
        "nginx.conf", ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"), ("127.0.0.1:8080", server),
        ("/etc/ssl/certs/traits.example.pem", f"{work}/certificate.pem"),
        ("/etc/ssl/private/traits.example.key", f"{work}/key.pem"))
    temporary = "".join(f"{kind}_temp_path {work}/{kind};\n"
                        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    user = "user root;\n" if pathlib.Path(work).owner() == "root" else ""
    text = (f"{user}daemon off;\npid {work}/nginx.pid;\nerror_log stderr;\nevents {{}}\n"
            f"http {{\naccess_log off;\n{temporary}{text}}}\n")
    return running(work, "https", port, text, "nginx", "-p", work, "-c")


def haproxy(work, servers, scheme="http"):
    port = free_port()
    certificate = " ssl crt /etc/ssl/private/traits.example.pem"
    text = replaced(
        "haproxy.cfg", ("bind :443", f"bind 127.0.0.1:{port}"), ("maxconn 20000", "maxconn 500"),
        (f"{certificate} alpn http/1.1", f" ssl crt {work}/both.pem alpn http/1.1" if scheme == "https" else ""),
        ("127.0.0.1:8080", servers[0]),
        ("    server b 127.0.0.1:8090\n", "".join(f"    server b {server}\n" for server in servers[1:])))
    return running(work, scheme, port, text, "haproxy", "-db", "-f")
