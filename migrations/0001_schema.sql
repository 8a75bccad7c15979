-- The first schema: apps and their keys, persons and guardians, changes, questions and answers, acknowledgments,
-- the event log, idempotency keys.
--
-- Why it looks like this:
-- * app_id leads every key and index: that is isolation, and lets the tables be distributed by app.
-- * Ids that callers chose are text in "C" collation: they are bytes, and their order must not hang on a locale.
-- * A caller's person id stands in "person" alone; everything else refers to the person's ref, which is ours.
-- * CHECK constraints say again what the enums of the domain say.
-- * No foreign keys among the rows of one app: each is written under its person's row lock by the one place that
--   writes, and a trigger per row would cost more than the row.

create table app (
    id text collate "C" primary key check (id ~ '^[a-z0-9-]{1,64}$'),
    -- Names this log to cursors; renewed after a restore, so that cursors of another history are noticed.
    feed_id text not null check (feed_id ~ '^[a-z0-9]{8,32}$'),
    name text not null,
    bundle_id text,
    app_apple_id text,
    environments text[] not null,
    allowed_origins text[] not null,
    default_expiration_seconds integer not null check (default_expiration_seconds between 1 and 31536000),
    ask_again_seconds integer not null check (ask_again_seconds between 0 and 31536000),
    default_quorum smallint not null check (default_quorum between 1 and 10),
    require_guardian_links boolean not null,
    adult_not_confirmed text not null check (adult_not_confirmed in ('block', 'acknowledge')),
    revision integer not null check (revision >= 1),
    created_at timestamptz not null,
    updated_at timestamptz not null
);

-- The number of the app's last event. Alone in its table: nothing indexed ever changes, so raising it stays a HOT update.
create table event_counter (
    app_id text collate "C" primary key,
    seq bigint not null check (seq >= 0)
) with (fillfactor = 10);

-- Looked up by id alone: the key is what tells the app.
create table api_key (
    id uuid primary key,
    app_id text collate "C",
    role text not null check (role in ('admin', 'service', 'viewer')),
    label text not null,
    secret_hash bytea not null check (length(secret_hash) = 32),
    created_at timestamptz not null,
    revoked_at timestamptz,
    check ((role = 'admin') = (app_id is null))
);
create index api_key_app on api_key (app_id, id);

create table person (
    app_id text collate "C" not null,
    id text collate "C" not null check (octet_length(id) between 1 and 128),
    ref uuid not null,
    age_kind text not null check (age_kind in ('notTold', 'declined', 'range')),
    age_lower smallint,
    age_upper smallint,
    age_declaration text,
    duties_kind text not null check (duties_kind in ('notTold', 'unavailable', 'unsupported', 'features')),
    duties text[],
    original_value text,
    original_kind text check (original_kind in ('version', 'build')),
    original_environment text check (original_environment in ('production', 'sandbox')),
    region text,
    ever_linked boolean not null,
    revision integer not null check (revision >= 1),
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (app_id, id),
    check ((duties_kind = 'features') = (duties is not null)),
    check (age_kind = 'range' or (age_lower is null and age_upper is null and age_declaration is null)),
    check (age_lower <= age_upper)
);
create unique index person_ref on person (app_id, ref);

create table guardian_link (
    app_id text collate "C" not null,
    person_ref uuid not null,
    guardian text collate "C" not null check (octet_length(guardian) between 1 and 128),
    created_at timestamptz not null,
    primary key (app_id, person_ref, guardian)
);
create index guardian_link_guardian on guardian_link (app_id, guardian, person_ref);

create table change (
    app_id text collate "C" not null,
    id text collate "C" not null check (octet_length(id) between 1 and 128),
    version text,
    build text,
    features text[],
    -- Two arrays of one length: language tags, sorted, and their texts.
    languages text[] not null,
    descriptions text[] not null,
    revision integer not null check (revision >= 1),
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (app_id, id),
    check (version is not null or build is not null),
    check (cardinality(languages) >= 1 and cardinality(languages) = cardinality(descriptions))
);

