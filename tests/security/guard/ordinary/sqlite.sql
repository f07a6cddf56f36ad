# ordinary analysis in SQLite
SELECT 1
SELECT * FROM orders
SELECT c.name, SUM(o.total) AS revenue FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.name HAVING SUM(o.total) > 100 ORDER BY revenue DESC LIMIT 10;
SELECT strftime('%Y-%m', created_at) AS month, COUNT(*) FROM orders WHERE created_at >= date('now', 'start of month', '-1 month') GROUP BY month ORDER BY month
WITH RECURSIVE days(d) AS (SELECT date('2024-01-01') UNION ALL SELECT date(d, '+1 day') FROM days WHERE d < '2024-01-31') SELECT d, (SELECT COUNT(*) FROM orders o WHERE date(o.created_at) = d) AS n FROM days
WITH RECURSIVE chain AS (SELECT id, name, manager_id, 0 AS depth FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, e.name, e.manager_id, chain.depth + 1 FROM employees e JOIN chain ON e.manager_id = chain.id) SELECT * FROM chain ORDER BY depth, name
SELECT id, total, SUM(total) OVER (PARTITION BY customer_id ORDER BY created_at ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS running FROM orders
SELECT id, RANK() OVER w AS r, LAG(total, 1, 0) OVER w AS prev FROM orders WINDOW w AS (PARTITION BY status ORDER BY total DESC)
SELECT p.name, j.value FROM products p, json_each(p.tags) j WHERE j.value LIKE 'a%'
SELECT json_extract(payload, '$.a.b') AS b, payload ->> '$.c' AS c, payload -> '$.d' FROM orders
SELECT key, value, type FROM products, json_tree(products.attrs) WHERE atom IS NOT NULL
SELECT iif(total > 100, 'big', 'small') AS size, COUNT(*) FILTER (WHERE status = 'paid') AS paid FROM orders GROUP BY 1
SELECT DISTINCT city FROM customers WHERE email GLOB '*@example.com' AND name LIKE 'A\_%' ESCAPE '\'
SELECT id FROM orders EXCEPT SELECT order_id FROM order_items INTERSECT SELECT id FROM orders
SELECT 'a' AS kind, COUNT(*) AS n FROM orders UNION ALL SELECT 'b', COUNT(*) FROM customers ORDER BY n DESC LIMIT 5 OFFSET 1
VALUES (1, 'a'), (2, 'b')
SELECT column1, column2 FROM (VALUES (1, 'a'), (2, 'b'))
SELECT * FROM customers WHERE id IN (SELECT customer_id FROM orders GROUP BY customer_id HAVING COUNT(*) > 3)
SELECT * FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders WHERE customer_id = c.id AND status <> 'void')
SELECT c.id, (SELECT MAX(o.total) FROM orders o WHERE o.customer_id = c.id) AS best FROM customers AS c ORDER BY best DESC
SELECT a.id, b.id FROM employees a LEFT JOIN employees b ON a.manager_id = b.id
SELECT id, name FROM customers JOIN orders USING (id)
SELECT o.id, c.name FROM orders o FULL OUTER JOIN customers c ON c.id = o.customer_id
SELECT o.rowid, o.id FROM orders o WHERE rowid < 10
SELECT CAST(strftime('%Y', created_at) AS INTEGER) AS y, ROUND(AVG(total), 2), total / 2, total % 3 FROM orders GROUP BY y
SELECT printf('%.2f', total) AS t, format('%05d', id), upper(substr(status, 1, 1)) || lower(substr(status, 2)) FROM orders
SELECT "id", [total], `status` FROM "orders"
SELECT 编号, "金额" FROM 订单 WHERE 日期 >= '2024-01-01' ORDER BY "金额" DESC
SELECT group_concat(name, ', ') FROM (SELECT name FROM products ORDER BY name)
SELECT CASE WHEN total BETWEEN 0 AND 10 THEN 'low' WHEN total IS NULL THEN 'none' ELSE 'high' END AS band, COUNT(*) FROM orders GROUP BY band
SELECT julianday(ship_date) - julianday(created_at) AS days, unixepoch(created_at) FROM orders WHERE ship_date IS NOT NULL
SELECT total(discount), typeof(total), COALESCE(NULLIF(status, ''), 'none'), replace(status, 'a', 'b') FROM orders
SELECT customer_id, group_concat(DISTINCT status) AS statuses, max(total, discount) FROM orders GROUP BY customer_id
SELECT ntile(4) OVER (ORDER BY salary), percent_rank() OVER (ORDER BY salary), first_value(name) OVER (PARTITION BY department ORDER BY salary DESC) FROM employees
SELECT x.n FROM (SELECT COUNT(*) AS n, status FROM orders GROUP BY status) AS x WHERE x.n > (SELECT AVG(n) FROM (SELECT COUNT(*) AS n FROM orders GROUP BY status))
WITH a AS (SELECT * FROM orders WHERE status = 'paid'), b AS (SELECT customer_id, SUM(total) AS s FROM a GROUP BY customer_id) SELECT c.name, b.s FROM b JOIN customers c ON c.id = b.customer_id
WITH orders AS (SELECT id, total FROM orders WHERE total > 5) SELECT COUNT(*) FROM orders
SELECT o.* FROM orders o, customers c WHERE o.customer_id = c.id AND c.city IN ('Paris', '北京')
SELECT total IS NOT DISTINCT FROM discount, status IS 'x', NOT total, -total, ~id, id << 2 FROM orders
SELECT * FROM "order" WHERE "order".total > 1
SELECT main.orders.id FROM main.orders ORDER BY main.orders.total
SELECT date(created_at, 'weekday 0', '-6 days') AS week, ceil(total), sqrt(abs(total)), sign(total) FROM orders
SELECT (SELECT name FROM customers WHERE id = 1) AS n, EXISTS (SELECT 1 FROM orders) AS e
SELECT c.region, o.status, COUNT(*) FROM customers c INNER JOIN orders o ON c.id = o.customer_id AND o.total > 0 GROUP BY c.region, o.status ORDER BY 3 DESC, 1
SELECT id /* the key */, total FROM orders -- the sum
SELECT likely(total > 1), julianday('now'), instr(name, 'x'), hex(name), quote(name), unicode(name), char(65) FROM customers, orders
SELECT o.id, o.total FROM orders AS o INDEXED BY idx_total WHERE o.total > 10
SELECT o.id FROM orders o NOT INDEXED
SELECT customer_id, total FROM orders GROUP BY customer_id HAVING total = max(total)
SELECT c.name, o.id FROM customers c NATURAL LEFT JOIN orders o
SELECT count(*) AS "Total Orders", avg(total) AS 'Average' FROM orders
SELECT name FROM customers ORDER BY name COLLATE NOCASE ASC NULLS LAST
SELECT CASE strftime('%w', created_at) WHEN '0' THEN 'Sun' ELSE 'Other' END AS d, count(*) FROM orders GROUP BY d
SELECT * FROM orders WHERE created_at BETWEEN datetime('now','-7 days') AND datetime('now','localtime')
SELECT DISTINCT c.city, count(*) OVER (PARTITION BY c.city) FROM customers c
SELECT sum(CASE WHEN status='paid' THEN total ELSE 0 END) * 1.0 / nullif(sum(total), 0) AS r FROM orders
SELECT id, total, row_number() OVER (ORDER BY total DESC) AS rn FROM orders WHERE rn IS NULL OR 1
WITH t(a,b) AS (VALUES (1,2),(3,4)) SELECT a+b FROM t
WITH RECURSIVE fib(a,b) AS (SELECT 0,1 UNION ALL SELECT b,a+b FROM fib LIMIT 20) SELECT a FROM fib
SELECT (SELECT total FROM orders ORDER BY total LIMIT 1 OFFSET (SELECT count(*)/2 FROM orders)) AS median
SELECT group_concat(city || ':' || n, '|') FROM (SELECT city, count(*) n FROM customers GROUP BY city)
SELECT * FROM orders WHERE (customer_id, status) IN (VALUES (1,'paid'),(2,'void'))
SELECT name FROM customers WHERE name NOT LIKE '%x%' AND city IS NOT NULL AND (region = 'EU' OR region = 'US') AND NOT (segment = 'B')
SELECT a.city, b.city FROM customers a CROSS JOIN customers b WHERE a.id < b.id
SELECT t1.id, t2.id FROM orders t1, orders t2 WHERE t1.customer_id = t2.customer_id AND t1.id <> t2.id
SELECT e.department, e.name, e.salary FROM employees e WHERE e.salary = (SELECT max(salary) FROM employees WHERE department = e.department)
SELECT coalesce(c.name,'unknown') name, sum(o.total) total FROM orders o LEFT OUTER JOIN customers c ON c.id=o.customer_id GROUP BY c.id, name ORDER BY total DESC
SELECT json_array_length(tags), json_type(attrs,'$.a'), json_group_array(name) FROM products
SELECT json_group_object(name, price) FROM products
SELECT name, lag(price) OVER (PARTITION BY category ORDER BY price) prev, price - lag(price) OVER (PARTITION BY category ORDER BY price) diff FROM products
SELECT date(created_at) d, sum(total) s, avg(sum(total)) OVER (ORDER BY date(created_at) ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) ma FROM orders GROUP BY d
SELECT count(DISTINCT customer_id) FROM orders WHERE strftime('%Y', created_at) = '2024' AND CAST(strftime('%m', created_at) AS INTEGER) IN (1,2,3)
select * from (select id from orders union select id from customers) x order by 1
SELECT EXISTS(SELECT 1 FROM orders WHERE total > 1000) AS has_big, (SELECT count(*) FROM customers) AS n
SELECT substr(email, instr(email,'@')+1) AS domain, count(*) FROM customers GROUP BY 1 ORDER BY 2 DESC LIMIT 5
SELECT total FROM orders WHERE total REGEXP '^1'
SELECT max(total) - min(total) AS spread, round(sqrt(avg(total*total) - avg(total)*avg(total)), 2) AS sd FROM orders
SELECT nth_value(total, 2) OVER (ORDER BY id GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE TIES) FROM orders
SELECT 订单.编号, 订单.金额 AS 总额 FROM 订单 ORDER BY 总额
SELECT o.id AS 订单号, c.name AS 客户名 FROM orders o JOIN customers c ON o.customer_id = c.id
SELECT id, created_at, julianday('now') - julianday(created_at) AS age_days FROM orders WHERE age_days > 30
SELECT TRUE, FALSE, NULL, 1e5, 0x1F, x'53514C', -5, +3, 'a''b'
SELECT total FROM orders WHERE status == 'paid' AND total != 0
SELECT * FROM orders o LEFT JOIN (SELECT customer_id cid, count(*) n FROM orders GROUP BY customer_id) x ON x.cid = o.customer_id
SELECT AVG(total) FILTER (WHERE status = 'paid') AS a, TOTAL(discount) FROM orders
SELECT iif(total > 10, 'a', 'b'), ifnull(discount, 0), min(1, 2), max(1, 2, 3) FROM orders
# written after the lists, and counted when they first ran (docs/guard.md)
SELECT strftime('%Y-%m', created_at) AS month, SUM(total) AS revenue FROM orders GROUP BY month ORDER BY month
SELECT strftime('%W', created_at) wk, COUNT(*) FILTER (WHERE status = 'paid') FROM orders GROUP BY wk
SELECT date(created_at, 'start of month', '+1 month', '-1 day') AS month_end, count(*) FROM orders GROUP BY 1
SELECT id, julianday(ship_date) - julianday(created_at) AS days_to_ship FROM orders WHERE ship_date IS NOT NULL
SELECT datetime(created_at, 'localtime'), unixepoch(created_at), time('now') FROM orders
SELECT customer_id, total, SUM(total) OVER (PARTITION BY customer_id ORDER BY created_at ROWS UNBOUNDED PRECEDING) AS running FROM orders
SELECT id, LAG(total) OVER w, LEAD(total, 2, 0) OVER w, NTH_VALUE(total, 2) OVER w FROM orders WINDOW w AS (ORDER BY created_at)
SELECT id, avg(total) OVER (ORDER BY id GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM orders
WITH RECURSIVE cnt(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM cnt WHERE x < 12) SELECT x, (SELECT count(*) FROM orders WHERE CAST(strftime('%m', created_at) AS INTEGER) = x) FROM cnt
WITH RECURSIVE dates(d) AS (VALUES('2024-01-01') UNION ALL SELECT date(d, '+1 day') FROM dates WHERE d < '2024-02-01') SELECT d FROM dates
WITH RECURSIVE boss(id, lvl) AS (SELECT id, 0 FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, boss.lvl + 1 FROM employees e JOIN boss ON e.manager_id = boss.id ORDER BY 2 DESC LIMIT 100) SELECT substr('..........', 1, lvl * 3) || id FROM boss
SELECT json_extract(payload, '$.a.b') AS b, payload ->> '$.c', payload -> 'items' FROM orders
SELECT o.id, j.value ->> 'sku' FROM orders o, json_each(o.items) j WHERE j.value ->> 'qty' > 3
SELECT o.id, t.fullkey, t.atom FROM orders AS o JOIN json_tree(o.payload) AS t WHERE t.type NOT IN ('object', 'array')
SELECT json_group_array(name) FROM products GROUP BY category
SELECT json_object('id', id, 'total', total) FROM orders LIMIT 3
SELECT category, group_concat(name, '; ') FROM products GROUP BY category HAVING count(*) > 1
SELECT category, group_concat(DISTINCT name) FROM products GROUP BY category
SELECT string_agg(name, ',' ORDER BY name DESC) FROM products
SELECT name FROM customers WHERE name LIKE 'name\_%' ESCAPE '\' OR name GLOB 'name[0-9]'
SELECT name FROM customers WHERE email LIKE '%@example.com' COLLATE NOCASE
SELECT substr(email, instr(email, '@') + 1) AS domain, count(*) FROM customers GROUP BY domain
SELECT printf('%.2f', total), printf('%05d', id), format('%s-%d', status, id) FROM orders
SELECT typeof(total), quote(status), hex(status), length(status), unicode(status), char(65, 66) FROM orders
SELECT coalesce(discount, 0), ifnull(discount, 0), nullif(total, 0), iif(total > 50, 'big', 'small') FROM orders
SELECT max(total, 10), min(id, 5), abs(-total), round(total, 1), total(discount), sign(total), ceil(total), floor(total), sqrt(total), pow(total, 2), mod(id, 2) FROM orders
SELECT * FROM orders WHERE status IS NOT DISTINCT FROM 'paid'
SELECT * FROM orders WHERE status IS NOT 'paid'
SELECT c.name, o.total FROM customers c LEFT OUTER JOIN orders o ON o.customer_id = c.id AND o.total = (SELECT max(total) FROM orders WHERE customer_id = c.id)
SELECT * FROM customers NATURAL JOIN (SELECT customer_id AS id, count(*) n FROM orders GROUP BY 1)
SELECT a.id, b.id FROM orders a CROSS JOIN orders b WHERE a.id < b.id AND a.total = b.total
SELECT id FROM orders UNION SELECT id FROM customers EXCEPT SELECT id FROM products ORDER BY id LIMIT 10 OFFSET 2
SELECT customer_id FROM orders INTERSECT SELECT id FROM customers
SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY customer_id ORDER BY total DESC) AS rn FROM orders) WHERE rn <= 3
SELECT CASE WHEN total < 20 THEN '0-20' WHEN total < 50 THEN '20-50' ELSE '50+' END AS band, count(*) FROM orders GROUP BY band ORDER BY min(total)
SELECT "编号", "金额" * 1.1 AS 含税 FROM 订单 WHERE "日期" >= '2024-03-01'
SELECT count(*) FROM "order" o WHERE o.total > 4
SELECT [id], `total` FROM [order]
SELECT CAST(total AS INTEGER), CAST(id AS TEXT) || '-x', total * 1.0 / 3, 7 / 2, 7 % 3, 5 & 3, 1 << 4, ~1 FROM orders
SELECT EXISTS (SELECT 1 FROM orders WHERE total > 100) AS any_big
SELECT name, (SELECT count(*) FROM orders WHERE customer_id = customers.id) AS n FROM customers ORDER BY n DESC, name LIMIT 5
SELECT region, round(100.0 * count(*) / (SELECT count(*) FROM customers), 1) || '%' FROM customers GROUP BY region
SELECT rowid, * FROM orders WHERE rowid % 2 = 0
SELECT date('now', '-30 days'), date('now', 'weekday 1'), strftime('%s', 'now') - strftime('%s', '2024-01-01')
SELECT trim(name), ltrim(name, 'n'), rtrim(name, '1'), replace(name, 'a', 'b'), upper(name), lower(name), substr(name, -2) FROM customers
SELECT DISTINCT customer_id, status FROM orders WHERE customer_id IN (1, 2, 3) AND status NOT IN ('void')
SELECT count(*), count(DISTINCT customer_id), avg(total), sum(total), min(total), max(total) FROM orders WHERE created_at BETWEEN '2024-01-01' AND '2024-06-30'
WITH a AS (SELECT customer_id, sum(total) s FROM orders GROUP BY 1), b AS NOT MATERIALIZED (SELECT avg(s) m FROM a) SELECT a.* FROM a, b WHERE a.s > b.m
SELECT id, cume_dist() OVER (ORDER BY total), ntile(5) OVER (ORDER BY total), percent_rank() OVER (ORDER BY total), dense_rank() OVER (ORDER BY total DESC) FROM orders
SELECT a.id FROM orders a INDEXED BY ix_orders WHERE a.id > 2
SELECT e.name, m.name AS manager FROM employees e LEFT JOIN employees m ON m.id = e.manager_id ORDER BY e.salary DESC NULLS LAST
SELECT (customer_id, status) = (1, 'paid') FROM orders
SELECT likely(total > 5), unlikely(id = 3), zeroifnull FROM (SELECT total, id, 0 AS zeroifnull FROM orders)
SELECT first_value(status) OVER (PARTITION BY customer_id ORDER BY created_at DESC) AS latest FROM orders
SELECT json_array_length(items), json_type(payload, '$.a'), json_valid(payload), json_quote(status) FROM orders
SELECT timediff(ship_date, created_at), strftime('%J', created_at), strftime('%w', created_at), strftime('%H', created_at) FROM orders
SELECT value FROM generate_series(1, 10, 2)
SELECT concat_ws('-', status, customer_id), concat(status, id), octet_length(status) FROM orders
SELECT median(total), percentile(total, 90) FROM orders
SELECT sum(total) FROM orders WHERE created_at >= datetime('now', '-7 days', 'utc')
SELECT count(*) FROM orders o FULL OUTER JOIN customers c ON c.id = o.customer_id
SELECT id FROM orders ORDER BY random() LIMIT 5
SELECT x'53514C', 1e3, 0x1F, .5, NULL, TRUE
SELECT strftime('%Y-%m', o.created_at) AS ym, COUNT(DISTINCT o.customer_id) AS buyers, ROUND(SUM(o.total) / COUNT(*), 2) AS aov FROM orders o WHERE o.created_at >= date('now', '-12 months') GROUP BY 1 ORDER BY 1
WITH m AS (SELECT strftime('%Y-%m', created_at) ym, SUM(total) s FROM orders GROUP BY ym) SELECT ym, s, ROUND(100.0 * (s - LAG(s) OVER (ORDER BY ym)) / LAG(s) OVER (ORDER BY ym), 1) AS growth FROM m
SELECT c.name, COALESCE(SUM(o.total), 0) AS s FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.id HAVING s > 0 ORDER BY s DESC LIMIT 10
SELECT id, total, CASE WHEN total >= (SELECT AVG(total) FROM orders) THEN 'above' ELSE 'below' END AS side FROM orders
SELECT CASE CAST(strftime('%w', created_at) AS INTEGER) WHEN 0 THEN 'Sun' WHEN 1 THEN 'Mon' ELSE 'Other' END AS dow, COUNT(*) FROM orders GROUP BY dow
SELECT p.category, SUM(oi.quantity * oi.unit_price) AS rev FROM order_items oi JOIN products p ON p.id = oi.product_id GROUP BY p.category ORDER BY rev DESC
SELECT customer_id, MAX(created_at), status FROM orders GROUP BY customer_id
SELECT COUNT(*) FILTER (WHERE status = 'paid') * 1.0 / COUNT(*) AS rate FROM orders
SELECT DISTINCT c.city FROM customers c INNER JOIN orders o USING (id) WHERE o.status IS 'paid'
SELECT SUM(CASE WHEN status = 'paid' THEN total END) AS paid, SUM(CASE WHEN status = 'void' THEN total END) AS void, TOTAL(discount) FROM orders
SELECT o.id, j.key, j.value FROM orders o, json_each(o.payload, '$.items') j
SELECT json_extract(value, '$.sku') AS sku, SUM(json_extract(value, '$.qty')) FROM orders, json_each(orders.items) GROUP BY sku
WITH RECURSIVE split(word, rest) AS (SELECT '', 'a,b,c' || ',' UNION ALL SELECT substr(rest, 1, instr(rest, ',') - 1), substr(rest, instr(rest, ',') + 1) FROM split WHERE rest <> '') SELECT word FROM split WHERE word <> ''
WITH RECURSIVE up(id, name, manager_id, depth) AS (SELECT id, name, manager_id, 0 FROM employees WHERE id = 8 UNION ALL SELECT e.id, e.name, e.manager_id, up.depth + 1 FROM employees e JOIN up ON e.id = up.manager_id) SELECT * FROM up
SELECT id, SUM(total) OVER (ORDER BY created_at, id RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW EXCLUDE CURRENT ROW) FROM orders
SELECT printf('%,d', 1234567), printf('%.1f%%', 12.345), substr('abc', 2), 'a' || 1 || NULL, upper('ä'), instr('abc', 'c')
SELECT * FROM orders WHERE date(created_at) BETWEEN date('2024-01-01') AND date('2024-03-31', '+1 day') AND time(created_at) > '02:00'
SELECT (julianday('now') - julianday(MAX(created_at))) AS days_since FROM orders
SELECT a.name, b.name FROM customers a, customers b WHERE a.referrer_id = b.id AND a.region <> b.region
SELECT customer_id, GROUP_CONCAT(status, ' > ') FROM (SELECT customer_id, status FROM orders ORDER BY customer_id, created_at) GROUP BY customer_id
SELECT ROW_NUMBER() OVER (ORDER BY total DESC) AS pos, id FROM orders LIMIT 10
SELECT id FROM orders WHERE total IN (SELECT MAX(total) FROM orders GROUP BY status) ORDER BY id
SELECT ROUND(AVG(total), 2), MIN(total), MAX(total), SUM(total) FROM orders WHERE total IS NOT NULL AND total <> 0 AND status || '' <> ''
SELECT 订单.编号, 订单.金额 FROM 订单 ORDER BY 金额 DESC LIMIT 3
SELECT strftime('%Y', created_at) || '-Q' || ((CAST(strftime('%m', created_at) AS INTEGER) + 2) / 3) AS q, SUM(total) FROM orders GROUP BY q
SELECT o.id FROM ((orders AS o JOIN customers AS c ON c.id = o.customer_id))
SELECT count(*) FROM (orders) WHERE status <> '/*!'
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
SELECT strftime('%Y-%m', created_at) AS month, COUNT(*) FILTER (WHERE status = 'paid') AS paid FROM orders GROUP BY 1 ORDER BY 1
SELECT date(created_at, '+1 month', 'start of month', '-1 day') AS month_end, julianday(ship_date) - julianday(created_at) AS days FROM orders ORDER BY id
SELECT j.key, j.value FROM orders o, json_each(o.payload) AS j WHERE o.id = 1 ORDER BY j.key
SELECT o.id, i.value ->> '$.sku' AS sku, json_extract(i.value, '$.qty') AS qty FROM orders o JOIN json_each(o.items) AS i ORDER BY o.id
SELECT fullkey, atom FROM orders, json_tree(orders.payload) WHERE orders.id = 2 AND atom IS NOT NULL ORDER BY fullkey
SELECT value, COUNT(*) AS n FROM products, json_each(products.tags) GROUP BY value ORDER BY n DESC, value
SELECT payload -> '$.a' AS a, payload ->> '$.a.b' AS b, json_type(payload, '$.d') AS t FROM orders ORDER BY id
SELECT json_group_array(name) AS names, json_group_object(id, name) AS pairs FROM customers
SELECT json_object('id', id, 'total', total) AS doc, json_array(id, status) AS arr FROM orders ORDER BY id
SELECT group_concat(name, '; ') AS names, total(price) AS t FROM products
SELECT iif(total > 50, 'big', 'small') AS size, COUNT(*) AS n FROM orders GROUP BY 1 ORDER BY 1
SELECT substr(email, instr(email, '@') + 1) AS domain, COUNT(*) AS n FROM customers GROUP BY domain ORDER BY domain
SELECT printf('%05.2f', price) AS p, format('%d-%s', id, name) AS f FROM products ORDER BY id
SELECT CAST(strftime('%w', created_at) AS INTEGER) AS weekday, AVG(total) AS mean FROM orders GROUP BY weekday ORDER BY weekday
SELECT id, GROUP_CONCAT(status) OVER (ORDER BY id ROWS 2 PRECEDING) AS seen FROM orders ORDER BY id
SELECT id, total FROM orders ORDER BY total DESC NULLS LAST LIMIT 5 OFFSET 2
SELECT datetime('2024-01-31', 'weekday 1') AS d, unixepoch('2024-01-01') AS u, timediff('2024-03-01', '2024-02-01') AS t
SELECT id, RANK() OVER (ORDER BY total) AS r, SUM(total) OVER (ORDER BY total GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW EXCLUDE CURRENT ROW) AS s FROM orders ORDER BY id
VALUES (1, 'one'), (2, 'two')
SELECT v.column1, v.column2 FROM (VALUES (1, 'a'), (2, 'b')) AS v
SELECT max(id, 3, 5) AS m, min(total, 10) AS n, coalesce(NULL, status, 'x') AS c FROM orders ORDER BY id
WITH RECURSIVE d(day) AS (SELECT '2024-01-01' UNION ALL SELECT date(day, '+1 day') FROM d WHERE day < '2024-01-10') SELECT d.day, COUNT(o.id) AS n FROM d LEFT JOIN orders o ON date(o.created_at) = d.day GROUP BY d.day ORDER BY d.day
SELECT id, total FROM orders WHERE (customer_id, status) IN (SELECT id, 'paid' FROM customers) ORDER BY id
# a third round, of an analyst's own work
SELECT strftime('%Y-W%W', created_at) AS week, COUNT(*) FILTER (WHERE status = 'paid') * 100.0 / COUNT(*) AS paid_share FROM orders GROUP BY 1 ORDER BY 1
WITH ranked AS (SELECT category, name, price, ROW_NUMBER() OVER (PARTITION BY category ORDER BY price DESC, name) AS rn FROM products) SELECT category, name FROM ranked WHERE rn <= 3
SELECT c.region, ROUND(AVG(o.total), 2) AS avg_total, MAX(o.created_at) FROM customers AS c LEFT JOIN orders AS o ON o.customer_id = c.id AND o.status <> 'cancelled' GROUP BY c.region HAVING COUNT(o.id) > 5
SELECT json_extract(payload, '$.shipping.method') AS method, count(*) FROM orders WHERE json_valid(payload) GROUP BY method
SELECT o.id, j.value ->> 'sku' AS sku FROM orders AS o, json_each(o.items) AS j WHERE j.key < 3
WITH RECURSIVE chain(id, name, depth) AS (SELECT id, name, 0 FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, e.name, chain.depth + 1 FROM employees e JOIN chain ON e.manager_id = chain.id) SELECT printf('%s%s', substr('          ', 1, depth * 2), name) FROM chain
WITH RECURSIVE days(d) AS (SELECT date('2024-01-01') UNION ALL SELECT date(d, '+1 day') FROM days WHERE d < '2024-12-31') SELECT d, (SELECT count(*) FROM orders WHERE date(created_at) = d) FROM days
SELECT julianday(ship_date) - julianday(created_at) AS days, total(total) FROM orders WHERE ship_date NOTNULL GROUP BY 1
SELECT name, group_concat(DISTINCT category) FROM products GROUP BY name COLLATE NOCASE ORDER BY name COLLATE NOCASE
SELECT iif(total >= 100, '大单', '小单') AS 类型, count(*) AS 数量 FROM orders GROUP BY 1
SELECT "客户", sum("金额") AS "合计" FROM "订单" WHERE "日期" BETWEEN '2024-01-01' AND '2024-06-30' GROUP BY "客户" ORDER BY 2 DESC LIMIT 10
SELECT department, salary, percent_rank() OVER w, ntile(4) OVER w FROM employees WINDOW w AS (PARTITION BY department ORDER BY salary)
SELECT total, lag(total, 1, 0) OVER (ORDER BY created_at ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM orders
SELECT * FROM (SELECT id, total FROM orders UNION ALL SELECT id, total FROM "order") WHERE total IS NOT NULL ORDER BY total DESC LIMIT 20 OFFSET 40
SELECT CAST(substr(created_at, 1, 4) AS INTEGER) AS y, sum(CASE strftime('%m', created_at) WHEN '01' THEN total ELSE 0 END) AS jan FROM orders GROUP BY y
SELECT name FROM customers WHERE (city, region) IN (SELECT city, region FROM customers GROUP BY 1, 2 HAVING count(*) > 1)
SELECT instr(email, '@'), substr(email, instr(email, '@') + 1) AS domain, count(*) FROM customers WHERE email LIKE '%@%' ESCAPE '\' GROUP BY domain
SELECT name FROM customers WHERE name GLOB '[A-M]*' AND id NOT IN (SELECT customer_id FROM orders WHERE customer_id IS NOT NULL)
SELECT id, total FROM orders WHERE created_at >= datetime('now', '-30 days', 'start of day') AND unixepoch(created_at) > 0
SELECT count(*), count(DISTINCT customer_id), min(total), max(total), avg(total) FROM orders NATURAL JOIN order_items
# sizes, samples and recursions
WITH RECURSIVE split(word, rest) AS (SELECT '', 'a,b,c' || ',' UNION ALL SELECT substr(rest, 0, instr(rest, ',')), substr(rest, instr(rest, ',') + 1) FROM split WHERE rest <> '') SELECT word FROM split WHERE word <> ''
WITH RECURSIVE fib(a, b, n) AS (SELECT 0, 1, 1 UNION ALL SELECT b, a + b, n + 1 FROM fib WHERE n < 20) SELECT a FROM fib
WITH RECURSIVE bounds(lo, hi) AS (SELECT min(date(created_at)), max(date(created_at)) FROM orders), days(d) AS (SELECT lo FROM bounds UNION ALL SELECT date(d, '+1 day') FROM days, bounds WHERE d < hi) SELECT count(*) FROM days
WITH RECURSIVE months(m) AS (SELECT 1 UNION SELECT m + 1 FROM months WHERE m < 12) SELECT m FROM months
WITH RECURSIVE tree AS (SELECT id, name FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, e.name FROM employees e, tree t WHERE e.manager_id = t.id) SELECT * FROM tree
WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 31) SELECT i FROM n
SELECT printf('%08d', id) FROM orders
# a fourth round, written before the lists were read again
WITH RECURSIVE chain(id, name, depth, path) AS (SELECT id, name, 0, name FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, e.name, c.depth + 1, c.path || ' > ' || e.name FROM employees e JOIN chain c ON e.manager_id = c.id) SELECT * FROM chain WHERE depth <= 3 ORDER BY path
WITH RECURSIVE days(d) AS (VALUES('2024-01-01') UNION ALL SELECT date(d, '+1 day') FROM days WHERE d < '2024-01-31') SELECT days.d, count(o.id) AS n FROM days LEFT JOIN orders o ON date(o.created_at) = days.d GROUP BY days.d
SELECT strftime('%Y-%m', created_at) AS month, sum(total) FILTER (WHERE status = 'paid') AS paid, round(100.0 * sum(total) FILTER (WHERE status = 'paid') / nullif(sum(total), 0), 1) AS share FROM orders GROUP BY 1 ORDER BY 1
SELECT o.id, j.key, j.value, j.type FROM orders o, json_each(o.payload) AS j WHERE j.type = 'integer'
SELECT id, payload ->> '$.a.b' AS b, payload -> '$.items[0]' AS first_item, json_extract(payload, '$.items[0].sku', '$.n') AS two FROM orders
SELECT customer_id, total, sum(total) OVER w AS running, lag(total, 1, 0) OVER w AS before, ntile(4) OVER (ORDER BY total) AS quarter, percent_rank() OVER (ORDER BY total) AS pr FROM orders WINDOW w AS (PARTITION BY customer_id ORDER BY created_at ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW EXCLUDE TIES)
SELECT julianday(ship_date) - julianday(created_at) AS days, CAST(strftime('%W', created_at) AS INTEGER) AS week, unixepoch(created_at) / 3600 AS hours FROM orders WHERE created_at BETWEEN date('now', '-2 years', 'start of month') AND datetime('now', 'localtime')
SELECT group_concat(name, '; ' ORDER BY name DESC) AS names, count(DISTINCT city) FILTER (WHERE city GLOB '[A-Z]*') AS capitals FROM customers GROUP BY region
SELECT printf('%05d-%s', id, upper(substr(name, 1, 3))) AS code, instr(email, '@') AS at, iif(segment IS NOT DISTINCT FROM 's1', 'x', 'y') AS f, typeof(id), hex(name) FROM customers
SELECT (SELECT total FROM orders ORDER BY total LIMIT 1 OFFSET (SELECT count(*) / 2 FROM orders)) AS median, (SELECT max(total) - min(total) FROM orders) AS spread
SELECT "订单"."客户" AS 客户, total("金额") AS 合计 FROM "订单" GROUP BY "客户" HAVING 合计 > 20 ORDER BY 合计 DESC NULLS LAST
SELECT c.name FROM customers c WHERE (c.city, c.region) IN (SELECT city, region FROM customers WHERE segment = 's2') AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id AND o.status IS 'void')
SELECT o.id, j.value ->> '$.sku' AS sku FROM orders o, json_each(o.items) AS j
WITH RECURSIVE d(x) AS (SELECT date('2024-01-01') UNION ALL SELECT date(x, '+1 day') FROM d WHERE x < '2024-01-31') SELECT d.x, count(o.id) FROM d LEFT JOIN orders o ON date(o.created_at) = d.x GROUP BY d.x
SELECT status, total, sum(total) OVER (PARTITION BY status ORDER BY created_at ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS s FROM orders
# a fifth round, written before the lists were read; then rows of constants and recursions
SELECT strftime('%Y-%m', created_at) AS month, round(sum(total), 2) AS revenue FROM orders GROUP BY 1 ORDER BY 1
SELECT c.name, o.total, rank() OVER (PARTITION BY c.city ORDER BY o.total DESC) AS r FROM customers c JOIN orders o ON o.customer_id = c.id
WITH RECURSIVE days(d) AS (SELECT date('2024-01-01') UNION ALL SELECT date(d, '+1 day') FROM days WHERE d < '2024-01-31') SELECT d, count(o.id) FROM days LEFT JOIN orders o ON date(o.created_at) = d GROUP BY d
WITH RECURSIVE chain AS (SELECT id, name, 0 AS depth FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, e.name, chain.depth + 1 FROM employees e JOIN chain ON e.manager_id = chain.id WHERE chain.depth < 10) SELECT * FROM chain
SELECT CAST(REPLACE(REPLACE('$1,200.00', '$', ''), ',', '') AS REAL) + total FROM orders
SELECT NULLIF(TRIM(city), '') AS city, count(*) FILTER (WHERE segment = 's1') AS s1 FROM customers GROUP BY 1 HAVING count(*) > 1
SELECT json_extract(payload, '$.a.b') AS b, payload ->> '$.c' AS c FROM orders
SELECT o.id, j.value ->> 'sku' AS sku FROM orders o, json_each(o.items) j
SELECT total, ntile(4) OVER (ORDER BY total) AS quartile, lag(total) OVER (ORDER BY created_at) AS previous FROM orders
SELECT julianday('now') - julianday(created_at) AS age FROM orders WHERE created_at >= date('now', 'start of month', '-3 months')
SELECT group_concat(name, ', ') AS names, substr(city, 1, instr(city || ' ', ' ') - 1) AS first FROM customers GROUP BY city
SELECT sum(CASE WHEN status = 'paid' THEN total ELSE 0 END) * 100.0 / sum(total) AS pct FROM orders
SELECT * FROM order ORDER BY id
SELECT "编号", "金额" FROM 订单 WHERE "金额" > 20 ORDER BY "日期" DESC LIMIT 5 OFFSET 2
SELECT name FROM customers WHERE name GLOB 'name[1-3]' OR city LIKE 'P%' ESCAPE '!'
SELECT id, total, sum(total) OVER (ORDER BY id ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) AS rolling FROM orders WINDOW w AS (ORDER BY id)
SELECT iif(total > 50, 'big', 'small') AS size, count(*), total(discount) FROM orders GROUP BY size
SELECT p.category, avg(oi.unit_price * oi.quantity) FROM order_items oi INNER JOIN products p ON p.id = oi.product_id GROUP BY p.category ORDER BY 2 DESC NULLS LAST
SELECT * FROM (SELECT id, row_number() OVER (PARTITION BY customer_id ORDER BY created_at DESC) AS n FROM orders) WHERE n = 1
SELECT printf('%.2f%%', 100.0 * count(discount) / count(*)) AS share FROM orders
# a sixth round
SELECT c.city, sum(o.total) AS t, round(100.0 * sum(o.total) / sum(sum(o.total)) OVER (), 1) AS pct FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY c.city
WITH RECURSIVE m(d) AS (SELECT date('2024-01-01') UNION ALL SELECT date(d, '+1 month') FROM m LIMIT 12) SELECT d FROM m
WITH RECURSIVE tree(id, lvl) AS (SELECT id, 0 FROM employees WHERE manager_id IS NULL UNION SELECT e.id, lvl + 1 FROM tree, employees e WHERE e.manager_id = tree.id) SELECT lvl, count(*) FROM tree GROUP BY lvl
SELECT substr('0000' || id, -4) AS code, name || ' <' || city || '>' FROM customers WHERE lower(name) LIKE '%name%' AND city IS NOT NULL
SELECT strftime('%w', created_at) AS dow, count(*) AS n FROM orders GROUP BY dow HAVING n > 0 ORDER BY n DESC
SELECT max(total) - min(total), avg(total), sum(total) * 1.0 / count(DISTINCT customer_id) FROM orders WHERE created_at BETWEEN '2024-01-01' AND '2024-12-31'
SELECT name FROM customers WHERE name LIKE 'name\_%' ESCAPE '\'
WITH RECURSIVE t(id) AS (SELECT 1 UNION SELECT e.id FROM t JOIN (SELECT id, manager_id FROM employees) e ON e.manager_id = t.id) SELECT id FROM t
