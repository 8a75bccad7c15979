-- Tickets that a browser's token asked for: what the token's subject may know, and until when. The guardian's id goes with the row,
-- which lives a minute.
alter table stream_ticket
    -- Whose streams are counted together; null: the key's.
    add column holder uuid,
    -- The guardian who reads; a person's token is for person_ref or a question of theirs.
    add column guardian text collate "C" check (octet_length(guardian) between 1 and 128),
    -- When the stream ends in any case.
    add column ends_at timestamptz,
    add check ((holder is null) = (ends_at is null)),
    add check (guardian is null or holder is not null),
    -- A person's token may be for one question of theirs: both are given then.
    drop constraint stream_ticket_check;
