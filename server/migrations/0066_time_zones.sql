-- compatible with 0058
-- Time zones that PUT /account no longer takes: offsets, abbreviations and names without an area, which PostgreSQL reads
-- differently from Node or not at all. Statements already take Toronto's in place of one that they do not know.
UPDATE accounts SET time_zone = 'America/Toronto'
WHERE time_zone <> 'UTC' AND (
  time_zone !~ '^[A-Z][A-Za-z]*(/[A-Z][A-Za-z0-9_+-]*){1,2}$'
  OR time_zone NOT IN (SELECT name FROM pg_timezone_names));
