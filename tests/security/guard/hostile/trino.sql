# hostile in Trino
SELECT * FROM TABLE(system.query(query => 'select 1'))
SELECT * FROM TABLE(postgresql.system.query(query => 'select 1'))
SELECT * FROM TABLE(mysql.system.query('select 1'))
SELECT * FROM TABLE(elasticsearch.system.raw_query(schema => 'x', index => 'y', query => 'z'))
SELECT * FROM TABLE(my_function(1))
SELECT * FROM TABLE(exclude_columns(input => TABLE(orders), columns => DESCRIPTOR(id)))
SELECT * FROM TABLE(sequence(1, 1000000000000))
SELECT * FROM system.runtime.queries
SELECT * FROM system.runtime.nodes
SELECT * FROM system.metadata.catalogs
SELECT * FROM hive.information_schema.tables
SELECT * FROM hive.information_schema.columns
SELECT * FROM jmx.current.x
SELECT * FROM mysql.db.users
SELECT * FROM hive.other.orders
SELECT * FROM other.shop.orders
SELECT * FROM "orders$partitions"
SELECT * FROM hive.shop."orders$history"
SELECT current_user
SELECT current_catalog
SELECT current_schema
SELECT current_groups()
SELECT version()
SELECT fail('x')
SELECT "$path" FROM orders
SELECT "$file_modified_time" FROM orders
CALL system.runtime.kill_query('x')
CALL hive.system.sync_partition_metadata('x', 'y', 'FULL')
SET SESSION x = 1
RESET SESSION x
SET ROLE admin
SET PATH x
USE hive.shop
CREATE SCHEMA hive.x
CREATE TABLE hive.shop.x AS SELECT 1
CREATE FUNCTION f() RETURNS int RETURN 1
WITH FUNCTION f() RETURNS int RETURN 1 SELECT f()
INSERT INTO orders SELECT * FROM orders
DELETE FROM hive.shop.orders
UPDATE orders SET total = 1
MERGE INTO orders o USING customers c ON o.id = c.id WHEN MATCHED THEN DELETE
ALTER TABLE orders EXECUTE optimize
ALTER TABLE orders RENAME TO x
COMMENT ON TABLE orders IS 'x'
REFRESH MATERIALIZED VIEW v
START TRANSACTION
SHOW CATALOGS
SHOW CREATE TABLE orders
SHOW STATS FOR orders
DESCRIBE INPUT p
EXPLAIN ANALYZE SELECT 1
PREPARE p FROM SELECT 1
EXECUTE p USING 1
EXECUTE IMMEDIATE 'DROP TABLE orders'
DEALLOCATE PREPARE p
SELECT repeat('a', 1000000000)
SELECT rpad('a', 2000000000, 'b')
SELECT sequence(1, 1000000000000)
SELECT my_catalog.my_schema.f(1)
SELECT * FROM orders WHERE id = ?
DENY SELECT ON orders TO x
TABLE system.runtime.queries
SELECT hive.shop.f(1)
SELECT transform(ARRAY[1], x -> fail('x'))
# written after the lists, and counted when they first ran (docs/guard.md)
SELECT * FROM TABLE(postgresql.system.query(query => 'DELETE FROM x'))
SELECT * FROM TABLE(mysql.system.execute(query => 'DROP TABLE x'))
SELECT * FROM TABLE(elasticsearch.system.raw_query(schema => 'a', index => 'b', query => 'c'))
SELECT * FROM TABLE(system.builtin.exclude_columns(input => TABLE(secret), columns => DESCRIPTOR(a)))
SELECT * FROM TABLE(exclude_columns(input => TABLE(hive.other.secret), columns => DESCRIPTOR(a)))
SELECT * FROM TABLE(sequence(start => 1, stop => 100000000000))
SELECT * FROM TABLE(my_ptf(1))
SELECT * FROM TABLE(hive.system.query(query => 'x'))
SELECT * FROM information_schema.columns
SELECT * FROM hive.shop."orders$partitions"
SELECT * FROM "orders$snapshots"
SELECT * FROM "orders$history"
SELECT current_catalog, current_schema
SELECT current_path
SELECT uuid_evil()
SELECT hive.shop.my_udf(1)
SELECT evil.f(1)
SELECT * FROM tpch.tiny.orders
SELECT * FROM postgres.public.users
SELECT * FROM secret
INSERT INTO orders (id) VALUES (1)
UPDATE orders SET total = 0
DELETE FROM orders
TRUNCATE TABLE orders
CREATE TABLE x AS SELECT * FROM orders
CREATE TABLE x (a int)
CREATE VIEW v AS SELECT 1
CREATE OR REPLACE MATERIALIZED VIEW v AS SELECT 1
DROP TABLE orders
ANALYZE orders
CALL system.create_empty_partition('a', 'b')
CALL hive.system.sync_partition_metadata('a', 'b', 'FULL')
CALL system.runtime.kill_query('x', 'y')
EXECUTE IMMEDIATE 'DELETE FROM orders'
EXECUTE p
SET SESSION query_max_run_time = '1h'
SET TIME ZONE 'UTC'
USE hive.other
COMMIT
GRANT ALL ON orders TO x
REVOKE ALL ON orders FROM x
SHOW TABLES
SHOW SESSION
SHOW FUNCTIONS
DESCRIBE orders
DESC orders
EXPLAIN SELECT 1
SELECT 1; DROP TABLE orders
WITH x AS (SELECT 1) INSERT INTO orders SELECT * FROM x
WITH FUNCTION f(x int) RETURNS int BEGIN WHILE true DO SET x = 1; END WHILE; END SELECT f(1)
WITH SESSION query_max_run_time = '1h' SELECT 1
SELECT * FROM orders FOR UPDATE
SELECT ?
SELECT * INTO x FROM orders
SELECT lpad('a', 2147483647, 'b')
SELECT sequence(1, 100000000000)
SELECT * FROM UNNEST(sequence(1, 10000000000))
SELECT ai_gen('x'), ai_classify('a', ARRAY['b'])
TABLE secret
TABLE information_schema.tables
SELECT execute('x')
SELECT * FROM (SELECT * FROM TABLE(pg.system.query(query => 'x')))
SELECT (SELECT count(*) FROM system.runtime.nodes)
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT * FROM t
# by somebody who has read docs/guard.md
SELECT * FROM TABLE(system.query(query => 'SELECT 1'))
SELECT * FROM TABLE(mysql.system.query(query => 'DROP TABLE x'))
SELECT "$path", "$file_size" FROM secrets
SELECT repeat('x', 1000000000)
SELECT * FROM TABLE(exclude_columns(input => TABLE(secrets), columns => DESCRIPTOR(id)))
SELECT * FROM orders FOR VERSION AS OF 1, secrets
SELECT * FROM secrets FOR TIMESTAMP AS OF TIMESTAMP '2020-01-01 00:00:00'
SELECT * FROM orders, UNNEST(ARRAY[(SELECT token FROM secrets)]) AS t(x)
SELECT transform(ARRAY[1], x -> (SELECT token FROM secrets))
SELECT reduce(ARRAY[1], '', (s, x) -> (SELECT token FROM secrets), s -> s)
WITH FUNCTION f(x int) RETURNS int RETURN x SELECT f(1)
WITH SESSION query_max_run_time = '10h' SELECT 1
EXECUTE IMMEDIATE 'SELECT 1'
TABLE secrets
VALUES (SELECT token FROM secrets)
SELECT * FROM JSON_TABLE((SELECT token FROM secrets), 'lax $' COLUMNS (a VARCHAR PATH 'lax $')) t
SELECT * FROM orders TABLESAMPLE BERNOULLI (10), secrets
SELECT * FROM orders MATCH_RECOGNIZE (MEASURES (SELECT token FROM secrets) AS x PATTERN (A) DEFINE A AS TRUE)
SELECT count(*) FILTER (WHERE (SELECT true FROM secrets LIMIT 1)) FROM orders
SELECT listagg(token, ',') WITHIN GROUP (ORDER BY token) FROM secrets
SELECT CAST(ROW(1) AS secrets)
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n FROM t) SELECT * FROM t
SELECT ai_gen('x')
SELECT spatial_partitioning(x) FROM secrets
GRANT SELECT ON orders TO x
# a fourth round, written before the lists were read again
SELECT * FROM TABLE(mysql.system.query(query => 'SELECT 1'))
SELECT * FROM hive.shop."secret$history"
SELECT * FROM hive.shop.secret FOR VERSION AS OF 1
SELECT * FROM hive.shop.secret FOR TIMESTAMP AS OF TIMESTAMP '2024-01-01 00:00:00'
SELECT "$path", "$file_size" FROM orders
SELECT sequence(1, 1000000000) FROM orders
SELECT repeat('x', 1000000000) FROM orders
SELECT current_user, current_catalog
SELECT ai_gen('x'), ai_classify(name, ARRAY['a']) FROM customers
SELECT * FROM TABLE(exclude_columns(input => TABLE(secret), columns => DESCRIPTOR(a)))
SELECT * FROM TABLE(my_fn(TABLE(orders)))
SELECT hive.shop.my_udf(id) FROM orders
SELECT rpad('x', 2000000000, 'y') FROM orders
SELECT array_sort(repeat(1, 2000000000)) FROM orders
SELECT fail('x') FROM orders
SELECT * FROM TABLE(VALUES 1), TABLE(csv_reader('/etc/passwd'))
SELECT version(), node_id FROM orders
SELECT ngrams(split(name, ''), 2), array_histogram(sequence(1, 100000000)) FROM customers
SELECT * FROM orders FOR VERSION AS OF 1, system.runtime.queries
# a fifth round, written before the lists were read; then rows of constants and recursions
SELECT * FROM TABLE(pg.system.query(query => 'SELECT 1'))
SELECT * FROM TABLE(exclude_columns(input => TABLE(vault), columns => DESCRIPTOR(id)))
SELECT * FROM TABLE(hive.system.table_changes('shop', 'orders', 1, 2))
SELECT * FROM "vault$partitions"
SELECT * FROM hive.shop."orders$snapshots"
WITH FUNCTION f() RETURNS bigint RETURN 1 SELECT f()
SELECT repeat(1, 1000000000)
SELECT rpad('x', 1000000000, 'y')
SELECT cardinality(sequence(1, 10000000000))
TABLE vault
SELECT json_query(payload, 'lax $.a') FROM vault
SELECT hive.shop.fn(1)
SELECT CAST(ROW(1) AS ROW(x regclass))
SELECT * FROM UNNEST(sequence(DATE '0001-01-01', DATE '9999-12-31', INTERVAL '1' SECOND)) AS t(d), vault
WITH RECURSIVE t(n) AS (VALUES 1 UNION ALL SELECT n + 1 FROM t) SELECT * FROM t
SELECT count(*) FROM UNNEST(sequence(TIMESTAMP '2000-01-01 00:00:00', TIMESTAMP '2024-01-01 00:00:00', INTERVAL '0.001' SECOND)) AS t(d)
# a sixth round
SELECT count(*) FROM UNNEST(sequence(TIMESTAMP '1970-01-01 00:00:00', TIMESTAMP '2030-01-01 00:00:00', INTERVAL '1' SECOND)) t(x)
SELECT lpad(name, 2000000000, 'x') FROM customers
SELECT * FROM TABLE(hive.system.procedure(x => 1))
