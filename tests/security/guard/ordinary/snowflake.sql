# ordinary analysis in Snowflake
SELECT DATE_TRUNC('month', created_at) AS month, SUM(total) FROM orders WHERE created_at >= DATEADD(month, -6, CURRENT_DATE()) GROUP BY 1 ORDER BY 1
SELECT DATE_TRUNC(month, created_at), DATEDIFF(day, created_at, ship_date), DATEADD('day', 1, created_at), LAST_DAY(created_at, month), DATE_PART(epoch_second, created_at) FROM orders
SELECT customer_id, total FROM orders QUALIFY ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY total DESC) = 1
SELECT o.id, f.value:sku::STRING AS sku, f.index, f.value:qty::INT FROM orders o, LATERAL FLATTEN(input => o.payload:items) f
SELECT f.value FROM products, TABLE(FLATTEN(products.tags)) f
SELECT payload:a.b::string, payload['a']['b'], payload:items[0].sku, GET_PATH(payload, 'a.b'), PARSE_JSON('{"a":1}'):a FROM orders
SELECT LISTAGG(DISTINCT name, ', ') WITHIN GROUP (ORDER BY name) FROM customers
SELECT IFF(total > 1, 'a', 'b'), ZEROIFNULL(discount), NVL(discount, 0), NVL2(discount, 1, 0), DIV0(total, discount), DECODE(status, 'a', 1, 0), EQUAL_NULL(total, discount) FROM orders
SELECT * FROM orders PIVOT (SUM(total) FOR status IN ('paid', 'void')) AS p
SELECT * FROM (SELECT customer_id, status, total FROM orders) PIVOT (SUM(total) FOR status IN ('paid', 'void')) AS p (cid, paid, void)
SELECT * FROM products UNPIVOT (v FOR k IN (price, id))
SELECT * EXCLUDE (email) FROM customers
SELECT * EXCLUDE email RENAME (name AS full_name) FROM customers
SELECT * REPLACE (UPPER(name) AS name) FROM customers
SELECT region, city, COUNT(*), GROUPING(region) FROM customers GROUP BY CUBE (region, city)
SELECT region, city, COUNT(*) FROM customers GROUP BY GROUPING SETS ((region), (city))
SELECT status, COUNT(*) FROM orders GROUP BY ALL
SELECT APPROX_COUNT_DISTINCT(customer_id), APPROX_PERCENTILE(total, 0.9), MEDIAN(total), MODE(status), PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY total), RATIO_TO_REPORT(SUM(total)) OVER () FROM orders
SELECT SEQ4() AS n, DATEADD(day, SEQ4(), '2024-01-01'::DATE) AS d FROM TABLE(GENERATOR(ROWCOUNT => 365))
SELECT TRY_TO_NUMBER(name), TRY_CAST(name AS INT), TO_DATE('2024-01-01'), TO_CHAR(created_at, 'YYYY-MM'), TO_VARCHAR(total), created_at::DATE, TO_TIMESTAMP_NTZ(created_at) FROM orders, customers
SELECT name ILIKE ANY ('a%', 'b%'), name RLIKE 'a.*', REGEXP_SUBSTR(email, '@(.*)', 1, 1, 'e'), SPLIT_PART(email, '@', 2), REGEXP_REPLACE(name, 'a', 'b'), CONTAINS(name, 'x') FROM customers
SELECT ARRAY_AGG(id) WITHIN GROUP (ORDER BY id), OBJECT_CONSTRUCT('a', 1), OBJECT_AGG(name, id), ARRAY_SIZE(tags), ARRAY_CONTAINS('a'::VARIANT, tags), ARRAY_CONSTRUCT(1, 2) FROM products GROUP BY tags
WITH RECURSIVE t AS (SELECT id, manager_id, name FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, e.manager_id, e.name FROM employees e JOIN t ON e.manager_id = t.id) SELECT * FROM t
SELECT $1, $2 FROM VALUES (1, 'a'), (2, 'b')
SELECT column1 AS a, column2 AS b FROM VALUES (1, 'a'), (2, 'b') AS v
SELECT o.id, e.ts FROM orders o ASOF JOIN events e MATCH_CONDITION (o.created_at >= e.ts) ON o.customer_id = e.user_id
SELECT * FROM orders SAMPLE (10)
SELECT * FROM orders TABLESAMPLE BERNOULLI (10) SEED (3)
SELECT TOP 10 id FROM orders ORDER BY total DESC
SELECT id FROM orders ORDER BY total DESC LIMIT 10 OFFSET 5
SELECT id FROM orders MINUS SELECT order_id FROM order_items
SELECT id, total, CONDITIONAL_TRUE_EVENT(total > 1) OVER (ORDER BY id), LAG(total) IGNORE NULLS OVER (ORDER BY id), SUM(total) OVER (ORDER BY id ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) FROM orders
SELECT FILTER(tags, t -> t LIKE 'a%'), TRANSFORM(tags, t -> UPPER(t)), REDUCE(tags, 0, (acc, t) -> acc + 1) FROM products
SELECT CONVERT_TIMEZONE('UTC', 'Asia/Shanghai', created_at), DAYNAME(created_at), WEEKISO(created_at), MONTHNAME(created_at), YEAROFWEEK(created_at), CURRENT_TIMESTAMP, SYSDATE() FROM orders
SELECT COUNT_IF(total > 1), BOOLAND_AGG(total > 1), MAX_BY(id, total), SKEW(total), KURTOSIS(total), HLL(id), ANY_VALUE(status), HASH(id), MD5(status) FROM orders
SELECT public.orders.id FROM public.orders
SELECT c.name, l.s FROM customers c, LATERAL (SELECT SUM(o.total) AS s FROM orders o WHERE o.customer_id = c.id) l
SELECT "编号", "金额" FROM "订单"
SELECT id AS x, x + 1 AS y FROM orders WHERE y > 2
SELECT * FROM customers NATURAL JOIN products
SELECT s.value FROM customers c, LATERAL SPLIT_TO_TABLE(c.email, '@') s
SELECT t.value FROM TABLE(SPLIT_TO_TABLE('a.b', '.')) AS t
SELECT * FROM orders MATCH_RECOGNIZE (PARTITION BY customer_id ORDER BY created_at MEASURES FIRST(created_at) AS s, COUNT(*) AS n ONE ROW PER MATCH PATTERN (a b+) DEFINE b AS total > LAG(total)) AS m
SELECT WIDTH_BUCKET(total, 0, 100, 10), TIME_SLICE(created_at, 15, 'MINUTE'), HAVERSINE(1, 2, 3, 4), UNIFORM(1, 10, RANDOM()), TO_JSON(payload), TYPEOF(payload), STRIP_NULL_VALUE(payload:a) FROM orders
SELECT o.payload:customer.name::string AS n, o.payload:"Weird Key"::int FROM orders o
SELECT value:name::string FROM orders, LATERAL FLATTEN(INPUT => payload, PATH => 'items', OUTER => TRUE, RECURSIVE => FALSE, MODE => 'ARRAY')
SELECT f.key, f.value, f.path, f.seq, f.this FROM orders o, LATERAL FLATTEN(o.payload) AS f
SELECT o.id, i.value:sku FROM orders o, TABLE(FLATTEN(INPUT => o.items)) i
SELECT DATEADD(DAY, -7, CURRENT_DATE), DATEADD(month, 1, created_at), TIMESTAMPDIFF(HOUR, created_at, ship_date), TIMEDIFF(second, created_at, ship_date), MONTHS_BETWEEN(ship_date, created_at), ADD_MONTHS(created_at, 1), NEXT_DAY(created_at, 'mo'), DATE_FROM_PARTS(2024, 1, 1), YEAR(created_at), QUARTER(created_at), WEEK(created_at), DAYOFWEEK(created_at), HOUR(created_at), EXTRACT(YEAR FROM created_at), TO_TIMESTAMP(1700000000), created_at + INTERVAL '1 day' FROM orders
SELECT id, total, SUM(total) OVER (PARTITION BY customer_id ORDER BY created_at RANGE BETWEEN INTERVAL '7 days' PRECEDING AND CURRENT ROW) FROM orders
SELECT status, SUM(total) AS s FROM orders GROUP BY status HAVING s > 10 ORDER BY s DESC NULLS LAST
SELECT c.name, o.total FROM customers AS c INNER JOIN orders AS o ON c.id = o.customer_id AND o.status = 'paid' LEFT JOIN order_items i ON i.order_id = o.id
SELECT * FROM orders QUALIFY RANK() OVER (PARTITION BY status ORDER BY total DESC) <= 3
SELECT id, rn FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY id) rn FROM orders) WHERE rn = 1
SELECT COUNT(DISTINCT customer_id), COUNT(*), HLL(customer_id), APPROX_TOP_K(status, 3), STDDEV(total), CORR(total, discount), LISTAGG(status, ',') FROM orders
SELECT COALESCE(discount, 0), IFNULL(discount, 0), NULLIF(total, 0), CASE WHEN total > 1 THEN 1 END, GREATEST(1, 2), LEAST(1, 2), DIV0NULL(1, 0), ROUND(total, 2), TRUNC(total), CEIL(total), MOD(id, 2), ABS(total), POWER(2, 3), SQRT(4), SIGN(total), TO_DECIMAL(total, 10, 2), TRY_TO_DATE(status), TRY_TO_TIMESTAMP(status), TO_BOOLEAN('true') FROM orders
SELECT UPPER(name), INITCAP(name), TRIM(name), LENGTH(name), SUBSTR(name, 1, 3), LEFT(name, 1), POSITION('a' IN name), CHARINDEX('a', name), REPLACE(name, 'a', 'b'), CONCAT(name, city), name || city, CONCAT_WS('-', name, city), REGEXP_COUNT(name, 'a'), REGEXP_LIKE(name, 'a.*', 'i'), LIKE(name, 'a%'), STARTSWITH(name, 'a'), SPLIT(name, ' ')[0], STRTOK(name, ' ', 1), EDITDISTANCE(name, 'x'), SOUNDEX(name), MD5(name), SHA2(name), HASH(name), BASE64_ENCODE(name), TRANSLATE(name, 'a', 'b'), LPAD(name, 10, '0') FROM customers
SELECT name LIKE ANY ('a%', 'b%'), name NOT ILIKE '%x%', name REGEXP '.*', name IN ('a'), city IS NOT NULL FROM customers
SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS t (id, name)
SELECT a.value::int AS n FROM TABLE(FLATTEN(INPUT => PARSE_JSON('[1,2]'))) a
WITH RECURSIVE d AS (SELECT '2024-01-01'::DATE AS dt UNION ALL SELECT DATEADD(day, 1, dt) FROM d WHERE dt < '2024-01-31') SELECT dt FROM d
WITH d AS (SELECT DATEADD(day, ROW_NUMBER() OVER (ORDER BY SEQ4()) - 1, '2024-01-01') AS dt FROM TABLE(GENERATOR(ROWCOUNT => 31))) SELECT d.dt, COUNT(o.id) FROM d LEFT JOIN orders o ON o.created_at::DATE = d.dt GROUP BY 1
SELECT id FROM orders UNION ALL SELECT id FROM customers INTERSECT SELECT id FROM products
SELECT o.id FROM orders o WHERE EXISTS (SELECT 1 FROM customers c WHERE c.id = o.customer_id) AND o.id NOT IN (SELECT order_id FROM order_items)
SELECT OBJECT_KEYS(payload), payload:a IS NULL, IS_NULL_VALUE(payload:a), TYPEOF(payload:a), AS_INTEGER(payload:n), TO_VARIANT(1), GET(payload, 'a'), OBJECT_INSERT(payload, 'x', 1) FROM orders
SELECT HOUR(created_at)::INT AS h, COUNT_IF(status = 'paid') / COUNT(*) AS r FROM orders GROUP BY h ORDER BY h
SELECT FIRST_VALUE(total) IGNORE NULLS OVER (PARTITION BY status ORDER BY id), NTH_VALUE(total, 2) OVER (ORDER BY id), PERCENT_RANK() OVER (ORDER BY total), CUME_DIST() OVER (ORDER BY total), WIDTH_BUCKET(total, 0, 1, 2) FROM orders
SELECT "ORDERS"."ID", "o".TOTAL FROM "SHOP"."PUBLIC"."ORDERS", orders AS "o"
SELECT customer_id, "'paid'", "'void'" FROM (SELECT customer_id, status, total FROM orders) PIVOT (SUM(total) FOR status IN ('paid', 'void'))
SELECT * FROM orders PIVOT (SUM(total) FOR status IN (ANY ORDER BY status))
SELECT id, k, v FROM orders UNPIVOT INCLUDE NULLS (v FOR k IN (total, discount))
SELECT CURRENT_DATE, CURRENT_TIMESTAMP(), CURRENT_TIME, GETDATE(), SYSDATE(), LOCALTIMESTAMP
SELECT RATIO_TO_REPORT(total) OVER (PARTITION BY status), BOOLOR_AGG(total > 1), BITAND_AGG(id), MIN_BY(id, total), KURTOSIS(total), VAR_POP(total), MODE(status), ANY_VALUE(id) FROM orders GROUP BY total, status
SELECT TO_CHAR(created_at, 'YYYY-MM-DD HH24:MI:SS'), TO_CHAR(total, '999,999.00'), TO_DATE('01/02/2024', 'DD/MM/YYYY'), created_at::TIMESTAMP_NTZ, DATE(created_at), TIME(created_at), TO_TIME('12:00'), CONVERT_TIMEZONE('UTC', created_at) FROM orders
SELECT st.id FROM orders st SAMPLE ROW (5)
SELECT ROW_NUMBER() OVER (ORDER BY 1) AS n, $1 AS a FROM (VALUES (1), (2))
SELECT t.$1, t.$2 FROM (VALUES (1, 2)) t
SELECT LISTAGG(c.name, ', ') WITHIN GROUP (ORDER BY c.name) OVER (PARTITION BY c.city) FROM customers c
SELECT GROUPING_ID(region, city), region, city FROM customers GROUP BY ROLLUP (region, city)
# written after the lists, and counted when they first ran (docs/guard.md)
SELECT DATE_TRUNC('MONTH', created_at) AS m, SUM(total) FROM orders GROUP BY ALL ORDER BY m
SELECT payload:a.b::NUMBER AS b, payload['c']::STRING, payload:items[0].sku::VARCHAR, GET_PATH(payload, 'a.b'), GET(payload, 'c') FROM orders
SELECT o.id, f.value:sku::STRING AS sku, f.index, f.value:qty::INT FROM orders o, LATERAL FLATTEN(INPUT => o.items) f
SELECT o.id, f.key, f.value FROM orders o, TABLE(FLATTEN(INPUT => o.payload, RECURSIVE => TRUE, MODE => 'OBJECT', OUTER => TRUE)) f
SELECT LISTAGG(DISTINCT name, ', ') WITHIN GROUP (ORDER BY name) FROM products GROUP BY category
SELECT ARRAY_AGG(name) WITHIN GROUP (ORDER BY price DESC), OBJECT_AGG(name, price::VARIANT), ARRAY_UNIQUE_AGG(category) FROM products
SELECT * FROM (SELECT customer_id, status, total FROM orders) PIVOT (SUM(total) FOR status IN ('paid', 'void')) AS p (customer_id, paid, void)
SELECT * FROM (SELECT customer_id, status, total FROM orders) PIVOT (SUM(total) FOR status IN (ANY ORDER BY status))
SELECT * FROM (SELECT id, total, discount FROM orders) UNPIVOT (amount FOR measure IN (total, discount))
SELECT DATEDIFF('day', created_at, ship_date), DATEADD(month, -1, CURRENT_DATE()), TIMESTAMPDIFF(hour, created_at, ship_date), DATE_PART(week, created_at), DAYNAME(created_at), MONTHNAME(created_at), LAST_DAY(created_at), TO_CHAR(created_at, 'YYYY-MM'), EXTRACT(year FROM created_at), YEAROFWEEK(created_at), WEEKISO(created_at), QUARTER(created_at), TIME_SLICE(created_at, 15, 'MINUTE', 'START'), CONVERT_TIMEZONE('UTC', 'Asia/Shanghai', created_at), ADD_MONTHS(created_at, 1), MONTHS_BETWEEN(ship_date, created_at), NEXT_DAY(created_at, 'mo'), DATE_FROM_PARTS(2024, 1, 1), TO_DATE('2024-01-01'), TRY_TO_DATE('x'), TO_TIMESTAMP_NTZ('2024-01-01'), created_at + INTERVAL '1 day', SYSDATE() FROM orders
SELECT CURRENT_TIMESTAMP(), CURRENT_TIMESTAMP, GETDATE(), CURRENT_DATE, DATEADD('day', 7, CURRENT_DATE)
SELECT IFF(total > 50, 'big', 'small'), NVL(discount, 0), ZEROIFNULL(discount), NULLIFZERO(total), DECODE(status, 'paid', 1, 'void', 0, -1), COALESCE(discount, 0), EQUAL_NULL(status, 'paid'), DIV0(total, discount), DIV0NULL(total, discount), NVL2(discount, 1, 0), GREATEST(1, total), LEAST(1, total), GREATEST_IGNORE_NULLS(1, total), BOOLAND(1, 0), REGR_VALX(total, discount) FROM orders
SELECT MEDIAN(total), PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY total), APPROX_PERCENTILE(total, 0.5), APPROX_COUNT_DISTINCT(customer_id), HLL(customer_id), APPROX_TOP_K(status, 3), MODE(status), STDDEV(total), VARIANCE(total), CORR(total, discount), KURTOSIS(total), SKEW(total), COUNT_IF(total > 50), MAX_BY(id, total), MIN_BY(id, total, 3), BOOLOR_AGG(total > 0), BITOR_AGG(id), HASH_AGG(id), ANY_VALUE(status), MINHASH(5, id), BITMAP_COUNT(BITMAP_CONSTRUCT_AGG(BITMAP_BIT_POSITION(id))) FROM orders
SELECT CONDITIONAL_TRUE_EVENT(total > 50) OVER (PARTITION BY customer_id ORDER BY created_at), CONDITIONAL_CHANGE_EVENT(status) OVER (ORDER BY created_at), RATIO_TO_REPORT(total) OVER (PARTITION BY customer_id), LAG(status) IGNORE NULLS OVER (ORDER BY id), SUM(total) OVER (ORDER BY created_at RANGE BETWEEN INTERVAL '7 days' PRECEDING AND CURRENT ROW), WIDTH_BUCKET(total, 0, 100, 10), NTILE(4) OVER (ORDER BY total), FIRST_VALUE(total) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM orders
SELECT SPLIT_PART(email, '@', 2), SPLIT(email, '@')[0]::STRING, REGEXP_SUBSTR(email, '[^@]+', 1, 1), REGEXP_REPLACE(name, '[0-9]', ''), REGEXP_LIKE(name, 'n.*'), REGEXP_COUNT(name, 'a'), REGEXP_INSTR(name, 'a'), email RLIKE '.*@example.com', CONTAINS(name, 'a'), STARTSWITH(name, 'n'), ENDSWITH(name, '1'), CHARINDEX('a', name), POSITION('a', name), LPAD(name, 10, '0'), INITCAP(name), TRANSLATE(name, 'a', 'b'), REVERSE(name), LEFT(name, 2), SUBSTR(name, 1, 2), STRTOK(email, '@', 1), STRTOK_TO_ARRAY(email, '@'), EDITDISTANCE(name, email), JAROWINKLER_SIMILARITY(name, email), SOUNDEX(name), MD5(name), SHA2(name, 256), HASH(name), BASE64_ENCODE(name), HEX_ENCODE(name), LENGTH(name), CONCAT(name, '-', city), CONCAT_WS('-', name, city), name || '-', UPPER(name), TRIM(name), REPLACE(name, 'a', 'b'), INSERT(name, 1, 1, 'x'), COLLATE(name, 'en-ci'), ASCII(name), CHR(65), UUID_STRING(), RPAD(name, 10), SPACE(2), REPEAT('a', 3), ILIKE(name, 'n%'), UNICODE(name), CHARINDEX('a', name, 2), PARSE_URL('https://e.com/a'), PARSE_IP('1.2.3.4', 'INET') FROM customers
SELECT name FROM customers WHERE name ILIKE ANY ('n%', 'm%') AND name LIKE ALL ('%a%', '%e%') AND name NOT ILIKE '%z%'
SELECT ARRAY_SIZE(items), ARRAY_CONTAINS('x'::VARIANT, items), ARRAY_TO_STRING(items, ','), ARRAY_SLICE(items, 0, 1), ARRAY_CAT(items, items), ARRAY_COMPACT(items), ARRAY_DISTINCT(items), ARRAY_INTERSECTION(items, items), ARRAYS_OVERLAP(items, items), ARRAY_POSITION('a'::VARIANT, items), ARRAY_CONSTRUCT(1, 2), ARRAY_GENERATE_RANGE(1, 5), ARRAY_MAX(items), ARRAY_SORT(items), ARRAY_FLATTEN(items), ARRAY_EXCEPT(items, items), ARRAY_APPEND(items, 1), FILTER(items, x -> x:qty > 1), TRANSFORM(items, x -> x:qty * 2), REDUCE([1, 2], 0, (acc, x) -> acc + x) FROM orders
SELECT OBJECT_CONSTRUCT('a', 1, 'b', total), OBJECT_KEYS(payload), OBJECT_INSERT(payload, 'z', 1), OBJECT_DELETE(payload, 'a'), OBJECT_PICK(payload, 'a'), PARSE_JSON('{"a":1}'):a, TRY_PARSE_JSON('x'), TO_JSON(payload), TO_VARIANT(1), TYPEOF(payload:a), IS_NULL_VALUE(payload:d), AS_INTEGER(payload:n), IS_OBJECT(payload), STRIP_NULL_VALUE(payload:d), CHECK_JSON('{}'), TO_OBJECT(payload), TO_ARRAY(1), {'a': 1}, [1, 2] FROM orders
SELECT SEQ4() AS n, DATEADD(day, SEQ4(), '2024-01-01'::DATE) AS d, ROW_NUMBER() OVER (ORDER BY SEQ4()) FROM TABLE(GENERATOR(ROWCOUNT => 31))
SELECT n.value::INT FROM TABLE(FLATTEN(ARRAY_GENERATE_RANGE(0, 10))) n
SELECT s.value FROM customers, LATERAL SPLIT_TO_TABLE(email, '@') s
SELECT value FROM TABLE(SPLIT_TO_TABLE('a.b', '.'))
SELECT region, city, COUNT(*), GROUPING(region), GROUPING_ID(region, city) FROM customers GROUP BY CUBE (region, city)
SELECT region, city, COUNT(*) FROM customers GROUP BY ROLLUP (region, city)
SELECT region, segment, COUNT(*) FROM customers GROUP BY GROUPING SETS ((region), (segment), ())
WITH RECURSIVE mgr AS (SELECT id, name, manager_id, 1 AS lvl FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, e.name, e.manager_id, m.lvl + 1 FROM employees e JOIN mgr m ON e.manager_id = m.id) SELECT * FROM mgr
SELECT name, LEVEL, SYS_CONNECT_BY_PATH(name, '/') FROM employees START WITH manager_id IS NULL CONNECT BY manager_id = PRIOR id
SELECT * FROM orders TABLESAMPLE BERNOULLI (5) SEED (1)
SELECT TOP 5 id, total FROM orders ORDER BY total DESC
SELECT id FROM orders ORDER BY total DESC NULLS LAST LIMIT 5 OFFSET 5
SELECT id FROM orders ORDER BY id FETCH FIRST 3 ROWS ONLY
SELECT * EXCLUDE (items, payload) RENAME (total AS amount) FROM orders
SELECT * REPLACE (ROUND(total) AS total) FROM orders
SELECT * ILIKE '%id%' FROM orders
SELECT o.id, c.name FROM orders o ASOF JOIN events e MATCH_CONDITION (o.created_at >= e.ts) ON o.customer_id = e.user_id JOIN customers c ON c.id = o.customer_id
SELECT * FROM customers NATURAL JOIN orders
SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS t (n, s)
SELECT column1, $2 FROM VALUES (1, 'a'), (2, 'b')
SELECT id FROM orders MINUS SELECT id FROM customers
SELECT id FROM orders INTERSECT SELECT id FROM customers UNION ALL SELECT id FROM products
SELECT id FROM orders UNION ALL BY NAME SELECT id FROM customers
SELECT TRY_CAST(status AS NUMBER), total::DECIMAL(10, 2), CAST(id AS VARCHAR), TO_NUMBER('1.5', 10, 2), TO_DOUBLE('1'), TRY_TO_NUMBER('x'), TO_DECIMAL('1', 10, 2), TO_BOOLEAN('true'), TO_VARCHAR(total, '999.99'), TO_TIME('10:00') FROM orders
SELECT ROUND(total, 2), TRUNC(total, 1), CEIL(total), FLOOR(total), MOD(id, 3), POWER(2, 3), SQRT(4), LN(2), LOG(10, 100), EXP(1), ABS(-1), SIGN(-1), SQUARE(2), CBRT(8), FACTORIAL(5), HAVERSINE(1, 2, 3, 4), RANDOM(), UNIFORM(1, 10, RANDOM()), BITAND(5, 3), BITSHIFTLEFT(1, 2), NORMAL(0, 1, RANDOM()), ZIPF(1, 10, RANDOM()), RANDSTR(5, RANDOM()), id % 2 FROM orders
SELECT COUNT(*) FROM SHOP.PUBLIC.ORDERS
SELECT * FROM orders MATCH_RECOGNIZE (PARTITION BY customer_id ORDER BY created_at MEASURES FIRST(total) AS start_total, LAST(total) AS end_total, COUNT(*) AS n, MATCH_NUMBER() AS mn ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (up{2,}) DEFINE up AS total > LAG(total))
SELECT st.id, CASE WHEN st.total > 100 THEN 'x' WHEN st.total IS NULL THEN 'y' ELSE 'z' END FROM orders AS st WHERE st.status IN ('paid', 'new') AND st.created_at >= DATEADD(day, -30, CURRENT_TIMESTAMP()) AND st.total BETWEEN 1 AND 100
SELECT id, (SELECT MAX(total) FROM orders o2 WHERE o2.customer_id = o.customer_id) FROM orders o WHERE EXISTS (SELECT 1 FROM customers c WHERE c.id = o.customer_id) AND total > ANY (SELECT total FROM orders WHERE status = 'void')
SELECT IS_INTEGER(payload:n), SUM(payload:n::FLOAT) FROM orders GROUP BY 1
SELECT ST_DISTANCE(ST_MAKEPOINT(1, 2), ST_MAKEPOINT(3, 4)), ST_CONTAINS(TO_GEOGRAPHY('POLYGON((0 0,1 0,1 1,0 0))'), ST_POINT(0.5, 0.5)), H3_LATLNG_TO_CELL(1, 2, 5)
SELECT DATE_TRUNC('week', created_at)::DATE wk, COUNT(DISTINCT customer_id) OVER (PARTITION BY DATE_TRUNC('week', created_at)) FROM orders
SELECT LEAD(total, 1, 0) OVER (PARTITION BY customer_id ORDER BY created_at) - total AS nxt FROM orders
SELECT total AS amt, amt * 1.1 AS gross FROM orders WHERE amt > 5
SELECT YEAR(created_at), MONTH(created_at), DAY(created_at), DAYOFWEEK(created_at), DAYOFWEEKISO(created_at), DAYOFYEAR(created_at), WEEK(created_at), HOUR(created_at), MINUTE(created_at), SECOND(created_at), DATE_PART(EPOCH_SECOND, created_at), TO_DATE(created_at), created_at::DATE, created_at::TIME FROM orders
SELECT COUNT(*) FROM orders WHERE created_at::DATE = '2024-01-01' AND status IS NOT DISTINCT FROM 'paid'
SELECT MAX(total) KEEP_IT FROM orders HAVING MAX(total) > 3
SELECT * FROM orders AT (OFFSET => -60*5)
SELECT * FROM orders AT (TIMESTAMP => '2024-01-01'::TIMESTAMP)
SELECT o1.id FROM orders o1 LEFT JOIN LATERAL (SELECT COUNT(*) AS n FROM order_items i WHERE i.order_id = o1.id) x ON TRUE
SELECT VECTOR_COSINE_SIMILARITY([1, 2]::VECTOR(FLOAT, 2), [1, 2]::VECTOR(FLOAT, 2))
SELECT COUNT(*) OVER (), SUM(SUM(total)) OVER (ORDER BY DATE_TRUNC('month', created_at)) FROM orders GROUP BY DATE_TRUNC('month', created_at)
SELECT customer_id, ARRAY_AGG(OBJECT_CONSTRUCT(*)) FROM orders GROUP BY customer_id
SELECT TO_TIMESTAMP(1700000000), DATEDIFF(SECOND, '2024-01-01', '2024-01-02'), DATE '2024-01-01', TIMESTAMP '2024-01-01 00:00:00', TIMEADD(hour, 1, CURRENT_TIME())
SELECT * FROM orders AT (TIMESTAMP => '2020-01-01'::TIMESTAMP)
SELECT * FROM orders BEFORE (STATEMENT => 'x')
select date_trunc(month, o.created_at)::date as mth, count(distinct o.customer_id) as buyers, round(sum(o.total) / nullif(count(*), 0), 2) as aov from shop.public.orders as o where o.created_at >= dateadd(year, -1, current_date) group by 1 order by 1
with t as (select customer_id, min(created_at) as first_at from orders group by 1) select datediff(month, t.first_at, o.created_at) as k, count(distinct o.customer_id) from orders o join t using (customer_id) group by 1
select o.id, i.value:sku::string as sku, i.value:qty::number(10,0) as qty from orders o, lateral flatten(input => o.items) i where i.value:qty > 1
select f.seq, f.key, f.path, f.index, f.value, f.this from orders, lateral flatten(input => parse_json('[1]'), outer => true) f
select payload:a:b, payload:"c"::varchar, payload:items[0]:sku, payload:n::float, try_cast(payload:n::string as int) from orders
select name, regexp_substr(email, '@(.*)$', 1, 1, 'e', 1) as domain, email like any ('%.com', '%.org'), name rlike '^n.*$', regexp_like(name, 'N.*', 'i') from customers
select listagg(distinct status, '|') within group (order by status) over (partition by customer_id) from orders
select customer_id, sum(total) as s, rank() over (order by sum(total) desc) as r from orders group by customer_id qualify r <= 10
select status, count(*) as n, ratio_to_report(count(*)) over () as share from orders group by status
select * from orders o left join customers c on c.id = o.customer_id where c.id is null limit 100
select to_char(created_at, 'YYYY-MM-DD'), to_varchar(total, '999,999.00'), to_date('2024-01-01', 'YYYY-MM-DD'), to_timestamp('2024-01-01 10:00:00'), date_part('dow', created_at), dayofweekiso(created_at), weekofyear(created_at), created_at::time, time_slice(created_at, 1, 'week') from orders
select iff(total is null, 0, total), case when total > 5 then 'a' else 'b' end, coalesce(status, 'none'), nvl(discount, 0), zeroifnull(discount), nullif(status, '') from orders
select array_agg(distinct status) within group (order by status), array_size(array_agg(id)), array_to_string(array_agg(status), ','), object_agg(status, total) from orders where status is not null
select percentile_cont(0.5) within group (order by total) over (partition by customer_id), approx_percentile(total, 0.95), median(total) over () from orders
select row_number() over (order by seq4()) as n from table(generator(rowcount => 100))
select dateadd(day, row_number() over (order by null) - 1, '2024-01-01'::date) as d from table(generator(rowcount => 31))
select * from (select status, total from orders) pivot (sum(total) for status in ('paid', 'new', 'void') default on null (0)) as p
select * from (select id, total, discount from orders) unpivot include nulls (v for k in (total, discount))
select column1 as a, column2 as b from values (1, 'x'), (2, 'y') order by a
select t.a from (values (1, 'x')) as t(a, b)
select id from orders where total > (select avg(total) from orders) and exists (select 1 from order_items i where i.order_id = orders.id)
select sum(total) over (partition by customer_id order by created_at rows between unbounded preceding and current row), lead(created_at) over (partition by customer_id order by created_at), count_if(status = 'paid') over (partition by customer_id) from orders
select sha2(email), md5(email), hash(email), upper(left(name, 1)) || lower(substr(name, 2)), split(email, '@')[1]::string, length(name), trim(name), initcap(name), ltrim(name, '0') from customers
select "ID", "TOTAL" from "SHOP"."PUBLIC"."ORDERS" where "TOTAL" > 5
select max_by(status, created_at), min_by(status, created_at), any_value(status), mode(status), stddev(total), variance(total), covar_pop(total, discount) from orders group by customer_id
select id, total from orders order by 2 desc nulls last limit 10 offset 5
select d.value::date from table(flatten(split('2024-01-01,2024-01-02', ','))) d
select current_date - 7, current_timestamp(), dateadd('hour', -1, current_timestamp), date_trunc('quarter', current_date()), last_day(current_date, 'month'), previous_day(current_date, 'mo')
with recursive d as (select '2024-01-01'::date as d union all select dateadd(day, 1, d) from d where d < '2024-01-10') select * from d
select o.$1 from (values (1)) o
select mode(status), max(iff(status = 'paid', total, null)), sum(case when status = 'void' then 1 else 0 end) / count(*) * 100 as pct from orders
select try_to_number(status), try_to_decimal('1.5', 10, 2), try_to_timestamp('x'), is_null_value(payload:d), typeof(payload), as_varchar(payload:c), array_contains('a'::variant, split('a,b', ',')) from orders
select * from orders sample row (10 rows)
select st.id from orders as st where st.created_at::date between '2024-01-01' and '2024-01-31' and contains(lower(st.status), 'paid') and st.status ilike '%a%' escape '\\'
SELECT id, total FROM order WHERE total > 1 ORDER BY order.total
SELECT COUNT(*) FROM orders JOIN order ON order.id = orders.id
# a third round, of an analyst's own work
SELECT DATE_TRUNC('month', created_at) AS m, SUM(total), COUNT_IF(status = 'paid') FROM orders GROUP BY ALL ORDER BY m
SELECT payload:shipping.city::string AS city, f.value:sku::string AS sku FROM orders, LATERAL FLATTEN(input => items) f
SELECT * FROM orders QUALIFY RANK() OVER (PARTITION BY customer_id ORDER BY total DESC) = 1
SELECT LISTAGG(DISTINCT name, ', ') WITHIN GROUP (ORDER BY name), ARRAY_AGG(id) FROM products
SELECT DATEADD(day, -7, CURRENT_DATE()), DATEDIFF('week', created_at, ship_date), IFF(total > 1, 'a', 'b'), ZEROIFNULL(total) FROM orders
SELECT * FROM orders PIVOT (SUM(total) FOR status IN ('paid', 'sent')) AS p (id, customer_id)
SELECT SEQ4() AS n, DATEADD(day, n, '2024-01-01'::date) FROM TABLE(GENERATOR(ROWCOUNT => 365))
SELECT APPROX_PERCENTILE(total, 0.5), MEDIAN(total), MODE(status), OBJECT_CONSTRUCT('a', SUM(total)) FROM orders
SELECT * EXCLUDE (payload) RENAME (total AS amount) FROM orders LIMIT 10
SELECT name FROM customers WHERE name ILIKE ANY ('%li%', '王%') AND TRY_TO_NUMBER(segment) IS NULL
SELECT customer_id, MAX_BY(id, total), CONDITIONAL_TRUE_EVENT(total > 1) OVER (ORDER BY created_at) FROM orders GROUP BY customer_id, total, created_at
WITH RECURSIVE t (id, lvl) AS (SELECT id, 1 FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, t.lvl + 1 FROM employees e JOIN t ON e.manager_id = t.id) SELECT lvl, COUNT(*) FROM t GROUP BY lvl
SELECT TOP 5 SPLIT_PART(email, '@', 2) AS d, COUNT(*) FROM customers GROUP BY d ORDER BY 2 DESC NULLS LAST
SELECT e.id, o.id FROM events e ASOF JOIN orders o MATCH_CONDITION (e.ts >= o.created_at) ON e.user_id = o.customer_id
# sizes, samples and recursions
SELECT * FROM orders SAMPLE BERNOULLI (10)
SELECT * FROM orders TABLESAMPLE BLOCK (5) SEED (3)
SELECT * FROM orders SAMPLE (100 ROWS)
# a fourth round, written before the lists were read again
SELECT id, total FROM orders QUALIFY ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY total DESC NULLS LAST) <= 3
SELECT o.id, f.value:sku::STRING AS sku, f.index, f.value['qty']::NUMBER(10,2) FROM orders o, LATERAL FLATTEN(INPUT => o.payload:items, OUTER => TRUE) f WHERE o.payload:c::VARCHAR = 'x'
SELECT * FROM (SELECT status, MONTHNAME(created_at) AS m, total FROM orders) PIVOT (SUM(total) FOR m IN ('Jan', 'Feb', 'Mar')) AS p (status, jan, feb, mar)
SELECT DATE_TRUNC('QUARTER', created_at)::DATE AS q, DATEDIFF('day', MIN(created_at), MAX(ship_date)) AS d, MEDIAN(total), APPROX_PERCENTILE(total, 0.9), PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY total), LISTAGG(DISTINCT status, ',') WITHIN GROUP (ORDER BY status) FROM orders GROUP BY ALL
WITH RECURSIVE t AS (SELECT id, name, 1 AS lvl FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, e.name, t.lvl + 1 FROM employees e JOIN t ON e.manager_id = t.id) SELECT * FROM t WHERE lvl < 5
SELECT id, name, SYS_CONNECT_BY_PATH(name, '/') AS path, LEVEL FROM employees START WITH manager_id IS NULL CONNECT BY PRIOR id = manager_id
SELECT region, IFF(GROUPING(segment) = 1, 'all', segment), COUNT_IF(city = 'Oslo'), ARRAY_AGG(name) WITHIN GROUP (ORDER BY name), OBJECT_AGG(id::VARCHAR, name::VARIANT), RATIO_TO_REPORT(COUNT(*)) OVER () FROM customers GROUP BY GROUPING SETS ((region, segment), (region))
SELECT TRY_TO_NUMBER(status), TO_CHAR(created_at, 'YYYY-MM'), DATEADD(month, -1, CURRENT_DATE), LAST_DAY(created_at), CONVERT_TIMEZONE('UTC', 'Asia/Shanghai', created_at), TIME_SLICE(created_at, 15, 'MINUTE'), ZEROIFNULL(discount), NVL2(discount, 1, 0), DIV0(total, discount) FROM orders
SELECT $1 AS a, $2 AS b FROM VALUES (1, 'x'), (2, 'y')
SELECT SPLIT_PART(email, '@', 2), REGEXP_SUBSTR(email, '[a-z]+', 1, 1, 'e'), email ILIKE ANY ('%a%', '%b%'), PARSE_JSON('{"a":1}'):a::INT, ARRAY_CONTAINS('a'::VARIANT, ARRAY_CONSTRUCT('a', 'b')) FROM customers SAMPLE (10)
SELECT * FROM events MATCH_RECOGNIZE (PARTITION BY user_id ORDER BY ts MEASURES FIRST(ts) AS began, COUNT(*) AS n ONE ROW PER MATCH PATTERN (v c* b) DEFINE v AS name = 'view', c AS name = 'cart', b AS name = 'buy')
SELECT * EXCLUDE (payload) RENAME (total AS amount) FROM orders WHERE created_at > DATEADD('day', -30, CURRENT_TIMESTAMP()) AND status IN ('paid', 'new')
SELECT c.name, x.n FROM customers c LEFT JOIN LATERAL (SELECT COUNT(*) AS n FROM orders o WHERE o.customer_id = c.id) x
SELECT f.value:sku::string AS sku, SUM(f.value:qty::int) FROM orders o, LATERAL FLATTEN(input => o.items) f GROUP BY 1
SELECT payload:customer.name::varchar AS n FROM orders QUALIFY ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY created_at DESC) = 1
SELECT * FROM orders AT (OFFSET => -3600) LIMIT 10
# a fifth round, written before the lists were read; then rows of constants and recursions
SELECT * FROM orders QUALIFY ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY created_at DESC) = 1
SELECT payload:a.b::INT AS b, payload:items[0].sku::STRING AS sku FROM orders
SELECT o.id, f.value:sku::STRING, f.index FROM orders o, LATERAL FLATTEN(INPUT => o.items) f
SELECT TRY_TO_NUMBER(REPLACE(REPLACE('$1,200.00', '$'), ','), 12, 2), TO_NUMBER('$1,200.00', '$9,999.99', 10, 2), ZEROIFNULL(discount), DIV0(total, discount) FROM orders
SELECT * FROM (SELECT customer_id, status, total FROM orders) PIVOT (SUM(total) FOR status IN ('paid', 'void')) AS p
SELECT LISTAGG(DISTINCT name, ', ') WITHIN GROUP (ORDER BY name), APPROX_PERCENTILE(id, 0.9), MEDIAN(id) FROM customers GROUP BY city
SELECT DATEDIFF('day', created_at, ship_date), DATEADD(month, -3, CURRENT_DATE()), LAST_DAY(created_at), DAYNAME(created_at) FROM orders
SELECT ROW_NUMBER() OVER (ORDER BY SEQ4()) - 1 AS n, DATEADD('day', n, '2024-01-01'::DATE) AS d FROM TABLE(GENERATOR(ROWCOUNT => 366))
SELECT city, segment, COUNT(*), GROUPING_ID(city, segment) FROM customers GROUP BY GROUPING SETS ((city), (segment), ())
SELECT REGEXP_SUBSTR(name, '\\d+')::INT, SPLIT_PART(name, 'e', 1), IFF(city ILIKE 'p%', 1, 0), NVL2(city, 1, 0) FROM customers
SELECT COUNT_IF(status = 'paid'), ARRAY_AGG(DISTINCT status), OBJECT_AGG(id::STRING, total::VARIANT), MAX_BY(id, total) FROM orders
SELECT s.value::STRING FROM customers, TABLE(SPLIT_TO_TABLE(name, 'e')) s
SELECT RATIO_TO_REPORT(total) OVER (PARTITION BY customer_id), CONDITIONAL_TRUE_EVENT(total > 5) OVER (ORDER BY id) FROM orders
SELECT o.id, e.name FROM orders o ASOF JOIN events e MATCH_CONDITION (o.created_at >= e.ts) ON o.customer_id = e.user_id
SELECT * EXCLUDE (payload) RENAME (total AS amount) FROM orders SAMPLE (10)
SELECT TO_CHAR(created_at, 'YYYY-MM-DD'), CONVERT_TIMEZONE('UTC', 'Europe/Paris', created_at), TIME_SLICE(created_at, 15, 'MINUTE') FROM orders
WITH RECURSIVE c AS (SELECT id, manager_id, 1 AS lvl FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, e.manager_id, c.lvl + 1 FROM employees e JOIN c ON e.manager_id = c.id) SELECT * FROM c
# a sixth round
SELECT DATE_PART('quarter', created_at) q, SUM(total) FROM orders GROUP BY 1
SELECT name, city FROM customers WHERE name ILIKE ANY ('%a%', '%b%') AND city RLIKE 'P.*'
SELECT id, total, SUM(total) OVER (PARTITION BY customer_id ORDER BY created_at ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM orders
SELECT ARRAY_SIZE(SPLIT(name, 'e')), TRY_TO_DATE('03/04/2024', 'DD/MM/YYYY'), EQUAL_NULL(city, 'x') FROM customers
SELECT * FROM VALUES (1, 'a'), (2, 'b') AS v(id, l) JOIN customers c ON c.id = v.id
SELECT DATEADD(DAY, ROW_NUMBER() OVER (ORDER BY NULL) - 1, '2024-01-01') FROM TABLE(GENERATOR(ROWCOUNT => 31))
