"""What all tests share."""

pytest_plugins = ["harness.fixtures"]
