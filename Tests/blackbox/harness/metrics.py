"""What a server's metrics say, read by Prometheus's own parser."""

from prometheus_client.parser import text_string_to_metric_families

from .server import Server


def families(server: Server) -> dict:
    reply = server.client().get("/metrics")
    assert reply.status == 200 and reply.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    parsed = list(text_string_to_metric_families(reply.body.decode()))
    assert len({family.name for family in parsed}) == len(parsed)
    return {family.name: family for family in parsed}


def value(server: Server, name: str, **labels) -> float:
    """The sum over the samples with these labels."""
    for family in families(server).values():
        found = [s.value for s in family.samples if s.name == name and labels.items() <= s.labels.items()]
        if found:
            return sum(found)
    return 0
