"""Files and folders of files, through DuckDB."""
