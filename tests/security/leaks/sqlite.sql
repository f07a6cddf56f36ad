# ways past a filter, a hidden column or a grant in SQLite; each is refused, or holds no canary
SELECT note FROM orders AS secret
SELECT secret.note FROM orders AS secret, users
SELECT orders.note FROM users AS orders
SELECT * FROM orders AS o(id, user_id, region, note)
SELECT o."note" FROM "orders" o
SELECT [note] FROM [orders]
SELECT `note` FROM `main`.`orders`
SELECT note FROM "main"."orders" WHERE region IS NOT 'north'
SELECT main.orders.note FROM main.orders
SELECT note FROM orders INDEXED BY sqlite_autoindex_orders_1
SELECT note FROM orders ORDER BY CASE WHEN region = 'south' THEN 0 ELSE 1 END LIMIT 1
SELECT abs(CASE WHEN note LIKE 'HIDDEN%' THEN -9223372036854775807 - 1 ELSE 1 END) AS x FROM orders
SELECT json_extract(CASE WHEN note LIKE 'HIDDEN%' THEN note ELSE '{}' END, '$') AS x FROM orders
SELECT count(*) AS n FROM orders WHERE json(CASE WHEN region = 'south' THEN note ELSE '1' END) = 1
SELECT sum(CASE WHEN region = 'south' THEN 9223372036854775807 ELSE 0 END) AS s FROM orders
SELECT (SELECT group_concat(note) FROM orders AS i WHERE i.id <> o.id) AS g FROM orders AS o
SELECT note FROM orders WHERE rowid = 2
SELECT note FROM orders WHERE _rowid_ IN (1, 2, 4)
SELECT oid, note FROM orders
SELECT users.password FROM users, (SELECT 1 AS password) AS users
SELECT password FROM (SELECT * FROM users)
SELECT password FROM (SELECT *, 1 AS x FROM users)
SELECT u.password FROM (SELECT id FROM users) AS u
SELECT id FROM users WHERE (id, password) = (1, 'pw-1')
SELECT id FROM users WHERE (id, name, password) > (SELECT 1, 'a', 'a')
SELECT count(DISTINCT password) AS n FROM users
SELECT max(password) OVER () AS m FROM users
SELECT id FROM users UNION SELECT id FROM users ORDER BY password
SELECT 'password' AS c, "password" FROM users
SELECT id, "pass" || "word" AS x FROM users
SELECT id FROM users JOIN users AS v USING (password)
SELECT a.id FROM users AS a NATURAL JOIN users AS b
WITH users AS (SELECT 'pw-x' AS y) SELECT password FROM users
WITH RECURSIVE orders(id, note) AS (SELECT id, note FROM orders UNION ALL SELECT id + 100, note FROM orders WHERE id < 3) SELECT note FROM orders
WITH RECURSIVE r(i, n) AS (SELECT 1, (SELECT note FROM orders WHERE id = 1) UNION ALL SELECT i + 1, (SELECT note FROM orders WHERE id = i + 1) FROM r WHERE i < 20) SELECT * FROM r
SELECT note FROM orders WHERE EXISTS (SELECT token FROM secret WHERE token LIKE 'TOP%')
SELECT * FROM json_each((SELECT json_group_array(note) FROM orders))
SELECT value FROM json_each((SELECT json_group_array(password) FROM users))
SELECT * FROM users CROSS JOIN json_each(json_array(users.password))
SELECT note FROM orders WHERE note MATCH 'HIDDEN'
SELECT orders FROM orders
SELECT typeof(v_orders.note) AS t, v_orders.note FROM v_orders
# a later round, written before the lists were read
SELECT note, rowid FROM orders
SELECT o._rowid_, o.note FROM orders o WHERE o.oid = 1
SELECT note FROM orders NOT INDEXED WHERE id = 1
SELECT note FROM main.orders WHERE main.orders.region <> 'north'
SELECT "note" FROM "orders" WHERE "region" <> "north"
SELECT [note] FROM [orders] WHERE `region` <> 'north'
SELECT group_concat(note) AS n FROM orders
SELECT json_group_array(json_object('n', note)) AS j FROM orders
SELECT json_group_object(id, note) AS j FROM orders
WITH RECURSIVE orders(note, n) AS (SELECT note, 1 FROM orders UNION ALL SELECT note, n + 1 FROM orders WHERE n < 2) SELECT * FROM orders
WITH x AS NOT MATERIALIZED (SELECT * FROM orders) SELECT note FROM x WHERE region IS NOT 'north'
SELECT note FROM orders WHERE region IS NOT 'north'
SELECT max(id), note FROM orders
SELECT note FROM orders GROUP BY region
SELECT * FROM orders, users USING (id)
SELECT * FROM orders JOIN users ON orders.user_id = users.id RIGHT JOIN orders b ON b.id = orders.id + 1
SELECT * FROM orders FULL JOIN v_orders USING (id)
SELECT (id, note) = (SELECT id, note FROM orders LIMIT 1) AS same, note FROM orders
VALUES ((SELECT note FROM orders WHERE region <> 'north'))
SELECT users."password" FROM users
SELECT name FROM users WHERE +"password" LIKE 'pw%' ORDER BY 1
SELECT total("password"), min("password") FROM users
SELECT value FROM json_each((SELECT json_group_array(note) FROM orders WHERE region <> 'north'))
SELECT first_value(note) OVER (ORDER BY region DESC) AS n FROM orders
SELECT nth_value(note, 2) OVER w AS n FROM orders WINDOW w AS (ORDER BY id GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE CURRENT ROW)
SELECT EXISTS (SELECT 1 FROM orders WHERE note GLOB 'HIDDEN*') AS e
SELECT note FROM orders NOT INDEXED
SELECT j.value FROM json_each((SELECT json_group_array(note) FROM orders)) AS j
SELECT count(*) AS n FROM orders WHERE orders MATCH 'HIDDEN'
SELECT "password" AS p FROM users
SELECT [password] FROM users AS u
SELECT rowid, oid, _rowid_ FROM orders WHERE rowid = 2
WITH orders(note) AS (VALUES ('a') UNION ALL SELECT note FROM main.orders) SELECT note FROM orders
