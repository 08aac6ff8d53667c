#!/bin/sh
# Finds Chromium for the page's tests, installs Debian's where that can be done, or says what is missing.
set -eu

[ -n "${CHROMIUM:-}" ] && exit 0
for name in chromium chromium-browser google-chrome chrome; do
    command -v "$name" >/dev/null 2>&1 && exit 0
done

if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "Chromium is missing, and the page is tested in it; as root: apt-get install -y chromium (or set CHROMIUM to one)" >&2
    exit 1
fi

# apt checks signatures as a user of its own, who must be able to write where temporary files go.
TMPDIR=$(mktemp -d)
export TMPDIR DEBIAN_FRONTEND=noninteractive
chmod 1777 "$TMPDIR"
trap 'rm -rf "$TMPDIR"' EXIT
wanted="apt-get install -y -qq --no-install-recommends chromium"
$wanted >/dev/null 2>&1 || { apt-get update -qq && $wanted >/dev/null; } || {
    echo "Chromium could not be installed, and the page is tested in it; try: apt-get update && apt-get install -y chromium" >&2
    exit 1
}
