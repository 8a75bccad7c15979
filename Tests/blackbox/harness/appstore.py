"""An App Store of the tests' own: certificates and signed texts made with the openssl command, and nothing of ours."""

import base64
import json
import pathlib
import subprocess
import time
import uuid

BUNDLE, APPLE_ID = "com.example.reader", "41234"

# `openssl ca`, because it alone dates certificates back.
AUTHORITY = """
[ca]
default_ca = own
[own]
new_certs_dir = {folder}
database = {folder}/index
default_md = sha384
policy = any
unique_subject = no
email_in_dn = no
rand_serial = yes
[any]
commonName = supplied
"""
EXTENSIONS = """
[root]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign,cRLSign
[intermediate]
basicConstraints = critical,CA:TRUE,pathlen:0
keyUsage = critical,keyCertSign,cRLSign
1.2.840.113635.100.6.2.1 = ASN1:NULL
[leaf]
basicConstraints = critical,CA:FALSE
keyUsage = critical,digitalSignature
1.2.840.113635.100.6.11.1 = ASN1:NULL
"""


def openssl(*arguments: str, data: bytes | None = None) -> bytes:
    run = subprocess.run(["openssl", *arguments], input=data, capture_output=True, timeout=30)
    assert run.returncode == 0, f"openssl {arguments[0]}: {run.stderr.decode(errors='replace')}"
    return run.stdout


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def settings(**more) -> dict:
    """What an app is registered with so that what this store signs is about it."""
    return {"name": "Reader", "bundleId": BUNDLE, "appAppleId": APPLE_ID, "environments": ["production", "sandbox"]} | more


class AppStore:
    """`root` is the file to trust."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        folder.mkdir(exist_ok=True)
        (folder / "extensions").write_text(EXTENSIONS)
        (folder / "authority").write_text(AUTHORITY.format(folder=folder))
        (folder / "index").touch()
        day = 86_400
        start, end = (time.strftime("%Y%m%d%H%M%SZ", time.gmtime(time.time() + days * day)) for days in (-30, 30))
        for name, curve in (("root", "secp384r1"), ("intermediate", "secp384r1"), ("leaf", "prime256v1")):
            openssl("genpkey", "-algorithm", "EC", "-pkeyopt", f"ec_paramgen_curve:{curve}", "-out", self.path(f"{name}.key"))
        for name, issuer in (("root", "root"), ("intermediate", "root"), ("leaf", "intermediate")):
            openssl("req", "-new", "-key", self.path(f"{name}.key"), "-subj", f"/CN=Test {name}", "-out", self.path(f"{name}.csr"))
            signer = ["-selfsign"] if name == "root" else ["-cert", self.path(f"{issuer}.pem")]
            openssl("ca", "-batch", "-config", self.path("authority"), "-in", self.path(f"{name}.csr"), *signer, "-keyfile",
                    self.path(f"{issuer}.key"), "-startdate", start, "-enddate", end, "-notext", "-extfile",
                    self.path("extensions"), "-extensions", name, "-out", self.path(f"{name}.pem"))
        self.root = self.path("root.pem")
        chain = [openssl("x509", "-in", self.path(f"{name}.pem"), "-outform", "DER") for name in ("leaf", "intermediate", "root")]
        self.header = {"alg": "ES256", "x5c": [base64.b64encode(der).decode() for der in chain]}

    def path(self, name: str) -> str:
        return str(self.folder / name)

    def fingerprint(self) -> str:
        text = openssl("x509", "-in", self.root, "-noout", "-fingerprint", "-sha256").decode()
        return text.split("=")[1].strip().replace(":", "").lower()

    def sign(self, payload: dict) -> str:
        signed = ".".join(base64url(json.dumps(part).encode()) for part in (self.header, payload))
        der = openssl("dgst", "-sha256", "-sign", self.path("leaf.key"), data=signed.encode())
        return f"{signed}.{base64url(raw(der))}"

    def transaction(self, id: str, at: float | None = None, environment: str = "Production") -> str:
        return self.sign({
            "receiptType": environment, "appAppleId": int(APPLE_ID), "bundleId": BUNDLE, "appTransactionId": id,
            "receiptCreationDate": milliseconds(at), "originalApplicationVersion": "104", "originalPlatform": "iOS"})

    def rescission(self, id: str, at: float | None = None, environment: str = "Production") -> str:
        """`at`: seconds since the epoch; now if not given. The transaction inside is a day old."""
        return self.sign({
            "notificationType": "RESCIND_CONSENT", "notificationUUID": str(uuid.uuid4()), "version": "2.0",
            "signedDate": milliseconds(at),
            "appData": {
                "appAppleId": int(APPLE_ID), "bundleId": BUNDLE, "environment": environment,
                "signedAppTransactionInfo": self.transaction(id, time.time() - 86_400, environment)}})

    def notification(self, type: str = "TEST", at: float | None = None) -> str:
        return self.sign({
            "notificationType": type, "notificationUUID": str(uuid.uuid4()), "version": "2.0", "signedDate": milliseconds(at),
            "data": {"appAppleId": int(APPLE_ID), "bundleId": BUNDLE, "environment": "Production"}})


def milliseconds(at: float | None) -> int:
    return int((time.time() if at is None else at) * 1000)


def raw(der: bytes) -> bytes:
    """The two integers of an ECDSA signature, 32 bytes each: SEQUENCE of two INTEGERs, all of them short."""
    assert der[0] == 0x30 and der[2] == 0x02
    length = der[3]
    first, rest = der[4:4 + length], der[4 + length:]
    assert rest[0] == 0x02
    second = rest[2:2 + rest[1]]
    return b"".join(int.from_bytes(number, "big").to_bytes(32, "big") for number in (first, second))
