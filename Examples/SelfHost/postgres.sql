-- Makes Landfall's role and its database. As a superuser:
--   psql -v ON_ERROR_STOP=1 -v password='choose one' -f postgres.sql
CREATE ROLE landfall LOGIN PASSWORD :'password';

-- A node that stands still within a transaction loses its locks; the others go on.
ALTER ROLE landfall SET idle_in_transaction_session_timeout = '10s';

-- `landfall doctor` sees how far standbys are behind. Without this it says that it does not.
GRANT pg_monitor TO landfall;

-- Ids, addresses and days are sorted as bytes.
CREATE DATABASE landfall OWNER landfall TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C';
REVOKE CONNECT, TEMPORARY ON DATABASE landfall FROM PUBLIC;
