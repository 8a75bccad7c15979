"""Pending questions by the thousand, put into a database by SQL: what no caller could ask fast enough."""

import psycopg

PERSONS = """
insert into person (app_id, id, ref, age_kind, duties_kind, ever_linked, revision, created_at, updated_at)
select %(app)s, 'silent-' || i, gen_random_uuid(), 'notTold', 'notTold', false, 1, now(), now()
from generate_series(%(first)s::int, %(last)s::int) as i
"""

# Ids are UUIDs of version 7 made of created_at, as the server's own are.
QUESTIONS = """
insert into question (app_id, id, person_ref, subject, topic, topic_value, reusable, description, quorum, expiration,
    created_at, updated_at, revision, state, ever_approved)
select app_id,
    (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7000' || '8' || substr(md5(p.id), 1, 15))::uuid,
    ref, substring(sha256(convert_to('custom' || chr(31) || 's', 'UTF8')) for 16), 'custom', 's', true,
    'One more hour today', 1, %(expiration)s::timestamptz, at, at, 1, 'pending', false
from (select *, now() - interval '1 day' + substr(id, 8)::int * interval '1 millisecond' / 20 as at from person) as p
where app_id = %(app)s and id like 'silent-%%' and substr(id, 8)::int between %(first)s and %(last)s
"""


def seed(database: psycopg.Connection, app: str, count: int, expiration, *, step: int = 100_000):
    """So many persons with one pending question each, all of which expire at the moment given."""
    for first in range(1, count + 1, step):
        values = {"app": app, "first": first, "last": min(count, first + step - 1), "expiration": expiration}
        database.execute(PERSONS, values)
    database.execute("analyze person")
    database.execute(QUESTIONS, values | {"first": 1, "last": count})
    database.execute("analyze question")
