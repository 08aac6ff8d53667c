#!/bin/sh
# Finds PgBouncer for the tests behind a pooler, installs Debian's where that can be done, or says what is missing.
set -eu

[ -n "${PGBOUNCER:-}" ] && exit 0
PATH="$PATH:/usr/sbin:/usr/local/sbin"
command -v pgbouncer >/dev/null 2>&1 && exit 0

if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "PgBouncer is missing, and poolers are tested with it; as root: apt-get install -y pgbouncer (or set PGBOUNCER to one)" >&2
    exit 1
fi

# apt checks signatures as a user of its own, who must be able to write where temporary files go.
TMPDIR=$(mktemp -d)
export TMPDIR DEBIAN_FRONTEND=noninteractive
chmod 1777 "$TMPDIR"
trap 'rm -rf "$TMPDIR"' EXIT
wanted="apt-get install -y -qq --no-install-recommends pgbouncer"
$wanted >/dev/null 2>&1 || { apt-get update -qq && $wanted >/dev/null; } || {
    echo "PgBouncer could not be installed, and poolers are tested with it; try: apt-get update && apt-get install -y pgbouncer" >&2
    exit 1
}
