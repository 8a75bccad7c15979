"""Certificates that vouch for themselves, made with the openssl command."""

import pathlib
import subprocess


def self_signed(folder: pathlib.Path, name: str, *names: str) -> tuple[pathlib.Path, pathlib.Path]:
    """The files of a certificate and its key; `names` is whose it is, as `DNS:…` and `IP:…`."""
    certificate, key = folder / f"{name}.pem", folder / f"{name}.key"
    made = subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         "-subj", f"/CN={name}", "-addext", f"subjectAltName={','.join(names)}", "-keyout", key, "-out", certificate],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30)
    assert made.returncode == 0, made.stderr
    return certificate, key
