#!/bin/sh
# Checks the types of the page's modules, where npm is there to bring TypeScript.
set -eu
cd "$(dirname "$0")"

if ! command -v npm >/dev/null 2>&1; then
    echo "npm is missing: the types of the page's modules are not checked here (apt-get install -y npm)"
    exit 0
fi
stamp=node_modules/.installed
if [ ! -e "$stamp" ] || [ package.json -nt "$stamp" ]; then
    npm install --no-package-lock --no-audit --no-fund --silent
    touch "$stamp"
fi
node_modules/.bin/tsc --project tsconfig.json
