# ways past a filter, a hidden column or a grant in DuckDB; each is refused, or holds no canary
FROM orders SELECT note
FROM orders AS o SELECT o.note WHERE region = 'south'
FROM users
FROM (FROM users)
SELECT u.* EXCLUDE (id) FROM users AS u
SELECT * EXCLUDE (id, name) FROM users
SELECT * REPLACE (upper(name) AS name) FROM users
SELECT * RENAME (name AS password) FROM users
SELECT COLUMNS('pass.*') FROM users
SELECT COLUMNS(c -> c LIKE 'p%') FROM users
SELECT COLUMNS(['password']) FROM users
SELECT max(COLUMNS(*)) FROM users
SELECT * LIKE 'p%' FROM users
SELECT * SIMILAR TO 'p.*' FROM users
SELECT u.password FROM users AS u POSITIONAL JOIN orders
SELECT struct_pack(a := u) AS s FROM users AS u
SELECT u['password'] AS p FROM users AS u
SELECT u.u.password FROM (SELECT u FROM users AS u) AS u
SELECT unnest(u) FROM users AS u
SELECT unnest(list(u)) AS x FROM users AS u
SELECT list(o) AS l FROM orders AS o
SELECT arg_max(note, id) AS m, any_value(note) AS a, mode(note) AS d FROM orders
SELECT histogram(note) AS h FROM orders
SELECT map(list(id), list(note)) AS m FROM orders
SELECT list_transform(list(note), lambda x : x || '') AS l FROM orders
SELECT [n FOR n IN list(note)] AS l FROM orders
SELECT row(u.*) AS r FROM users AS u
SELECT to_json(row(o.*)) AS j FROM orders AS o
SELECT json_group_array(u) AS j FROM users AS u
SELECT CAST(CASE WHEN region = 'south' THEN note ELSE '1' END AS INTEGER) AS x FROM orders
SELECT count(*) AS n FROM orders WHERE CAST(CASE WHEN region = 'south' THEN note ELSE '1' END AS DATE) IS NULL
SELECT count(*) AS n FROM orders WHERE CASE WHEN region = 'south' THEN note::INTEGER = 1 ELSE true END
SELECT * FROM (PIVOT orders ON region USING first(note) GROUP BY user_id)
PIVOT users ON name USING max(password)
UNPIVOT users ON COLUMNS(* EXCLUDE id) INTO NAME k VALUE v
SELECT * FROM users UNPIVOT (v FOR k IN (name, password))
SELECT note FROM orders USING SAMPLE 100%
SELECT note FROM orders TABLESAMPLE RESERVOIR (1000 ROWS)
SELECT a.note FROM orders AS a ASOF JOIN orders AS b ON a.id >= b.id
SELECT a.id FROM users AS a SEMI JOIN users AS b USING (password)
SELECT id FROM users ORDER BY ALL
SELECT note, region FROM orders GROUP BY ALL HAVING region = 'south'
SELECT note FROM orders QUALIFY row_number() OVER (PARTITION BY region ORDER BY region DESC) = 1
WITH RECURSIVE orders AS (SELECT id, note FROM orders UNION ALL SELECT id + 1000, note FROM orders WHERE id < 3) SELECT note FROM orders
WITH o AS MATERIALIZED (FROM main.orders) FROM o SELECT note WHERE region = 'south'
SELECT * FROM memory.main.orders
SELECT x.note FROM users AS u, LATERAL (SELECT o.note FROM orders AS o WHERE o.user_id = u.id) AS x
SELECT * FROM (VALUES ((SELECT max(note) FROM orders), (SELECT max(token) FROM secret))) AS t(a, b)
SELECT note FROM orders AT (TIMESTAMP => now())
SELECT 'x'.concat((SELECT max(token) FROM secret)) AS y
SELECT rowid, note FROM orders WHERE rowid < 5
# a later round, written before the lists were read
FROM orders SELECT note WHERE region <> 'north'
FROM (FROM orders)
PIVOT orders ON region IN ('north', 'south') USING max(note) GROUP BY user_id
PIVOT (FROM orders) ON region IN ('south') USING list(note)
UNPIVOT orders ON region, note INTO NAME k VALUE v
SELECT * FROM (UNPIVOT users ON COLUMNS(* EXCLUDE (id)) INTO NAME k VALUE v)
SELECT COLUMNS(*) FROM users
SELECT COLUMNS(c -> c LIKE '%word%') FROM users
SELECT * REPLACE (password AS name) FROM users
SELECT * EXCLUDE (name) FROM users
SELECT u FROM users u
SELECT to_json(u) AS j FROM users u
SELECT struct_extract(u, 'password') AS p FROM users u
SELECT u.* FROM users u POSITIONAL JOIN orders
SELECT a.note FROM users u ASOF JOIN orders a ON a.user_id >= u.id
SELECT o.note FROM users u SEMI JOIN orders o ON o.user_id = u.id
SELECT note FROM orders USING SAMPLE 100 PERCENT (bernoulli)
SELECT unnest(list(o)) FROM orders o
SELECT list(note ORDER BY id) FILTER (region <> 'north') AS l FROM orders
SELECT arg_max(note, id) AS n FROM orders GROUP BY ALL
SELECT max_by(note, id) OVER () AS n FROM orders QUALIFY row_number() OVER (PARTITION BY region ORDER BY id) = 1
WITH RECURSIVE orders AS (SELECT note, 1 AS n FROM orders UNION ALL SELECT note, n + 1 FROM orders WHERE n < 2) FROM orders
WITH m AS MATERIALIZED (FROM orders) SELECT note FROM m
SELECT [x.note FOR x IN (SELECT list(o) FROM orders o)] AS l
SELECT (SELECT {'n': note} FROM orders WHERE region <> 'north' LIMIT 1) AS s
SELECT orders.note FROM main.orders, memory.main.orders AS b
FROM users JOIN LATERAL (SELECT note FROM orders WHERE user_id = users.id) l ON true
SELECT COLUMNS(* EXCLUDE (id)) FROM users
SELECT to_json(u) ->> '$.password' AS p FROM users u
FROM (FROM orders UNION ALL BY NAME FROM users)
SELECT * FROM (SUMMARIZE orders)
FROM (DESCRIBE users)
SELECT * FROM (UNPIVOT users ON COLUMNS(* EXCLUDE id) INTO NAME k VALUE v)
SELECT * FROM (PIVOT orders ON region USING count(*))
WITH orders AS (FROM orders), t AS (FROM orders) FROM t WHERE region <> 'north'
SELECT row(u.*) AS r FROM users u
SELECT list(struct_pack(n := note)) AS l FROM orders
SELECT note FROM orders AT (VERSION => 1)
SELECT note FROM main.main.orders
