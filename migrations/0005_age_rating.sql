-- Age ratings: the last known one of each app, storefront and environment, and every step it took.

create table age_rating (
    app_id text collate "C" not null,
    storefront text collate "C" not null check (storefront ~ '^[A-Z]{3}$'),
    environment text collate "C" not null check (environment in ('production', 'sandbox')),
    -- 0 is what devices read where there is no rating: it is never stored.
    code bigint not null check (code <> 0),
    revision integer not null check (revision >= 1),
    observed_at timestamptz not null,
    -- What was observed before this never moves the code.
    last_observed_at timestamptz not null check (last_observed_at >= observed_at),
    recorded_at timestamptz not null,
    primary key (app_id, storefront, environment)
);

-- Append-only; revision is that of the rating after the step.
create table age_rating_step (
    app_id text collate "C" not null,
    storefront text collate "C" not null,
    environment text collate "C" not null,
    revision integer not null check (revision >= 1),
    code bigint not null check (code <> 0),
    previous_code bigint,
    observed_at timestamptz not null,
    recorded_at timestamptz not null,
    -- The significant change it opened.
    change_id text collate "C",
    primary key (app_id, storefront, environment, revision),
    check ((revision = 1) = (previous_code is null)),
    check (previous_code <> code),
    check (change_id is null or previous_code is not null)
);

-- A change that an age rating opened was brought by no version.
alter table change
    add column kind text not null default 'significantUpdate' check (kind in ('significantUpdate', 'ageRating')),
    drop constraint change_check,
    add constraint change_introduced check ((kind = 'ageRating') = (version is null and build is null));
