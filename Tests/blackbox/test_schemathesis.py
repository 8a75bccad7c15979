"""The contract, tried out by schemathesis against a running server: every check it has, and two of ours."""

import os
import pathlib
import subprocess
import sys

import pytest

from harness import places
from harness.app_store import AppStore
from harness.fixtures import secret_key
from test_tour import ADULT, MINOR, VIDEO

HERE = pathlib.Path(__file__).resolve().parent
# Examples per operation and phase; more finds more, in more time.
EXAMPLES = os.environ.get("ASSENT_CONTRACT_EXAMPLES", "6")
SEED = os.environ.get("ASSENT_CONTRACT_SEED", "20261130")


@pytest.mark.timeout(600)
@pytest.mark.parametrize("role", ["service", "admin"])
def test_the_server_keeps_the_contract(deploy, tmp_path, role):
    deployment = deploy(1, "--app-store-root", AppStore(tmp_path / "appstore").root, *secret_key(tmp_path))
    server, admin = deployment.server, deployment.admin
    admin.ok("PUT", "/v1/apps/contract", {"name": "Contract", "policy": {"askAgainSeconds": 0}})
    keys = {"admin": deployment.admin_key}
    keys["service"] = admin.ok("POST", "/v1/apps/contract/keys", {"role": "service"})["key"]
    service = server.client(keys["service"])
    # What the examples of the contract speak of is there.
    service.ok("PUT", "/v1/changes/video-calls", VIDEO)
    service.ok("PUT", "/v1/persons/p-1", MINOR)
    service.ok("PUT", "/v1/persons/p-1/guardians/g-1", {})
    service.ok("PUT", "/v1/persons/p-2", ADULT)
    service.close()

    command = [
        sys.executable, "-c", "from schemathesis.cli import schemathesis; schemathesis()",
        "--config-file", str(places.CHECKOUT / "Tests/contract/schemathesis.toml"),
        "run", f"http://127.0.0.1:{server.port}/openapi.yaml", "-H", f"Authorization: Bearer {keys[role]}",
        "--checks", "all", "--max-examples", EXAMPLES, "--seed", SEED, "--generation-database", "none", "--no-color",
        "--continue-on-failure", "--suppress-health-check", "all", "--warnings", "off",
    ]
    environment = os.environ | {"SCHEMATHESIS_HOOKS": "schemathesis_checks", "PYTHONPATH": str(HERE)}
    run = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout[-20_000:] + run.stderr[-2_000:]
    bad = [line for line in server.lines() if line["event"] == "request" and (line["status"] >= 500 or line["status"] == 0)]
    assert bad == []
    assert server.process.poll() is None
