-- Webhooks: where an app's events are sent, each event's way to each endpoint, and the log of attempts.
--
-- Nothing of it is written with the events: deliveries are made from the log afterwards, by whichever instance comes first.

create table webhook_endpoint (
    app_id text collate "C" not null,
    id uuid not null,
    url text not null,
    -- Patterns of event types.
    types text[] not null check (cardinality(types) >= 1),
    description text not null,
    status text collate "C" not null check (status in ('enabled', 'disabled')),
    disabled_reason text collate "C" check (disabled_reason in ('gone', 'failing', 'operator')),
    disabled_at timestamptz,
    -- When the first attempt failed since the last one that succeeded.
    failing_since timestamptz,
    last_success_at timestamptz,
    -- Two arrays of one length, newest first: secrets sealed under the operator's key, and when each signs no more.
    secrets bytea[] not null,
    secret_ends timestamptz[] not null,
    revision integer not null check (revision >= 1),
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (app_id, id),
    check ((status = 'disabled') = (disabled_reason is not null)),
    check ((status = 'disabled') = (disabled_at is not null)),
    check (cardinality(secrets) >= 1 and cardinality(secrets) = cardinality(secret_ends))
);

-- How far each endpoint's events were made into deliveries. Apart from the endpoint, whose row outcomes lock: whoever makes
-- deliveries waits for nobody but others who do, and raising it stays a HOT update.
create table webhook_position (
    app_id text collate "C" not null,
    endpoint_id uuid not null,
    seq bigint not null check (seq >= 0),
    primary key (app_id, endpoint_id)
) with (fillfactor = 10);

-- Ids are UUIDs of version 7 that hold created_at: order by id is order of creation, which is how old ones are found.
create table webhook_delivery (
    app_id text collate "C" not null,
    id uuid not null,
    endpoint_id uuid not null,
    -- The event; null for a test.
    seq bigint,
    status text collate "C" not null check (status in ('pending', 'delivered', 'failed')),
    -- How many attempts the log has, and how many of them since the delivery, or its redelivery, began.
    attempts integer not null check (attempts >= 0),
    tries integer not null check (tries between 0 and attempts),
    -- When it may be claimed: for a leased one that is when the lease runs out.
    due_at timestamptz,
    lease uuid,
    created_at timestamptz not null,
    finished_at timestamptz,
    primary key (app_id, id),
    check ((status = 'pending') = (due_at is not null)),
    check ((status = 'pending') = (finished_at is null)),
    check (lease is null or status = 'pending')
);
-- One delivery for each event and endpoint, however many instances make them.
create unique index webhook_delivery_event on webhook_delivery (app_id, endpoint_id, seq);
-- What is due at each endpoint, and what of it is under way.
create index webhook_delivery_due on webhook_delivery (app_id, endpoint_id, due_at) where status = 'pending';
create index webhook_delivery_leased on webhook_delivery (app_id, endpoint_id) where lease is not null;
-- The delivery log of an endpoint.
create index webhook_delivery_log on webhook_delivery (app_id, endpoint_id, status, id);

-- Append-only.
create table webhook_attempt (
    app_id text collate "C" not null,
    delivery_id uuid not null,
    number integer not null check (number >= 1),
    started_at timestamptz not null,
    milliseconds integer not null check (milliseconds >= 0),
    status smallint,
    failure text collate "C" check (
        failure in (
            'blocked', 'unresolved', 'unreachable', 'tls', 'timeout', 'interrupted', 'invalidResponse', 'unsigned')),
    primary key (app_id, delivery_id, number),
    check ((status is null) = (failure is not null))
);
