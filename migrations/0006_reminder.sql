-- When a pending question was told of as soon to expire: once in its life.
--
-- No index: questions whose reminder is due lie together in question_pending, between now and the app's reminder time.

alter table question add column reminded_at timestamptz;
