-- One of the first pages of pending questions, 51 rows as a page of 50 needs, all that is shown of them.
\set i random(0, :pages - 1) * 50
select q.id, q.topic, q.topic_value, q.description, q.language, q.quorum, q.expiration, q.created_at, q.revision, q.state,
    (select p.id from person p where p.app_id = 'reader' and p.ref = q.person_ref)
from question q
where q.app_id = 'reader' and q.state = 'pending'
    and (q.expiration, q.id) > ((select e from floor_start) + :i * interval '1 millisecond', '00000000-0000-0000-0000-000000000000')
order by q.expiration, q.id limit 51;
