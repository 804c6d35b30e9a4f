#!/bin/sh
# Creates the namespace of the worker and the API, or updates the retention of the existing one.
# Reads TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE and RETENTION; ends when the namespace is usable.
set -eu

patiently() {
  left=60
  until "$@" >/dev/null 2>&1; do
    left=$((left - 1))
    [ "$left" -gt 0 ] || { echo "failed after 60 attempts: $*" >&2; "$@"; }
    sleep 1
  done
}

patiently temporal operator cluster health
if temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" >/dev/null 2>&1; then
  temporal operator namespace update --namespace "$TEMPORAL_NAMESPACE" --retention "$RETENTION"
else
  temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention "$RETENTION"
fi
# The server's services need a few seconds to load a new namespace.
patiently temporal workflow count --namespace "$TEMPORAL_NAMESPACE"
patiently temporal operator search-attribute list --namespace "$TEMPORAL_NAMESPACE"
echo "namespace $TEMPORAL_NAMESPACE is ready, with a retention of $RETENTION"
