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
# written after the lists, and counted when they first ran (docs/guard.md)
SELECT TRUNC(created_at, 'MM') AS m, SUM(total) FROM orders GROUP BY TRUNC(created_at, 'MM') ORDER BY 1
SELECT TO_CHAR(created_at, 'YYYY-MM') ym, COUNT(*) FROM orders GROUP BY TO_CHAR(created_at, 'YYYY-MM')
SELECT ADD_MONTHS(created_at, 1), MONTHS_BETWEEN(ship_date, created_at), LAST_DAY(created_at), NEXT_DAY(created_at, 'MONDAY'), EXTRACT(YEAR FROM created_at), TRUNC(SYSDATE) - 7, SYSDATE - INTERVAL '1' DAY, SYSTIMESTAMP AT TIME ZONE 'UTC', TO_DATE('2024-01-01', 'YYYY-MM-DD'), TO_TIMESTAMP('2024-01-01 00:00:00', 'YYYY-MM-DD HH24:MI:SS'), NUMTODSINTERVAL(5, 'HOUR'), NUMTOYMINTERVAL(1, 'MONTH'), ship_date - created_at, CAST(created_at AS DATE), DATE '2024-01-01', TIMESTAMP '2024-01-01 00:00:00', INTERVAL '1-2' YEAR TO MONTH, INTERVAL '10' DAY, CURRENT_DATE, CURRENT_TIMESTAMP, LOCALTIMESTAMP, ROUND(SYSDATE, 'MONTH'), TO_CHAR(SYSDATE, 'IW'), FROM_TZ(CAST(created_at AS TIMESTAMP), 'UTC') FROM orders
SELECT NVL(discount, 0), NVL2(discount, 'y', 'n'), DECODE(status, 'paid', 1, 'void', 2, 0), COALESCE(discount, 0), NULLIF(total, 0), CASE WHEN total > 5 THEN 1 END, GREATEST(total, 5), LEAST(total, 5), LNNVL(total > 5) FROM orders WHERE LNNVL(total > 100)
SELECT LISTAGG(name, ', ') WITHIN GROUP (ORDER BY name) FROM products GROUP BY category
SELECT LISTAGG(name, ', ' ON OVERFLOW TRUNCATE '...' WITH COUNT) WITHIN GROUP (ORDER BY name) OVER (PARTITION BY category) FROM products
SELECT LISTAGG(DISTINCT category, ',') WITHIN GROUP (ORDER BY category) FROM products
SELECT MAX(total) KEEP (DENSE_RANK LAST ORDER BY created_at) FROM orders GROUP BY customer_id
SELECT MIN(status) KEEP (DENSE_RANK FIRST ORDER BY total DESC) OVER (PARTITION BY customer_id) FROM orders
SELECT MEDIAN(total), PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY total), PERCENTILE_DISC(0.9) WITHIN GROUP (ORDER BY total DESC), STATS_MODE(status), STDDEV(total), VARIANCE(total), CORR(total, discount), REGR_SLOPE(total, discount), APPROX_COUNT_DISTINCT(customer_id), RANK(50) WITHIN GROUP (ORDER BY total), COVAR_POP(total, discount), CUME_DIST(50) WITHIN GROUP (ORDER BY total) FROM orders
SELECT ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY created_at DESC), RATIO_TO_REPORT(total) OVER (), SUM(total) OVER (ORDER BY created_at RANGE BETWEEN INTERVAL '7' DAY PRECEDING AND CURRENT ROW), LAG(total, 1, 0) OVER (ORDER BY id), LAST_VALUE(total IGNORE NULLS) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), NTH_VALUE(total, 2) OVER (ORDER BY id), NTILE(4) OVER (ORDER BY total), FIRST_VALUE(total) IGNORE NULLS OVER (ORDER BY id) FROM orders
SELECT id FROM orders WHERE ROWNUM <= 5
SELECT id, total FROM orders ORDER BY total DESC FETCH FIRST 5 ROWS ONLY
SELECT id FROM orders ORDER BY total DESC OFFSET 5 ROWS FETCH NEXT 5 ROWS WITH TIES
SELECT id FROM orders ORDER BY total FETCH FIRST 10 PERCENT ROWS ONLY
SELECT LEVEL, LPAD(' ', 2 * (LEVEL - 1)) || name, SYS_CONNECT_BY_PATH(name, '/'), CONNECT_BY_ROOT name, CONNECT_BY_ISLEAF FROM employees START WITH manager_id IS NULL CONNECT BY PRIOR id = manager_id ORDER SIBLINGS BY name
SELECT name FROM employees CONNECT BY NOCYCLE PRIOR id = manager_id START WITH id = 1
SELECT DATE '2024-01-01' + LEVEL - 1 AS d FROM DUAL CONNECT BY LEVEL <= 31
SELECT REGEXP_SUBSTR('a,b,c', '[^,]+', 1, LEVEL) FROM DUAL CONNECT BY REGEXP_SUBSTR('a,b,c', '[^,]+', 1, LEVEL) IS NOT NULL AND LEVEL <= 10
WITH t (id, lvl) AS (SELECT id, 1 FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, t.lvl + 1 FROM employees e JOIN t ON e.manager_id = t.id) SEARCH DEPTH FIRST BY id SET ord CYCLE id SET is_cycle TO 'Y' DEFAULT 'N' SELECT * FROM t
SELECT * FROM (SELECT customer_id, status, total FROM orders) PIVOT (SUM(total) AS s FOR status IN ('paid' AS paid, 'void' AS void))
SELECT * FROM (SELECT id, total, discount FROM orders) UNPIVOT (amount FOR measure IN (total AS 'T', discount AS 'D'))
SELECT * FROM (SELECT id, total, discount FROM orders) UNPIVOT INCLUDE NULLS (amount FOR measure IN (total, discount))
SELECT region, city, COUNT(*), GROUPING(region), GROUPING_ID(region, city) FROM customers GROUP BY ROLLUP (region, city)
SELECT region, city, COUNT(*) FROM customers GROUP BY CUBE (region, city)
SELECT region, segment, COUNT(*) FROM customers GROUP BY GROUPING SETS ((region), (segment), ())
SELECT o.id, jt.sku, jt.qty FROM orders o, JSON_TABLE(o.items, '$[*]' COLUMNS (sku VARCHAR2(20) PATH '$.sku', qty NUMBER PATH '$.qty')) jt
SELECT JSON_VALUE(payload, '$.a.b' RETURNING NUMBER), JSON_QUERY(payload, '$.items' WITH WRAPPER), JSON_EXISTS(payload, '$.a'), JSON_OBJECT('id' VALUE id), JSON_ARRAYAGG(status ORDER BY id), JSON_OBJECTAGG(KEY status VALUE total), JSON_ARRAY(1, 2) FROM orders GROUP BY payload, id
SELECT id FROM orders WHERE JSON_EXISTS(payload, '$.items[*]?(@.qty > 2)') AND payload IS JSON
SELECT REGEXP_LIKE(name, '^n') FROM customers
SELECT name FROM customers WHERE REGEXP_LIKE(email, '^[a-z0-9]+@example\.com$', 'i')
SELECT REGEXP_SUBSTR(email, '[^@]+', 1, 2), REGEXP_REPLACE(name, '[0-9]+', ''), REGEXP_COUNT(name, 'a'), REGEXP_INSTR(name, '[0-9]'), INSTR(email, '@', 1, 1), SUBSTR(name, -2), LPAD(id, 5, '0'), RPAD(name, 10), INITCAP(name), TRANSLATE(name, 'a', 'b'), REPLACE(name, 'a'), TRIM(LEADING 'n' FROM name), LTRIM(name, 'n'), UPPER(name), LENGTH(name), CONCAT(name, city), name || '-' || city, ASCII(name), CHR(65), SOUNDEX(name), TO_NUMBER('12.5', '99.9'), TO_CHAR(1234.5, 'FM9,999.00'), NLS_UPPER(name), ORA_HASH(name), STANDARD_HASH(name, 'SHA256'), DUMP(name), VSIZE(name) FROM customers
SELECT ROUND(total, 2), TRUNC(total, 1), CEIL(total), FLOOR(total), MOD(id, 3), POWER(2, 3), SQRT(4), LN(2), LOG(10, 100), EXP(1), ABS(-1), SIGN(-1), WIDTH_BUCKET(total, 0, 100, 10), REMAINDER(7, 3), BITAND(5, 3), CAST(total AS NUMBER(10, 2)), TO_BINARY_DOUBLE('1.5'), NANVL(total, 0), SINH(1), ATAN2(1, 2) FROM orders
SELECT c.name, x.total FROM customers c CROSS APPLY (SELECT o.total FROM orders o WHERE o.customer_id = c.id ORDER BY o.total DESC FETCH FIRST 1 ROW ONLY) x
SELECT c.name, x.total FROM customers c, LATERAL (SELECT MAX(o.total) AS total FROM orders o WHERE o.customer_id = c.id) x
SELECT c.name, o.total FROM customers c, orders o WHERE c.id = o.customer_id (+)
SELECT id FROM orders MINUS SELECT id FROM customers
SELECT id FROM orders INTERSECT SELECT id FROM customers UNION ALL SELECT id FROM products
SELECT * FROM DUAL
SELECT "编号", "金额" FROM "订单" WHERE "金额" > 10
SELECT COUNT(*) FROM "ORDER"
SELECT o.* FROM SHOP.ORDERS o WHERE o.status IN ('paid', 'new') AND o.total BETWEEN 1 AND 10 AND o.status IS NOT NULL AND o.status != 'x' AND o.status <> 'y' AND o.status ^= 'z'
SELECT name FROM customers WHERE (id, region) IN (SELECT customer_id, 'r1' FROM orders)
SELECT id FROM products WHERE price >= ALL (SELECT price FROM products) OR price > ANY (1, 2, 3)
SELECT /*+ PARALLEL(o, 4) INDEX(o ix) */ COUNT(*) FROM orders o
SELECT * FROM orders SAMPLE BLOCK (5) SEED (1)
SELECT * FROM orders AS OF TIMESTAMP (SYSTIMESTAMP - INTERVAL '1' HOUR)
SELECT * FROM orders MATCH_RECOGNIZE (PARTITION BY customer_id ORDER BY created_at MEASURES FIRST(up.total) AS s, LAST(up.total) AS e ONE ROW PER MATCH PATTERN (strt up+) DEFINE up AS up.total > PREV(up.total))
SELECT country, prod, year, s FROM (SELECT region country, segment prod, 1 year, 2 s FROM customers)
SELECT XMLAGG(XMLELEMENT(E, name || ',')).EXTRACT('//text()') FROM customers
SELECT RTRIM(XMLAGG(XMLELEMENT(e, name, ',') ORDER BY name).getClobVal(), ',') FROM products
WITH q AS (SELECT /*+ MATERIALIZE */ customer_id, SUM(total) s FROM orders GROUP BY customer_id) SELECT * FROM q WHERE s > (SELECT AVG(s) FROM q)
SELECT CASE status WHEN 'paid' THEN 'P' ELSE 'N' END k, COUNT(*) FROM orders GROUP BY CASE status WHEN 'paid' THEN 'P' ELSE 'N' END HAVING COUNT(*) > 1
SELECT TO_CHAR(created_at, 'D'), TO_CHAR(created_at, 'DAY', 'NLS_DATE_LANGUAGE=ENGLISH'), TO_CHAR(created_at, 'HH24') FROM orders
SELECT e.name, m.name FROM employees e LEFT OUTER JOIN employees m ON e.manager_id = m.id ORDER BY e.salary DESC NULLS LAST
SELECT APPROX_PERCENTILE(0.5) WITHIN GROUP (ORDER BY total), ANY_VALUE(status), BIT_AND_AGG(id), SKEWNESS_POP(total), KURTOSIS_SAMP(total), CHECKSUM(id) FROM orders
SELECT total FROM orders WHERE created_at >= TO_DATE('01-JAN-2024', 'DD-MON-YYYY') AND status LIKE 'p\_%' ESCAPE '\'
SELECT q'[it's]' FROM DUAL
SELECT COUNT(*) OVER () AS n, o.id FROM orders o NATURAL JOIN (SELECT id FROM products) FULL OUTER JOIN customers c ON c.id = o.customer_id
SELECT USERENV_LIKE FROM (SELECT 1 AS USERENV_LIKE FROM DUAL)
SELECT id FROM orders ORDER BY DBMS_RANDOM.VALUE FETCH FIRST 5 ROWS ONLY
SELECT * FROM orders AS OF TIMESTAMP SYSDATE - 1
SELECT * FROM orders AS OF SCN 1
SELECT TO_CHAR(TRUNC(o.created_at, 'MONTH'), 'YYYY-MM') AS ym, COUNT(DISTINCT o.customer_id) AS buyers, ROUND(SUM(o.total) / NULLIF(COUNT(*), 0), 2) AS aov FROM orders o WHERE o.created_at >= ADD_MONTHS(TRUNC(SYSDATE, 'MM'), -12) GROUP BY TRUNC(o.created_at, 'MONTH') ORDER BY 1
WITH t AS (SELECT o.*, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY created_at DESC) rn FROM orders o) SELECT * FROM t WHERE rn = 1
SELECT c.name, NVL(SUM(o.total), 0) s FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.name HAVING COUNT(o.id) > 1 ORDER BY s DESC FETCH FIRST 10 ROWS ONLY
SELECT category, name, price FROM (SELECT p.*, DENSE_RANK() OVER (PARTITION BY category ORDER BY price DESC) r FROM products p) WHERE r <= 3
SELECT TO_CHAR(created_at, 'DY') d, COUNT(*) FROM orders GROUP BY TO_CHAR(created_at, 'DY') ORDER BY COUNT(*) DESC
SELECT (MAX(created_at) - MIN(created_at)) AS span, EXTRACT(DAY FROM (MAX(created_at) - MIN(created_at)) DAY TO SECOND) FROM orders
SELECT SUM(DECODE(status, 'paid', total, 0)) paid, SUM(CASE WHEN status = 'void' THEN 1 ELSE 0 END) void FROM orders
SELECT e.name, PRIOR e.name AS boss, LEVEL FROM employees e START WITH e.manager_id IS NULL CONNECT BY PRIOR e.id = e.manager_id AND LEVEL <= 5
SELECT TRUNC(SYSDATE) - LEVEL + 1 d FROM dual CONNECT BY LEVEL <= 30
SELECT d.d, COUNT(o.id) FROM (SELECT DATE '2024-01-01' + ROWNUM - 1 d FROM dual CONNECT BY LEVEL <= 31) d LEFT JOIN orders o ON TRUNC(o.created_at) = d.d GROUP BY d.d
SELECT SUBSTR(email, INSTR(email, '@') + 1) dom, COUNT(*) FROM customers GROUP BY SUBSTR(email, INSTR(email, '@') + 1)
SELECT o.id, o.total, SUM(o.total) OVER (PARTITION BY o.customer_id ORDER BY o.created_at ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) run FROM orders o
SELECT t.id, j.sku FROM orders t, JSON_TABLE(t.items, '$[*]' COLUMNS (sku VARCHAR2(20) PATH '$.sku' NULL ON EMPTY, qty NUMBER PATH '$.qty' DEFAULT 0 ON ERROR, NESTED PATH '$.tags[*]' COLUMNS (tag VARCHAR2(10) PATH '$'))) j
SELECT JSON_QUERY(payload, '$.items' RETURNING CLOB WITH ARRAY WRAPPER NULL ON ERROR) FROM orders
SELECT c.name FROM customers c WHERE c.id NOT IN (SELECT customer_id FROM orders WHERE customer_id IS NOT NULL) AND ROWNUM < 11
SELECT * FROM orders o WHERE o.total > (SELECT AVG(total) FROM orders) AND o.created_at BETWEEN DATE '2024-01-01' AND DATE '2024-12-31' + 1
SELECT NVL(TO_CHAR(discount), 'none'), CAST(total AS INTEGER), TO_NUMBER(TO_CHAR(created_at, 'YYYYMMDD')), CAST(id AS VARCHAR2(10)) FROM orders
SELECT region, LISTAGG(name, ', ') WITHIN GROUP (ORDER BY name) AS names, COUNT(*) FROM customers GROUP BY region
SELECT a.id FROM orders a WHERE EXISTS (SELECT NULL FROM order_items i WHERE i.order_id = a.id) UNION SELECT id FROM products MINUS SELECT 1 FROM dual
SELECT /*+ FIRST_ROWS(10) */ id, total FROM orders ORDER BY total DESC
SELECT PERCENT_RANK() OVER (ORDER BY total), CUME_DIST() OVER (ORDER BY total), NTILE(10) OVER (ORDER BY total DESC NULLS LAST) FROM orders
SELECT MONTHS_BETWEEN(SYSDATE, hired) / 12 AS years, ROUND(salary / 12, 2), TRUNC(hired, 'YEAR'), hired + INTERVAL '1' YEAR FROM employees
SELECT COUNT(*) FROM orders WHERE created_at > SYSTIMESTAMP - NUMTODSINTERVAL(7, 'DAY') AND REGEXP_LIKE(status, '^(paid|new)$', 'i')
SELECT id, total FROM order WHERE total > 1 ORDER BY order.total
SELECT COUNT(*) FROM orders JOIN order ON order.id = orders.id
# a third round, of an analyst's own work
SELECT * FROM (SELECT o.*, ROWNUM rn FROM (SELECT id, total FROM orders ORDER BY total DESC) o WHERE ROWNUM <= 20) WHERE rn > 10
SELECT TO_CHAR(created_at, 'YYYY-MM') ym, SUM(total), RATIO_TO_REPORT(SUM(total)) OVER () FROM orders GROUP BY TO_CHAR(created_at, 'YYYY-MM')
SELECT LPAD(' ', 2 * (LEVEL - 1)) || name, SYS_CONNECT_BY_PATH(name, '/') FROM employees START WITH manager_id IS NULL CONNECT BY NOCYCLE PRIOR id = manager_id ORDER SIBLINGS BY name
SELECT department, LISTAGG(name, ', ') WITHIN GROUP (ORDER BY hired) FROM employees GROUP BY department
SELECT NVL(region, '未知'), DECODE(segment, 'A', 1, 'B', 2, 0), COUNT(*) FROM customers GROUP BY NVL(region, '未知'), DECODE(segment, 'A', 1, 'B', 2, 0)
SELECT ADD_MONTHS(TRUNC(SYSDATE, 'MM'), -LEVEL) AS m FROM DUAL CONNECT BY LEVEL <= 12
SELECT id FROM orders ORDER BY total DESC OFFSET 5 ROWS FETCH NEXT 10 ROWS WITH TIES
SELECT * FROM (SELECT status, total FROM orders) PIVOT (SUM(total) AS s FOR status IN ('paid' AS paid, 'sent' AS sent))
SELECT c.name, SUM(o.total) FROM customers c, orders o WHERE c.id = o.customer_id (+) GROUP BY c.name
SELECT MONTHS_BETWEEN(SYSDATE, hired) / 12 AS years, EXTRACT(YEAR FROM hired) FROM employees WHERE hired > DATE '2020-01-01'
SELECT j.sku FROM orders o, JSON_TABLE(o.items, '$[*]' COLUMNS (sku VARCHAR2(20) PATH '$.sku')) j
SELECT REGEXP_SUBSTR(email, '[^@]+$'), COUNT(*) FROM customers GROUP BY REGEXP_SUBSTR(email, '[^@]+$') FETCH FIRST 5 PERCENT ROWS ONLY
SELECT /*+ PARALLEL(o 4) */ COUNT(*) FROM orders o SAMPLE (10)
SELECT MEDIAN(total), STATS_MODE(status), WIDTH_BUCKET(MAX(total), 0, 100, 5) FROM orders
# sizes, samples and recursions
SELECT RPAD('*', COUNT(*), '*') AS bar, status FROM orders GROUP BY status
SELECT COUNT(*) FROM orders SAMPLE BLOCK (5) SEED (1)
WITH t (id, lvl) AS (SELECT id, 1 FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, t.lvl + 1 FROM employees e, t WHERE e.manager_id = t.id) SELECT lvl, COUNT(*) FROM t GROUP BY lvl
# a fourth round, written before the lists were read again
SELECT LPAD(' ', 2 * (LEVEL - 1)) || name AS shown, CONNECT_BY_ROOT name AS boss, SYS_CONNECT_BY_PATH(name, '/') FROM employees START WITH manager_id IS NULL CONNECT BY NOCYCLE PRIOR id = manager_id ORDER SIBLINGS BY name
SELECT TO_CHAR(TRUNC(created_at, 'Q'), 'YYYY"-Q"Q') AS q, SUM(total) KEEP (DENSE_RANK LAST ORDER BY created_at) AS last_total, MEDIAN(total), LISTAGG(status, ', ' ON OVERFLOW TRUNCATE) WITHIN GROUP (ORDER BY status) FROM orders GROUP BY TRUNC(created_at, 'Q')
SELECT * FROM (SELECT status, EXTRACT(MONTH FROM created_at) AS m, total FROM orders) PIVOT (SUM(total) AS s FOR m IN (1 AS jan, 2 AS feb))
SELECT id, total FROM orders ORDER BY total DESC NULLS LAST OFFSET 5 ROWS FETCH NEXT 10 PERCENT ROWS WITH TIES
SELECT o.id, j.sku, j.qty FROM orders o, JSON_TABLE(o.payload, '$.items[*]' COLUMNS (sku VARCHAR2(20) PATH '$.sku', qty NUMBER PATH '$.qty')) j
SELECT NVL(city, '?'), DECODE(region, 'r0', 'North', 'r1', 'South', 'Other'), NVL2(referrer_id, 'Y', 'N'), REGEXP_SUBSTR(email, '[^@]+', 1, 2), INSTR(email, '@', -1), SUBSTR(name, -3), TO_NUMBER('12' DEFAULT 0 ON CONVERSION ERROR) FROM customers WHERE ROWNUM <= 10
SELECT MONTHS_BETWEEN(SYSDATE, hired) / 12 AS years, ADD_MONTHS(hired, 12), NEXT_DAY(hired, 'MONDAY'), hired + INTERVAL '1' YEAR, NUMTODSINTERVAL(3, 'HOUR'), CAST(hired AS TIMESTAMP) AT TIME ZONE 'UTC', DATE '2024-01-01' - hired FROM employees
WITH t (id, lvl) AS (SELECT id, 1 FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, t.lvl + 1 FROM employees e JOIN t ON e.manager_id = t.id) SELECT lvl, COUNT(*) FROM t GROUP BY lvl
SELECT region, segment, GROUPING_ID(region, segment), COUNT(*), RATIO_TO_REPORT(COUNT(*)) OVER () FROM customers GROUP BY CUBE(region, segment)
SELECT c.name, t.total FROM customers c OUTER APPLY (SELECT o.total FROM orders o WHERE o.customer_id = c.id ORDER BY o.total DESC FETCH FIRST 1 ROW ONLY) t
SELECT a.name, b.total FROM customers a, orders b WHERE a.id = b.customer_id (+) AND b.status (+) = 'paid'
SELECT total, NTILE(4) OVER (ORDER BY total), PERCENTILE_DISC(0.9) WITHIN GROUP (ORDER BY total) OVER (PARTITION BY status), LAG(total IGNORE NULLS) OVER (ORDER BY id) FROM orders
SELECT q'[it's]' AS quoted, 'a' || CHR(10) || 'b' AS two, TO_DATE('2024-01-01', 'YYYY-MM-DD') + LEVEL - 1 AS d FROM dual CONNECT BY LEVEL <= 31
SELECT TO_DATE(status DEFAULT NULL ON CONVERSION ERROR, 'YYYY-MM-DD'), CAST(status AS NUMBER DEFAULT 0 ON CONVERSION ERROR) FROM orders
SELECT x.n, x.a, x.b FROM orders o, XMLTABLE(XMLNAMESPACES('http://example.com/x' AS "p"), '/p:r/p:i[@k="v" and position() < 3]' PASSING o.payload COLUMNS n FOR ORDINALITY, a NUMBER PATH '@id', b VARCHAR2(20) PATH 'fn:string-join(to/text(), ",")') x
SELECT x.n, x.a FROM orders o, XMLTABLE('for $i in /r/i where $i/@n > 3 return $i' PASSING o.payload COLUMNS n FOR ORDINALITY, a NUMBER PATH '@id') x
SELECT COLUMN_VALUE FROM XMLTABLE('"a","b","c"')
SELECT t.sku, SUM(t.qty) FROM orders o, JSON_TABLE(o.items, '$[*]' COLUMNS (sku VARCHAR2(20) PATH '$.sku', qty NUMBER PATH '$.qty')) t GROUP BY t.sku
SELECT c.name, (SELECT MAX(o.total) KEEP (DENSE_RANK LAST ORDER BY o.created_at) FROM orders o WHERE o.customer_id = c.id) AS m FROM customers c FETCH FIRST 10 ROWS ONLY
SELECT TRUNC(created_at, 'MM') AS m, LISTAGG(DISTINCT status, ',') WITHIN GROUP (ORDER BY status) FROM orders GROUP BY TRUNC(created_at, 'MM')
# a fifth round, written before the lists were read; then rows of constants and recursions
SELECT name, total FROM (SELECT c.name, o.total, ROW_NUMBER() OVER (PARTITION BY c.id ORDER BY o.total DESC) rn FROM customers c JOIN orders o ON o.customer_id = c.id) WHERE rn <= 3
SELECT LISTAGG(name, ', ') WITHIN GROUP (ORDER BY name) FROM customers GROUP BY city
SELECT LEVEL, LPAD(' ', 2 * (LEVEL - 1)) || name, SYS_CONNECT_BY_PATH(name, '/') FROM employees START WITH manager_id IS NULL CONNECT BY PRIOR id = manager_id ORDER SIBLINGS BY name
SELECT TO_NUMBER(REPLACE('$1,200.00', '$'), '9,999.99'), NVL(discount, 0), DECODE(status, 'paid', 1, 'void', 0, NULL) FROM orders
SELECT TO_CHAR(created_at, 'YYYY-MM'), MONTHS_BETWEEN(SYSDATE, created_at), ADD_MONTHS(TRUNC(SYSDATE), -3), LAST_DAY(created_at) FROM orders
SELECT * FROM orders ORDER BY total DESC FETCH FIRST 5 ROWS WITH TIES
SELECT * FROM orders WHERE created_at >= TO_DATE('2024-01-01', 'YYYY-MM-DD') AND ROWNUM <= 10
SELECT MEDIAN(total), PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY total), RATIO_TO_REPORT(SUM(total)) OVER () FROM orders GROUP BY customer_id
SELECT j.sku FROM orders o, JSON_TABLE(o.items, '$[*]' COLUMNS (sku VARCHAR2(20) PATH '$.sku', qty NUMBER PATH '$.qty')) j
SELECT JSON_VALUE(payload, '$.a.b' RETURNING NUMBER) FROM orders WHERE JSON_EXISTS(payload, '$.c')
SELECT c.name, o.id FROM customers c, orders o WHERE c.id = o.customer_id(+)
SELECT REGEXP_SUBSTR(name, '[0-9]+'), INSTR(name, 'a'), SUBSTR(name, 1, 3), INITCAP(city), NULLIF(city, 'Oslo') FROM customers WHERE REGEXP_LIKE(name, '^n', 'i')
SELECT city, segment, COUNT(*), GROUPING_ID(city, segment) FROM customers GROUP BY CUBE (city, segment)
SELECT created_at + NUMTODSINTERVAL(3, 'HOUR'), EXTRACT(YEAR FROM created_at), created_at - INTERVAL '1' DAY, CAST(total AS NUMBER(10,2)) FROM orders
# a sixth round
SELECT ROUND(AVG(total), 2), COUNT(CASE WHEN status = 'paid' THEN 1 END) FROM orders WHERE created_at BETWEEN DATE '2024-01-01' AND DATE '2024-12-31'
SELECT TO_CHAR(created_at, 'IYYY-IW') w, SUM(total) FROM orders GROUP BY TO_CHAR(created_at, 'IYYY-IW')
SELECT name, NTH_VALUE(name, 2) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM customers
SELECT GREATEST(total, discount), LEAST(total, 5), SIGN(total), MOD(id, 2), TRUNC(total, 1) FROM orders
SELECT COALESCE(TO_CHAR(discount), 'none'), NVL2(discount, 'y', 'n'), LENGTH(status) FROM orders OFFSET 5 ROWS FETCH NEXT 5 ROWS ONLY
