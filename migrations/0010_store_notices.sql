-- What the stores tell, and the ids under which they know persons.

-- A store's id, and whose it is. The digest names it for good: an erased person's id is gone, but what the store says of that
-- account must still be known when somebody registers it again. A row without a person is what everybody who is about to
-- decide something about that account locks.
create table store_account (
    app_id text collate "C" not null,
    store text collate "C" not null check (store in ('appStore', 'playStore')),
    environment text collate "C" not null check (environment in ('production', 'sandbox')),
    -- SHA-256 of the store's name, the environment and the id, joined by U+001F.
    digest bytea not null check (length(digest) = 32),
    -- Known only while it is somebody's.
    id text collate "C" check (octet_length(id) between 1 and 128),
    person_ref uuid,
    registered_at timestamptz,
    -- The latest moment at which the household is known to have been there through this account.
    signed_at timestamptz,
    platform text,
    signals_status text,
    change_status text,
    primary key (app_id, digest),
    check ((person_ref is null) = (id is null)),
    check ((person_ref is null) = (registered_at is null))
);
create index store_account_person on store_account (app_id, person_ref) where person_ref is not null;

-- Ids are UUIDs of version 7 that hold the moment of receipt: order by id is order of receipt.
create table store_notification (
    app_id text collate "C" not null,
    id uuid not null,
    store text collate "C" not null check (store in ('appStore', 'playStore')),
    -- SHA-256 of what tells it from all others of the app and store.
    identity bytea not null check (length(identity) = 32),
    uuid text,
    type text collate "C",
    subtype text,
    environment text collate "C" check (environment in ('production', 'sandbox')),
    signed_date timestamptz,
    received_at timestamptz not null,
    status text collate "C" not null check (
        status in ('applied', 'recorded', 'unattributed', 'quarantined', 'outdated')),
    reason text,
    field text,
    expected text,
    seen text,
    rescinds boolean not null,
    -- The account it is about, where it says so: its digest, and the id itself, which goes when its person is erased.
    account bytea check (length(account) = 32),
    account_id text collate "C",
    person_ref uuid,
    -- SHA-256 of the payload, which goes with the id.
    payload_hash bytea not null check (length(payload_hash) = 32),
    payload text,
    primary key (app_id, id),
    check ((status = 'quarantined') = (reason is not null)),
    check (status = 'quarantined' or not rescinds or (account is not null and environment is not null)),
    check (status in ('recorded', 'quarantined') or rescinds),
    check (account is null or environment is not null),
    check (account_id is null or account is not null)
);
create unique index store_notification_identity on store_notification (app_id, store, identity);
create index store_notification_status on store_notification (app_id, status, id);
create index store_notification_type on store_notification (app_id, type, id);
create index store_notification_environment on store_notification (app_id, environment, id);
create index store_notification_account on store_notification (app_id, account) where account is not null;
create index store_notification_person on store_notification (app_id, person_ref, id) where person_ref is not null;

-- Rescissions that a store told.
alter table rescission
    drop constraint rescission_source_check,
    add constraint rescission_source_check check (source in ('service', 'appStore', 'playStore')),
    add column notification_id uuid,
    add column environment text check (environment in ('production', 'sandbox')),
    add column within_margin uuid[] not null default '{}',
    add check ((notification_id is null) = (environment is null)),
    add check ((source = 'service') = (notification_id is null));
