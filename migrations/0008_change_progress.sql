-- Counters that are kept in the transactions that change what they count, so that reading them is quick however many
-- persons an app has.

-- How the persons of an app stand to each change, by their newest question about it; and how many acknowledged it.
-- Alone in its table, with room in its pages: nothing indexed ever changes, so counting stays a HOT update.
create table change_progress (
    app_id text collate "C" not null,
    change_id text collate "C" not null,
    status text collate "C" not null check (
        status in ('pending', 'approved', 'denied', 'revoked', 'expired', 'cancelled', 'acknowledged')),
    -- No check on its sign: what is to be added is checked as if it were a row, and it may be less than nothing.
    count bigint not null,
    primary key (app_id, change_id, status)
) with (fillfactor = 10);

insert into change_progress (app_id, change_id, status, count)
select app_id, topic_value, state, count(*)
from (
    select distinct on (app_id, person_ref, subject) app_id, topic_value, state
    from question where topic = 'significantAppUpdate'
    order by app_id, person_ref, subject, id desc
) newest
group by 1, 2, 3;

insert into change_progress (app_id, change_id, status, count)
select app_id, change_id, 'acknowledged', count(*) from acknowledgment group by 1, 2;

-- Persons by what is known of them: whatever hangs on that alone is decided once for all who are alike.
create table person_group (
    app_id text collate "C" not null,
    digest bytea not null check (length(digest) = 16),
    age_kind text not null,
    age_lower smallint,
    age_upper smallint,
    age_declaration text,
    duties_kind text not null,
    duties text[],
    original_value text,
    original_kind text,
    original_environment text,
    region text,
    count bigint not null,
    primary key (app_id, digest)
) with (fillfactor = 10);

-- Names a group: the same bytes for the same facts, and for no others.
create function person_group_digest(
    age_kind text, age_lower smallint, age_upper smallint, age_declaration text, duties_kind text, duties text[],
    original_value text, original_kind text, original_environment text, region text
) returns bytea language sql stable parallel safe
return substring(
    sha256(
        convert_to(
            jsonb_build_array(
                age_kind, age_lower, age_upper, age_declaration, duties_kind, duties, original_value, original_kind,
                original_environment, region
            )::text, 'UTF8')) for 16);

insert into person_group
select app_id,
    person_group_digest(
        age_kind, age_lower, age_upper, age_declaration, duties_kind, duties, original_value, original_kind,
        original_environment, region),
    age_kind, age_lower, age_upper, age_declaration, duties_kind, duties, original_value, original_kind,
    original_environment, region, count(*)
from person
group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12;
