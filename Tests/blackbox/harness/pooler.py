"""A pgbouncer that gives each transaction whichever session is free."""

import contextlib
import os
import re
import shutil
import subprocess
import time

import psycopg

from . import places
from .cluster import Cluster


class Pooler:
    """In front of one database of a cluster, with fewer sessions than a server has connections."""

    def __init__(self, cluster: Cluster, database: str, *, sessions: int = 3):
        program = shutil.which("pgbouncer") or "/usr/sbin/pgbouncer"
        assert os.access(program, os.X_OK), "pgbouncer is missing: make checkers"
        self.folder = places.folder("b")
        name = re.search(r"/(\w+)\?", database).group(1)
        user = places.postgres_user()
        if user:
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        (self.folder / "ini").write_text(
            f"[databases]\n{name} = host={cluster.folder} user=assent dbname={name}\n"
            f"[pgbouncer]\nlisten_addr =\nunix_socket_dir = {self.folder}\nlisten_port = 6432\nauth_type = any\n"
            f"pool_mode = transaction\ndefault_pool_size = {sessions}\nlogfile = {self.folder}/log\n")
        command = [program, str(self.folder / "ini")]
        if user:
            command = ["setpriv", "--reuid", str(user.pw_uid), "--regid", str(user.pw_gid), "--clear-groups", "--", *command]
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        self.url = f"postgresql://assent@/{name}?host={self.folder}&port=6432"
        limit = time.monotonic() + 10
        while True:
            with contextlib.suppress(psycopg.OperationalError):
                psycopg.connect(self.url, autocommit=True, connect_timeout=2).close()
                return
            assert time.monotonic() < limit, (self.folder / "log").read_text()
            time.sleep(0.02)

    def remove(self):
        self.process.terminate()
        self.process.wait(10)
        shutil.rmtree(self.folder, ignore_errors=True)
