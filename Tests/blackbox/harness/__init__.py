"""Real processes for the black-box tests: servers, database clusters, clients, and a judge of event logs."""
