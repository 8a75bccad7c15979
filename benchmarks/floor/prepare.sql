-- What the floor's scripts need beside the server's own schema: ids by number, a sequence for the log, the list's start.
create table floor_id as
select row_number() over (order by expiration, id)::int as i, id from question where state = 'pending';
alter table floor_id add primary key (i);
create sequence floor_seq cache 100;
select setval('floor_seq', 1000000000);
create table floor_start as select min(expiration) - interval '1 millisecond' as e from question;
vacuum analyze;
