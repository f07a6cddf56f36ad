"""The guard: parse, inspect, resolve, rewrite, cap, and check the text again; pure, no I/O."""
