-- One answer in one statement: the question under a lock, its new state, the answer and the event.
\set n :n + 1
\set i :base + :n * :clients + :client_id
with q as materialized (
    select id, person_ref from question
    where app_id = 'reader' and id = (select id from floor_id where i = :i) and state = 'pending' for update
), u as (
    update question t set state = 'approved', ever_approved = true, revision = 2, resolved_by = 'guardian',
        resolved_guardian = 'guardian-1', resolved_at = now(), updated_at = now()
    from q where t.app_id = 'reader' and t.id = q.id returning t.id, t.person_ref
), a as (
    insert into answer (app_id, question_id, revision, guardian, answer, answered_at)
    select 'reader', u.id, 2, 'guardian-1', 'approval', now() from u
)
insert into event (app_id, seq, type, at, person_ref, question_id, revision, data)
select 'reader', nextval('floor_seq'), 'question.approved', now(), u.person_ref, u.id, 2,
    '{"state":"approved","by":"guardian","guardian":"guardian-1","at":1796000000000000}' from u;
