"""Words in two languages: folding, segmenting, the lexicon, numbers, units of time and periods; needs nothing of a database."""
