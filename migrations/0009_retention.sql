-- How far an app's log was taken away: the number of the last event that is gone, 0 where all are there.
--
-- It stands beside the log's counter, so that a reader whose position is older learns it from a look by primary key, also
-- when no event is left; and so that the first kept event is found without walking over what was deleted and not yet
-- vacuumed.

alter table event_counter
    add column pruned_seq bigint not null default 0,
    add constraint event_counter_pruned check (pruned_seq between 0 and seq);
