"""The data engine: synthetic bilingual schemas, their rows, and questions with their forms, all by seed."""
