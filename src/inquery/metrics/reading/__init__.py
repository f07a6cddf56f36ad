"""From the words of a question to the parts of a plan, a step a file over one draft."""
