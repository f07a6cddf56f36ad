# ordinary analysis in MySQL and MariaDB
SELECT DATE_FORMAT(created_at, '%Y-%m') AS month, SUM(total) FROM orders WHERE created_at >= DATE_SUB(CURDATE(), INTERVAL 6 MONTH) GROUP BY month ORDER BY month
SELECT `c`.`name`, COUNT(*) AS `n` FROM `customers` AS `c` LEFT JOIN `orders` AS `o` ON `o`.`customer_id` = `c`.`id` GROUP BY `c`.`name` HAVING `n` > 1 ORDER BY `n` DESC LIMIT 5, 10
SELECT GROUP_CONCAT(DISTINCT status ORDER BY status SEPARATOR '; ') FROM orders
SELECT IF(total > 100, 'big', 'small') AS size, COUNT(*) FROM orders GROUP BY size WITH ROLLUP
SELECT IFNULL(discount, 0), total DIV 2, total MOD 3, total % 3, status REGEXP '^p', status RLIKE 'x', NOT status <=> 'a' FROM orders
SELECT JSON_EXTRACT(payload, '$.a'), payload->'$.b', payload->>'$.c', JSON_UNQUOTE(JSON_EXTRACT(payload, '$.d')) FROM orders
SELECT jt.* FROM orders, JSON_TABLE(payload, '$[*]' COLUMNS (sku VARCHAR(20) PATH '$.sku', qty INT PATH '$.qty')) AS jt
SELECT customer_id, total, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY total DESC) AS rn, SUM(total) OVER (ORDER BY id ROWS 2 PRECEDING) FROM orders
WITH RECURSIVE seq AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM seq WHERE n < 12) SELECT seq.n, COUNT(o.id) FROM seq LEFT JOIN orders o ON MONTH(o.created_at) = seq.n GROUP BY seq.n
WITH RECURSIVE boss (id, name, lvl) AS (SELECT id, name, 1 FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, e.name, b.lvl + 1 FROM employees e INNER JOIN boss b ON e.manager_id = b.id) SELECT * FROM boss
SELECT TIMESTAMPDIFF(DAY, created_at, ship_date), DATEDIFF(ship_date, created_at), DATE_ADD(created_at, INTERVAL 1 DAY), created_at + INTERVAL 2 HOUR, LAST_DAY(created_at) FROM orders
SELECT YEAR(created_at), QUARTER(created_at), WEEK(created_at, 1), DAYNAME(created_at), UNIX_TIMESTAMP(created_at), FROM_UNIXTIME(0), STR_TO_DATE('2024-01-01', '%Y-%m-%d') FROM orders
SELECT CONVERT(total, CHAR), CAST(total AS UNSIGNED), CAST(total AS DECIMAL(10, 2)), CONVERT(name USING utf8mb4) FROM orders, customers
SELECT SUBSTRING_INDEX(email, '@', -1) AS domain, COUNT(*) FROM customers GROUP BY domain ORDER BY COUNT(*) DESC
SELECT * FROM orders WHERE status IN ('a', 'b') AND created_at BETWEEN '2024-01-01' AND '2024-12-31'
SELECT * FROM customers c WHERE EXISTS (SELECT * FROM orders o WHERE o.customer_id = c.id AND o.total > 100)
SELECT c.* FROM customers c LEFT JOIN orders o ON c.id = o.customer_id WHERE o.id IS NULL
SELECT id FROM orders UNION SELECT id FROM customers ORDER BY id DESC LIMIT 3
(SELECT id, total FROM orders ORDER BY total DESC LIMIT 3) UNION ALL (SELECT id, price FROM products ORDER BY price LIMIT 3)
SELECT t.status, t.n / SUM(t.n) OVER () AS share FROM (SELECT status, COUNT(*) AS n FROM orders GROUP BY status) AS t
SELECT o.id FROM orders o STRAIGHT_JOIN customers c ON c.id = o.customer_id
SELECT id FROM orders USE INDEX (idx) WHERE total > 5
SELECT `编号`, SUM(`金额`) FROM `订单` GROUP BY `编号`
SELECT * FROM `order`
SELECT CONCAT(name, ' <', email, '>'), CONCAT_WS('-', city, region), LPAD(id, 5, '0'), REPLACE(name, 'a', 'b'), CHAR_LENGTH(name), FIELD(city, 'a', 'b'), ELT(1, 'a') FROM customers
SELECT COUNT(DISTINCT customer_id, status), STD(total), BIT_AND(id), VAR_POP(total), AVG(DISTINCT total) FROM orders
SELECT MATCH(name) AGAINST ('shoe' IN NATURAL LANGUAGE MODE) AS score FROM products
SELECT CASE WHEN total > 1 THEN 'a' END AS k, MAX(total) FROM orders GROUP BY k ORDER BY NULL
SELECT DATE(created_at) AS d, HOUR(created_at) AS h, COUNT(*) FROM orders GROUP BY DATE(created_at), HOUR(created_at)
SELECT * FROM orders WHERE MONTH(created_at) = MONTH(CURRENT_DATE - INTERVAL 1 MONTH) AND YEAR(created_at) = YEAR(NOW())
SELECT a.name, b.name FROM employees a INNER JOIN employees b ON a.manager_id = b.id WHERE a.salary > b.salary
SELECT id, name FROM customers INNER JOIN orders USING (id)
SELECT 1 FROM DUAL
SELECT ROUND(SUM(total * (1 - discount / 100)), 2) AS net, FORMAT(SUM(total), 2) FROM orders WHERE total > 0 XOR discount > 0
SELECT l.total FROM customers c, LATERAL (SELECT o.total FROM orders o WHERE o.customer_id = c.id LIMIT 1) AS l
SELECT JSON_ARRAYAGG(name), JSON_OBJECTAGG(id, name), JSON_OBJECT('a', 1), JSON_CONTAINS(attrs, '1', '$.a'), 1 MEMBER OF('[1]') FROM products GROUP BY category
SELECT FIRST_VALUE(total) OVER w, NTH_VALUE(total, 2) OVER w FROM orders WINDOW w AS (ORDER BY id)
SELECT x'4D', b'01', 0x4D, _utf8'a', N'a', "double quoted", 'it''s', 'a\'b', TRUE
SELECT GREATEST(1, 2), SEC_TO_TIME(60), PERIOD_DIFF(202401, 202312), MAKEDATE(2024, 1), CONVERT_TZ(created_at, '+00:00', '+08:00') FROM orders
SELECT DATE_FORMAT(created_at, '%x-W%v') AS w, WEEKDAY(created_at), DAYOFWEEK(created_at), YEARWEEK(created_at, 3), TIME_TO_SEC(created_at), EXTRACT(YEAR_MONTH FROM created_at) FROM orders
SELECT id FROM orders INTERSECT SELECT order_id FROM order_items EXCEPT SELECT 1
SELECT * FROM orders o JOIN (SELECT customer_id, MAX(created_at) AS m FROM orders GROUP BY customer_id) l ON l.customer_id = o.customer_id AND l.m = o.created_at
SELECT COUNT(*) AS cnt, DATE(created_at) AS `date` FROM orders GROUP BY `date` ORDER BY `date` DESC
SELECT c.name, SUM(oi.quantity * oi.unit_price) AS revenue FROM customers c JOIN orders o ON o.customer_id = c.id JOIN order_items oi ON oi.order_id = o.id GROUP BY c.id ORDER BY revenue DESC LIMIT 10
SELECT * FROM orders WHERE created_at > NOW() - INTERVAL 7 DAY
SELECT * FROM orders WHERE created_at >= CURDATE() - INTERVAL WEEKDAY(CURDATE()) DAY
SELECT DATE_FORMAT(created_at, '%Y年%m月') AS 月份, SUM(total) AS 销售额 FROM orders GROUP BY 月份
SELECT SUM(IF(status='paid', total, 0)) AS paid, SUM(status = 'void') AS voids FROM orders
SELECT *, RANK() OVER (PARTITION BY category ORDER BY price DESC) rk FROM products
SELECT name, JSON_UNQUOTE(attrs->'$.color') c FROM products WHERE JSON_CONTAINS(tags, '"x"')
SELECT id, CAST(payload->>'$.n' AS SIGNED) FROM orders
SELECT ADDDATE(created_at, 7), ADDDATE(created_at, INTERVAL 1 MONTH), SUBDATE(created_at, 1), TIMESTAMPADD(MONTH, 1, created_at), DATE_ADD(created_at, INTERVAL '1:30' MINUTE_SECOND) FROM orders
SELECT EXTRACT(MONTH FROM created_at), DAYOFMONTH(created_at), MONTHNAME(created_at), WEEKOFYEAR(created_at), TO_DAYS(created_at), TIME_FORMAT(created_at, '%H:%i'), MICROSECOND(created_at), UTC_TIMESTAMP(), SYSDATE(), LOCALTIME() FROM orders
SELECT COALESCE(region, 'total') r, COUNT(*) FROM customers GROUP BY region WITH ROLLUP
SELECT a.id FROM orders a LEFT JOIN orders b ON a.customer_id = b.customer_id AND a.created_at < b.created_at WHERE b.id IS NULL
SELECT NULLIF(total, 0), total <=> NULL, ISNULL(total), total IS NOT NULL, total <> 1, !0, ~1, 1 ^ 2, 1 && 0, 1 || 0 FROM orders
SELECT BINARY name, name COLLATE utf8mb4_bin, CHAR(65 USING utf8mb4), HEX(name), LOWER(name), UCASE(name), MID(name, 1, 2), LOCATE('a', name), INSTR(name, 'a'), POSITION('a' IN name), REVERSE(name), TRIM(LEADING 'x' FROM name), SPACE(2), STRCMP(name, city), SUBSTRING(name FROM 2 FOR 3), INSERT(name,1,1,'x') FROM customers
SELECT AVG(total), STDDEV_POP(total), VAR_SAMP(total), BIT_OR(id), MIN(total), ANY_VALUE(status), JSON_ARRAYAGG(id) FROM orders
SELECT p.* FROM products p WHERE p.price > (SELECT AVG(price) FROM products WHERE category = p.category)
SELECT CASE MONTH(created_at) WHEN 1 THEN 'Jan' ELSE 'other' END m, COUNT(*) c FROM orders GROUP BY m HAVING c > 1 ORDER BY c
SELECT t.* FROM (SELECT o.*, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY created_at DESC) AS rn FROM orders o) t WHERE t.rn = 1
SELECT CONCAT(ROUND(100 * SUM(status='paid') / COUNT(*), 1), '%') FROM orders
WITH m AS (SELECT DATE_FORMAT(created_at,'%Y-%m') ym, SUM(total) s FROM orders GROUP BY ym) SELECT ym, s, LAG(s) OVER (ORDER BY ym) p, (s - LAG(s) OVER (ORDER BY ym)) / LAG(s) OVER (ORDER BY ym) g FROM m
SELECT id FROM orders WHERE status NOT REGEXP '^p' AND status NOT LIKE 'a%' AND status NOT IN ('x') AND total NOT BETWEEN 1 AND 2
SELECT * FROM orders FORCE INDEX (idx_created) WHERE id > 1
SELECT * FROM orders PARTITION (p0, p1)
SELECT DISTINCTROW city FROM customers
SELECT 5 DIV 2, 5 MOD 2, 5 / 2, -5, 1.5e3, 0xFF, 'a' 'b', DATE'2024-01-01', TIMESTAMP'2024-01-01 00:00:00', '2024-01-01' + INTERVAL 1 DAY
SELECT TRUNCATE(total, 1), FLOOR(total), CEIL(total), MOD(id, 3), POW(2, 3), SQRT(4), RAND(), PI(), LOG2(8), CRC32(status), CONV('a', 16, 2), GREATEST(1,2,3), LEAST(1,2) FROM orders
SELECT SHA2(name, 256), MD5(name), UUID(), INET_ATON('1.1.1.1'), TO_BASE64(name), QUOTE(name), FIND_IN_SET('a', name), MAKE_SET(1, 'a'), EXPORT_SET(5,'Y','N') FROM customers
SELECT YEAR(created_at) y, QUARTER(created_at) q, SUM(total) FROM orders GROUP BY y, q WITH ROLLUP
SELECT `o`.`id` AS `order id`, `c`.`name` FROM `orders` `o` CROSS JOIN `customers` `c`
SELECT COUNT(*) FROM orders o NATURAL JOIN customers c
SELECT * FROM customers WHERE (city, region) IN (SELECT city, region FROM customers GROUP BY city, region HAVING COUNT(*) > 1)
SELECT EXISTS (SELECT 1 FROM orders), NOT EXISTS (SELECT 1 FROM orders WHERE 1 = 0)
SELECT JSON_LENGTH(tags), JSON_KEYS(attrs), JSON_SEARCH(attrs, 'one', 'a'), JSON_TYPE(attrs), JSON_VALID(attrs), JSON_OVERLAPS(tags, '[1]'), JSON_PRETTY(attrs), JSON_VALUE(attrs, '$.a') FROM products
SELECT MEDIAN(total) OVER (PARTITION BY status), PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY total) OVER () FROM orders
SELECT s.* FROM (VALUES ROW(1,2), ROW(3,4)) AS s(a, b)
SELECT DATE_SUB(LAST_DAY(NOW()), INTERVAL DAY(LAST_DAY(NOW())) - 1 DAY), CURRENT_TIMESTAMP(), CURRENT_TIME, CURDATE() + 0
SELECT id FROM orders ORDER BY FIELD(status, 'new', 'paid'), id DESC LIMIT 10 OFFSET 20
SELECT name FROM products WHERE MATCH (name, category) AGAINST ('+a -b' IN BOOLEAN MODE)
SELECT DATEDIFF(MAX(created_at), MIN(created_at)) / COUNT(*) FROM orders GROUP BY customer_id HAVING COUNT(*) > 1
# written after the lists, and counted when they first ran (docs/guard.md)
SELECT DATE_FORMAT(created_at, '%Y-%m') AS ym, SUM(total) AS revenue FROM orders GROUP BY ym WITH ROLLUP
SELECT YEARWEEK(created_at, 3) AS yw, COUNT(*) FROM orders GROUP BY 1 ORDER BY 1
SELECT DATE(created_at) d, COUNT(DISTINCT customer_id) FROM orders WHERE created_at >= CURDATE() - INTERVAL 30 DAY GROUP BY d
SELECT TIMESTAMPDIFF(HOUR, created_at, ship_date) AS hrs FROM orders WHERE ship_date > created_at
SELECT DATE_ADD(created_at, INTERVAL 1 MONTH), DATE_SUB(NOW(), INTERVAL '1:30' MINUTE_SECOND), LAST_DAY(created_at), created_at + INTERVAL 2 WEEK FROM orders
SELECT EXTRACT(YEAR_MONTH FROM created_at), WEEKDAY(created_at), DAYNAME(created_at), MONTHNAME(created_at), QUARTER(created_at), HOUR(created_at) FROM orders
SELECT STR_TO_DATE('2024-03-05', '%Y-%m-%d'), UNIX_TIMESTAMP(created_at), FROM_UNIXTIME(1700000000, '%Y'), MAKEDATE(2024, 60), TO_DAYS(created_at) FROM orders
SELECT CONVERT_TZ(created_at, '+00:00', '+08:00') FROM orders
SELECT GROUP_CONCAT(DISTINCT name ORDER BY price DESC SEPARATOR ' | ') FROM products GROUP BY category
SELECT JSON_EXTRACT(payload, '$.a.b'), payload->'$.c', payload->>'$.c', JSON_UNQUOTE(JSON_EXTRACT(payload, '$.c')) FROM orders
SELECT o.id, jt.sku, jt.qty FROM orders o, JSON_TABLE(o.items, '$[*]' COLUMNS (rn FOR ORDINALITY, sku VARCHAR(20) PATH '$.sku', qty INT PATH '$.qty' DEFAULT '0' ON EMPTY)) AS jt
SELECT JSON_ARRAYAGG(name), JSON_OBJECTAGG(name, price) FROM products
SELECT id FROM orders WHERE JSON_CONTAINS(payload, '"x"', '$.c') AND JSON_LENGTH(items) > 0
SELECT customer_id, total, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY total DESC) rn, SUM(total) OVER (PARTITION BY customer_id) s FROM orders
SELECT id, AVG(total) OVER (ORDER BY created_at RANGE BETWEEN INTERVAL 7 DAY PRECEDING AND CURRENT ROW) FROM orders
SELECT id, total - LAG(total) OVER w AS diff FROM orders WINDOW w AS (PARTITION BY customer_id ORDER BY created_at)
WITH RECURSIVE seq AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM seq WHERE n < 31) SELECT n, COUNT(o.id) FROM seq LEFT JOIN orders o ON DAY(o.created_at) = n GROUP BY n
WITH RECURSIVE tree AS (SELECT id, name, CAST(name AS CHAR(500)) AS path FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, e.name, CONCAT(t.path, ' > ', e.name) FROM employees e JOIN tree t ON e.manager_id = t.id) SELECT path FROM tree ORDER BY path
SELECT IF(total > 50, 'big', 'small') AS size, COUNT(*) FROM orders GROUP BY size
SELECT IFNULL(discount, 0), COALESCE(discount, 0), NULLIF(total, 0), ISNULL(discount), total <=> discount FROM orders
SELECT SUM(IF(status = 'paid', total, 0)) AS paid, SUM(CASE status WHEN 'void' THEN total ELSE 0 END) AS void, SUM(status = 'new') AS n FROM orders
SELECT name FROM customers WHERE email REGEXP '^[a-z0-9]+@' AND name RLIKE 'name[1-5]' AND email NOT REGEXP 'spam'
SELECT REGEXP_REPLACE(name, '[0-9]+', ''), REGEXP_SUBSTR(name, '[0-9]+'), REGEXP_INSTR(name, '[0-9]') FROM customers
SELECT SUBSTRING_INDEX(email, '@', -1) AS domain, COUNT(*) c FROM customers GROUP BY domain ORDER BY c DESC LIMIT 10
SELECT CONCAT(name, ' <', email, '>'), CONCAT_WS(', ', city, region), LPAD(id, 5, '0'), LEFT(name, 3), MID(name, 2, 2), LOCATE('a', name), REPLACE(name, 'a', 'b'), REVERSE(name), CHAR_LENGTH(name), TRIM(LEADING 'n' FROM name), UPPER(name) FROM customers
SELECT FIND_IN_SET('b', 'a,b,c'), FIELD(status, 'new', 'paid', 'void'), ELT(2, 'a', 'b') FROM orders ORDER BY FIELD(status, 'new', 'paid', 'void')
SELECT ROUND(total, 2), TRUNCATE(total, 1), FORMAT(total, 2), CEIL(total), FLOOR(total), total DIV 3, total MOD 3, total % 3, POW(total, 2), SQRT(total), GREATEST(total, discount), LEAST(total, 5), RAND(3), SIGN(total) FROM orders
SELECT CAST(total AS DECIMAL(10,2)), CAST(id AS CHAR), CAST('12' AS UNSIGNED), CONVERT(id, SIGNED), CONVERT(name USING utf8mb4), BINARY 'a' = 'A' FROM orders JOIN customers USING (id)
SELECT c.id, o.* FROM customers c LEFT JOIN LATERAL (SELECT total FROM orders WHERE customer_id = c.id ORDER BY total DESC LIMIT 1) o ON TRUE
SELECT * FROM orders WHERE (customer_id, status) IN ((1, 'paid'), (2, 'new'))
SELECT id FROM products WHERE price >= ALL (SELECT price FROM products) OR price = ANY (SELECT MIN(price) FROM products)
SELECT STRAIGHT_JOIN c.name, o.total FROM customers c JOIN orders o ON o.customer_id = c.id
SELECT SQL_NO_CACHE COUNT(*) FROM orders
SELECT o.id FROM orders o USE INDEX (PRIMARY) FORCE INDEX FOR ORDER BY (ix) WHERE o.id > 3
SELECT `id`, `total` FROM `order` WHERE `total` > 3 ORDER BY `total` DESC LIMIT 2, 5
SELECT `编号`, `金额` FROM `订单` WHERE `日期` LIKE '2024-%'
SELECT id FROM orders UNION DISTINCT SELECT id FROM customers UNION ALL SELECT id FROM products ORDER BY 1 LIMIT 10
SELECT id FROM orders EXCEPT SELECT id FROM customers
SELECT id FROM orders INTERSECT SELECT id FROM customers
SELECT STD(total), STDDEV_POP(total), VAR_SAMP(total), VARIANCE(total), BIT_OR(id), BIT_XOR(id) FROM orders
SELECT ANY_VALUE(name), MAX(price) FROM products GROUP BY category
SELECT region, segment, COUNT(*), GROUPING(region) FROM customers GROUP BY region, segment WITH ROLLUP HAVING COUNT(*) > 0
SELECT INET_NTOA(3232235777), INET_ATON('192.168.1.1'), CRC32(name), MD5(email), SHA2(email, 256), HEX(name), UUID() FROM customers
SELECT COUNT(*) FROM orders WHERE created_at BETWEEN '2024-01-01' AND '2024-12-31 23:59:59' AND status IN ('paid', 'new') AND NOT (total < 5 XOR id > 3)
SELECT * FROM customers c WHERE EXISTS (SELECT * FROM orders o WHERE o.customer_id = c.id HAVING SUM(o.total) > 100)
SELECT TIME_FORMAT(created_at, '%H:%i'), TIMEDIFF(ship_date, created_at), SEC_TO_TIME(3700), ADDTIME('10:00', '01:00'), DATEDIFF(ship_date, created_at), PERIOD_DIFF(202403, 202401) FROM orders
SELECT PERCENT_RANK() OVER (ORDER BY total), CUME_DIST() OVER (ORDER BY total), NTILE(4) OVER (ORDER BY total), FIRST_VALUE(total) OVER (ORDER BY total), LAST_VALUE(total) OVER (ORDER BY total ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM orders
SELECT total, CASE WHEN total BETWEEN 0 AND 25 THEN 'q1' WHEN total BETWEEN 26 AND 50 THEN 'q2' ELSE 'q3' END bucket FROM orders ORDER BY bucket, total DESC
SELECT name FROM customers WHERE name LIKE '%\_1' ESCAPE '\\' OR name COLLATE utf8mb4_bin = 'NAME1'
SELECT COUNT(*) AS cnt, HOUR(created_at) AS h FROM orders GROUP BY h ORDER BY cnt DESC, h ASC
SELECT p.name, ROUND(SUM(oi.quantity * oi.unit_price), 2) AS rev FROM order_items oi INNER JOIN products p ON p.id = oi.product_id GROUP BY p.id, p.name ORDER BY rev DESC LIMIT 10
SELECT DATE_FORMAT(created_at, '%x-W%v') wk, SUM(total) FROM orders GROUP BY wk
SELECT MAX(total) - MIN(total) AS spread, SUM(total) / COUNT(*) AS mean FROM orders HAVING spread > 10
SELECT * FROM (SELECT id, DENSE_RANK() OVER (ORDER BY salary DESC) AS r FROM employees) t WHERE r = 2
SELECT t.* FROM (VALUES ROW(1, 'a'), ROW(2, 'b')) AS t (n, s)
SELECT MATCH (name) AGAINST ('name1' IN BOOLEAN MODE) AS score FROM customers
SELECT SUM(total) s FROM orders GROUP BY customer_id ORDER BY NULL
SELECT ST_Distance_Sphere(POINT(1, 2), POINT(3, 4))
SELECT JSON_VALUE(payload, '$.n'), JSON_KEYS(payload), JSON_TYPE(payload), JSON_SEARCH(payload, 'one', 'x'), JSON_OBJECT('k', id), JSON_ARRAY(1, 2), JSON_VALID('{}') FROM orders
SELECT NOW(), CURRENT_TIMESTAMP(), SYSDATE(), UTC_TIMESTAMP(), CURRENT_DATE, LOCALTIME
SELECT id << 1, id & 3, id | 4, id ^ 1, ~id, BIT_COUNT(id), CONV(id, 10, 2), BIN(id), OCT(id) FROM orders
SELECT a.id FROM orders a LEFT JOIN customers b ON a.customer_id = b.id WHERE b.id IS NULL
SELECT AVG(DISTINCT total) FROM orders WHERE status <> 'void' AND status != 'new' AND status IS NOT NULL
SELECT SQL_CALC_FOUND_ROWS id, total FROM orders ORDER BY id LIMIT 3
SELECT DATE_FORMAT(o.created_at, '%Y-%m-01') AS month_start, COUNT(DISTINCT o.customer_id) AS buyers, ROUND(SUM(o.total) / COUNT(*), 2) AS aov FROM orders AS o WHERE o.created_at >= DATE_SUB(CURDATE(), INTERVAL 12 MONTH) GROUP BY month_start ORDER BY month_start
SELECT c.name, COUNT(o.id) AS n, IFNULL(SUM(o.total), 0) AS s FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.id, c.name HAVING n > 1 ORDER BY s DESC LIMIT 10
SELECT a.m, a.s, ROUND((a.s - b.s) / b.s * 100, 1) AS growth FROM (SELECT MONTH(created_at) m, SUM(total) s FROM orders GROUP BY 1) a LEFT JOIN (SELECT MONTH(created_at) m, SUM(total) s FROM orders GROUP BY 1) b ON b.m = a.m - 1
WITH ranked AS (SELECT id, category, RANK() OVER (PARTITION BY category ORDER BY price DESC) AS rk FROM products) SELECT * FROM ranked WHERE rk <= 3
SELECT COUNT(*) AS total, SUM(CASE WHEN status = 'paid' THEN 1 ELSE 0 END) AS paid, CONCAT(ROUND(100 * AVG(status = 'paid'), 1), '%') AS rate FROM orders
SELECT TIMESTAMPDIFF(DAY, MIN(created_at), MAX(created_at)) AS span, DATEDIFF(MAX(created_at), MIN(created_at)), MAX(created_at) - INTERVAL 1 MONTH FROM orders
SELECT id FROM orders WHERE YEAR(created_at) = 2024 AND MONTH(created_at) IN (1, 2, 3) AND DAYOFWEEK(created_at) NOT IN (1, 7) AND DATE(created_at) >= '2024-01-01'
SELECT name, CASE WHEN price < 5 THEN 'cheap' WHEN price BETWEEN 5 AND 10 THEN 'mid' ELSE 'dear' END AS band FROM products ORDER BY FIELD(category, 'c1', 'c0'), price DESC
SELECT e.name, m.name AS manager, e.salary - AVG(e.salary) OVER (PARTITION BY e.department) AS diff FROM employees e LEFT JOIN employees m ON e.manager_id = m.id
SELECT o1.customer_id, o1.id FROM orders o1 WHERE o1.created_at = (SELECT MAX(o2.created_at) FROM orders o2 WHERE o2.customer_id = o1.customer_id)
SELECT * FROM orders WHERE total > (SELECT AVG(total) FROM orders) AND customer_id IN (SELECT id FROM customers WHERE region = 'r1') ORDER BY total DESC LIMIT 5 OFFSET 2
SELECT SUBSTRING(name, 1, 3), SUBSTR(name FROM 2 FOR 2), INSTR(name, 'a'), LENGTH(name), REPEAT('a', 3), SPACE(2), STRCMP('a', 'b'), LCASE(name), QUOTE(name), SOUNDEX(name), ASCII(name), CHAR(65), ORD(name), INSERT(name, 1, 1, 'X') FROM customers
SELECT UNIX_TIMESTAMP(), FROM_UNIXTIME(0), DATE_FORMAT(NOW(), '%W'), STR_TO_DATE('1,2,2024', '%d,%m,%Y'), ADDDATE('2024-01-01', 31), SUBDATE('2024-01-01', INTERVAL 1 DAY), TIMESTAMP('2024-01-01', '10:00:00'), MICROSECOND(NOW()), WEEKOFYEAR(NOW()), TO_SECONDS('2024-01-01'), MAKETIME(1, 2, 3), EXTRACT(DAY_HOUR FROM NOW()), TIMESTAMPADD(MINUTE, 5, NOW()), GET_FORMAT(DATE, 'ISO')
SELECT COUNT(*) FROM orders o, customers c WHERE o.customer_id = c.id AND c.city = '北京'
(SELECT id, total FROM orders ORDER BY total DESC LIMIT 3) UNION ALL (SELECT id, total FROM orders ORDER BY total ASC LIMIT 3)
SELECT p.category, SUM(oi.quantity * oi.unit_price) AS rev, SUM(SUM(oi.quantity * oi.unit_price)) OVER (ORDER BY p.category) AS cum FROM order_items oi JOIN products p ON p.id = oi.product_id GROUP BY p.category
SELECT CAST(created_at AS DATE), CAST('1.5' AS DECIMAL(5,2)), CAST(id AS DOUBLE), CONVERT('2024-01-01', DATE), CAST(total AS UNSIGNED), 1 + '1', 'a' 'b', 5 / 2, 5 DIV 2, 5 % 2, -5, !0, NOT 0, 1 AND 0, 1 OR 0, 1 XOR 1, 1 && 0 FROM orders
SELECT JSON_EXTRACT(payload, '$.items[0].sku'), JSON_UNQUOTE(JSON_EXTRACT(payload, '$.c')), JSON_LENGTH(payload, '$.items'), JSON_CONTAINS_PATH(payload, 'one', '$.a', '$.z') FROM orders
SELECT customer_id, MAX(CASE WHEN rn = 1 THEN status END) AS latest FROM (SELECT customer_id, status, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY created_at DESC) AS rn FROM orders) t GROUP BY customer_id
WITH RECURSIVE d AS (SELECT DATE('2024-01-01') AS d UNION ALL SELECT DATE_ADD(d, INTERVAL 1 DAY) FROM d WHERE d < '2024-01-10') SELECT d.d, COUNT(o.id) FROM d LEFT JOIN orders o ON DATE(o.created_at) = d.d GROUP BY d.d
SELECT MIN(total), MAX(total), AVG(total), STDDEV(total), STDDEV_SAMP(total), VAR_POP(total), SUM(DISTINCT total), COUNT(DISTINCT customer_id, status) FROM orders
SELECT `o`.`id` AS `订单号`, `o`.`total` AS `金额` FROM `orders` AS `o` WHERE `o`.`status` = 'paid' ORDER BY `金额` DESC
SELECT * FROM customers WHERE name LIKE CONCAT('%', 'a', '%') OR city IS NULL OR email REGEXP BINARY '^U' OR name SOUNDS LIKE 'neme1'
SELECT c.* FROM customers c NATURAL LEFT JOIN orders o
SELECT c.name FROM customers c RIGHT JOIN orders o ON o.customer_id = c.id CROSS JOIN products p STRAIGHT_JOIN employees e
SELECT DISTINCT LEFT(created_at, 7) AS ym FROM orders ORDER BY ym
SELECT total FROM orders WHERE total = ANY (SELECT MAX(total) FROM orders GROUP BY customer_id) AND NOT EXISTS (SELECT 1 FROM orders x WHERE x.total > 1000)
SELECT id FROM orders WHERE status = '/*! not a comment */' OR status LIKE "%/*!50000%"
SELECT count(*) FROM (orders)
SELECT count(*) FROM (orders) JOIN (customers) ON customers.id = orders.customer_id
SELECT o.id FROM ((orders AS o JOIN customers AS c ON c.id = o.customer_id))
SELECT id, total FROM order WHERE total > 1 ORDER BY order.total
SELECT COUNT(*) FROM orders JOIN order ON order.id = orders.id
# written later: windows, CTEs, FILTER, QUALIFY, LATERAL, JSON, dates, typed literals, intervals, arrays
SELECT status, COUNT(*) AS n, SUM(total) AS revenue, AVG(total) AS mean FROM orders GROUP BY status HAVING SUM(total) > 10 ORDER BY revenue DESC, status
SELECT c.city, COUNT(DISTINCT o.customer_id) AS buyers FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.city ORDER BY buyers DESC, c.city
WITH ranked AS (SELECT customer_id, total, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY total DESC, id) AS rn FROM orders) SELECT customer_id, total FROM ranked WHERE rn <= 2 ORDER BY customer_id, rn
SELECT id, total, SUM(total) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS moving FROM orders ORDER BY id
SELECT id, total, total - LAG(total) OVER (PARTITION BY customer_id ORDER BY id) AS step FROM orders ORDER BY id
SELECT id, NTILE(4) OVER (ORDER BY total, id) AS quartile, PERCENT_RANK() OVER (ORDER BY total) AS pr, CUME_DIST() OVER (ORDER BY total) AS cd FROM orders ORDER BY id
SELECT id, FIRST_VALUE(total) OVER (PARTITION BY status ORDER BY id) AS f, LAST_VALUE(total) OVER (PARTITION BY status ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS l FROM orders ORDER BY id
SELECT customer_id, total, total / SUM(total) OVER (PARTITION BY customer_id) AS share FROM orders WHERE total > 0 ORDER BY customer_id, total
SELECT CASE WHEN total < 20 THEN 'low' WHEN total < 60 THEN 'middle' ELSE 'high' END AS band, COUNT(*) AS n FROM orders GROUP BY CASE WHEN total < 20 THEN 'low' WHEN total < 60 THEN 'middle' ELSE 'high' END ORDER BY n
SELECT COUNT(*) AS n, COUNT(discount) AS with_discount, COUNT(*) - COUNT(discount) AS without FROM orders
SELECT status, SUM(CASE WHEN total > 50 THEN 1 ELSE 0 END) * 1.0 / COUNT(*) AS rate FROM orders WHERE status IS NOT NULL GROUP BY status ORDER BY status
SELECT c.name, o.total FROM customers c JOIN orders o ON o.customer_id = c.id WHERE o.total = (SELECT MAX(i.total) FROM orders i WHERE i.customer_id = c.id) ORDER BY c.name, o.total
SELECT c.id FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id AND o.status = 'paid') ORDER BY c.id
SELECT id FROM customers WHERE id NOT IN (SELECT customer_id FROM orders WHERE total > 90) ORDER BY id
SELECT p.category, SUM(i.quantity * i.unit_price) AS sales FROM order_items i JOIN products p ON p.id = i.product_id GROUP BY p.category ORDER BY sales DESC
SELECT a.id, b.id AS other FROM customers a JOIN customers b ON a.city = b.city AND a.id < b.id ORDER BY a.id, b.id
SELECT e.name, m.name AS boss FROM employees e LEFT JOIN employees m ON m.id = e.manager_id ORDER BY e.id
WITH RECURSIVE chain(id, name, level) AS (SELECT id, name, 1 FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, e.name, c.level + 1 FROM employees e JOIN chain c ON e.manager_id = c.id) SELECT level, COUNT(*) AS n FROM chain GROUP BY level ORDER BY level
SELECT region, segment, COUNT(*) AS n FROM customers GROUP BY region, segment ORDER BY region, segment
SELECT COALESCE(city, 'unknown') AS city, COUNT(*) AS n FROM customers GROUP BY COALESCE(city, 'unknown') ORDER BY n DESC, city
SELECT NULLIF(discount, 0) AS d, COALESCE(discount, 0) + total AS t FROM orders ORDER BY id
SELECT id FROM orders WHERE total BETWEEN 10 AND 50 AND status IN ('paid', 'new') AND NOT (discount = 1) ORDER BY id
SELECT UPPER(name) AS u, LOWER(city) AS l, REPLACE(email, '@', ' at ') AS e, TRIM(name) AS t FROM customers ORDER BY id
SELECT name FROM customers WHERE name LIKE 'name%' AND email NOT LIKE '%.org' ORDER BY name
SELECT MIN(total) AS lowest, MAX(total) AS highest, MAX(total) - MIN(total) AS spread FROM orders WHERE status <> 'void'
SELECT ROUND(AVG(total), 2) AS mean, ABS(MIN(total) - 100) AS gap FROM orders
SELECT id FROM orders WHERE total > 50 UNION SELECT id FROM orders WHERE status = 'void' ORDER BY 1
SELECT id FROM customers INTERSECT SELECT customer_id FROM orders ORDER BY id
SELECT id FROM customers EXCEPT SELECT customer_id FROM orders WHERE total > 50 ORDER BY id
SELECT x.n, COUNT(*) AS c FROM (SELECT customer_id, COUNT(*) AS n FROM orders GROUP BY customer_id) x GROUP BY x.n ORDER BY x.n
WITH a AS (SELECT customer_id, SUM(total) AS t FROM orders GROUP BY customer_id), b AS (SELECT AVG(t) AS m FROM a) SELECT a.customer_id, a.t - b.m AS above FROM a CROSS JOIN b ORDER BY a.customer_id
SELECT o.id, (SELECT COUNT(*) FROM order_items i WHERE i.order_id = o.id) AS items FROM orders o ORDER BY o.id
SELECT 编号, 金额 FROM 订单 WHERE 金额 > 20 ORDER BY 金额 DESC
SELECT 客户, SUM(金额) AS 合计 FROM 订单 GROUP BY 客户 ORDER BY 合计 DESC
SELECT DENSE_RANK() OVER (ORDER BY salary DESC) AS r, name, department FROM employees ORDER BY r, name
SELECT department, name, salary, AVG(salary) OVER (PARTITION BY department) AS mean FROM employees ORDER BY department, name
SELECT LEAD(id, 1, 0) OVER (ORDER BY id) AS nxt, id FROM orders ORDER BY id
SELECT SUM(total) OVER w AS running, COUNT(*) OVER w AS n FROM orders WINDOW w AS (PARTITION BY status ORDER BY id) ORDER BY id
SELECT DATE_FORMAT(created_at, '%Y-%m') AS month, SUM(IF(status = 'paid', total, 0)) AS paid FROM orders GROUP BY month ORDER BY month
SELECT id, DATE_ADD(created_at, INTERVAL 1 MONTH) AS due, DATE_SUB(created_at, INTERVAL 90 MINUTE) AS b, created_at + INTERVAL 1 DAY AS n FROM orders ORDER BY id
SELECT DATE '2024-01-31' AS d, TIME '10:30:00' AS t, TIMESTAMP '2024-01-01 10:00:00' AS s, '2024-01-31' + INTERVAL 1 YEAR AS y
SELECT TIMESTAMPDIFF(HOUR, created_at, ship_date) AS h, DATEDIFF(ship_date, created_at) AS d, LAST_DAY(created_at) AS l, DAYNAME(created_at) AS n FROM orders ORDER BY id
SELECT YEAR(created_at) AS y, QUARTER(created_at) AS q, WEEK(created_at, 3) AS w, EXTRACT(YEAR_MONTH FROM created_at) AS ym FROM orders ORDER BY id
SELECT JSON_EXTRACT(payload, '$.a.b') AS b, JSON_UNQUOTE(JSON_EXTRACT(payload, '$.c')) AS c, JSON_VALUE(payload, '$.n') AS n FROM orders ORDER BY id
SELECT o.id, j.sku, j.qty FROM orders o, JSON_TABLE(o.items, '$[*]' COLUMNS (sku VARCHAR(20) PATH '$.sku', qty INT PATH '$.qty')) AS j ORDER BY o.id
SELECT JSON_KEYS(payload) AS k, JSON_LENGTH(items) AS n, JSON_CONTAINS(tags_of.tags, '"a"') AS a FROM orders JOIN products tags_of ON tags_of.id = orders.customer_id ORDER BY orders.id
SELECT GROUP_CONCAT(DISTINCT status ORDER BY status DESC SEPARATOR '|') AS s, JSON_ARRAYAGG(id) AS j FROM orders
SELECT region, segment, COUNT(*) AS n FROM customers GROUP BY region, segment WITH ROLLUP
SELECT IFNULL(city, '-') AS c, CONCAT_WS('/', region, segment) AS r, LPAD(id, 4, '0') AS p, SUBSTRING_INDEX(email, '@', -1) AS d FROM customers ORDER BY id
SELECT name REGEXP '^name[1-3]$' AS r, name RLIKE '2$' AS l, REGEXP_REPLACE(email, '[0-9]', '#') AS x, REGEXP_SUBSTR(email, '[a-z]+') AS s FROM customers ORDER BY id
SELECT total DIV 10 AS d, MOD(id, 3) AS m, id % 2 AS p, id XOR 0 AS x, TRUNCATE(total / 3, 1) AS t FROM orders ORDER BY id
SELECT FIELD(status, 'new', 'paid', 'void') AS f, ELT(2, 'a', 'b') AS e, FIND_IN_SET('b', 'a,b') AS i, status <=> NULL AS n FROM orders ORDER BY id
SELECT b'101' + 0 AS a, x'1F' + 0 AS b, 0x41 AS c, B'1000001' AS d, _utf8mb4'中文' AS e, N'x' AS f
SELECT CAST('2024-01-01' AS DATE) AS d, CAST(total AS DECIMAL(10, 2)) AS t, CAST(id AS CHAR) AS c, CONVERT(total, SIGNED) AS s, CAST('12' AS UNSIGNED) AS u FROM orders ORDER BY id
SELECT 'it''s' AS a, "double" AS b, 'tab\there' AS c, 'a' 'b' AS d, '\\d' AS e, 'x''' AS f
SELECT id, total FROM orders ORDER BY total DESC, id LIMIT 2, 5
SELECT STR_TO_DATE('31.01.2024', '%d.%m.%Y') AS d, FROM_UNIXTIME(0) IS NOT NULL AS f, UNIX_TIMESTAMP('2024-01-01') > 0 AS u, MAKEDATE(2024, 60) AS m, SEC_TO_TIME(3661) AS s
SELECT GREATEST(total, 50) AS g, LEAST(total, 50) AS l, SIGN(total - 50) AS s, POW(2, 3) AS p, ROUND(total / 7, 2) AS r FROM orders ORDER BY id
SELECT PERIOD_DIFF(202403, 202401) AS p, TO_DAYS('2024-01-02') - TO_DAYS('2024-01-01') AS t, ADDDATE('2024-01-01', 5) AS a, TIME_TO_SEC('01:00:00') AS s
SELECT STDDEV_SAMP(total) AS s, VAR_POP(total) AS v, BIT_OR(id) AS b, COUNT(DISTINCT customer_id, status) AS c FROM orders
SELECT (SELECT COUNT(*) FROM orders) AS o, c.* FROM customers c STRAIGHT_JOIN products p ON p.id = c.id ORDER BY c.id
SELECT CASE status WHEN 'paid' THEN 1 WHEN 'new' THEN 2 ELSE 0 END AS code, COUNT(*) AS n FROM orders GROUP BY code ORDER BY code
SELECT CAST(DATE '2024-01-31' AS CHAR) AS a, DATE '2024-01-31' + INTERVAL 1 DAY AS b, BINARY 'a' = 'A' AS c, TIME '10:30:00' AS d, b'101' | b'010' AS e, CONVERT('abc', CHAR(2)) AS f
# a third round, of an analyst's own work
SELECT c.`name`, GROUP_CONCAT(DISTINCT p.name ORDER BY p.name SEPARATOR '; ') AS bought FROM customers c JOIN orders o ON o.customer_id = c.id JOIN order_items i ON i.order_id = o.id JOIN products p ON p.id = i.product_id GROUP BY c.id, c.name
SELECT IF(total > 100, '高', '低') AS 档次, COUNT(*) FROM orders GROUP BY 1 ORDER BY FIELD(档次, '高', '低')
SELECT TIMESTAMPDIFF(DAY, created_at, ship_date) AS d, COUNT(*) FROM orders WHERE created_at >= DATE_SUB(CURDATE(), INTERVAL 3 MONTH) GROUP BY d
SELECT JSON_UNQUOTE(JSON_EXTRACT(payload, '$.city')) AS city, payload->>'$.zip' FROM orders WHERE JSON_CONTAINS(payload, '"gift"', '$.tags')
SELECT YEARWEEK(created_at, 3), COUNT(*) FROM orders WHERE status REGEXP '^(paid|sent)$' GROUP BY 1
SELECT name, salary, DENSE_RANK() OVER (PARTITION BY department ORDER BY salary DESC) AS r FROM employees
SELECT id, total FROM orders ORDER BY total DESC LIMIT 10, 20
SELECT * FROM orders USE INDEX (idx_created) WHERE created_at > '2024-01-01'
SELECT STRAIGHT_JOIN c.id FROM customers c INNER JOIN orders o ON o.customer_id = c.id
SELECT STR_TO_DATE('2024-05-01', '%Y-%m-%d') <= created_at AS late, COUNT(*) FROM orders GROUP BY late
SELECT CONCAT_WS(' ', name, NULL, city), LEFT(email, LOCATE('@', email) - 1) FROM customers WHERE name LIKE '王%'
SELECT t.sku, SUM(t.qty) FROM orders o, JSON_TABLE(o.items, '$[*]' COLUMNS (sku VARCHAR(20) PATH '$.sku', qty INT PATH '$.qty' DEFAULT '0' ON EMPTY)) AS t GROUP BY t.sku
WITH RECURSIVE m AS (SELECT DATE('2024-01-01') AS d UNION ALL SELECT d + INTERVAL 1 MONTH FROM m WHERE d < '2024-12-01') SELECT m.d, COALESCE(SUM(o.total), 0) FROM m LEFT JOIN orders o ON LAST_DAY(o.created_at) = LAST_DAY(m.d) GROUP BY m.d
SELECT SUM(status = 'paid') / COUNT(*) AS rate, AVG(total IS NULL) FROM orders
SELECT CASE WHEN HOUR(created_at) BETWEEN 6 AND 11 THEN 'morning' WHEN HOUR(created_at) < 18 THEN 'day' ELSE 'night' END AS part, COUNT(*) FROM orders GROUP BY part
SELECT a.id FROM orders a WHERE EXISTS (SELECT 1 FROM orders b WHERE b.customer_id = a.customer_id AND b.created_at BETWEEN a.created_at - INTERVAL 7 DAY AND a.created_at AND b.id <> a.id)
SELECT CONVERT(total, SIGNED), CAST(total AS DECIMAL(12, 2)), CONVERT(name USING utf8mb4) FROM orders JOIN products ON products.id = orders.id
SELECT 'it''s /*! not code */ here' AS note, total FROM orders
SELECT /*+ MAX_EXECUTION_TIME(1000) */ COUNT(*) FROM orders
SELECT ROUND(SUM(IFNULL(discount, 0)) / NULLIF(SUM(total), 0) * 100, 1) AS `discount %` FROM orders
SELECT name FROM products WHERE MATCH (name) AGAINST ('shirt' IN NATURAL LANGUAGE MODE)
SELECT 'a\' , (SELECT token FROM secrets) -- ' AS one_text
# sizes, samples and recursions
SELECT status, REPEAT('*', COUNT(*)) AS bar FROM orders GROUP BY status
WITH RECURSIVE t AS (SELECT id, name, CAST(name AS CHAR(200)) AS path FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, e.name, CONCAT(t.path, ' > ', e.name) FROM t STRAIGHT_JOIN employees e ON e.manager_id = t.id) SELECT path FROM t
# a fourth round, written before the lists were read again
WITH RECURSIVE chain AS (SELECT id, name, CAST(name AS CHAR(500)) AS path FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, e.name, CONCAT(c.path, '/', e.name) FROM employees e INNER JOIN chain c ON c.id = e.manager_id) SELECT * FROM chain
SELECT DATE_FORMAT(created_at, '%Y-%m') AS ym, SUM(IF(status = 'paid', total, 0)) AS paid, SUM(status <=> NULL) AS unknown FROM orders GROUP BY ym WITH ROLLUP
SELECT YEARWEEK(created_at, 3), TIMESTAMPDIFF(DAY, created_at, ship_date), DATE_ADD(created_at, INTERVAL '1 12' DAY_HOUR), LAST_DAY(created_at), QUARTER(created_at), STR_TO_DATE('2024-05-01', '%Y-%m-%d') FROM orders WHERE created_at >= CURDATE() - INTERVAL 5 YEAR
SELECT id, JSON_UNQUOTE(JSON_EXTRACT(payload, '$.a.b')), JSON_LENGTH(payload, '$.items'), JSON_CONTAINS(payload, '"x"', '$.c') FROM orders WHERE JSON_VALUE(payload, '$.n') > 3
SELECT o.id, jt.sku, jt.qty FROM orders o, JSON_TABLE(o.payload, '$.items[*]' COLUMNS (rowno FOR ORDINALITY, sku VARCHAR(20) PATH '$.sku', qty INT PATH '$.qty' DEFAULT '0' ON EMPTY)) AS jt
SELECT GROUP_CONCAT(DISTINCT name ORDER BY name SEPARATOR '、') AS names, SUBSTRING_INDEX(email, '@', -1) AS domain FROM customers GROUP BY domain HAVING COUNT(*) > 1
SELECT customer_id, total, FIRST_VALUE(total) OVER (PARTITION BY customer_id ORDER BY created_at RANGE BETWEEN INTERVAL 30 DAY PRECEDING AND CURRENT ROW) AS f, CUME_DIST() OVER (ORDER BY total) FROM orders
SELECT 'a\'b' AS q, 'it''s' AS r, _utf8mb4'x' AS u, CONVERT(name USING utf8mb4) COLLATE utf8mb4_bin AS n, BINARY name = 'name1' FROM customers
SELECT ELT(FIELD(status, 'paid', 'void'), 'P', 'V') AS s, REGEXP_REPLACE(status, '[aeiou]', '*'), LPAD(id, 6, '0'), FIND_IN_SET(status, 'paid,new'), total DIV 10, total MOD 7, id XOR 1, FORMAT(total, 2) FROM orders
SELECT c.region, COUNT(*) n FROM customers c STRAIGHT_JOIN orders o USE INDEX () ON o.customer_id = c.id WHERE o.created_at NOT BETWEEN '2023-01-01' AND '2023-12-31' GROUP BY c.region
SELECT STDDEV_POP(total), VAR_SAMP(total), BIT_OR(id), ANY_VALUE(status), JSON_ARRAYAGG(id), JSON_OBJECTAGG(id, total) FROM orders
SELECT `订单`.`客户`, `金额` FROM `订单` WHERE `日期` LIKE '2024-0%' ESCAPE '|' ORDER BY CONVERT(`客户` USING gbk) LIMIT 3, 5
SELECT /*+ NO_INDEX_MERGE(orders) */ status, COUNT(*) FROM orders GROUP BY status
SELECT id, 'see /*!note*/ here' AS remark FROM orders
SELECT CONCAT('/*', status, '*/') AS s FROM orders
SELECT payload->>'$.customer.name' AS n, JSON_UNQUOTE(JSON_EXTRACT(payload, '$.items[0].sku')) AS sku FROM orders
SELECT t.sku, SUM(t.qty) FROM orders o, JSON_TABLE(o.items, '$[*]' COLUMNS (sku VARCHAR(20) PATH '$.sku', qty INT PATH '$.qty')) t GROUP BY t.sku
SELECT DATE_FORMAT(created_at, '%Y-%m') AS m, SUM(total) FROM orders GROUP BY m WITH ROLLUP
SELECT c.name, l.s FROM customers c, LATERAL (SELECT SUM(total) AS s FROM orders o WHERE o.customer_id = c.id) l
SELECT GROUP_CONCAT(DISTINCT city ORDER BY city SEPARATOR ' / ') FROM customers
SELECT /*+ JOIN_ORDER(o, c) */ o.id FROM orders AS o JOIN customers AS c ON c.id = o.customer_id
SELECT /*+ SUBQUERY(MATERIALIZATION) */ id FROM orders WHERE customer_id IN (SELECT id FROM customers)
# a fifth round, written before the lists were read; then rows of constants and recursions
SELECT DATE_FORMAT(created_at, '%Y-%m') AS m, SUM(total) AS revenue FROM orders GROUP BY m WITH ROLLUP
SELECT c.name, IFNULL(SUM(o.total), 0) AS t FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.id, c.name ORDER BY t DESC LIMIT 5
SELECT CAST(REPLACE(REPLACE('$1,200.00', '$', ''), ',', '') AS DECIMAL(10, 2)) + total FROM orders
SELECT TIMESTAMPDIFF(DAY, created_at, ship_date) AS d, DATEDIFF(NOW(), created_at), WEEKDAY(created_at), QUARTER(created_at) FROM orders
SELECT * FROM orders WHERE created_at >= DATE_SUB(CURDATE(), INTERVAL 10 YEAR) AND YEAR(created_at) = 2024
SELECT JSON_EXTRACT(payload, '$.a.b') AS b, JSON_UNQUOTE(JSON_EXTRACT(payload, '$.c')) AS c FROM orders
SELECT o.id, j.sku FROM orders o, JSON_TABLE(o.items, '$[*]' COLUMNS (sku VARCHAR(20) PATH '$.sku', qty INT PATH '$.qty')) AS j
SELECT GROUP_CONCAT(DISTINCT name ORDER BY name DESC SEPARATOR ' | ') FROM customers GROUP BY city
SELECT id, total, RANK() OVER (ORDER BY total DESC) AS r, PERCENT_RANK() OVER (ORDER BY total) FROM orders
SELECT IF(total > 50, 'big', 'small') AS size, COUNT(*), SUM(status = 'paid') FROM orders GROUP BY size
SELECT name FROM customers WHERE name REGEXP '^name[1-3]$' AND city RLIKE 'P'
SELECT SUBSTRING_INDEX(name, 'e', 1), CONCAT_WS('-', name, city), LPAD(id, 5, '0'), FIELD(city, 'Paris', 'Oslo') FROM customers
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 12) SELECT i, COUNT(o.id) FROM n LEFT JOIN orders o ON MONTH(o.created_at) = i GROUP BY i
SELECT MAX(CASE WHEN status = 'paid' THEN total END) AS paid, MAX(CASE WHEN status = 'void' THEN total END) AS void FROM orders
SELECT STR_TO_DATE('03/04/2024', '%d/%m/%Y'), LAST_DAY('2024-02-01'), FROM_UNIXTIME(1700000000), EXTRACT(YEAR_MONTH FROM created_at) FROM orders
SELECT * FROM `order` WHERE total BETWEEN 2 AND 8
SELECT d.department, d.n FROM (SELECT department, COUNT(*) AS n FROM employees GROUP BY department) d WHERE d.n > (SELECT AVG(x.n) FROM (SELECT COUNT(*) AS n FROM employees GROUP BY department) x)
SELECT STDDEV_POP(total), VARIANCE(total), BIT_OR(id), ROUND(AVG(total), 1), TRUNCATE(total, 0) FROM orders GROUP BY total
SELECT * FROM order
# a sixth round
SELECT c.city, COUNT(DISTINCT o.customer_id), SUM(o.total) / COUNT(*) FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY c.city HAVING SUM(o.total) > 10
SELECT YEARWEEK(created_at, 1) AS w, SUM(total) FROM orders GROUP BY w ORDER BY w
SELECT id, name, CASE WHEN city IS NULL THEN 'none' ELSE UPPER(city) END AS c FROM customers ORDER BY FIELD(city, 'Oslo') DESC, name
WITH RECURSIVE d AS (SELECT DATE('2024-01-01') AS x UNION ALL SELECT x + INTERVAL 1 DAY FROM d WHERE x < '2024-01-31') SELECT x FROM d
SELECT LAG(total) OVER (PARTITION BY customer_id ORDER BY created_at) AS p, FIRST_VALUE(total) OVER (PARTITION BY customer_id ORDER BY created_at) FROM orders
SELECT name FROM customers WHERE name LIKE 'na\_e%' AND name NOT LIKE '%!%' ESCAPE '!'
