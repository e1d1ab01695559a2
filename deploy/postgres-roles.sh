#!/bin/sh
# Creates the database and its two roles. The image of PostgreSQL runs this once, when it creates its files.
# beak_owner owns the tables and applies migrations. beak_service runs the service: it cannot disable the triggers of the logs.
set -eu
secrets=${SECRETS:-/run/secrets}
psql --username "${POSTGRES_USER:-postgres}" --dbname "${POSTGRES_DB:-postgres}" --no-psqlrc --quiet \
  --set ON_ERROR_STOP=1 \
  --set owner_password="$(cat "$secrets/owner_password")" \
  --set service_password="$(cat "$secrets/service_password")" <<'SQL'
CREATE ROLE beak_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE beak_service LOGIN PASSWORD :'service_password';
CREATE DATABASE beak OWNER beak_owner;
REVOKE CONNECT ON DATABASE beak FROM PUBLIC;
GRANT CONNECT ON DATABASE beak TO beak_service;
\connect beak
SET ROLE beak_owner;
-- The list of migrations, as Prisma makes it. The service may read it, and not write to it.
CREATE TABLE _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
);
GRANT USAGE ON SCHEMA public TO beak_service;
GRANT SELECT ON _prisma_migrations TO beak_service;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO beak_service;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO beak_service;
SQL
