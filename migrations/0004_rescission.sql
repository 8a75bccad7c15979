-- Consent taken back, and the household's return.
--
-- The freeze stands in the person's own row, because every decision about a person reads that row under its lock. What was
-- told, and what it ended, is kept beside it by the person's ref: it outlives the person's id.
alter table person
    add column rescinded_at timestamptz,
    add column returned_at timestamptz;

create table rescission (
    app_id text collate "C" not null,
    person_ref uuid not null,
    -- 1, 2, 3 … of its person, in the order they were learnt of.
    number integer not null check (number >= 1),
    scope text not null check (scope in ('person', 'change')),
    change_id text collate "C",
    reason text,
    source text not null check (source in ('service')),
    effective_at timestamptz not null,
    received_at timestamptz not null,
    -- Questions it cancelled or revoked, and questions on which approvals before it count no more.
    ended uuid[] not null,
    voided uuid[] not null,
    -- Whether it froze the person, and when a return ended that.
    freezes boolean not null,
    ended_at timestamptz,
    primary key (app_id, person_ref, number),
    check ((scope = 'change') = (change_id is not null)),
    check (not freezes or scope = 'person'),
    check (freezes or ended_at is null),
    check (received_at >= effective_at)
);
