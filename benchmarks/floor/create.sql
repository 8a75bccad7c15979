-- The rows of one create, in one statement: a person, a question about the change, and the two events.
\set person random(1, 9000000000000000000)
with p as (
    insert into person (app_id, id, ref, age_kind, duties_kind, ever_linked, revision, created_at, updated_at)
    values ('reader', 'floor-' || :person, gen_random_uuid(), 'notTold', 'notTold', false, 1, now(), now()) returning ref
), q as (
    insert into question (app_id, id, person_ref, subject, topic, topic_value, reusable, description, language, quorum,
        expiration, created_at, updated_at, revision, state, ever_approved)
    select 'reader', gen_random_uuid(), p.ref, '\x00112233445566778899aabbccddeeff', 'significantAppUpdate', c.id, true,
        c.descriptions[1], 'en', 1, now() + interval '7 days', now(), now(), 1, 'pending', false
    from p, change c where c.app_id = 'reader' and c.id = 'video-calls' returning id, person_ref
)
insert into event (app_id, seq, type, at, person_ref, question_id, revision)
select 'reader', nextval('floor_seq'), 'question.created', now(), q.person_ref, q.id, 1 from q
union all select 'reader', nextval('floor_seq'), 'person.updated', now(), q.person_ref, null, 1 from q;
