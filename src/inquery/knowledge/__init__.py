"""What Inquery knows beyond the schema: literals, periods, vectors, samples and the glossary."""
