#!/bin/sh
# Creates Temporal's two databases, and upgrades their schemas to the version of this image.
# Safe to run at every start: it adds newer parts and never drops anything.
# Reads SQL_PLUGIN, SQL_HOST, SQL_PORT, SQL_USER and SQL_PASSWORD, like temporal-sql-tool.
set -eu

prepare() {
  temporal-sql-tool --database "$1" create-database
  # Creates the tables for the schema version, unless a newer schema exists.
  temporal-sql-tool --database "$1" setup-schema -v 0.0
  temporal-sql-tool --database "$1" update-schema --schema-name "postgresql/v12/$2"
  echo "schema of database $1 is up to date"
}

prepare temporal temporal
prepare temporal_visibility visibility
