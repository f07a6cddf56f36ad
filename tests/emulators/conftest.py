"""These tests run in environments of their own (run.sh); elsewhere they are left out."""

import os
from importlib.util import find_spec

collect_ignore = []
if find_spec("fakesnow") is None:
    collect_ignore.append("test_snowflake.py")
if "INQUERY_TEST_BQEMULATOR" not in os.environ:
    collect_ignore.append("test_bigquery.py")
