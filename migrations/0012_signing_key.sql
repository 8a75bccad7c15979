-- The keys that sign browsers' tokens, and how guardians find the events of their links.

-- All apps and instances share them. The public key can be read by anybody; the private one is sealed under a key of the
-- operator's that is not in this database. The keys form one chain: each says which one it follows, and only one can follow each,
-- so that of several instances that make the next one at once one alone does.
create table signing_key (
    id uuid primary key,
    -- The point on P-256, uncompressed.
    public_key bytea not null check (length(public_key) = 65),
    sealed_key bytea not null,
    follows uuid unique nulls not distinct,
    created_at timestamptz not null,
    -- It is published from its creation, so that whoever keeps the published keys for a while knows it when it starts to sign.
    signs_from timestamptz not null,
    check (signs_from >= created_at)
);

-- When somebody became a person's guardian or stopped being one: events of those links alone, so that no other event costs more.
create index event_guardian on event (app_id, (data ->> 'guardian') collate "C", seq)
    where type in ('guardian.linked', 'guardian.unlinked');
