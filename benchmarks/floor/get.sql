-- One question by id, all that is shown of it.
\set i random(1, :rows)
select q.id, q.topic, q.topic_value, q.description, q.language, q.quorum, q.expiration, q.created_at, q.revision, q.state,
    (select p.id from person p where p.app_id = 'reader' and p.ref = q.person_ref)
from question q where q.app_id = 'reader' and q.id = (select id from floor_id where i = :i);
