"""Where things are: the program under test, PostgreSQL's programs, folders that PostgreSQL's user may enter."""

import glob
import os
import pathlib
import pwd
import shutil
import tempfile

CHECKOUT = pathlib.Path(__file__).resolve().parents[3]


def program() -> str:
    """The executable under test: ASSENT_BINARY, else what `swift build` made for debugging."""
    path = os.environ.get("ASSENT_BINARY", str(CHECKOUT / ".build/debug/assent"))
    assert os.access(path, os.X_OK), f"{path} is missing: run 'swift build --product assent' or set ASSENT_BINARY"
    return path


def postgres_programs() -> str:
    """The folder of initdb and postgres, the newest version installed."""
    found = shutil.which("initdb")
    if found:
        return os.path.dirname(os.path.realpath(found))
    folders = glob.glob("/usr/lib/postgresql/*/bin")
    assert folders, "PostgreSQL is not installed"
    return max(folders, key=lambda folder: int(folder.split("/")[-2]))


def postgres_user() -> pwd.struct_passwd | None:
    """Whom PostgreSQL must run as: nobody in particular, unless we are root."""
    return pwd.getpwnam("postgres") if os.geteuid() == 0 else None


def folder(prefix: str) -> pathlib.Path:
    """A new folder that others may pass through, short enough for a socket's name to fit below it."""
    path = tempfile.mkdtemp(prefix=f"assent-{prefix}-", dir="/tmp")
    os.chmod(path, 0o711)
    return pathlib.Path(path)
