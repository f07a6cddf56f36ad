# ways past a filter, a hidden column or a grant in MySQL and MariaDB; each is refused, or holds no canary
SELECT orders.note FROM users AS orders
SELECT note FROM orders AS secret
SELECT `orders`.`note` FROM `orders`
SELECT o.note FROM orders o FORCE INDEX FOR ORDER BY (PRIMARY) ORDER BY o.id
SELECT note FROM orders IGNORE INDEX (PRIMARY) WHERE region = 'south'
SELECT STRAIGHT_JOIN o.note FROM users u JOIN orders o
SELECT SQL_BUFFER_RESULT SQL_NO_CACHE note FROM orders
SELECT note FROM orders LIMIT 3, 10
SELECT note FROM orders ORDER BY region = 'south' DESC LIMIT 1
SELECT CASE WHEN region = 'south' THEN (SELECT 1 UNION ALL SELECT 2) ELSE 1 END AS x FROM orders
SELECT count(*) AS n FROM orders WHERE CASE WHEN region = 'south' THEN (SELECT 1 UNION SELECT 2) ELSE 1 END = 1
SELECT count(*) AS n FROM orders WHERE IF(region = 'south', (SELECT id FROM users), 1) = 1
SELECT exp(CASE WHEN region = 'south' THEN 9999 ELSE 1 END) AS x FROM orders
SELECT count(*) AS n FROM orders WHERE note REGEXP CASE WHEN region = 'south' THEN concat(note, '(') ELSE 'x' END
SELECT json_extract(CASE WHEN region = 'south' THEN note ELSE '{}' END, '$') AS x FROM orders
SELECT group_concat(note ORDER BY id SEPARATOR 0x2c) AS g FROM orders
SELECT json_objectagg(id, note) AS j FROM orders
SELECT json_objectagg(name, password) AS j FROM users
SELECT CONVERT(note USING utf8mb4) AS x FROM orders
SELECT note COLLATE utf8mb4_bin AS x FROM orders
SELECT BINARY note AS x FROM orders
SELECT id FROM users WHERE (id, password) = (1, 'pw-1')
SELECT id FROM users WHERE (id, name, password) IN (SELECT 1, 'name 1', 'pw-1')
SELECT id FROM users WHERE `password` RLIKE 'pw'
SELECT id FROM users ORDER BY `password`
SELECT id FROM users GROUP BY id HAVING max(password) LIKE 'pw%'
SELECT id FROM users JOIN users AS v USING (password)
SELECT b.* FROM users AS a NATURAL JOIN users AS b
SELECT password FROM (SELECT * FROM users) AS u
SELECT u.password FROM (SELECT users.* FROM users) AS u
SELECT name, password FROM users LIMIT 1
SELECT max(password) OVER () AS m FROM users
SELECT first_value(note) OVER (ORDER BY region DESC) AS f FROM orders
SELECT note FROM hist FOR SYSTEM_TIME BETWEEN '2000-01-01' AND '2100-01-01'
SELECT note FROM hist FOR SYSTEM_TIME FROM '2000-01-01' TO '2100-01-01'
SELECT h.note FROM hist FOR SYSTEM_TIME ALL AS h WHERE h.row_end < now()
SELECT row_start, row_end FROM hist
SELECT (SELECT max(note) FROM hist FOR SYSTEM_TIME ALL) AS m
SELECT note FROM orders UNION SELECT note FROM hist FOR SYSTEM_TIME ALL
WITH RECURSIVE orders AS (SELECT id, note FROM orders UNION ALL SELECT id + 1000, note FROM orders WHERE id < 3) SELECT note FROM orders
WITH hist AS (SELECT * FROM hist FOR SYSTEM_TIME ALL) SELECT note FROM hist
SELECT 'a\' AS x, (SELECT token FROM secret) AS y -- '
SELECT "a\" AS x, (SELECT token FROM secret) AS y -- "
SELECT 'x' /*!, (SELECT token FROM secret) */ AS y
SELECT 1 AS a -- /*
SELECT * FROM JSON_TABLE((SELECT json_arrayagg(note) FROM orders), '$[*]' COLUMNS (n VARCHAR(50) PATH '$')) AS t
# a later round, written before the lists were read
SELECT note FROM orders FOR SYSTEM_TIME AS OF NOW()
SELECT h.note FROM (hist) AS h
SELECT * FROM (SELECT * FROM hist FOR SYSTEM_TIME ALL) x
SELECT * FROM hist FOR SYSTEM_TIME BETWEEN '2000-01-01' AND NOW() AS h
SELECT note FROM (SELECT `id`, `region`, `note` FROM hist FOR SYSTEM_TIME FROM '2000-01-01' TO '2100-01-01' WHERE (region = 'north')) AS h
WITH h AS (SELECT * FROM hist FOR SYSTEM_TIME ALL) SELECT * FROM h
SELECT ROW_START, ROW_END, note FROM hist
SELECT note FROM orders USE INDEX () WHERE region <> 'north'
SELECT note FROM orders FORCE INDEX (PRIMARY) WHERE id = 1
SELECT orders.note FROM orders STRAIGHT_JOIN users ON users.id = orders.user_id
SELECT GROUP_CONCAT(note) AS n FROM orders GROUP BY region WITH ROLLUP
SELECT JSON_ARRAYAGG(note) AS n FROM orders
SELECT JSON_OBJECTAGG(id, note) AS n FROM orders
WITH RECURSIVE orders AS (SELECT note, 1 AS n FROM orders UNION ALL SELECT note, n + 1 FROM orders WHERE n < 2) SELECT * FROM orders
SELECT * FROM orders, (SELECT @x := note FROM orders) y
SELECT (SELECT GROUP_CONCAT(o.note) FROM orders o WHERE o.user_id = u.id) AS n FROM users u
SELECT `password` FROM `users`
SELECT u.`password` FROM users AS u
SELECT * FROM users WHERE `password` RLIKE 'pw'
SELECT name FROM users HAVING password <> ''
SELECT note FROM orders PARTITION (p0)
SELECT DISTINCTROW note FROM orders
SELECT note FROM orders WHERE note SOUNDS LIKE 'hidden' OR 1
SELECT note FROM orders PROCEDURE ANALYSE()
TABLE orders
VALUES ROW((SELECT MAX(note) FROM orders WHERE region <> 'north'))
SELECT note FROM v_orders o, orders p WHERE o.id = p.id
SELECT '/*! x */' AS a, note FROM orders WHERE 'b' <> '*/ */'
SELECT JSON_OBJECTAGG(id, note) AS j FROM orders
SELECT JSON_EXTRACT(JSON_ARRAYAGG(note), '$[*]') AS j FROM orders WHERE region <> 'north'
SELECT t.n FROM JSON_TABLE((SELECT JSON_ARRAYAGG(note) FROM orders), '$[*]' COLUMNS (n TEXT PATH '$')) t
WITH orders AS (SELECT note FROM orders), u AS (SELECT * FROM orders) SELECT note FROM u UNION ALL SELECT note FROM orders
SELECT * FROM (VALUES (1), (2)) AS v JOIN orders ON TRUE
SELECT note FROM orders FORCE INDEX (PRIMARY) WHERE id > 1
SELECT id FROM orders o WHERE (o.id, o.note) IN (SELECT id, note FROM orders WHERE region = 'south')
