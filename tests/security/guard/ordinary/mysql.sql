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