-- Ids are UUIDs of version 7 that hold created_at to the microsecond: order by id is order by (created_at, id).
create table question (
    app_id text collate "C" not null,
    id uuid not null,
    person_ref uuid not null,
    -- First half of the SHA-256 over the topic's subject: short, and of one length however many handles there are.
    subject bytea not null check (length(subject) = 16),
    topic text not null check (topic in ('significantAppUpdate', 'communication', 'purchase', 'custom')),
    -- The change's, product's or custom subject's id; null for communication, which has handles.
    topic_value text collate "C",
    handles text[],
    reusable boolean not null,
    description text not null,
    language text,
    quorum smallint not null check (quorum between 1 and 10),
    expiration timestamptz not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    revision integer not null check (revision >= 1),
    state text not null check (state in ('pending', 'approved', 'denied', 'revoked', 'expired', 'cancelled')),
    ever_approved boolean not null,
    resolved_by text check (resolved_by in ('guardian', 'child', 'silence', 'rescission', 'withdrawal', 'admin')),
    resolved_guardian text collate "C",
    resolved_at timestamptz,
    resolved_reason text,
    superseded_by uuid,
    primary key (app_id, id),
    check ((topic = 'communication') = (handles is not null)),
    check ((topic = 'communication') = (topic_value is null)),
    check ((state = 'pending') = (resolved_by is null)),
    check ((resolved_by is null) = (resolved_at is null)),
    check ((resolved_by = 'guardian') = (resolved_guardian is not null)),
    check (superseded_by is null or state in ('denied', 'revoked')),
    check (expiration > created_at)
);
-- What is pending, by when it ends: the pending list, and the sweeper's queue of each app.
create index question_pending on question (app_id, expiration, id) where state = 'pending';
-- A person's questions, and the one that stands for a subject.
create index question_person on question (app_id, person_ref, subject, id);

-- Append-only; revision is that of the question after the answer.
create table answer (
    app_id text collate "C" not null,
    question_id uuid not null,
    revision integer not null,
    guardian text collate "C" not null,
    answer text not null check (answer in ('approval', 'denial')),
    reason text,
    verification_method text,
    verification_reference text,
    answered_at timestamptz not null,
    -- Set when an unlink took an approval on a pending question out of the count.
    voided_at timestamptz check (voided_at is null or answer = 'approval'),
    primary key (app_id, question_id, revision),
    check (verification_method is not null or verification_reference is null)
);

create table acknowledgment (
    app_id text collate "C" not null,
    person_ref uuid not null,
    change_id text collate "C" not null,
    acknowledged_at timestamptz not null,
    primary key (app_id, person_ref, change_id)
);

-- The one log: seq is gapless and in commit order within an app, because the last statement before commit numbers the rows.
create table event (
    app_id text collate "C" not null,
    seq bigint not null check (seq >= 1),
    type text not null,
    at timestamptz not null,
    person_ref uuid,
    question_id uuid,
    revision integer,
    -- What changed. A question's lasting parts are joined in from its row when the event is shown.
    data json,
    primary key (app_id, seq)
);
-- A person's history, and within it a question's.
create index event_person on event (app_id, person_ref, seq) where person_ref is not null;

create table idempotency (
    app_id text collate "C" not null,
    scope text collate "C" not null,
    key text collate "C" not null,
    -- SHA-256 over method, path and body.
    fingerprint bytea not null check (length(fingerprint) = 32),
    status smallint not null,
    -- What to read for the answer to a repeat.
    resource text not null,
    created_at timestamptz not null,
    primary key (app_id, scope, key)
);
create index idempotency_age on idempotency (app_id, created_at);

-- Which instance sweeps an app at present: the others leave it alone until the lease ends.
create table sweep_lease (
    app_id text collate "C" primary key,
    holder uuid not null,
    until timestamptz not null
);
