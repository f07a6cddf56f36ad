# hostile in DuckDB
SELECT * FROM read_csv('/etc/passwd')
SELECT * FROM read_csv_auto('/etc/passwd')
SELECT * FROM read_parquet('x.parquet')
SELECT * FROM parquet_scan('x.parquet')
SELECT * FROM read_json('x.json')
SELECT * FROM read_json_auto('x.json')
SELECT * FROM read_ndjson('x.json')
SELECT * FROM read_text('/etc/passwd')
SELECT * FROM read_blob('/etc/passwd')
SELECT content FROM read_text('/etc/*')
SELECT * FROM glob('/etc/*')
SELECT * FROM sniff_csv('/etc/passwd')
SELECT * FROM 'x.csv'
SELECT * FROM 'https://evil/x.parquet'
SELECT * FROM "s3://bucket/x.parquet"
SELECT * FROM 'data/*.parquet'
FROM 'x.csv'
SELECT * FROM query('SELECT 1')
SELECT * FROM query_table('orders')
SELECT * FROM query_table(['orders', 'secrets'])
SELECT getenv('HOME')
SELECT getvariable('x')
SELECT current_setting('access_mode')
SELECT * FROM duckdb_tables()
SELECT * FROM duckdb_secrets()
SELECT * FROM duckdb_settings()
SELECT * FROM duckdb_functions()
SELECT * FROM duckdb_columns
SELECT * FROM pragma_table_info('orders')
SELECT * FROM pragma_storage_info('orders')
SELECT * FROM sqlite_master
SELECT * FROM sqlite_scan('x.db', 't')
SELECT * FROM postgres_scan('host=evil', 'public', 't')
SELECT * FROM mysql_query('x', 'select 1')
SELECT * FROM iceberg_scan('x')
SELECT * FROM delta_scan('x')
SELECT * FROM st_read('x')
SELECT * FROM read_xlsx('x.xlsx')
SELECT * FROM pg_catalog.pg_class
SELECT * FROM system.information_schema.tables
SELECT * FROM repeat(1, 100000000000)
SELECT * FROM range(100000000000)
SELECT * FROM repeat_row(1, 2, num_rows => 1000000000000)
SELECT * FROM generate_series(1, 1000000000000)
SELECT repeat('a', 10000000000)
SELECT list_resize([1], 10000000000)
SELECT nextval('s')
SELECT currval('s')
SELECT setseed(0.5)
SELECT version()
SELECT current_user
SELECT current_database()
SELECT txid_current()
SELECT write_log('x')
SELECT sleep_ms(1000)
SELECT json_execute_serialized_sql('{}')
SELECT * FROM json_execute_serialized_sql(json_serialize_sql('select 1'))
SELECT error('x')
SELECT which_secret('s3://x', 's3')
SELECT * FROM which_secret('s3://x', 's3')
SELECT * FROM test_all_types()
SELECT * FROM summary((SELECT 1))
SELECT * FROM seq_scan('secrets')
SELECT * FROM histogram_values(secrets, password)
SELECT * FROM checkpoint()
SELECT * FROM arrow_scan(1, 2, 3)
SELECT * FROM pandas_scan(1)
SUMMARIZE orders
DESCRIBE SELECT 1
SHOW ALL TABLES
PRAGMA database_list
ATTACH 'x.db' AS y
INSTALL httpfs
LOAD httpfs
EXPORT DATABASE '/tmp/x'
IMPORT DATABASE '/tmp/x'
COPY orders TO 'x.csv'
COPY (SELECT 1) TO 'x.parquet'
CREATE MACRO m() AS 1
CREATE SECRET s (TYPE S3)
SET memory_limit = '1TB'
RESET memory_limit
CHECKPOINT
CALL pragma_version()
SELECT * FROM secrets.orders
SELECT * FROM other.main.orders
SELECT (FROM read_text('/etc/passwd'))
SELECT 'x'.read_text()
SELECT '/etc/passwd'.getenv()
SELECT [getenv(x) FOR x IN ['HOME']]
SELECT list_transform(['HOME'], x -> getenv(x))
PIVOT secrets ON a USING COUNT(*)
SELECT * FROM (PIVOT 'x.csv' ON a USING COUNT(*))
UNPIVOT 'x.csv' ON a INTO NAME k VALUE v
SELECT COLUMNS(c -> getenv(c) = 'x') FROM orders
SELECT * FROM orders AT (VERSION => 1)
SELECT (FROM 'x.csv')
PIVOT orders ON status USING max(getenv('HOME'))
SELECT * FROM (SHOW TABLES)
SELECT x.getenv() FROM (SELECT 'HOME' AS x)
# written after the lists, and counted when they first ran (docs/guard.md)
SELECT * FROM '/etc/passwd'
SELECT * FROM 'data.parquet'
SELECT * FROM "file.csv"
SELECT * FROM read_parquet('s3://bucket/x.parquet')
SELECT * FROM parquet_scan('x')
SELECT * FROM parquet_metadata('x')
SELECT * FROM parquet_schema('x')
SELECT * FROM read_json('http://evil/x.json')
SELECT * FROM read_json_auto('x')
SELECT * FROM read_ndjson('x')
SELECT * FROM read_blob('/etc/*')
SELECT * FROM glob('/**')
SELECT * FROM sniff_csv('x')
SELECT * FROM sqlite_scan('x', 't')
SELECT * FROM postgres_query('db', 'DELETE FROM x')
SELECT * FROM mysql_query('db', 'x')
SELECT * FROM read_xlsx('x')
SELECT * FROM query('DELETE FROM orders')
SELECT * FROM query_table('secret')
SELECT * FROM pragma_database_size()
SELECT * FROM information_schema.tables
SELECT * FROM pg_catalog.pg_tables
SELECT current_setting('memory_limit')
SELECT current_database(), current_schema(), current_user
SELECT nextval('seq')
SELECT currval('seq')
SELECT * FROM orders FOR UPDATE
ATTACH 'x.db'
DETACH x
COPY orders TO '/tmp/x.csv'
COPY (SELECT * FROM orders) TO 's3://x'
COPY orders FROM 'x'
FORCE INSTALL x
SET VARIABLE x = 1
CREATE TABLE x AS FROM orders
CREATE MACRO f(a) AS a
CREATE SECRET s (TYPE s3)
CREATE OR REPLACE VIEW v AS SELECT 1
INSERT INTO orders (id) VALUES (1)
UPDATE orders SET total = 0
DELETE FROM orders
TRUNCATE orders
DROP TABLE orders
MERGE INTO orders USING customers ON orders.id = customers.id WHEN MATCHED THEN DELETE
WITH d AS (DELETE FROM orders RETURNING *) SELECT * FROM d
FROM read_csv('/etc/passwd')
FROM '/etc/passwd' SELECT *
FROM glob('*') SELECT file
PREPARE p AS SELECT 1
EXECUTE p
FORCE CHECKPOINT
VACUUM
BEGIN TRANSACTION
USE memory
EXPLAIN ANALYZE SELECT 1
SHOW TABLES
SUMMARIZE '/etc/passwd'
DESCRIBE '/etc/passwd'
SUMMARIZE SELECT * FROM read_csv('/etc/passwd')
PIVOT 'x.csv' ON a USING count(*)
PIVOT read_csv('x.csv') ON a USING count(*)
SELECT 1; DROP TABLE orders
SELECT * FROM range(100000000000000)
SELECT * FROM repeat_row(1, num_rows = 1000000000000)
SELECT * FROM repeat('a', 100000000000)
SELECT * FROM secret
SELECT read_text('/etc/passwd')
SELECT * FROM orders WHERE id IN (SELECT count(*) FROM read_csv('/etc/passwd'))
SELECT * FROM duckdb_logs()
SELECT * FROM load_aws_credentials()
SELECT * FROM seq_scan('x')
SELECT * FROM index_scan('x')
SELECT * FROM python_map_function()
SELECT sql_auto_complete('SEL')
SELECT json_execute_serialized_sql('x')
SELECT * FROM json_execute_serialized_sql('x')
SELECT json_serialize_plan('SELECT 1')
SELECT http_get('http://evil')
SELECT shell('id')
SELECT COLUMNS(*) FROM read_csv('x')
SELECT add_parquet_key('a', 'b')
SELECT * FROM enable_logging()
SELECT parse_duckdb_log_message('x', 'y')
SELECT in_search_path('x', 'y')
SELECT pg_sleep(1)
SELECT 'a'::evil.mood
SELECT CAST(1 AS secret_type)
# by somebody who has read docs/guard.md
SELECT * FROM "/tmp/x.csv"
SELECT * FROM read_text('/etc/*')
SELECT * FROM parquet_metadata('x.parquet')
FROM read_json_auto('http://evil')
FROM duckdb_secrets()
FROM duckdb_settings() SELECT *
SELECT current_setting('home_directory')
SELECT * FROM query('SELECT * FROM secrets')
SELECT * FROM query_table('secrets')
SELECT * FROM query_table(['secrets', 'orders'])
SUMMARIZE secrets
DESCRIBE secrets
FROM (SHOW ALL TABLES)
SELECT * FROM (DESCRIBE secrets)
SELECT * FROM (SUMMARIZE secrets)
SELECT * FROM pragma_table_info('secrets')
SELECT * FROM pragma_storage_info('secrets')
SELECT * FROM information_schema.columns
SELECT * FROM duckdb_tables
SELECT * FROM range(1000000000000)
SELECT unnest(range(1000000000000))
SELECT repeat('x', 10000000000)
SELECT list_resize([1], 10000000000, 1)
SELECT * FROM sqlite_scan('/tmp/x', 't')
SELECT * FROM st_read('/etc/passwd')
SELECT * FROM json_execute_serialized_sql('{}')
PIVOT secrets ON a USING sum(b)
UNPIVOT secrets ON COLUMNS(*)
SELECT * FROM orders POSITIONAL JOIN secrets
SELECT * FROM orders ASOF JOIN secrets USING (id)
SELECT list_transform([1], x -> (SELECT token FROM secrets))
SELECT [x FOR x IN (SELECT list(token) FROM secrets)]
SELECT COLUMNS(x -> x = 'password') FROM secrets
FROM orders SELECT (FROM secrets SELECT token LIMIT 1)
SELECT * FROM orders WHERE id IN (FROM secrets)
WITH RECURSIVE t(x) USING KEY (x) AS (SELECT 1 UNION SELECT x + 1 FROM t) SELECT * FROM t
SELECT * FROM force_checkpoint()
SELECT * FROM repeat_row(1, num_rows = 100000000000)
SELECT * FROM memory.main.secrets
SELECT 's'::secrets
SELECT txid_current(), pg_sleep(1)
FROM orders INSERT INTO x
# sizes, samples and recursions
SELECT unnest(generate_series(1, 10::BIGINT ** 12))
SELECT repeat('x', count(*) * 1000000000) FROM range(9)
# a fourth round, written before the lists were read again
FROM '/etc/passwd'
FROM 'data/*.parquet' SELECT *
SELECT * FROM "orders.csv"
SELECT * FROM glob('/*')
SELECT content FROM read_text('/etc/hostname')
SELECT getenv('HOME') FROM orders
SELECT * FROM query('SELECT * FROM duckdb_secrets()')
SELECT current_setting('temp_directory')
SELECT * FROM sqlite_scan('x.db', 't'), postgres_query('a', 'select 1')
SELECT nextval('s'), currval('s') FROM orders
SELECT * FROM pragma_database_list
PIVOT 'x.csv' ON a USING sum(b)
SELECT repeat('x', 5000000000) FROM orders
SELECT list_resize([1], 5000000000) FROM orders
SELECT count(*) FROM range(0, 9000000000000, 1) CROSS JOIN range(9000000000000)
SELECT x FROM orders, unnest(range(100000000000)) AS t(x)
SELECT array_value(1)::customers FROM orders
SELECT NULL::secret_enum, enum_range(NULL::mood)
SELECT json_execute_serialized_sql(json_serialize_sql('SELECT 1'))
SELECT st_read('x') FROM orders
SELECT * FROM orders WHERE write_log('x') IS NULL
SUMMARIZE 'x.csv'
FROM (DESCRIBE customers)
SELECT * FROM read_blob(['/etc/shadow'])
SELECT getvariable('x'), in_search_path('a', 'b') FROM orders
SELECT * FROM 'https://example.com/x.parquet'
SELECT * FROM "/etc/passwd"
FROM 'data/*.csv' SELECT count(*)
SELECT * FROM df
SELECT * FROM orders JOIN 's3://b/k.json' USING (id)
FROM query('FROM secret')
FROM query_table(['secret', 'orders'])
SELECT * FROM (PIVOT (FROM read_text('/etc/passwd')) ON filename USING count(*))
SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1'))
SELECT COLUMNS(c -> getenv(c) IS NULL) FROM orders
SELECT list_transform([1], x -> (SELECT current_setting('home_directory')))
# a fifth round, written before the lists were read; then rows of constants and recursions
SELECT * FROM 'https://example.com/a.parquet'
SELECT * FROM query('SELECT token FROM vault')
SELECT * FROM query_table(['orders', 'vault'], true)
SELECT * FROM (SHOW ALL TABLES)
SELECT * FROM (DESCRIBE vault)
SELECT * FROM (SUMMARIZE customers)
PIVOT vault ON token USING count(*)
UNPIVOT vault ON token INTO NAME n VALUE v
SELECT COLUMNS('em.*') FROM vault
SELECT getvariable('x'), getenv('HOME')
SELECT list_transform([1], lambda x: (SELECT max(token) FROM vault))
SELECT list_transform(range(10000000000), x -> x)
SELECT repeat(name, 10000000000) FROM customers
SELECT * FROM orders POSITIONAL JOIN vault
FROM orders ASOF JOIN vault v ON orders.id >= v.id
SELECT current_setting('secret_directory')
COPY (SELECT * FROM orders) TO '/tmp/o.csv'
SELECT * FROM read_csv('/dev/stdin', columns = {'a': 'VARCHAR'})
WITH RECURSIVE t(n) USING KEY (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT * FROM t
SELECT * FROM glob('/home/*')
INSERT INTO orders BY NAME SELECT * FROM orders
SELECT * FROM pragma_storage_info('vault')
SELECT array_resize([1], 100000000000)
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL (SELECT i + 1 FROM n LIMIT 1)) SELECT count(*) FROM n
SELECT count(*) FROM range(TIMESTAMP '2000-01-01', TIMESTAMP '2024-01-01', INTERVAL 1 MICROSECOND)
SELECT count(*) FROM generate_series(DATE '0001-01-01', DATE '9999-01-01', INTERVAL '1 second')
SELECT format('{:>1000000000}', 'x')
SELECT format('{:1000000000d}', 1)
SELECT bitstring('1', 1000000000)
SELECT printf('%1000000000d', 1)
# a sixth round
SELECT count(*) FROM range(0, 100000000000)
SELECT unnest(generate_series(TIMESTAMP '1900-01-01', now()::TIMESTAMP, INTERVAL 1 MILLISECOND))
SELECT * LIKE '%mail%' FROM vault
SELECT c FROM vault c
FROM duckdb_columns() SELECT column_name
SELECT map_from_entries([(1, getenv('PATH'))])
SELECT list_aggregate(list_value(read_blob('/etc/passwd')), 'first')
WITH RECURSIVE a(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM a, UNNEST([1]) u(y)) SELECT max(x) FROM a
