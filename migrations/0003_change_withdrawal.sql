-- Changes that take effect later, and changes that are taken back.

alter table change
    add effective_from timestamptz,
    add withdrawn_at timestamptz,
    add withdrawal_reason text,
    -- Whether questions about the withdrawn change are still to be looked for and cancelled.
    add withdrawal_open boolean not null default false,
    add check (withdrawn_at is not null or (withdrawal_reason is null and not withdrawal_open));

create index change_withdrawal_open on change (app_id, id) where withdrawal_open;
