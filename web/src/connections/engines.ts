/** The engines of the form, with how an address of each is written. */
export type Engine = { id: string; label: string; port: string; file?: boolean; database: boolean };

export const ENGINES: Engine[] = [
  { id: "postgresql", label: "PostgreSQL", port: "5432", database: true },
  { id: "mysql", label: "MySQL / MariaDB", port: "3306", database: true },
  { id: "sqlite", label: "SQLite", port: "", file: true, database: false },
  { id: "duckdb", label: "DuckDB", port: "", file: true, database: false },
  { id: "clickhouse", label: "ClickHouse", port: "8123", database: true },
  { id: "mssql", label: "SQL Server", port: "1433", database: true },
  { id: "oracle", label: "Oracle", port: "1521", database: true },
  { id: "trino", label: "Trino", port: "8080", database: true },
  { id: "snowflake", label: "Snowflake", port: "", database: true },
  { id: "file", label: "CSV / Excel / Parquet", port: "", file: true, database: false },
];

export type Fields = {
  engine: string;
  host: string;
  port: string;
  database: string;
  user: string;
  password: string;
  path: string;
};

export const BLANK: Fields = {
  engine: "postgresql",
  host: "localhost",
  port: "5432",
  database: "",
  user: "",
  password: "",
  path: "",
};

/** The address of filled-in fields; every part that could hold a separator is escaped. */
export function addressOf(fields: Fields): string {
  const engine = ENGINES.find((each) => each.id === fields.engine);
  if (engine?.file) {
    const path = fields.path.trim();
    return fields.engine === "file" || !path ? path : `${fields.engine}:///${path}`;
  }
  const escape = encodeURIComponent;
  const password = fields.password ? `:${escape(fields.password)}` : "";
  const user = fields.user ? `${escape(fields.user)}${password}@` : "";
  const host = fields.host.includes(":") && !fields.host.startsWith("[") ? `[${fields.host}]` : fields.host;
  const port = fields.port ? `:${fields.port}` : "";
  return `${fields.engine}://${user}${host}${port}/${fields.database.split("/").map(escape).join("/")}`;
}
