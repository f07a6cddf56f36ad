# hostile in SQLite
SELECT load_extension('/tmp/x.so')
SELECT readfile('/etc/passwd')
SELECT writefile('/tmp/x', 'a')
SELECT edit('x')
SELECT * FROM sqlite_master
SELECT * FROM main.sqlite_master
SELECT sql FROM sqlite_schema
SELECT * FROM sqlite_temp_master
SELECT * FROM sqlite_sequence
SELECT * FROM sqlite_stat1
SELECT * FROM temp.orders
SELECT * FROM pragma_table_info('orders')
SELECT * FROM pragma_database_list
SELECT * FROM pragma_database_list()
SELECT * FROM dbstat
SELECT * FROM sqlite_dbpage
SELECT zeroblob(1000000000)
SELECT randomblob(1000000000)
SELECT hex(zeroblob(100000000))
SELECT printf('%1000000000d', 1)
SELECT printf('%.*c', 100000000, 'x')
SELECT format('%900000000s', 'x')
SELECT printf(status) FROM orders
SELECT sqlite_version()
SELECT sqlite_source_id()
SELECT sqlite_compileoption_get(1)
SELECT last_insert_rowid()
SELECT changes()
SELECT total_changes()
SELECT fts3_tokenizer('x')
SELECT sqlite_offset(id) FROM orders
SELECT * FROM fts3tokenize
SELECT * FROM zipfile('/tmp/x.zip')
SELECT * FROM fsdir('/')
SELECT * FROM csv('/etc/passwd')
SELECT lsmode(1)
ATTACH DATABASE '/tmp/x.db' AS x
DETACH DATABASE main
PRAGMA writable_schema = 1
PRAGMA table_info(orders)
REPLACE INTO orders (id) VALUES (1)
REINDEX
VACUUM INTO '/tmp/x.db'
SAVEPOINT a
RELEASE a
EXPLAIN QUERY PLAN SELECT * FROM orders
WITH x AS (SELECT 1) DELETE FROM orders
WITH x AS (SELECT 1) INSERT INTO orders SELECT * FROM x
SELECT * FROM generate_series(1, 1000000000000)
SELECT replace(hex(zeroblob(1000000)), '00', 'aaaa')
SELECT lpad('a', 2000000000)
SELECT eval('DROP TABLE orders')
SELECT * FROM orders JOIN sqlite_master ON 1
SELECT (SELECT group_concat(sql) FROM sqlite_master)
SELECT CASE WHEN (SELECT load_extension('x')) THEN 1 END
SELECT * FROM 'x.db'
SELECT * FROM "/etc/passwd"
SELECT * FROM orders WHERE id = :id
SELECT ?
SELECT * FROM orders LIMIT (SELECT load_extension('x'))
SELECT json_extract(readfile('/etc/passwd'), '$')
SELECT * FROM json_each(readfile('/etc/passwd'))
VALUES (load_extension('x'))
SELECT repeat('a', 99999999999)
SELECT * FROM orders WHERE id IN sqlite_master
SELECT [load_extension]('x')
SELECT load_extension/**/('x')
# written after the lists, and counted when they first ran (docs/guard.md)
PRAGMA journal_mode = DELETE
SELECT * FROM pragma_function_list()
SELECT * FROM sqlite_schema
SELECT sql FROM main.sqlite_master
SELECT load_extension('/tmp/evil.so')
SELECT writefile('/tmp/x', 'y')
SELECT edit('x', 'vi')
SELECT hex(randomblob(1000000000))
SELECT replace(printf('%.100000c', 'x'), 'x', printf('%.100000c', 'y'))
SELECT format('%.*c', 1000000000, 'x')
SELECT changes(), total_changes()
SELECT sqlite_version(), sqlite_source_id()
SELECT sqlite_log(1, 'x')
DELETE FROM orders
DELETE FROM orders RETURNING *
UPDATE orders SET total = 0
INSERT INTO orders (id) VALUES (1)
INSERT OR REPLACE INTO orders (id) SELECT id FROM orders
WITH x AS (SELECT 1) INSERT INTO orders (id) SELECT * FROM x
CREATE TABLE t AS SELECT * FROM orders
CREATE TEMP TABLE t (a)
CREATE VIRTUAL TABLE v USING fts5(a)
CREATE TRIGGER t AFTER INSERT ON orders BEGIN DELETE FROM orders; END
CREATE VIEW v AS SELECT 1
DROP TABLE orders
ALTER TABLE orders RENAME TO x
VACUUM
ANALYZE
BEGIN IMMEDIATE
COMMIT
SAVEPOINT x
SELECT 1; DELETE FROM orders
SELECT 1 /* x */; ATTACH 'x' AS y
EXPLAIN SELECT 1
SELECT * FROM other.orders
SELECT * FROM bytecode('SELECT 1')
SELECT * FROM secrets
SELECT secret FROM orders
WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c
WITH RECURSIVE c(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM c WHERE x > 0) SELECT x FROM c
SELECT eval('DELETE FROM orders')
SELECT sha3_query('SELECT 1')
SELECT :param
SELECT ?1
SELECT @x
SELECT $x
# by somebody who has read docs/guard.md
SELECT * FROM pragma_table_list
SELECT * FROM pragma_table_xinfo('orders')
SELECT name FROM "sqlite_schema"
SELECT name FROM main.[sqlite_temp_master]
SELECT `sql` FROM `sqlite_master` WHERE `name` = 'orders'
SELECT * FROM orders JOIN sqlite_dbpage ON 1
SELECT * FROM dbstat WHERE aggregate = TRUE
SELECT * FROM (VALUES (1)) AS t(x) WHERE x IN sqlite_master
SELECT id FROM orders WHERE EXISTS (SELECT 1 FROM sqlite_stat1)
SELECT load_extension('/tmp/x.so', 'init')
SELECT fts3_tokenizer('simple')
SELECT zeroblob(2000000000)
SELECT hex(randomblob(900000000))
SELECT replace(printf('%.*c', 400000000, 'x'), 'x', 'yyyyyyyy')
WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x FROM c) SELECT count(*) FROM c
WITH RECURSIVE c(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM c WHERE x > 0) SELECT max(x) FROM c
SELECT 1; PRAGMA writable_schema = 1
WITH d AS (SELECT 1) DELETE FROM orders WHERE id IN (SELECT * FROM d)
WITH u AS (SELECT 1) UPDATE orders SET total = 0
ATTACH DATABASE '/etc/passwd' AS p
VACUUM main INTO '/tmp/copy.db'
SELECT * FROM json_each((SELECT group_concat(sql) FROM sqlite_master))
SELECT * FROM bytecode('SELECT * FROM orders')
SELECT * FROM generate_series(1, 99999999999)
SELECT * FROM fsdir('/etc')
SELECT o.password FROM orders o
SELECT changes(), total_changes(), last_insert_rowid()
SELECT unistr('\0041') FROM "sqlite_sequence"
SELECT * FROM orders WHERE total > ?1
SELECT * FROM orders WHERE total > $x
SELECT printf('%2000000000d', 1)
SELECT * FROM orders ORDER BY (SELECT sql FROM sqlite_master LIMIT 1)
SELECT json_group_array(name) OVER (ORDER BY (SELECT name FROM sqlite_schema LIMIT 1)) FROM customers
WITH RECURSIVE c(x) AS (SELECT 1 UNION SELECT x + 1 FROM c) SELECT count(*) FROM c
WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT c.x + 1 FROM c, orders) SELECT count(*) FROM c
WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT c.x + 1 FROM orders CROSS JOIN c) SELECT count(*) FROM c
# sizes, samples and recursions
WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE 1 = 1) SELECT sum(x) FROM c
WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT c.x + 1 FROM c JOIN orders ON 1) SELECT sum(x) FROM c
WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x || 'aaaa' FROM c) SELECT length(max(x)) FROM c
# a fourth round, written before the lists were read again
SELECT * FROM pragma_table_xinfo('customers') JOIN orders
SELECT name FROM "main"."sqlite_schema" WHERE type = 'table'
SELECT * FROM json_each((SELECT json_group_array(sql) FROM sqlite_master))
SELECT id FROM orders WHERE load_extension('x') IS NULL
SELECT fts3_tokenizer('simple') FROM orders
SELECT * FROM orders ORDER BY (SELECT count(*) FROM sqlite_stat1)
SELECT * FROM temp.sqlite_temp_schema
SELECT * FROM orders JOIN generate_series(1, 1000000000000) ON 1
WITH RECURSIVE c(n) AS (SELECT id FROM orders UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c
WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n FROM c WHERE 1 = 1) SELECT * FROM c
SELECT hex(zeroblob(900000000)) FROM orders
SELECT dbstat.name FROM dbstat
SELECT bytecode.* FROM bytecode('SELECT 1')
SELECT printf('%.*c', 900000000, 'x') FROM orders
SELECT * FROM customers INDEXED BY secret_idx; ATTACH 'x' AS y
SELECT replace(replace(hex(zeroblob(1000000)), '0', hex(zeroblob(1000))), '0', hex(zeroblob(1000)))
SELECT * FROM pragma_table_info('secret')
SELECT * FROM json_each((SELECT group_concat(sql) FROM sqlite_schema))
SELECT * FROM generate_series(1, 1e15)
SELECT * FROM orders, dbstat, sqlite_stmt
SELECT fts5(?1), load_extension('x') FROM orders
# a fifth round, written before the lists were read; then rows of constants and recursions
SELECT name, writefile('/tmp/x', name) FROM customers
SELECT edit(name, 'vi') FROM customers
SELECT * FROM zipfile('/tmp/a.zip')
SELECT a.name FROM pragma_table_xinfo('vault') AS a
SELECT * FROM customers JOIN pragma_database_list ON 1 = 1
SELECT sum(pgsize) FROM dbstat
SELECT data FROM sqlite_dbpage('main') LIMIT 1
SELECT * FROM bytecode('SELECT token FROM vault')
SELECT candidate FROM completion('v', 'SELECT * FROM ')
SELECT printf('%.*c', 900000000, 'x') AS big
SELECT format('%2000000000d', id) FROM customers
SELECT replace(hex(zeroblob(60000)), '0', hex(zeroblob(60000)))
SELECT count(*) FROM (WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT n.i + 1 FROM n JOIN customers c ON c.id > 0) SELECT * FROM n)
SELECT id FROM orders ORDER BY (SELECT token FROM vault LIMIT 1)
SELECT sum(total) OVER (PARTITION BY (SELECT max(token) FROM main."vault")) FROM orders
SELECT * FROM [vault]
SELECT 1 WHERE EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'vault')
VACUUM INTO '/tmp/copy.sqlite'
SELECT id FROM orders WHERE id = 1; ATTACH '/tmp/x' AS y
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n UNION ALL SELECT 5) SELECT count(*) FROM n
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n, customers c WHERE c.id = 1) SELECT count(*) FROM n
# a sixth round
WITH RECURSIVE a(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM a NATURAL JOIN (SELECT 1 AS y)) SELECT max(x) FROM a
SELECT * FROM customers WHERE id IN (WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i * 2 FROM n) SELECT i FROM n)
SELECT quote(zeroblob(900000000))
SELECT name FROM pragma_function_list UNION SELECT name FROM customers
SELECT name FROM customers ORDER BY load_extension('/tmp/x.so')
SELECT count(*) FROM "main"."sqlite_master"
