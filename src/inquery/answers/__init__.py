"""From rows to an answer: facts, checked prose, charts, follow-ups, export."""
