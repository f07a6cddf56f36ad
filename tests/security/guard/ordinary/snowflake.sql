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
