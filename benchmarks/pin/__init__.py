"""Pins: what Inquery does today, written down, so that a change that should change nothing can be shown to.

A pin is an id with named values: an answer with its SQL, rows, words and events; a prompt; a request to a chat model; a
verdict of the guard; a form; a help text. `python -m benchmarks.pin --write` keeps them in `expected/`, `--check` compares.
A difference is accepted only by a line in `differences.yaml` that says why.
"""
