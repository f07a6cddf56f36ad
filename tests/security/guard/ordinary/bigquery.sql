# ordinary analysis in BigQuery
SELECT DATE_TRUNC(DATE(created_at), MONTH) AS month, SUM(total) FROM shop.orders WHERE created_at >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 90 DAY) GROUP BY month ORDER BY month
SELECT DATE_TRUNC(created_at, WEEK(MONDAY)), DATE_DIFF(ship_date, created_at, DAY), DATE_ADD(created_at, INTERVAL 1 MONTH), EXTRACT(ISOWEEK FROM created_at), FORMAT_DATE('%Y-%m', created_at), TIMESTAMP_DIFF(created_at, ship_date, SECOND) FROM shop.orders
SELECT * FROM `proj.shop.orders` WHERE total > 1
SELECT o.id FROM `proj`.`shop`.`orders` AS o
SELECT id, tag FROM shop.products, UNNEST(tags) AS tag
SELECT id, tag, pos FROM shop.products CROSS JOIN UNNEST(tags) AS tag WITH OFFSET AS pos
SELECT p.id, t FROM shop.products p, p.tags AS t
SELECT item.sku, item.qty FROM shop.orders, UNNEST(items) AS item WHERE item.qty > 1
SELECT * EXCEPT (email) FROM shop.customers
SELECT * REPLACE (UPPER(name) AS name) FROM shop.customers
SELECT ARRAY_AGG(STRUCT(id, total) ORDER BY total DESC LIMIT 3) FROM shop.orders GROUP BY customer_id
SELECT ARRAY(SELECT x FROM UNNEST([1, 2, 3]) AS x WHERE x > 1), ARRAY_LENGTH(tags), tags[OFFSET(0)], tags[SAFE_OFFSET(1)], ARRAY_TO_STRING(tags, ',') FROM shop.products
SELECT APPROX_QUANTILES(total, 100)[OFFSET(90)], APPROX_COUNT_DISTINCT(id), APPROX_TOP_COUNT(status, 3), COUNTIF(total > 1), ANY_VALUE(status), LOGICAL_OR(total > 1) FROM shop.orders
SELECT SAFE_DIVIDE(total, discount), SAFE_CAST(status AS INT64), IF(total > 1, 'a', 'b'), IFNULL(discount, 0), COALESCE(discount, 1), SAFE.SUBSTR(status, 0, 1), NET.REG_DOMAIN('http://a.b') FROM shop.orders
SELECT customer_id, total FROM shop.orders WHERE TRUE QUALIFY ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY total DESC) = 1
SELECT * FROM (SELECT customer_id, status, total FROM shop.orders) PIVOT (SUM(total) FOR status IN ('paid', 'void'))
SELECT * FROM shop.products UNPIVOT (v FOR k IN (price, id))
SELECT JSON_VALUE(payload, '$.a'), JSON_QUERY(payload, '$.b'), JSON_EXTRACT_SCALAR(payload, '$.c'), payload.d, TO_JSON_STRING(o), PARSE_JSON('{}') FROM shop.orders AS o
SELECT d FROM UNNEST(GENERATE_DATE_ARRAY('2024-01-01', '2024-12-31', INTERVAL 1 DAY)) AS d
SELECT n FROM UNNEST(GENERATE_ARRAY(1, 10)) AS n
WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t WHERE n < 10) SELECT n FROM t
SELECT REGEXP_CONTAINS(email, r'@example\.com$'), REGEXP_EXTRACT(email, r'@(.+)$'), REGEXP_REPLACE(name, r'a', 'b'), SPLIT(email, '@')[OFFSET(1)], STARTS_WITH(name, 'a'), LOWER(name) FROM shop.customers
SELECT PERCENTILE_CONT(total, 0.5) OVER (PARTITION BY status), LAG(total) OVER (ORDER BY created_at), SUM(total) OVER (ORDER BY UNIX_DATE(DATE(created_at)) RANGE BETWEEN 6 PRECEDING AND CURRENT ROW) FROM shop.orders
SELECT id FROM shop.orders EXCEPT DISTINCT SELECT order_id FROM shop.order_items
SELECT id FROM shop.orders UNION ALL SELECT id FROM shop.customers ORDER BY id LIMIT 5
SELECT region, city, COUNT(*) FROM shop.customers GROUP BY ROLLUP (region, city)
SELECT region, city, COUNT(*) FROM shop.customers GROUP BY GROUPING SETS ((region), (city), ())
SELECT STRING_AGG(DISTINCT name, ', ' ORDER BY name LIMIT 10), CORR(id, id), STDDEV(id), VAR_SAMP(id) FROM shop.customers
SELECT AS STRUCT id, name FROM shop.customers
SELECT STRUCT(1 AS a, 'x' AS b).a, STRUCT<x INT64, y STRING>(1, 'a'), [1, 2, 3], ARRAY<INT64>[1, 2], DATE '2024-01-01', TIMESTAMP '2024-01-01 00:00:00+00', NUMERIC '1.5', b'a', r'\n'
SELECT * FROM shop.orders TABLESAMPLE SYSTEM (10 PERCENT)
SELECT c.name, o.total FROM shop.customers c LEFT JOIN shop.orders o USING (id)
SELECT c.* FROM shop.customers c FULL JOIN shop.orders o ON o.customer_id = c.id
SELECT PARSE_DATE('%Y%m%d', '20240101'), FORMAT_TIMESTAMP('%H', created_at, 'Asia/Shanghai'), DATETIME(created_at, 'UTC'), TIMESTAMP_TRUNC(created_at, HOUR), EXTRACT(DAYOFWEEK FROM created_at), CURRENT_DATE('Asia/Shanghai'), TIMESTAMP_MILLIS(0) FROM shop.orders
SELECT 编号, `金额` FROM shop.订单
SELECT CASE WHEN total > 1 THEN 'a' ELSE 'b' END AS k, COUNT(*) FROM shop.orders GROUP BY k HAVING COUNT(*) > 1
SELECT o.id FROM shop.orders o WHERE EXISTS (SELECT 1 FROM UNNEST(o.items) i WHERE i.qty > 1)
SELECT (SELECT COUNT(*) FROM UNNEST(tags) t WHERE t LIKE 'a%') AS n FROM shop.products
SELECT orders.id FROM shop.orders WHERE orders.total IN UNNEST([1.0, 2.0])
SELECT FORMAT('%.2f', total), ROUND(total, 2), GENERATE_UUID(), FARM_FINGERPRINT(status), TO_HEX(MD5(status)), CAST(total AS STRING FORMAT '999'), DIV(5, 2), MOD(5, 2), IEEE_DIVIDE(1, 2) FROM shop.orders
SELECT LAST_VALUE(total IGNORE NULLS) OVER (ORDER BY id), COUNT(DISTINCT customer_id), MAX(total) OVER w FROM shop.orders GROUP BY id, total WINDOW w AS (ORDER BY id)
SELECT o.* FROM shop.orders AS o WHERE DATE(o.created_at) BETWEEN DATE_SUB(CURRENT_DATE(), INTERVAL 7 DAY) AND CURRENT_DATE()
SELECT id, name FROM customers LIMIT 10
SELECT FORMAT_DATE('%B %Y', DATE(created_at)) AS m, SUM(total) s FROM shop.orders GROUP BY m ORDER BY MIN(created_at)
SELECT event.name, event.value FROM shop.events AS event
SELECT (SELECT p.value FROM UNNEST(props) p WHERE p.key = 'page') AS page FROM shop.events
SELECT user_id, COUNT(*) FROM shop.events, UNNEST(props) AS p WHERE p.key = 'x' AND p.value.int_value > 1 GROUP BY user_id
SELECT e.user_id, p.key, p.value.string_value FROM shop.events e LEFT JOIN UNNEST(e.props) p
SELECT ARRAY_AGG(x IGNORE NULLS ORDER BY x DESC LIMIT 5)[SAFE_OFFSET(0)] FROM UNNEST([1, 2, NULL]) AS x
SELECT STRUCT(id AS a, total AS b) AS s FROM shop.orders
SELECT s.a, s.* FROM (SELECT STRUCT(1 AS a, 2 AS b) AS s)
SELECT TIMESTAMP_TRUNC(created_at, MONTH), DATETIME_TRUNC(DATETIME(created_at), WEEK), DATE_TRUNC(DATE(created_at), ISOWEEK), TIMESTAMP_ADD(created_at, INTERVAL 1 HOUR), DATETIME_DIFF(DATETIME(ship_date), DATETIME(created_at), MINUTE), DATE_DIFF(CURRENT_DATE(), DATE(created_at), WEEK(MONDAY)), EXTRACT(DATE FROM created_at), EXTRACT(HOUR FROM created_at AT TIME ZONE 'Asia/Shanghai'), LAST_DAY(DATE(created_at), MONTH), UNIX_SECONDS(created_at), TIMESTAMP_SECONDS(0), DATE(2024, 1, 1), PARSE_TIMESTAMP('%Y-%m-%d', '2024-01-01'), created_at + INTERVAL 1 DAY, GENERATE_TIMESTAMP_ARRAY(created_at, ship_date, INTERVAL 1 HOUR) FROM shop.orders
SELECT SUM(IF(status = 'paid', total, 0)), COUNTIF(status = 'x') / COUNT(*), AVG(total) OVER (PARTITION BY status ORDER BY created_at ROWS BETWEEN 6 PRECEDING AND CURRENT ROW), MAX(total) FROM shop.orders GROUP BY total, status, created_at
SELECT id, RANK() OVER (ORDER BY total DESC) AS r FROM shop.orders QUALIFY r <= 10
SELECT id FROM shop.orders WHERE status IN ('a', 'b') AND total IS NOT NULL AND LOWER(status) LIKE '%x%' AND NOT REGEXP_CONTAINS(status, r'^\d+$')
SELECT IFNULL(NULL, 1), NULLIF(1, 1), COALESCE(NULL, 1), GREATEST(1, 2), CASE 1 WHEN 1 THEN 'a' END, CAST('1' AS INT64), SAFE_CAST('x' AS FLOAT64), SAFE_DIVIDE(1, 0), ROUND(1.5), TRUNC(1.5), CEIL(1.2), MOD(5, 2), DIV(5, 2), POW(2, 3), SQRT(4), LN(2), LOG(8, 2), ABS(-1), SIGN(-1), RAND(), IS_NAN(1), SAFE_MULTIPLY(1, 2)
SELECT CONCAT('a', 'b'), 'a' || 'b', SUBSTR('abc', 1, 2), LENGTH('a'), CHAR_LENGTH('a'), UPPER('a'), TRIM(' a '), LPAD('1', 3, '0'), REPLACE('a', 'a', 'b'), SPLIT('a,b', ','), STRPOS('a', 'a'), INSTR('a', 'a'), REVERSE('a'), REPEAT('a', 3), ENDS_WITH('a', 'a'), FORMAT('%d', 1), TO_BASE64(b'a'), MD5('a'), SHA256('a'), INITCAP('a'), CONTAINS_SUBSTR('a', 'b'), NORMALIZE('a', NFC), REGEXP_EXTRACT_ALL('a', r'a'), REGEXP_INSTR('a', 'a'), EDIT_DISTANCE('a', 'b'), SOUNDEX('a')
SELECT * FROM (SELECT status, total FROM shop.orders) PIVOT (SUM(total) AS s, COUNT(*) AS n FOR status IN ('paid' AS p, 'void' AS v))
SELECT * FROM shop.orders UNPIVOT INCLUDE NULLS (v FOR k IN (total AS 'T', discount AS 'D'))
WITH a AS (SELECT 1 AS x UNION ALL SELECT 2), b AS (SELECT x * 2 AS y FROM a) SELECT a.x, b.y FROM a CROSS JOIN b WHERE a.x < b.y
WITH RECURSIVE t AS (SELECT id, manager_id FROM shop.employees WHERE manager_id IS NULL UNION ALL SELECT e.id, e.manager_id FROM shop.employees e JOIN t ON e.manager_id = t.id) SELECT * FROM t
SELECT id FROM shop.orders INTERSECT DISTINCT SELECT order_id FROM shop.order_items
(SELECT id FROM shop.orders LIMIT 1) UNION ALL (SELECT id FROM shop.customers LIMIT 1)
SELECT JSON_EXTRACT(payload, '$.a'), JSON_VALUE_ARRAY(payload, '$.t'), JSON_QUERY_ARRAY(payload, '$.t'), payload.items[0].sku, INT64(payload.n), STRING(payload.s), LAX_INT64(payload.n), JSON_TYPE(payload), TO_JSON(STRUCT(1 AS a)), BOOL(payload.b) FROM shop.orders
SELECT k FROM UNNEST(['a', 'b']) AS k WITH OFFSET off ORDER BY off
SELECT * FROM UNNEST([STRUCT(1 AS a, 'x' AS b), STRUCT(2, 'y')])
SELECT x.a FROM UNNEST([STRUCT(1 AS a)]) AS x
SELECT d, COUNT(o.id) FROM UNNEST(GENERATE_DATE_ARRAY(DATE '2024-01-01', DATE '2024-01-31')) AS d LEFT JOIN shop.orders o ON DATE(o.created_at) = d GROUP BY d
SELECT CORR(total, discount), STDDEV_POP(total), VARIANCE(total), APPROX_QUANTILES(total, 4), PERCENTILE_DISC(total, 0.5) OVER (), BIT_AND(id), STRING_AGG(status), ARRAY_CONCAT_AGG(items), LOGICAL_AND(total > 1), MAX_BY(id, total), HLL_COUNT.INIT(id), ANY_VALUE(status HAVING MAX total) FROM shop.orders GROUP BY total
SELECT c.id, o.id FROM `shop.customers` c JOIN `shop.orders` o ON c.id = o.customer_id
SELECT `o`.`id` FROM `proj.shop.orders` `o`
SELECT t.id FROM `proj`.shop.orders t
SELECT proj.shop.orders.id FROM proj.shop.orders
SELECT shop.orders.id FROM shop.orders
SELECT NET.HOST('http://x'), NET.IP_FROM_STRING('1.1.1.1'), ST_DISTANCE(ST_GEOGPOINT(1, 2), ST_GEOGPOINT(3, 4)), GENERATE_UUID(), FARM_FINGERPRINT('x'), RANGE_BUCKET(1, [0, 1]), CURRENT_DATETIME(), CURRENT_TIME()
SELECT FIRST_VALUE(total) OVER w, LEAD(total, 1, 0) OVER w, NTILE(4) OVER w, CUME_DIST() OVER w FROM shop.orders WINDOW w AS (PARTITION BY status ORDER BY total)
SELECT status, COUNT(*) FROM shop.orders GROUP BY ALL
SELECT status, GROUPING(status), COUNT(*) FROM shop.orders GROUP BY CUBE (status, customer_id)
SELECT DISTINCT city FROM shop.customers ORDER BY city COLLATE 'und:ci'
SELECT MAKE_INTERVAL(1, 2), INTERVAL '1-2' YEAR TO MONTH, JUSTIFY_DAYS(INTERVAL 35 DAY), EXTRACT(DAY FROM INTERVAL 35 DAY)
SELECT * FROM shop.orders WHERE _PARTITIONDATE = '2024-01-01'
# written after the lists, and counted when they first ran (docs/guard.md)
SELECT DATE_TRUNC(DATE(created_at), MONTH) AS m, SUM(total) AS s FROM `proj.shop.orders` GROUP BY m ORDER BY m
SELECT FORMAT_DATE('%Y-%m', DATE(created_at)) AS ym, COUNTIF(status = 'paid') FROM shop.orders GROUP BY 1
SELECT TIMESTAMP_TRUNC(created_at, WEEK(MONDAY)), DATE_DIFF(DATE(ship_date), DATE(created_at), DAY), TIMESTAMP_DIFF(ship_date, created_at, HOUR), DATE_ADD(CURRENT_DATE(), INTERVAL 1 MONTH), DATE_SUB(CURRENT_DATE('Asia/Shanghai'), INTERVAL 7 DAY), TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 30 DAY), EXTRACT(ISOWEEK FROM created_at), EXTRACT(DAYOFWEEK FROM created_at AT TIME ZONE 'UTC'), LAST_DAY(DATE(created_at), QUARTER), PARSE_DATE('%Y%m%d', '20240101'), PARSE_TIMESTAMP('%F %T', '2024-01-01 00:00:00'), FORMAT_TIMESTAMP('%c', created_at), UNIX_SECONDS(created_at), TIMESTAMP_MILLIS(1700000000000), DATETIME(created_at, 'Asia/Shanghai'), DATETIME_TRUNC(DATETIME(created_at), HOUR), DATETIME_ADD(DATETIME '2024-01-01 00:00:00', INTERVAL 1 HOUR), TIME(created_at), GENERATE_DATE_ARRAY('2024-01-01', '2024-02-01', INTERVAL 1 WEEK), DATE(2024, 1, 1), TIMESTAMP('2024-01-01'), INTERVAL 1 DAY + INTERVAL 2 HOUR FROM orders
SELECT customer_id, total FROM orders WHERE TRUE QUALIFY ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY total DESC) = 1
SELECT o.id, item.sku, off FROM orders o, UNNEST(o.items) AS item WITH OFFSET AS off WHERE item.qty > 1
SELECT o.id, (SELECT SUM(i.qty) FROM UNNEST(o.items) i) AS units, ARRAY_LENGTH(o.items), o.items[OFFSET(0)].sku, o.items[SAFE_OFFSET(5)], o.items[ORDINAL(1)] FROM orders o
SELECT o.id, item FROM orders o LEFT JOIN UNNEST(o.items) AS item
SELECT ARRAY(SELECT AS STRUCT name, price FROM products ORDER BY price DESC LIMIT 3) AS top
SELECT AS STRUCT id, total FROM orders
SELECT ARRAY_AGG(STRUCT(id, total) ORDER BY total DESC LIMIT 3) AS top3 FROM orders GROUP BY customer_id
SELECT ARRAY_AGG(DISTINCT status IGNORE NULLS), STRING_AGG(status, ',' ORDER BY status LIMIT 5), ARRAY_CONCAT_AGG(arr), APPROX_QUANTILES(total, 100)[OFFSET(50)], APPROX_COUNT_DISTINCT(customer_id), APPROX_TOP_COUNT(status, 3), APPROX_TOP_SUM(status, total, 2), LOGICAL_OR(total > 5), ANY_VALUE(status HAVING MAX total), MAX_BY(status, total), MIN_BY(status, total), COUNTIF(total > 5), STDDEV_SAMP(total), VAR_POP(total), CORR(total, discount), COVAR_SAMP(total, discount), BIT_OR(id), HLL_COUNT.INIT(customer_id) FROM orders, (SELECT [1] AS arr)
SELECT PERCENTILE_CONT(total, 0.5) OVER (PARTITION BY customer_id), PERCENTILE_DISC(total, 0.9) OVER (), LAG(total) OVER w, FIRST_VALUE(status IGNORE NULLS) OVER w, NTILE(4) OVER (ORDER BY total), SUM(total) OVER (PARTITION BY customer_id ORDER BY UNIX_SECONDS(created_at) RANGE BETWEEN 604800 PRECEDING AND CURRENT ROW) FROM orders WINDOW w AS (PARTITION BY customer_id ORDER BY created_at)
SELECT JSON_VALUE(payload, '$.a.b'), JSON_QUERY(payload, '$.items'), JSON_EXTRACT_SCALAR(payload, '$.c'), JSON_VALUE_ARRAY(payload, '$.x'), JSON_QUERY_ARRAY(payload, '$.items'), payload.a.b, INT64(payload.n), LAX_STRING(payload.c), TO_JSON_STRING(payload), PARSE_JSON('{"a":1}'), JSON_TYPE(payload), JSON_KEYS(payload), TO_JSON(STRUCT(1 AS a)), STRING(payload.c), JSON_OBJECT('a', 1), JSON_ARRAY(1, 2), BOOL(payload.flag), FLOAT64(payload.n), JSON_SET(payload, '$.z', 1), JSON_STRIP_NULLS(payload), JSON_REMOVE(payload, '$.a') FROM orders
SELECT SAFE_DIVIDE(total, discount), SAFE_CAST(status AS INT64), SAFE.PARSE_DATE('%F', status), SAFE.SUBSTR(status, 0, 2), IEEE_DIVIDE(1, 0), SAFE_MULTIPLY(1, 2), SAFE_ADD(1, 2), SAFE_NEGATE(1), IF(total > 5, 'a', 'b'), IFNULL(discount, 0), COALESCE(discount, 0), NULLIF(total, 0), CASE WHEN total > 5 THEN 1 END, DIV(7, 2), MOD(7, 2), ROUND(total, 2), TRUNC(total), CEIL(total), FLOOR(total), POW(2, 3), SQRT(4), LN(2), LOG(100, 10), LOG10(100), EXP(1), ABS(-1), SIGN(-1), GREATEST(1, 2), LEAST(1, 2), RAND(), RANGE_BUCKET(total, [0, 10, 50]), IS_NAN(total), IS_INF(total), CAST(total AS NUMERIC), CAST(total AS STRING), CAST(id AS FLOAT64), CBRT(8), COSINE_DISTANCE([1.0], [2.0]) FROM orders
SELECT REGEXP_CONTAINS(email, r'@example\.com$'), REGEXP_EXTRACT(email, r'^([^@]+)@'), REGEXP_EXTRACT_ALL(name, r'\d'), REGEXP_REPLACE(name, r'\d+', ''), REGEXP_INSTR(name, 'a'), SPLIT(email, '@')[OFFSET(1)], STARTS_WITH(name, 'n'), ENDS_WITH(name, '1'), CONTAINS_SUBSTR(name, 'AM'), STRPOS(name, 'a'), INSTR(name, 'a'), SUBSTR(name, 1, 3), LEFT(name, 2), RIGHT(name, 2), LPAD(name, 10, '0'), CONCAT(name, '-', city), name || city, UPPER(name), INITCAP(name), TRIM(name), REPLACE(name, 'a', 'b'), REVERSE(name), REPEAT('a', 3), LENGTH(name), CHAR_LENGTH(name), BYTE_LENGTH(name), FORMAT('%05d', id), FORMAT("%'.2f", 1234.5), NORMALIZE(name), SOUNDEX(name), TRANSLATE(name, 'a', 'b'), TO_HEX(MD5(name)), TO_BASE64(SHA256(name)), FARM_FINGERPRINT(name), EDIT_DISTANCE(name, email), GENERATE_UUID(), TO_CODE_POINTS(name), ASCII(name), CHR(65), UNICODE(name), COLLATE(name, 'und:ci'), NET.HOST('https://a.b/c'), NET.REG_DOMAIN('https://a.b/c') FROM customers
SELECT * FROM (SELECT customer_id, status, total FROM orders) PIVOT (SUM(total) AS s, COUNT(*) AS n FOR status IN ('paid', 'void' AS v))
SELECT * FROM (SELECT id, total, discount FROM orders) UNPIVOT (amount FOR measure IN (total AS 't', discount AS 'd'))
SELECT * FROM (SELECT id, total, discount FROM orders) UNPIVOT INCLUDE NULLS (amount FOR measure IN (total, discount))
SELECT * EXCEPT (items, payload) FROM orders
SELECT * REPLACE (ROUND(total) AS total) FROM orders
SELECT region, city, COUNT(*) FROM customers GROUP BY ROLLUP (region, city)
SELECT region, city, COUNT(*), GROUPING(region) FROM customers GROUP BY GROUPING SETS ((region), (city), ())
SELECT region, city, COUNT(*) FROM customers GROUP BY CUBE (region, city)
WITH RECURSIVE org AS (SELECT id, name, 0 AS lvl FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, e.name, o.lvl + 1 FROM employees e JOIN org o ON e.manager_id = o.id) SELECT * FROM org ORDER BY lvl
SELECT d, COUNT(o.id) FROM UNNEST(GENERATE_DATE_ARRAY('2024-01-01', '2024-01-31')) AS d LEFT JOIN orders o ON DATE(o.created_at) = d GROUP BY d
SELECT n FROM UNNEST(GENERATE_ARRAY(1, 10, 2)) AS n
SELECT ts FROM UNNEST(GENERATE_TIMESTAMP_ARRAY('2024-01-01', '2024-01-02', INTERVAL 1 HOUR)) AS ts
SELECT id FROM orders UNION DISTINCT SELECT id FROM customers
SELECT id FROM orders EXCEPT DISTINCT SELECT id FROM customers
SELECT id FROM orders INTERSECT DISTINCT SELECT id FROM customers
SELECT * FROM orders TABLESAMPLE SYSTEM (10 PERCENT)
SELECT o.id FROM orders o JOIN customers c USING (id) CROSS JOIN products p
SELECT id FROM orders WHERE status IN UNNEST(['paid', 'new'])
SELECT id FROM orders WHERE customer_id IN (SELECT id FROM customers WHERE region = 'r1') AND status IS DISTINCT FROM 'x' AND status LIKE ANY ('p%', 'n%')
SELECT [1, 2, 3][OFFSET(0)], ARRAY<INT64>[1, 2], STRUCT<a INT64, b STRING>(1, 'x').a, ARRAY_TO_STRING(['a'], ','), ARRAY_REVERSE([1, 2]), ARRAY_CONCAT([1], [2]), GENERATE_ARRAY(1, 3), ARRAY_FIRST([1]), ARRAY_SLICE([1, 2, 3], 0, 1), ARRAY_IS_DISTINCT([1]), (1, 2), DATE '2024-01-01', TIMESTAMP '2024-01-01 00:00:00+00', NUMERIC '1.5', b'abc', r'\d', """multi"""
SELECT `编号`, `金额` FROM `订单`
SELECT `order`.id FROM `proj`.`shop`.`order` AS `order`
SELECT t.id, t.total FROM proj.shop.orders AS t WHERE t._PARTITIONTIME >= TIMESTAMP('2024-01-01')
SELECT COUNT(*) FROM orders FOR SYSTEM_TIME AS OF TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 HOUR)
SELECT customer_id, SUM(total) AS s FROM orders GROUP BY ALL HAVING s > 10 ORDER BY s DESC LIMIT 10 OFFSET 5
SELECT user_id, TIMESTAMP_DIFF(ts, LAG(ts) OVER (PARTITION BY user_id ORDER BY ts), MINUTE) > 30 AS new_session FROM events
SELECT ST_DISTANCE(ST_GEOGPOINT(1, 2), ST_GEOGPOINT(3, 4)), ST_WITHIN(ST_GEOGPOINT(1, 2), ST_GEOGFROMTEXT('POLYGON((0 0,1 0,1 1,0 0))')), ST_ASTEXT(ST_GEOGPOINT(1, 2)), ST_DWITHIN(ST_GEOGPOINT(1, 2), ST_GEOGPOINT(1, 3), 1000)
SELECT HLL_COUNT.MERGE(h) FROM (SELECT HLL_COUNT.INIT(customer_id) AS h FROM orders GROUP BY status)
FROM orders |> WHERE total > 10 |> AGGREGATE SUM(total) AS s GROUP BY customer_id |> ORDER BY s DESC |> LIMIT 5
FROM orders |> EXTEND total * 2 AS twice |> SELECT id, twice
SELECT FORMAT('%t', total), ROUND(SUM(total) / SUM(SUM(total)) OVER (), 4) FROM orders GROUP BY total
SELECT DATE_TRUNC(created_at, ISOWEEK), DATE_TRUNC(created_at, QUARTER), DATETIME_DIFF(DATETIME(ship_date), DATETIME(created_at), SECOND), DATE_FROM_UNIX_DATE(1), UNIX_DATE(DATE '2024-01-01'), TIME_TRUNC(TIME '10:10:10', HOUR), DATE_BUCKET(DATE '2024-01-01', INTERVAL 2 DAY), TIMESTAMP_BUCKET(created_at, INTERVAL 15 MINUTE), EXTRACT(DATE FROM created_at), CURRENT_DATETIME(), CURRENT_TIME() FROM orders
SELECT a.id FROM orders a, orders b WHERE a.id = b.id + 1
SELECT STRUCT(id, total) AS s, (SELECT AS STRUCT 1 AS a) AS t FROM orders
SELECT MAX(IF(status = 'paid', total, NULL)), SUM(CASE WHEN status = 'void' THEN 1 ELSE 0 END) FROM orders
WITH a AS (SELECT 1 AS x), b AS (SELECT * FROM a) SELECT * FROM b CROSS JOIN UNNEST([1, 2]) AS y
SELECT FLOOR(total / 10) * 10 AS bucket, COUNT(*) FROM orders GROUP BY bucket ORDER BY bucket
SELECT name FROM products WHERE EXISTS (SELECT 1 FROM UNNEST(tags) t WHERE t = 'a')
SELECT PARSE_NUMERIC('1.5'), CAST('2024-01-01' AS DATE), CAST('1' AS INT64), CAST(created_at AS STRING FORMAT 'YYYY-MM-DD'), BIT_COUNT(7), 5 & 3, 5 | 3, 5 ^ 3, ~5, 1 << 2 FROM orders
SELECT * FROM shop.orders FOR SYSTEM_TIME AS OF TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 HOUR)
SELECT DATE(created_at) AS d, COUNT(DISTINCT customer_id) AS buyers, ROUND(SAFE_DIVIDE(SUM(total), COUNT(*)), 2) AS aov FROM `proj.shop.orders` WHERE DATE(created_at) BETWEEN DATE_SUB(CURRENT_DATE(), INTERVAL 30 DAY) AND CURRENT_DATE() GROUP BY d ORDER BY d DESC
WITH base AS (SELECT *, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY created_at) AS rn FROM `shop.orders`) SELECT * EXCEPT (rn) FROM base WHERE rn = 1
SELECT (SELECT value FROM UNNEST([STRUCT('a' AS key, 1 AS value)]) WHERE key = 'a') AS a
SELECT e.user_id, p.key, p.value.string_value FROM events e, UNNEST(e.props) AS p WHERE p.key = 'page'
SELECT user_id, ARRAY_AGG(name ORDER BY ts)[SAFE_OFFSET(0)] AS first_event, ARRAY_TO_STRING(ARRAY_AGG(DISTINCT name), '>') FROM events GROUP BY 1
SELECT IF(COUNT(*) = 0, NULL, SUM(total) / COUNT(*)), COUNT(1), ANY_VALUE(status) FROM orders
SELECT EXTRACT(YEAR FROM created_at) AS y, EXTRACT(WEEK(MONDAY) FROM created_at) AS w, FORMAT_TIMESTAMP('%Y-%m-%d %H:00', created_at, 'UTC') FROM orders
SELECT PERCENTILE_CONT(total, 0.5) OVER () AS median FROM orders LIMIT 1
SELECT customer_id, APPROX_QUANTILES(total, 4) AS q, STRING_AGG(CAST(id AS STRING), ',') FROM orders GROUP BY customer_id
SELECT * FROM orders WHERE created_at >= TIMESTAMP_TRUNC(CURRENT_TIMESTAMP(), MONTH) AND created_at < TIMESTAMP_ADD(TIMESTAMP_TRUNC(CURRENT_TIMESTAMP(), MONTH), INTERVAL 31 DAY)
SELECT c.name, o.total FROM customers AS c INNER JOIN orders AS o ON c.id = o.customer_id WHERE c.region IN ('r1', 'r2') AND NOT REGEXP_CONTAINS(c.email, r'test|spam')
SELECT TO_JSON_STRING(STRUCT(id, total)) FROM orders
SELECT CASE WHEN total < 10 THEN 'low' WHEN total < 50 THEN 'mid' ELSE 'high' END AS bucket, COUNT(*) AS n FROM orders GROUP BY bucket HAVING n > 1 ORDER BY n DESC
SELECT d, IFNULL(n, 0) FROM UNNEST(GENERATE_DATE_ARRAY(DATE '2024-01-01', DATE '2024-01-31', INTERVAL 1 DAY)) AS d LEFT JOIN (SELECT DATE(created_at) AS d, COUNT(*) AS n FROM orders GROUP BY 1) USING (d)
SELECT SUM(total) OVER (PARTITION BY customer_id ORDER BY created_at ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS running, LAST_VALUE(status IGNORE NULLS) OVER (PARTITION BY customer_id ORDER BY created_at) FROM orders
SELECT ARRAY(SELECT x * 2 FROM UNNEST([1, 2, 3]) AS x WHERE x > 1) AS doubled, ARRAY(SELECT DISTINCT x FROM UNNEST([1, 1]) x)
SELECT o.*, c.* EXCEPT (id) FROM orders o LEFT JOIN customers c ON o.customer_id = c.id
SELECT COUNT(*) AS `number of rows`, MAX(total) AS max_total FROM `proj`.shop.`orders`
SELECT JSON_VALUE(item, '$.sku') AS sku FROM orders, UNNEST(JSON_QUERY_ARRAY(payload, '$.items')) AS item
SELECT payload.items[0].sku, payload['c'], JSON_VALUE(payload.a.b) FROM orders
SELECT DATE_DIFF(MAX(DATE(created_at)), MIN(DATE(created_at)), DAY) AS recency, COUNT(*) AS frequency, SUM(total) AS monetary FROM orders GROUP BY customer_id
SELECT LAG(ts) OVER (PARTITION BY user_id ORDER BY ts) AS prev, TIMESTAMP_DIFF(ts, LAG(ts) OVER (PARTITION BY user_id ORDER BY ts), SECOND) AS gap FROM events
SELECT id FROM orders WHERE status IS NOT NULL AND (discount IS NULL OR discount = 0) AND status NOT IN ('void') LIMIT 100
SELECT GENERATE_UUID(), CURRENT_TIMESTAMP, CURRENT_DATE, SESSION_ID_LIKE FROM (SELECT 1 AS SESSION_ID_LIKE)
SELECT STRUCT(1 AS a, STRUCT(2 AS b) AS c).c.b, [1, 2][ORDINAL(1)]
SELECT COUNT(*) FROM orders o WHERE EXISTS (SELECT 1 FROM UNNEST(o.items) i WHERE i.sku = 'k')
SELECT name, SPLIT(name, ' ')[SAFE_OFFSET(1)], CONCAT(LEFT(name, 1), '***'), LOWER(TRIM(name)), CHAR_LENGTH(name) FROM customers WHERE name LIKE 'N%' OR LOWER(name) LIKE '%e'
SELECT * FROM (SELECT status, EXTRACT(MONTH FROM created_at) AS m, total FROM orders) PIVOT (SUM(total) FOR m IN (1, 2, 3))
SELECT id, total FROM orders ORDER BY total DESC NULLS LAST LIMIT 5
SELECT CAST(total AS INT64), CAST(created_at AS DATE), SAFE_CAST('x' AS FLOAT64), CAST('2024-01-01 00:00:00' AS TIMESTAMP), CAST(id AS BIGNUMERIC), CAST(NULL AS ARRAY<STRING>) FROM orders
SELECT customer_id, COUNT(*) FROM orders GROUP BY customer_id ORDER BY 2 DESC LIMIT 3
FROM orders |> AGGREGATE COUNT(*) AS n GROUP BY status |> WHERE n > 1
FROM orders |> JOIN customers ON orders.customer_id = customers.id |> SELECT customers.name, orders.total
SELECT id, total FROM order WHERE total > 1 ORDER BY order.total
SELECT COUNT(*) FROM orders JOIN order ON order.id = orders.id
# a third round, of an analyst's own work
SELECT FORMAT_DATE('%Y-%m', DATE(created_at)) AS ym, APPROX_COUNT_DISTINCT(customer_id), COUNTIF(status = 'paid') FROM `proj.shop.orders` GROUP BY ym
SELECT name, SAFE_DIVIDE(SUM(quantity * unit_price), SUM(quantity)) FROM shop.order_items JOIN shop.products ON id = product_id GROUP BY name
SELECT * EXCEPT (payload) REPLACE (ROUND(total, 1) AS total) FROM orders QUALIFY ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY created_at DESC) = 1
SELECT o.id, i.sku FROM orders AS o, UNNEST(JSON_QUERY_ARRAY(items)) AS i WITH OFFSET AS pos WHERE pos < 3
SELECT ARRAY_AGG(STRUCT(id, total) ORDER BY total DESC LIMIT 3) AS top FROM orders GROUP BY status
SELECT d, COUNT(o.id) FROM UNNEST(GENERATE_DATE_ARRAY('2024-01-01', '2024-12-31', INTERVAL 1 MONTH)) AS d LEFT JOIN orders o ON DATE_TRUNC(DATE(o.created_at), MONTH) = d GROUP BY d
SELECT APPROX_QUANTILES(total, 100)[OFFSET(50)], PERCENTILE_CONT(total, 0.5) OVER () FROM orders GROUP BY total
SELECT DATE_DIFF(CURRENT_DATE(), DATE(signup_date), DAY), TIMESTAMP_TRUNC(CURRENT_TIMESTAMP(), HOUR, 'Asia/Shanghai') FROM customers
SELECT REGEXP_EXTRACT(email, r'@(.+)$') AS domain, COUNT(*) AS n FROM customers GROUP BY 1 HAVING n > 1 ORDER BY n DESC
SELECT * FROM (SELECT status, total, EXTRACT(QUARTER FROM created_at) AS q FROM orders) PIVOT (SUM(total) FOR q IN (1, 2, 3, 4))
WITH t AS (SELECT [1, 2, 3] AS a) SELECT x, (SELECT SUM(v) FROM UNNEST(a) AS v) FROM t, t.a AS x
SELECT IF(total > 10, 'a', 'b'), LAST_VALUE(total IGNORE NULLS) OVER w FROM orders WINDOW w AS (ORDER BY created_at)
FROM orders |> WHERE total > 10 |> AGGREGATE SUM(total) AS s GROUP BY status |> ORDER BY s DESC |> LIMIT 5
SELECT JSON_VALUE(payload, '$.city') AS city, LOGICAL_OR(total > 1), STRING_AGG(DISTINCT status, ', ' ORDER BY status) FROM orders GROUP BY ROLLUP (city)
# sizes, samples and recursions
WITH RECURSIVE d AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM d WHERE n < 30) SELECT n FROM d
SELECT REPEAT('#', CAST(COUNT(*) / 10 AS INT64)) AS bar FROM orders GROUP BY status
# a fourth round, written before the lists were read again
SELECT FORMAT_DATE('%Y-%m', DATE(created_at)) AS m, SAFE_DIVIDE(SUM(total), COUNT(DISTINCT customer_id)) AS per, APPROX_QUANTILES(total, 100)[OFFSET(50)] AS med, COUNTIF(status = 'paid') FROM `proj.shop.orders` GROUP BY m
SELECT o.id, item.sku, pos FROM shop.orders AS o, UNNEST(o.items) AS item WITH OFFSET AS pos WHERE item.qty > 2
SELECT * EXCEPT (payload) REPLACE (ROUND(total, 2) AS total) FROM orders WHERE TRUE QUALIFY RANK() OVER (PARTITION BY customer_id ORDER BY total DESC) = 1
SELECT * FROM (SELECT status, EXTRACT(QUARTER FROM created_at) AS q, total FROM orders) PIVOT (SUM(total) AS s FOR q IN (1, 2, 3, 4))
SELECT d, COUNT(o.id) FROM UNNEST(GENERATE_DATE_ARRAY('2024-01-01', '2024-01-31', INTERVAL 1 DAY)) AS d LEFT JOIN orders o ON DATE(o.created_at) = d GROUP BY d
SELECT JSON_VALUE(payload, '$.a.b'), JSON_QUERY_ARRAY(payload, '$.items'), LAX_INT64(payload.n), SAFE_CAST(status AS INT64), PARSE_DATE('%Y%m%d', '20240101'), TIMESTAMP_DIFF(ship_date, created_at, HOUR), DATE_TRUNC(DATE(created_at), WEEK(MONDAY)), DATETIME(created_at, 'Asia/Shanghai') FROM orders
SELECT customer_id, ARRAY_AGG(STRUCT(id, total) ORDER BY total DESC LIMIT 3) AS top, STRING_AGG(DISTINCT status, ', '), ANY_VALUE(status HAVING MAX total), LOGICAL_OR(total > 50) FROM orders GROUP BY customer_id HAVING COUNT(*) > 1
SELECT REGEXP_EXTRACT(email, r'@(.+)$'), SPLIT(email, '@')[SAFE_OFFSET(1)], CONCAT(name, '\n'), NORMALIZE(name), TO_HEX(MD5(email)), FORMAT('%05d', id), IF(city IS NULL, '?', city), IFNULL(region, 'none') FROM customers
WITH RECURSIVE t AS (SELECT id, manager_id, 0 AS d FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, e.manager_id, d + 1 FROM employees e JOIN t ON e.manager_id = t.id WHERE d < 10) SELECT d, COUNT(*) FROM t GROUP BY d
SELECT PERCENTILE_CONT(total, 0.5) OVER (PARTITION BY status) AS p, LAST_VALUE(total IGNORE NULLS) OVER (PARTITION BY customer_id ORDER BY created_at ROWS BETWEEN 3 PRECEDING AND CURRENT ROW) AS v, CORR(total, discount) OVER () FROM orders
SELECT region, segment, GROUPING(region) AS g, COUNT(*) FROM customers GROUP BY ROLLUP(region, segment)
SELECT ARRAY(SELECT x * 2 FROM UNNEST(arr) AS x WHERE x > 1 ORDER BY x) AS doubled, ARRAY_LENGTH(arr), (SELECT SUM(x) FROM UNNEST(arr) x) AS s, ARRAY_TO_STRING(ARRAY<STRING>['a', 'b'], '-'), [1, 2, 3][ORDINAL(1)] FROM events
FROM orders |> WHERE status = 'paid' |> AGGREGATE SUM(total) AS s GROUP BY customer_id |> ORDER BY s DESC |> LIMIT 5
SELECT CAST(total AS NUMERIC(10, 2)) FROM orders
SELECT * FROM `proj.shop.orders` WHERE DATE(created_at) >= DATE_SUB(CURRENT_DATE(), INTERVAL 30 DAY)
SELECT * FROM `proj`.shop.orders FOR SYSTEM_TIME AS OF TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 HOUR)
SELECT o.id, i FROM shop.orders o, UNNEST(JSON_QUERY_ARRAY(o.items)) AS i WITH OFFSET pos ORDER BY pos
SELECT status, APPROX_QUANTILES(total, 4)[OFFSET(2)] AS med FROM shop.orders GROUP BY status QUALIFY RANK() OVER (ORDER BY COUNT(*) DESC) <= 3
SELECT * EXCEPT (email) REPLACE (UPPER(name) AS name) FROM shop.customers
# a fifth round, written before the lists were read; then rows of constants and recursions
SELECT DATE_TRUNC(DATE(created_at), MONTH) AS m, SUM(total) AS r FROM `proj.shop.orders` GROUP BY m ORDER BY m
SELECT APPROX_QUANTILES(total, 100)[OFFSET(90)], COUNTIF(status = 'paid'), SAFE_DIVIDE(SUM(total), COUNT(*)) FROM orders
SELECT * EXCEPT (payload) REPLACE (ROUND(total, 1) AS total) FROM orders QUALIFY RANK() OVER (PARTITION BY customer_id ORDER BY total DESC) = 1
SELECT o.id, i FROM orders o CROSS JOIN UNNEST(o.items) AS i WITH OFFSET pos WHERE pos < 2
SELECT SAFE_CAST(REPLACE(REPLACE('$1,200.00', '$', ''), ',', '') AS FLOAT64), REGEXP_EXTRACT(name, r'(\d+)'), SPLIT(name, 'e')[SAFE_OFFSET(0)] FROM customers
SELECT JSON_VALUE(payload, '$.a.b') AS b, JSON_EXTRACT_SCALAR(payload, '$.c') FROM orders
SELECT d, COUNT(o.id) FROM UNNEST(GENERATE_DATE_ARRAY('2024-01-01', '2024-12-31', INTERVAL 1 DAY)) AS d LEFT JOIN orders o ON DATE(o.created_at) = d GROUP BY d
SELECT * FROM (SELECT customer_id, status, total FROM orders) PIVOT (SUM(total) FOR status IN ('paid' AS p, 'void' AS v))
SELECT STRING_AGG(DISTINCT name, ', ' ORDER BY name LIMIT 3), ARRAY_AGG(STRUCT(id, name) ORDER BY id LIMIT 2) FROM customers GROUP BY city
SELECT DATE_DIFF(ship_date, created_at, DAY), TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 7 DAY), FORMAT_DATE('%Y-%m', DATE(created_at)), EXTRACT(ISOWEEK FROM created_at) FROM orders
SELECT city, segment, COUNT(*) FROM customers GROUP BY ROLLUP (city, segment)
SELECT (SELECT SUM(x) FROM UNNEST(arr) AS x) AS s, ARRAY(SELECT x * 2 FROM UNNEST(arr) x WHERE x > 1), ARRAY_LENGTH(arr) FROM events
WITH t AS (SELECT AS STRUCT 1 AS a, 'x' AS b) SELECT a, b FROM t
SELECT PERCENTILE_CONT(total, 0.5) OVER (PARTITION BY customer_id), LAST_VALUE(total IGNORE NULLS) OVER (ORDER BY id), IF(total > 1, 'a', 'b') FROM orders
SELECT id FROM orders TABLESAMPLE SYSTEM (10 PERCENT) WHERE created_at BETWEEN '2024-01-01' AND '2024-02-01'
FROM orders |> WHERE status = 'paid' |> AGGREGATE SUM(total) AS t GROUP BY customer_id |> ORDER BY t DESC |> LIMIT 5
SELECT PARSE_DATE('%d/%m/%Y', '03/04/2024'), FORMAT("%'d", 1200), NULLIF(TRIM(' '), ''), IFNULL(NULL, 0), COALESCE(NULL, 1)
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 10) SELECT i FROM n
SELECT t FROM UNNEST(GENERATE_TIMESTAMP_ARRAY('2024-01-01', '2024-02-01', INTERVAL 15 MINUTE)) AS t
# a sixth round
SELECT TIMESTAMP_TRUNC(created_at, HOUR) h, COUNT(*) FROM orders GROUP BY h
SELECT * FROM UNNEST([STRUCT(1 AS a, 'x' AS b), (2, 'y')])
SELECT t, COUNT(o.id) FROM UNNEST(GENERATE_TIMESTAMP_ARRAY('2024-01-01', '2024-01-08', INTERVAL 1 HOUR)) t LEFT JOIN orders o ON TIMESTAMP_TRUNC(o.created_at, HOUR) = t GROUP BY t
SELECT NTILE(10) OVER (ORDER BY total), APPROX_TOP_COUNT(status, 3) FROM orders GROUP BY total
SELECT REGEXP_REPLACE(name, r'[^a-z]', ''), LPAD(CAST(id AS STRING), 6, '0'), SAFE.PARSE_DATE('%Y', 'x') FROM customers
SELECT LOGICAL_OR(total > 5), ANY_VALUE(status HAVING MAX total) FROM orders
