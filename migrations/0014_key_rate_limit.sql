-- A key's own rate limit: so many requests within so many seconds. Null: the operator's limit for all keys, where there is one.
alter table api_key
    add column rate_limit_requests integer check (rate_limit_requests between 1 and 1000000),
    add column rate_limit_seconds integer check (rate_limit_seconds between 1 and 3600),
    add check ((rate_limit_requests is null) = (rate_limit_seconds is null));
