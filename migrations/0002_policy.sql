-- The members of an app's policy that came after the first schema, as one document: they are read and written as a whole, no
-- query looks into them, and a member that a row does not have is its default.

alter table app add column policy json not null default '{}';
