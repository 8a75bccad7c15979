-- psql -v n=100000 -f kit-seed.sql, after `assent migrate`: the app "reader" with one service key, one change, and n
-- persons with one pending question each; the i-th expires i milliseconds after the first.
--
-- The key is asnt_reader_00000000000070008000000000000001_ and the secret below; it opens nothing but such a database.
begin;

insert into app (id, feed_id, name, environments, allowed_origins, default_expiration_seconds, ask_again_seconds,
    default_quorum, require_guardian_links, adult_not_confirmed, revision, created_at, updated_at)
values ('reader', 'benchmarkfeed', 'Reader', '{production}', '{}', 604800, 86400, 1, false, 'block', 1, now(), now());

insert into event_counter (app_id, seq) values ('reader', 0);

insert into api_key (id, app_id, role, label, secret_hash, created_at)
values ('00000000-0000-7000-8000-000000000001', 'reader', 'service', 'benchmark',
    sha256('benchmark-benchmark-benchmark-benchmark-ben'::bytea), now());

insert into change (app_id, id, version, languages, descriptions, revision, created_at, updated_at)
values ('reader', 'video-calls', '2.0', '{en}',
    '{"Adds video calling with people whom the child has in their contacts, and location sharing while a call lasts."}',
    1, now(), now());

create temporary table seed on commit drop as
select i, date_trunc('day', now()) - interval '1 day' + i * interval '1 millisecond' as created_at,
    (lpad(to_hex((extract(epoch from date_trunc('day', now()) - interval '1 day') * 1000)::bigint + i), 12, '0')
        || '7000' || '9' || substr(md5('p' || i), 1, 15))::uuid as ref
from generate_series(1, :n) as i;

insert into person (app_id, id, ref, age_kind, duties_kind, ever_linked, revision, created_at, updated_at)
select 'reader', 'seed-' || i, ref, 'notTold', 'notTold', false, 1, created_at, created_at from seed order by i;

-- Ids are UUIDs of version 7 made of created_at, as the server's own are.
insert into question (app_id, id, person_ref, subject, topic, topic_value, reusable, description, language, quorum,
    expiration, created_at, updated_at, revision, state, ever_approved)
select 'reader',
    (lpad(to_hex((extract(epoch from s.created_at) * 1000)::bigint), 12, '0') || '7000'
        || '8' || substr(md5('q' || s.i), 1, 15))::uuid,
    s.ref, substring(sha256(convert_to('change' || chr(31) || 'video-calls', 'UTF8')) for 16), 'significantAppUpdate',
    'video-calls', true, c.descriptions[1], 'en', 1, s.created_at + interval '31 days', s.created_at, s.created_at, 1,
    'pending', false
from seed s, change c order by s.i;

commit;
create extension if not exists pg_prewarm;
