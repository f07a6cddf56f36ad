#!/usr/bin/env bash
# Runs the Snowflake and BigQuery engines against their emulators, each in an environment of its own:
# fakesnow and bqemulator need other versions of duckdb and of the connectors than the rest of the project.
set -euo pipefail
cd "$(dirname "$0")/../.."

python="${PYTHON:-python3}"
common=(pytest pytest-asyncio pydantic "pydantic-settings[yaml]" platformdirs "sqlglot>=30.20,<31" rapidfuzz ormsgpack)

# prepare FOLDER REQUIREMENT...: makes the environment, again only when the requirements change.
prepare() {
  local folder="$1"; shift
  local stamp="$folder/requirements.txt"
  if [ ! -x "$folder/bin/python" ]; then
    "$python" -m venv "$folder"
  fi
  if [ "$(cat "$stamp" 2>/dev/null)" != "$*" ]; then
    "$folder/bin/python" -m pip install --quiet --disable-pip-version-check "$@"
    echo "$*" > "$stamp"
  fi
}

# try FOLDER TEST: installs this checkout without its dependencies and runs one file.
try() {
  "$1/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --editable .
  "$1/bin/python" -m pytest --rootdir . -c tests/emulators/pytest.ini "$2"
}

only="${1:-all}"
if [ "$only" = all ] || [ "$only" = snowflake ]; then
  prepare .venv-snowflake "${common[@]}" "fakesnow==0.12.*" "snowflake-connector-python==4.3.*"
  try .venv-snowflake tests/emulators/test_snowflake.py
fi
if [ "$only" = all ] || [ "$only" = bigquery ]; then
  # The emulator wants an older sqlglot than Inquery: it is a server in one environment, the client is in another.
  prepare .venv-bigquery "bqemulator==1.4.*" "duckdb==1.5.5" "duckdb-extensions==1.5.5" "duckdb-extension-spatial==1.5.5" numpy pytz
  # The emulator loads DuckDB's spatial extension from the home folder; this one is its own, and nothing is downloaded.
  mkdir -p .venv-bigquery/home
  HOME="$PWD/.venv-bigquery/home" .venv-bigquery/bin/python -c \
    "from duckdb_extensions import import_extension; import_extension('spatial')"
  prepare .venv-bigquery-client "${common[@]}" "google-cloud-bigquery>=3.30"
  INQUERY_TEST_BQEMULATOR="$PWD/.venv-bigquery/bin/bqemulator" try .venv-bigquery-client tests/emulators/test_bigquery.py
fi
