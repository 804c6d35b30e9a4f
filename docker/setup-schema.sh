#!/bin/sh
# Creates Temporal's two databases and brings their schemas up to the version of the image that this runs in.
# Safe to run at every start: what is there stays, what is newer in the image is added, nothing is ever dropped.
# Reads SQL_PLUGIN, SQL_HOST, SQL_PORT, SQL_USER and SQL_PASSWORD, as temporal-sql-tool does.
set -eu

prepare() {
  temporal-sql-tool --database "$1" create-database
  # Makes the tables that hold the schema's version, and leaves them alone where the schema is further already.
  temporal-sql-tool --database "$1" setup-schema -v 0.0
  temporal-sql-tool --database "$1" update-schema --schema-name "postgresql/v12/$2"
  echo "schema of database $1 is up to date"
}

prepare temporal temporal
prepare temporal_visibility visibility
