# ordinary analysis in Oracle
SELECT TRUNC(created_at, 'MM') AS month, SUM(total) FROM orders WHERE created_at >= ADD_MONTHS(SYSDATE, -6) GROUP BY TRUNC(created_at, 'MM') ORDER BY 1
SELECT TO_CHAR(created_at, 'YYYY-MM') AS m, NVL(SUM(total), 0), NVL2(MAX(discount), 1, 0), DECODE(status, 'a', 1, 0) FROM orders GROUP BY TO_CHAR(created_at, 'YYYY-MM'), DECODE(status, 'a', 1, 0)
SELECT LISTAGG(name, ', ') WITHIN GROUP (ORDER BY name) FROM customers
SELECT LISTAGG(DISTINCT name, ', ' ON OVERFLOW TRUNCATE) WITHIN GROUP (ORDER BY name) FROM customers
SELECT LEVEL, name, SYS_CONNECT_BY_PATH(name, '/'), CONNECT_BY_ROOT name, CONNECT_BY_ISLEAF FROM employees START WITH manager_id IS NULL CONNECT BY PRIOR id = manager_id ORDER SIBLINGS BY name
SELECT LEVEL AS n FROM DUAL CONNECT BY LEVEL <= 12
SELECT * FROM (SELECT id, total FROM orders ORDER BY total DESC) WHERE ROWNUM <= 10
SELECT id FROM orders ORDER BY total DESC FETCH FIRST 10 ROWS ONLY
SELECT id FROM orders ORDER BY total DESC OFFSET 5 ROWS FETCH NEXT 10 ROWS ONLY
SELECT MAX(total) KEEP (DENSE_RANK LAST ORDER BY created_at) FROM orders
SELECT * FROM (SELECT customer_id, status, total FROM orders) PIVOT (SUM(total) FOR status IN ('paid' AS paid, 'void' AS void))
SELECT * FROM products UNPIVOT (v FOR k IN (price, id))
SELECT region, city, COUNT(*), GROUPING_ID(region, city) FROM customers GROUP BY ROLLUP (region, city)
SELECT region, city, COUNT(*) FROM customers GROUP BY GROUPING SETS ((region), (city))
WITH t (id, lvl) AS (SELECT id, 1 FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, t.lvl + 1 FROM employees e JOIN t ON e.manager_id = t.id) SELECT * FROM t
SELECT REGEXP_SUBSTR(email, '@(.+)', 1, 1, NULL, 1), REGEXP_REPLACE(name, 'a', 'b'), INSTR(email, '@'), SUBSTR(email, 1, 3), INITCAP(name) FROM customers WHERE REGEXP_LIKE(email, '^a')
SELECT MONTHS_BETWEEN(ship_date, created_at), LAST_DAY(created_at), NEXT_DAY(created_at, 'MONDAY'), EXTRACT(YEAR FROM created_at), created_at + INTERVAL '1' DAY, NUMTODSINTERVAL(1, 'HOUR'), TO_DATE('2024-01-01', 'YYYY-MM-DD'), DATE '2024-01-01' FROM orders
SELECT jt.sku FROM orders o, JSON_TABLE(o.payload, '$[*]' COLUMNS (sku VARCHAR2(20) PATH '$.sku')) jt
SELECT JSON_VALUE(payload, '$.a'), JSON_QUERY(payload, '$.b') FROM orders
SELECT RATIO_TO_REPORT(total) OVER (), PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY total) OVER (PARTITION BY status), LAG(total, 1, 0) OVER (ORDER BY id), NTILE(4) OVER (ORDER BY total) FROM orders
SELECT MEDIAN(total), STATS_MODE(status), STDDEV(total), CORR(total, discount), COUNT(DISTINCT status), APPROX_COUNT_DISTINCT(id) FROM orders
SELECT id FROM orders MINUS SELECT order_id FROM order_items
SELECT c.name, o.total FROM customers c, orders o WHERE c.id = o.customer_id(+)
SELECT c.name, l.s FROM customers c CROSS APPLY (SELECT SUM(o.total) AS s FROM orders o WHERE o.customer_id = c.id) l
SELECT c.name, l.s FROM customers c, LATERAL (SELECT SUM(o.total) AS s FROM orders o WHERE o.customer_id = c.id) l
SELECT 1 FROM DUAL
SELECT SYSDATE, SYSTIMESTAMP, CURRENT_DATE, ROWNUM FROM DUAL
SELECT o.id FROM shop.orders o
SELECT shop.orders.id FROM shop.orders
SELECT "编号", "金额" FROM "订单"
SELECT /*+ FULL(o) */ o.id FROM orders o
SELECT CASE WHEN total > 1 THEN 'a' ELSE 'b' END, TO_NUMBER('1'), CAST(total AS NUMBER(10, 2)), ROUND(total, 2), MOD(id, 2), TRIM(status), LPAD(id, 5, '0'), status || 'x' FROM orders
SELECT * FROM orders SAMPLE (10)
SELECT o.ROWID, o.id FROM orders o
SELECT c.id FROM customers c WHERE EXISTS (SELECT NULL FROM orders o WHERE o.customer_id = c.id) AND c.city IN (SELECT city FROM customers GROUP BY city HAVING COUNT(*) > 1)
SELECT FIRST_VALUE(total IGNORE NULLS) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), SUM(total) OVER (PARTITION BY status ORDER BY created_at RANGE BETWEEN INTERVAL '7' DAY PRECEDING AND CURRENT ROW) FROM orders
SELECT * FROM orders MATCH_RECOGNIZE (PARTITION BY customer_id ORDER BY created_at MEASURES a.total AS t ONE ROW PER MATCH PATTERN (a b+) DEFINE b AS b.total > PREV(b.total))
SELECT x.id FROM orders x JOIN customers y USING (id)
SELECT TO_CHAR(created_at, 'D'), TRUNC(SYSDATE) - TRUNC(created_at), GREATEST(1, 2), COALESCE(discount, 0), NULLIF(total, 0), FROM_TZ(CAST(created_at AS TIMESTAMP), 'UTC') AT TIME ZONE 'Asia/Shanghai' FROM orders
SELECT e.name, LEVEL lvl, LPAD(' ', 2 * (LEVEL - 1)) || e.name AS tree FROM employees e START WITH e.manager_id IS NULL CONNECT BY NOCYCLE PRIOR e.id = e.manager_id
SELECT TRUNC(SYSDATE) - LEVEL + 1 AS d FROM dual CONNECT BY LEVEL <= 30
SELECT TO_CHAR(o.created_at, 'IYYY-IW') wk, COUNT(*) FROM orders o GROUP BY TO_CHAR(o.created_at, 'IYYY-IW')
SELECT COUNT(*) FROM orders WHERE created_at >= TO_DATE('2024-01-01', 'YYYY-MM-DD') AND created_at < TO_DATE('2024-01-01', 'YYYY-MM-DD') + 1
SELECT customer_id, SUM(total) KEEP (DENSE_RANK FIRST ORDER BY created_at DESC) OVER (PARTITION BY customer_id) FROM orders
SELECT id, LAG(total) IGNORE NULLS OVER (ORDER BY id), LEAD(total, 1) OVER (ORDER BY id), RANK() OVER (PARTITION BY status ORDER BY total DESC NULLS LAST) FROM orders
SELECT REGEXP_COUNT(name, 'a'), REGEXP_INSTR(name, 'a'), INSTR(name, 'a', 1, 2), TRANSLATE(name, 'abc', 'xyz'), SUBSTR(name, -3), LENGTH(name), UPPER(name), LTRIM(name, '0'), CONCAT(name, city), ASCII('a'), CHR(65), REPLACE(name, 'a') FROM customers
SELECT EXTRACT(DAY FROM (ship_date - created_at)), CAST(created_at AS DATE), TO_TIMESTAMP('2024', 'YYYY'), created_at - NUMTOYMINTERVAL(1, 'MONTH'), ROUND(created_at, 'MM'), TO_NUMBER(TO_CHAR(created_at, 'YYYY')), INTERVAL '1' MONTH, TIMESTAMP '2024-01-01 00:00:00', TZ_OFFSET('UTC'), SYS_EXTRACT_UTC(SYSTIMESTAMP) FROM orders
SELECT CASE WHEN total > 1 THEN 1 ELSE 0 END, DECODE(SIGN(total), 1, 'p', 'n'), GREATEST(1, 2), TRUNC(total, 2), CEIL(total), MOD(id, 2), POWER(2, 3), NULLIF(1, 1), COALESCE(discount, 0), LNNVL(total > 1) FROM orders WHERE LNNVL(total > 1)
SELECT * FROM (SELECT o.*, ROWNUM rn FROM (SELECT * FROM orders ORDER BY total DESC) o WHERE ROWNUM <= 20) WHERE rn > 10
SELECT status, COUNT(*), RATIO_TO_REPORT(COUNT(*)) OVER () FROM orders GROUP BY status
SELECT c.name FROM customers c WHERE c.id IN (SELECT customer_id FROM orders WHERE total > (SELECT AVG(total) FROM orders))
SELECT o.id, c.name FROM orders o LEFT OUTER JOIN customers c ON c.id = o.customer_id WHERE o.status = 'x' OR c.city IS NULL
SELECT o.id FROM orders o, customers c WHERE o.customer_id (+) = c.id
SELECT XMLAGG(XMLELEMENT(e, name || ',')).EXTRACT('//text()') FROM customers
SELECT WM_CONCAT(name), COLLECT(name), STATS_MODE(city) FROM customers
SELECT JSON_OBJECT('a' VALUE id, 'b' VALUE total), JSON_ARRAYAGG(id), JSON_OBJECTAGG(status VALUE total) FROM orders GROUP BY id, total
SELECT o.payload.a.b FROM orders o
SELECT id FROM orders INTERSECT SELECT order_id FROM order_items UNION ALL SELECT 1 FROM dual
SELECT id, NTILE(4) OVER (ORDER BY total), CUME_DIST() OVER (ORDER BY total), PERCENT_RANK() OVER (ORDER BY total), FIRST_VALUE(total) OVER (ORDER BY id) FROM orders
SELECT 'it''s', q'[it's]', N'x', 1.5e3, .5 FROM dual
SELECT city, LISTAGG(name, ';') WITHIN GROUP (ORDER BY name) OVER (PARTITION BY region) FROM customers
SELECT COUNT(*) FROM orders SAMPLE (5) SEED (1)
SELECT APPROX_COUNT_DISTINCT(id), MEDIAN(total), PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY total), STDDEV_POP(total), VAR_SAMP(total), REGR_SLOPE(total, discount), CORR_S(total, discount) FROM orders
WITH a AS (SELECT /*+ MATERIALIZE */ * FROM orders) SELECT COUNT(*) FROM a
SELECT NVL(status, 'x') s FROM orders GROUP BY CUBE(status) ORDER BY s NULLS FIRST
