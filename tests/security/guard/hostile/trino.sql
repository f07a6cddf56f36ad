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
SELECT * FROM orders FOR VERSION AS OF 1
SELECT * FROM orders FOR TIMESTAMP AS OF TIMESTAMP '2020-01-01 00:00:00'
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
