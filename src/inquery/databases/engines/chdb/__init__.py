"""chdb: ClickHouse in a process of ours."""
