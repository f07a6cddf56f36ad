"""The graphs that LangGraph's own server loads: without a saver of ours, since the server brings its own."""

from __future__ import annotations

from inquery.agents.graph import build_graph
from inquery.agents.steps import Wishes

text2sql_agent = build_graph(context=Wishes)
text2sql_stream = build_graph(context=Wishes)
