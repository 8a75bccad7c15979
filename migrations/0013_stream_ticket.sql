-- One-use tickets for streams: a browser's EventSource sends no headers, and a credential must not stand in an address.
-- A row lives until it is used, or a minute: what is older is taken away.
create table stream_ticket (
    app_id text collate "C" not null,
    -- SHA-256 of the ticket's text, which nobody but its holder has.
    hash bytea not null check (octet_length(hash) = 32),
    -- The key that asked for it.
    key_id uuid not null,
    -- What of the log it opens; null: no matter which.
    person_ref uuid,
    question_id uuid,
    types text[] check (cardinality(types) > 0),
    expires_at timestamptz not null,
    primary key (app_id, hash),
    check (person_ref is null or question_id is null)
);
create index stream_ticket_expiry on stream_ticket (app_id, expires_at);
