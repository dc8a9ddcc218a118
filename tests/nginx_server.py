"""An nginx for tests, from the machine's packages (Debian: `apt-get install nginx-light`)."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.neo4j_server import free_port

NO_NGINX = "nginx is not on this machine (Debian: apt-get install nginx-light)"
SITE = Path(__file__).resolve().parents[1] / "deploy" / "nginx.conf.template"


def binary() -> str | None:
    """Where nginx is, None where it is not installed."""
    return shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")


@contextmanager
def in_front_of(one: str, two: str) -> Iterator[str]:
    """The URL of an nginx on loopback with the site of `deploy/`, before the servers at two addresses."""
    found = binary()
    assert found is not None, NO_NGINX
    listen = f"127.0.0.1:{free_port()}"
    with tempfile.TemporaryDirectory(prefix="clew-nginx-") as name:
        folder = Path(name)
        site = _filled(SITE.read_text(), {"CLEW_ONE": one, "CLEW_TWO": two, "CLEW_LISTEN": listen})
        (folder / "site.conf").write_text(site)
        temporary = "".join(
            f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        user = "user root;\n" if os.getuid() == 0 else ""
        (folder / "nginx.conf").write_text(
            f"{user}daemon off;\npid {folder}/pid;\nworker_processes 1;\nevents {{}}\n"
            f"http {{\naccess_log off;\n{temporary}include {folder}/site.conf;\n}}\n"
        )
        log = f"{folder}/error.log"
        with (folder / "said").open("w") as said:
            process = subprocess.Popen([found, "-c", f"{folder}/nginx.conf", "-e", log], stderr=said)
            try:
                _wait(listen, process, folder)
                yield f"http://{listen}"
            finally:
                process.terminate()
                process.wait(20)


def _filled(template: str, values: Mapping[str, str]) -> str:
    """As `envsubst` does it: nginx's own variables have no braces."""
    for name, value in values.items():
        template = template.replace(f"${{{name}}}", value)
    assert "${CLEW_" not in template
    return template


def _wait(listen: str, process: subprocess.Popen[bytes], folder: Path) -> None:
    host, port = listen.split(":")
    for _ in range(400):
        assert process.poll() is None, (folder / "said").read_text()
        try:
            socket.create_connection((host, int(port)), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise AssertionError("nginx does not listen")
