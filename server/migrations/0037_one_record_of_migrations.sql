-- What has been applied stands in migration_checksums alone. These two belonged to the migrator of a library, which
-- applied all migrations in one transaction.
DROP TABLE IF EXISTS migrations;
DROP TABLE IF EXISTS migration_lock;
