# ways past a filter, a hidden column or a grant in PostgreSQL; each is refused, or holds no canary
SELECT (o).note FROM orders AS o
SELECT (o.*).note FROM orders AS o
SELECT (SELECT o) AS r FROM orders AS o
SELECT o.*::text FROM orders AS o
SELECT array_agg(o) AS a FROM orders AS o
SELECT json_agg(u) AS j FROM users AS u
SELECT jsonb_agg(to_jsonb(u) - 'name') AS j FROM users AS u
SELECT row_to_json(ROW(u.*)) AS j FROM users AS u
SELECT to_jsonb(users) ->> 'password' AS p FROM users
SELECT hstore(u) AS h FROM users AS u
SELECT xmlforest(u.password) AS x FROM users AS u
SELECT users.password FROM public.users
SELECT "public"."users"."password" FROM "public"."users"
SELECT U&"pass\0077ord" FROM users
SELECT U&"p!0061ssword" UESCAPE '!' FROM users
SELECT id FROM users ORDER BY users.password USING <
SELECT id FROM users WHERE users IS NOT DISTINCT FROM ROW(1, 'name 1', 'pw-1')
SELECT count(*) AS n FROM users WHERE users::text LIKE '%pw-%'
SELECT id FROM users WHERE (users).password LIKE 'pw%'
SELECT id FROM users JOIN users AS v USING (password)
SELECT a.* FROM users AS a NATURAL JOIN users AS b
SELECT note FROM orders * WHERE region = 'south'
SELECT note FROM ONLY (orders)
SELECT note FROM orders AS o(id, user_id, region, note) WHERE region <> 'north'
SELECT region FROM orders AS o(region, id, note, user_id)
SELECT CASE WHEN id = 2 AND ascii(substr(note, 1, 1)) >= 72 THEN 1 / (id - id) ELSE 1 END AS x FROM orders
SELECT count(*) AS n FROM orders WHERE CAST(CASE WHEN region = 'south' THEN note ELSE '1' END AS integer) = 1
SELECT count(*) AS n FROM orders WHERE CASE WHEN region = 'south' THEN note::date > now() ELSE false END
SELECT count(*) AS n FROM orders WHERE note ~ (CASE WHEN region = 'south' THEN note || '(' ELSE 'x' END)
SELECT count(*) AS n FROM orders GROUP BY CASE WHEN region = 'south' THEN note::int END
SELECT sum(note::numeric) FILTER (WHERE region = 'south') AS s FROM orders
SELECT lag(note, 1, 'x') OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS l FROM orders
SELECT nth_value(note, 2) OVER (PARTITION BY 1) AS l FROM orders
SELECT DISTINCT ON (region) region, note FROM orders ORDER BY region DESC
SELECT x.note FROM users AS u CROSS JOIN LATERAL (SELECT o.note FROM orders AS o WHERE o.user_id = u.id OFFSET 1) AS x
SELECT x.* FROM users AS u, LATERAL (SELECT u.*) AS x
SELECT * FROM (VALUES ((SELECT max(note) FROM orders), (SELECT max(password) FROM users))) AS t(a, b)
SELECT * FROM ROWS FROM (json_to_recordset((SELECT json_agg(o) FROM orders AS o)) AS (note text))
SELECT * FROM unnest(ARRAY(SELECT note FROM orders), ARRAY(SELECT password FROM users)) AS t(a, b)
SELECT * FROM json_array_elements_text((SELECT json_agg(note) FROM orders))
WITH RECURSIVE orders AS (SELECT id, note FROM orders UNION ALL SELECT id + 1000, note FROM orders WHERE id < 3) SELECT note FROM orders
WITH orders AS NOT MATERIALIZED (SELECT note, region FROM public.orders) SELECT note FROM orders WHERE region = 'south'
WITH users(id, name, password) AS (SELECT id, name, 1 FROM users) SELECT u.*, public.users.password FROM users AS u, public.users
SELECT note FROM orders WHERE id = ANY (ARRAY(SELECT id FROM child))
SELECT note FROM child
SELECT max(c.note) AS m FROM public.child AS c WHERE c.extra = 'x'
SELECT note FROM (SELECT * FROM orders UNION ALL SELECT id, user_id, region, note FROM child) AS x
SELECT 1 OPERATOR(pg_catalog.=) evil.peek(1, 2)::int AS x
SELECT $$a$$ || (SELECT token FROM secret) || $x$b$x$ AS x
SELECT E'\'' || (SELECT token FROM secret) || '\' AS x
SELECT 'a' -- '
# a later round, written before the lists were read
SELECT l.note FROM users u, LATERAL (SELECT note FROM orders o WHERE o.user_id = u.id AND o.region <> 'north') l
SELECT o FROM orders o
SELECT o.*::text FROM orders o
SELECT (o).note FROM orders o WHERE (o).region = 'south'
SELECT row_to_json(u) FROM users u
SELECT to_jsonb(u.*) FROM users u
SELECT json_agg(x) FROM (SELECT * FROM orders) x
SELECT array_agg(o.note) FROM ONLY orders o
SELECT * FROM ROWS FROM (generate_series(1, 3)) AS g(n), orders
SELECT note FROM orders TABLESAMPLE BERNOULLI (100) REPEATABLE (1)
TABLE child
WITH RECURSIVE orders AS (SELECT note, 1 AS n FROM orders UNION ALL SELECT note, n + 1 FROM orders WHERE n < 2) SELECT * FROM orders
SELECT count(*) FILTER (WHERE note LIKE 'HIDDEN%') AS n, string_agg(note, ',') FROM orders
SELECT * FROM orders o JOIN LATERAL (VALUES (o.note)) v(x) ON true
SELECT x.* FROM (SELECT orders FROM orders) AS x
SELECT (x.orders).note FROM (SELECT orders FROM orders) AS x
SELECT unnest(array(SELECT note FROM orders)) AS n
SELECT xmlforest(note) FROM orders
SELECT hashtext(u::text) FROM users u
SELECT u FROM users u ORDER BY u
SELECT num_nulls(u.*) FROM users u
SELECT GREATEST(u.*, u.*) FROM users u
SELECT * FROM public."orders" AS "Orders" WHERE "Orders".region <> 'north'
SELECT * FROM orders o, orders p WHERE o.id = p.id AND p.region = 'south'
SELECT jsonb_path_query(to_jsonb(o), '$.note') FROM orders o
WITH orders(id, note) AS (TABLE public.orders) TABLE orders
SELECT l.note FROM users u, LATERAL (SELECT (SELECT note FROM orders o WHERE o.id = u.id + 1) AS note) l
SELECT to_jsonb(o) -> 'note' AS n FROM orders o
SELECT jsonb_path_query_array(to_jsonb(u), '$.password') AS p FROM users u
SELECT (u.*)::text AS p FROM users u
SELECT u::users AS p FROM users u
SELECT ROW(u.*)::text AS p FROM users AS u
SELECT xmlforest(u) AS x FROM users u
SELECT xmlelement(name a, u.*) AS x FROM users u
SELECT r.* FROM users u, LATERAL jsonb_to_record(row_to_json(u)::jsonb) AS r(name text, password text)
SELECT v.* FROM users u CROSS JOIN LATERAL (VALUES (u.*)) AS v
SELECT note FROM orders TABLESAMPLE SYSTEM (100) REPEATABLE (1)
SELECT tableoid::regclass, note FROM orders
SELECT string_agg(u::text, ';') AS s FROM users u GROUP BY ()
SELECT format('%s', u) AS s FROM users u
SELECT (json_populate_record(u, '{}')).* FROM users u
