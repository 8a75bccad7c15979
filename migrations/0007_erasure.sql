-- Keys of idempotent requests are kept as their SHA-256.
--
-- Callers like to build them from their persons' ids, and an erased person's id must be nowhere. Nothing ever shows a key,
-- and what PostgreSQL says of two that collide is no longer a caller's word either.
update idempotency set key = encode(sha256(convert_to(key, 'UTF8')), 'hex');
