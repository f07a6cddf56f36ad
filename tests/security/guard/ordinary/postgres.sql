# ordinary analysis in PostgreSQL
SELECT date_trunc('month', created_at) AS month, SUM(total)::numeric(12,2) FROM orders WHERE created_at >= now() - interval '6 months' GROUP BY 1 ORDER BY 1
SELECT DISTINCT ON (customer_id) customer_id, id, total FROM orders ORDER BY customer_id, created_at DESC
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY total) AS median, mode() WITHIN GROUP (ORDER BY status) FROM orders
SELECT status, COUNT(*) FILTER (WHERE total > 100) AS big, array_agg(id ORDER BY total DESC) FROM orders GROUP BY GROUPING SETS ((status), ())
SELECT region, segment, COUNT(*), GROUPING(region, segment) FROM customers GROUP BY CUBE (region, segment) ORDER BY region NULLS FIRST
SELECT region, segment, COUNT(*) FROM customers GROUP BY ROLLUP (region, segment)
SELECT c.name, l.total FROM customers c CROSS JOIN LATERAL (SELECT o.total FROM orders o WHERE o.customer_id = c.id ORDER BY o.total DESC LIMIT 3) l
SELECT c.name, l.total FROM customers c LEFT JOIN LATERAL (SELECT total FROM orders WHERE customer_id = c.id ORDER BY total DESC LIMIT 1) l ON true
SELECT d::date FROM generate_series('2024-01-01'::date, '2024-12-31'::date, interval '1 day') AS d
SELECT g.d, COUNT(o.id) FROM generate_series(current_date - 30, current_date, '1 day') AS g(d) LEFT JOIN orders o ON o.created_at::date = g.d GROUP BY g.d
SELECT payload->'a'->>'b', payload #>> '{a,b}', payload @> '{"a": 1}'::jsonb, payload ? 'x' FROM orders
SELECT e.key, e.value FROM orders, jsonb_each_text(payload) AS e WHERE e.key <> 'x'
SELECT t.tag, COUNT(*) FROM products p, unnest(p.tags) AS t(tag) GROUP BY t.tag
SELECT item->>'sku' AS sku FROM orders CROSS JOIN jsonb_array_elements(payload->'items') AS item
SELECT * FROM jsonb_to_recordset('[{"a":1,"b":"x"}]'::jsonb) AS r(a int, b text)
SELECT EXTRACT(epoch FROM ship_date - created_at) / 3600, age(created_at), to_char(created_at, 'YYYY-MM'), created_at AT TIME ZONE 'UTC' AT TIME ZONE 'Asia/Shanghai' FROM orders
WITH RECURSIVE tree AS (SELECT id, name, manager_id, ARRAY[id] AS path FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, e.name, e.manager_id, t.path || e.id FROM employees e JOIN tree t ON e.manager_id = t.id WHERE NOT e.id = ANY(t.path)) SELECT * FROM tree
SELECT string_agg(DISTINCT name, ', ' ORDER BY name) FROM customers
SELECT regexp_replace(name, '[^a-z]+', '', 'gi'), name ~* '^a', substring(email from '@(.*)$'), split_part(email, '@', 2), position('@' in email) FROM customers
SELECT *, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY created_at DESC) AS rn FROM orders
SELECT id, total, AVG(total) OVER (ORDER BY created_at RANGE BETWEEN INTERVAL '7 days' PRECEDING AND CURRENT ROW) FROM orders
SELECT id, lag(total) OVER w, lead(total) OVER w, first_value(total) OVER w FROM orders WINDOW w AS (PARTITION BY customer_id ORDER BY created_at)
SELECT * FROM (VALUES (1, 'one'), (2, 'two')) AS t(num, letter) JOIN orders o ON o.id = t.num
VALUES (1, 2), (3, 4)
SELECT id FROM orders EXCEPT ALL SELECT order_id FROM order_items
(SELECT id FROM orders ORDER BY total DESC LIMIT 5) UNION ALL (SELECT id FROM customers LIMIT 5)
SELECT c.id, o.total FROM customers c FULL OUTER JOIN orders o ON o.customer_id = c.id WHERE c.id IS NULL OR o.id IS NULL
SELECT * FROM orders TABLESAMPLE BERNOULLI (10) REPEATABLE (42)
SELECT width_bucket(total, 0, 1000, 10) AS bucket, COUNT(*) FROM orders GROUP BY bucket ORDER BY bucket
SELECT COALESCE(SUM(total), 0), GREATEST(1, 2), LEAST(1, 2), NULLIF(COUNT(*), 0), total IS DISTINCT FROM 1 FROM orders GROUP BY total
SELECT make_date(2024, 1, 1), date_part('dow', created_at), justify_interval(interval '40 days'), make_interval(days => 3) FROM orders
SELECT corr(total, discount), regr_slope(total, discount), stddev_samp(total), var_pop(total), covar_pop(total, discount) FROM orders
SELECT "编号", 金额 FROM 订单 WHERE "日期" > '2024-01-01'
SELECT "order".id FROM "order"
SELECT public.orders.id FROM public.orders WHERE public.orders.total > 5
SELECT row_to_json(o) FROM orders o
SELECT json_build_object('id', c.id, 'orders', json_agg(o)) FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.id
SELECT * FROM customers NATURAL JOIN products
SELECT id, name, total FROM customers JOIN orders USING (id) ORDER BY id
SELECT array_length(tags, 1), tags[1], tags[1:2], ARRAY(SELECT id FROM orders), cardinality(tags), tags && ARRAY['a'], 'x' = ANY(tags) FROM products
WITH monthly AS MATERIALIZED (SELECT date_trunc('month', created_at) AS m, SUM(total) AS s FROM orders GROUP BY 1) SELECT m, s, s - lag(s) OVER (ORDER BY m) AS diff, round(100.0 * s / sum(s) OVER (), 1) AS share FROM monthly
SELECT * FROM orders ORDER BY total DESC NULLS LAST FETCH FIRST 10 ROWS ONLY
SELECT CASE status WHEN 'paid' THEN 1 ELSE 0 END, (total > 1 AND discount < 2) IS TRUE, status SIMILAR TO '(a|b)%', status ILIKE 'A%', total BETWEEN SYMMETRIC 5 AND 1 FROM orders
SELECT to_tsvector('english', name) @@ plainto_tsquery('shoe'), similarity(name, 'x'), md5(name), encode(sha256(name::bytea), 'hex') FROM products
SELECT x.* FROM orders x WHERE (x.customer_id, x.created_at) IN (SELECT customer_id, MAX(created_at) FROM orders GROUP BY customer_id)
SELECT count(*) AS count, status AS "Status Name" FROM orders GROUP BY "Status Name" ORDER BY "count"
SELECT $$it's$$ AS t, E'a\nb', U&'\0041', B'101', X'1F', 1e3, .5, 'a' 'b'
SELECT s.month, s.n FROM (SELECT to_char(created_at, 'Mon') AS month, count(*) AS n FROM orders GROUP BY 1) s WHERE s.n > ALL (SELECT 1)
SELECT OVERLAY('abc' PLACING 'x' FROM 2 FOR 1), TRIM(BOTH ' ' FROM name), (DATE '2024-01-01', DATE '2024-02-01') OVERLAPS (DATE '2024-01-15', DATE '2024-03-01') FROM customers
SELECT id, total FROM orders OFFSET 5 LIMIT 10
SELECT date_bin('15 minutes', ts, TIMESTAMP '2001-01-01') AS bin, COUNT(DISTINCT user_id) FROM events GROUP BY bin
SELECT * FROM json_table('[1,2]'::jsonb, '$[*]' COLUMNS (x int PATH '$')) AS jt
SELECT current_date, current_timestamp, localtime, localtimestamp(0), now()::date, 'today'::date, timestamp 'now'
SELECT o.id FROM orders AS o WHERE o.created_at > current_timestamp - '30 days'::interval
SELECT created_at::timestamptz AT TIME ZONE 'America/New_York' FROM orders
SELECT to_char(total, 'FM999,999,990.00'), to_number('1','9'), to_date('2024','YYYY'), date '2024-01-01' + 7 FROM orders
SELECT (payload->>'a')::int + 1, jsonb_path_query_array(payload, '$.items[*].sku'), payload #> '{a,0}', payload - 'k', payload || '{"z":1}'::jsonb, payload ?| array['a'], payload ?& array['b'] FROM orders
SELECT jsonb_agg(jsonb_build_object('id', id, 't', total) ORDER BY id) FILTER (WHERE total > 1) FROM orders
SELECT k, v FROM orders, jsonb_each(payload) AS t(k, v)
SELECT o.id, i.ord, i.val FROM orders o, jsonb_array_elements(o.payload->'items') WITH ORDINALITY AS i(val, ord)
SELECT array_to_string(array_agg(DISTINCT city), ','), array_remove(ARRAY[1,2], 1), ARRAY[[1,2],[3,4]], '{1,2}'::int[] FROM customers
SELECT * FROM unnest(ARRAY[1,2], ARRAY['a','b']) AS t(x, y)
SELECT unnest(tags) FROM products
SELECT generate_series(1, 5)
SELECT ts, value, value - lag(value) OVER (PARTITION BY user_id ORDER BY ts) AS delta FROM events WHERE ts >= date_trunc('day', now()) - interval '1 week'
SELECT count(*) OVER (), sum(total) OVER (PARTITION BY status ORDER BY created_at GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE TIES) FROM orders
SELECT percentile_disc(array[0.25,0.5,0.75]) WITHIN GROUP (ORDER BY total), rank(5) WITHIN GROUP (ORDER BY total) FROM orders
SELECT a.*, b.name AS manager FROM employees a LEFT JOIN employees b ON b.id = a.manager_id
SELECT c.name, count(o.*) FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.id, c.name
SELECT count(o) FROM orders o
SELECT c.city, o.* FROM customers c JOIN orders o ON (c.id = o.customer_id)
SELECT id, (SELECT json_agg(x) FROM (SELECT o.id, o.total FROM orders o WHERE o.customer_id = c.id) x) FROM customers c
SELECT status, count(*) * 100.0 / sum(count(*)) OVER () AS pct FROM orders GROUP BY status
SELECT date_trunc('month', created_at)::date AS m, sum(total) FILTER (WHERE status = 'paid') AS paid FROM orders GROUP BY date_trunc('month', created_at) ORDER BY m
WITH t AS (SELECT customer_id, created_at::date d, lag(created_at::date) OVER (PARTITION BY customer_id ORDER BY created_at) p FROM orders) SELECT customer_id, max(d - p) FROM t GROUP BY 1
WITH RECURSIVE cnt(x) AS (VALUES (1) UNION ALL SELECT x+1 FROM cnt WHERE x < 100) SELECT x FROM cnt
WITH RECURSIVE r AS (SELECT id, manager_id, name::text AS path FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, e.manager_id, r.path || ' > ' || e.name FROM employees e, r WHERE e.manager_id = r.id) SEARCH DEPTH FIRST BY id SET ordercol SELECT * FROM r ORDER BY ordercol
SELECT CASE WHEN total < 10 THEN 'S' WHEN total < 100 THEN 'M' ELSE 'L' END AS bucket, count(*) FROM orders GROUP BY bucket ORDER BY min(total)
SELECT coalesce(o.status, 'none') s FROM orders o WHERE o.status IS NOT DISTINCT FROM NULL
SELECT * FROM orders WHERE status = ANY ('{paid,void}') AND total > ALL (SELECT price FROM products) AND id <> ALL (ARRAY[1,2])
SELECT substring(email FROM position('@' IN email) + 1), overlay(name placing 'x' from 1), trim(leading 'a' from name), lower(name) COLLATE "C", left(name, 2), name || ' ' || city FROM customers
SELECT regexp_matches(email, '(.*)@(.*)', 'g'), regexp_split_to_array(email, '@'), regexp_count(email, 'a'), email !~* 'x', name ~~ 'a%', name NOT SIMILAR TO 'a%' FROM customers
SELECT extract(dow from created_at), extract(isoyear from created_at), date_part('week', created_at), created_at - interval '1' day, interval '1 year 2 months' * 2 FROM orders
SELECT o1.id FROM orders o1 WHERE NOT EXISTS (SELECT FROM orders o2 WHERE o2.customer_id = o1.customer_id AND o2.created_at > o1.created_at)
SELECT DISTINCT status, total FROM orders ORDER BY status, total DESC NULLS LAST LIMIT 10 OFFSET 20
SELECT sum(total) AS "sum" FROM orders HAVING sum(total) > 0
SELECT * FROM orders o JOIN order_items i ON i.order_id = o.id JOIN products p ON p.id = i.product_id WHERE p.category = 'x' ORDER BY o.created_at DESC LIMIT 100
SELECT city, string_agg(name, ', ' ORDER BY name DESC) AS names FROM customers GROUP BY city
SELECT bool_and(total > 0), bool_or(total > 0), every(total > 0), bit_and(id), stddev(total), variance(total) FROM orders
SELECT x, y FROM (VALUES (1,2)) AS t(x,y) UNION SELECT id, customer_id FROM orders INTERSECT SELECT 1, 2
SELECT (ARRAY['a','b'])[1], (payload->'a')->0, (ROW(1,2)).f1, (now()).date FROM orders
SELECT * FROM customers c JOIN orders o USING (id) JOIN products p USING (id) WHERE id > 5
SELECT "o"."id", "o"."total" FROM "public"."orders" AS "o" WHERE "o"."status" = 'paid'
SELECT t.* FROM (SELECT *, dense_rank() OVER (PARTITION BY region ORDER BY signup_date) AS dr FROM customers) t WHERE t.dr <= 3
SELECT tsrange(created_at, ship_date) @> now()::timestamp, daterange('2024-01-01','2024-02-01') && daterange('2024-01-15', NULL), int4range(1,5) * int4range(2,8) FROM orders
SELECT max(created_at) - min(created_at) AS span, age(max(created_at), min(created_at)), justify_days(interval '35 days') FROM orders
SELECT cume_dist() OVER w, percent_rank() OVER w, ntile(4) OVER w, nth_value(total, 2) OVER w FROM orders WINDOW w AS (ORDER BY total)
SELECT date_trunc('hour', ts) + date_part('minute', ts)::int / 5 * interval '5 min' AS b, count(*) FROM events GROUP BY 1
SELECT json_object_agg(name, price ORDER BY name) FROM products
SELECT 'a' LIKE 'b' ESCAPE '!', NOT true, NULL IS NULL, 1 = 1 IS TRUE, true IS NOT UNKNOWN, 1 BETWEEN 0 AND 2
SELECT * FROM orders WHERE created_at::date = current_date - 1 AND (total, discount) > (1, 2)
SELECT c.name FROM customers c WHERE (SELECT count(*) FROM orders o WHERE o.customer_id = c.id) >= 3
SELECT grouping(region), region, city, count(*) FROM customers GROUP BY region, ROLLUP(city) HAVING count(*) > 1
SELECT * FROM LATERAL (SELECT 1 AS a) x
SELECT sub.d, coalesce(o.n, 0) FROM (SELECT generate_series(date '2024-01-01', date '2024-01-31', '1 day')::date AS d) sub LEFT JOIN (SELECT created_at::date d, count(*) n FROM orders GROUP BY 1) o ON o.d = sub.d
SELECT to_timestamp(1700000000), to_timestamp('2024-01-01','YYYY-MM-DD'), make_timestamp(2024,1,1,0,0,0), isfinite(now()), clock_timestamp()
SELECT format('%s has %s', name, city), concat(name, 1, NULL), concat_ws(',', name, city), initcap(name), reverse(name), repeat('ab', 3), lpad(id::text, 5, '0'), md5(name), ascii('a'), chr(65), translate(name,'a','b'), quote_literal(name), to_hex(255) FROM customers
SELECT ceil(1.5), floor(1.5), round(1.55, 1), trunc(1.5), power(2,3), sqrt(4), cbrt(8), exp(1), ln(2), log(10), log(2, 8), abs(-1), sign(-1), random(), pi(), degrees(1), radians(1), sin(1), atan2(1,2), gcd(4,6), factorial(5)
SELECT greatest(created_at, ship_date), least(total, discount), nullif(total, 0), num_nulls(total, discount) FROM orders
SELECT * FROM json_to_record('{"a":1}') AS x(a int)
SELECT xmlelement(name foo, 'bar'), xpath('/a/text()', '<a>b</a>'::xml)
SELECT * FROM orders FETCH NEXT 5 ROWS ONLY
SELECT * FROM orders ORDER BY 1 OFFSET 10 ROWS FETCH FIRST 5 ROWS WITH TIES
SELECT ALL id FROM orders
SELECT o.id FROM orders o, LATERAL unnest(string_to_array(o.status, ',')) AS s(part) WHERE s.part <> ''
SELECT t FROM orders t LIMIT 1
SELECT (o).total FROM orders o
SELECT (c.*)::text FROM customers c
SELECT array(SELECT DISTINCT city FROM customers ORDER BY city)
SELECT sum(total) FROM orders WHERE extract(year from created_at) = 2024 AND extract(quarter from created_at) IN (1, 2)
select count(*) from orders where created_at >= '2024-01-01' and created_at < '2024-02-01'
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT n FROM t LIMIT 100
# written after the lists, and counted when they first ran (docs/guard.md)
SELECT date_trunc('month', o.created_at)::date AS month, count(*) FILTER (WHERE o.status = 'paid') AS paid, count(*) FILTER (WHERE o.status = 'void') AS void FROM orders o GROUP BY 1 ORDER BY 1
SELECT customer_id, created_at, total, sum(total) OVER (PARTITION BY customer_id ORDER BY created_at RANGE BETWEEN INTERVAL '30 days' PRECEDING AND CURRENT ROW) AS rolling FROM orders
SELECT o.*, avg(total) OVER w AS moving FROM orders o WINDOW w AS (PARTITION BY customer_id ORDER BY created_at ROWS BETWEEN 6 PRECEDING AND CURRENT ROW EXCLUDE TIES)
SELECT total, ntile(4) OVER (ORDER BY total), percent_rank() OVER (ORDER BY total), cume_dist() OVER (ORDER BY total) FROM orders
SELECT department, percentile_cont(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY salary) AS quartiles FROM employees GROUP BY department
SELECT region, mode() WITHIN GROUP (ORDER BY segment) FROM customers GROUP BY region
SELECT region, segment, count(*), grouping(region, segment) FROM customers GROUP BY GROUPING SETS ((region, segment), (region), ())
SELECT region, city, count(*) FROM customers GROUP BY ROLLUP (region, city) HAVING count(*) > 1 ORDER BY region NULLS LAST, city NULLS FIRST
SELECT status, date_part('dow', created_at) AS dow, sum(total) FROM orders GROUP BY CUBE (status, date_part('dow', created_at))
WITH RECURSIVE chain AS (SELECT id, name, manager_id, 1 AS depth, ARRAY[id] AS path FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, e.name, e.manager_id, c.depth + 1, c.path || e.id FROM employees e JOIN chain c ON e.manager_id = c.id WHERE c.depth < 10) SELECT * FROM chain
WITH RECURSIVE days(d) AS (SELECT DATE '2024-01-01' UNION ALL SELECT (d + INTERVAL '1 day')::date FROM days WHERE d < DATE '2024-01-31') SELECT d, count(o.id) FROM days LEFT JOIN orders o ON o.created_at::date = d GROUP BY d ORDER BY d
SELECT d::date, coalesce(sum(o.total), 0) FROM generate_series('2024-01-01'::date, '2024-06-30'::date, '1 week') AS d LEFT JOIN orders o ON date_trunc('week', o.created_at) = d GROUP BY d ORDER BY d
SELECT c.name, x.total FROM customers c CROSS JOIN LATERAL (SELECT o.total FROM orders o WHERE o.customer_id = c.id ORDER BY o.total DESC LIMIT 3) x
SELECT DISTINCT ON (customer_id) customer_id, id, created_at FROM orders ORDER BY customer_id, created_at DESC
SELECT p.name, t.tag, t.ord FROM products p CROSS JOIN LATERAL unnest(p.tags) WITH ORDINALITY AS t(tag, ord)
SELECT o.id, i ->> 'sku' AS sku, (i ->> 'qty')::int AS qty FROM orders o, jsonb_array_elements(o.items) AS i WHERE (i ->> 'qty')::int > 1
SELECT payload #>> '{a,b}' AS b, payload -> 'items' -> 0 ->> 'sku' AS first_sku FROM orders WHERE payload @> '{"c": "x"}'
SELECT id FROM orders WHERE payload ? 'items' AND payload ?& ARRAY['a', 'c'] AND NOT payload ?| ARRAY['zz']
SELECT jsonb_path_query_array(payload, '$.items[*] ? (@.qty > 2).sku') FROM orders
SELECT id FROM orders WHERE payload @? '$.items[*] ? (@.qty > 3)'
SELECT key, value FROM orders, jsonb_each_text(payload) WHERE key <> 'd'
SELECT category, string_agg(name, ', ' ORDER BY price DESC) AS names, array_agg(DISTINCT price) FROM products GROUP BY category
SELECT category, json_agg(json_build_object('name', name, 'price', price) ORDER BY price) FROM products GROUP BY category
SELECT email, substring(email FROM '@(.*)$') AS domain, split_part(email, '@', 1) FROM customers WHERE email ~* '^[a-z]+[0-9]*@example\.com$'
SELECT regexp_replace(name, '\d+', '', 'g'), (regexp_match(name, '([a-z]+)(\d+)'))[2]::int FROM customers
SELECT name FROM customers WHERE name SIMILAR TO '(name|nom)%' OR name ILIKE ANY (ARRAY['%1', '%2'])
SELECT age(now(), min(created_at)), extract(epoch FROM max(created_at) - min(created_at)) / 86400 AS days FROM orders
SELECT to_char(created_at, 'YYYY-"Q"Q') AS quarter, to_char(sum(total), 'FM999,999,990.00') FROM orders GROUP BY 1
SELECT created_at AT TIME ZONE 'UTC' AT TIME ZONE 'Asia/Shanghai' AS local_time FROM orders
SELECT width_bucket(total, 0, 100, 10) AS bucket, count(*), min(total), max(total) FROM orders GROUP BY bucket ORDER BY bucket
SELECT corr(quantity, unit_price), regr_slope(unit_price, quantity), stddev_samp(unit_price), var_pop(quantity) FROM order_items
SELECT id, total, total - lag(total, 1, 0) OVER (ORDER BY created_at, id) AS change, first_value(total) OVER (ORDER BY created_at, id) FROM orders
SELECT count(*) FROM orders WHERE status IS DISTINCT FROM 'paid' AND (discount IS NULL OR discount = 0)
SELECT * FROM (VALUES (1, 'low'), (2, 'mid'), (3, 'high')) AS v(level, label) JOIN orders o ON o.id = v.level
SELECT c.id FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id AND o.created_at >= current_date - 90)
SELECT id FROM products WHERE price > ALL (SELECT avg(price) FROM products GROUP BY category)
SELECT id FROM products WHERE price = ANY (SELECT max(price) FROM products GROUP BY category)
(SELECT customer_id FROM orders WHERE status = 'paid' EXCEPT SELECT customer_id FROM orders WHERE status = 'void') ORDER BY 1 LIMIT 20
SELECT customer_id FROM orders INTERSECT ALL SELECT referrer_id FROM customers
SELECT id, total FROM orders ORDER BY total DESC FETCH FIRST 5 ROWS WITH TIES
SELECT * FROM orders TABLESAMPLE SYSTEM (50) REPEATABLE (42)
SELECT a.name, b.name FROM employees a JOIN employees b ON a.manager_id = b.id AND a.salary > b.salary
SELECT c.region, sum(o.total) / NULLIF(sum(sum(o.total)) OVER (), 0) AS share FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY c.region
WITH first_orders AS MATERIALIZED (SELECT customer_id, min(created_at) AS first_at FROM orders GROUP BY customer_id) SELECT date_trunc('month', first_at) AS cohort, (extract(year FROM age(o.created_at, f.first_at)) * 12 + extract(month FROM age(o.created_at, f.first_at)))::int AS month_no, count(DISTINCT o.customer_id) FROM first_orders f JOIN orders o USING (customer_id) GROUP BY 1, 2
SELECT user_id, ts, sum(new_session) OVER (PARTITION BY user_id ORDER BY ts) AS session_no FROM (SELECT user_id, ts, CASE WHEN ts - lag(ts) OVER (PARTITION BY user_id ORDER BY ts) > interval '30 minutes' THEN 1 ELSE 0 END AS new_session FROM events) s
SELECT greatest(total, discount, 10), least(total, 5), round(total::numeric, 2), trunc(total), ceil(total), mod(id, 3) FROM orders
SELECT CAST(total AS numeric(10, 2)), total::text, '2024-01-01'::timestamptz, DATE '2024-02-29' + 1, TIME '10:00' FROM orders LIMIT 1
SELECT make_date(2024, 2, 29), make_interval(days => 10), date '2024-03-31' - interval '1 month', extract(isodow FROM date '2024-01-07')
SELECT lower(trim(both ' ' from name)), upper(left(name, 2)), lpad(id::text, 6, '0'), overlay(name placing 'X' from 1 for 1), position('a' in name), strpos(name, 'm'), reverse(name), initcap(name), translate(name, 'ae', '43') FROM customers
SELECT array_length(arr, 1), arr[1], arr[1:2], cardinality(arr), array_position(arr, 3), 3 = ANY (arr), arr && ARRAY[3, 4], arr @> ARRAY[3] FROM events
SELECT "编号", "金额" FROM "订单" WHERE "日期" LIKE '2024-0%' ORDER BY "金额" DESC
SELECT count(*) FROM "order" WHERE total BETWEEN SYMMETRIC 10 AND 2
SELECT bool_and(total > 0), bool_or(status = 'void'), every(id > 0), bit_or(id) FROM orders
SELECT (o).id FROM (SELECT o FROM orders o) t
SELECT row_number() OVER (), o.id FROM public.orders o OFFSET 5 ROWS FETCH NEXT 5 ROWS ONLY
SELECT rank(50) WITHIN GROUP (ORDER BY total) FROM orders
SELECT tsrange(min(created_at), max(created_at)) @> timestamp '2024-03-01' FROM orders
SELECT to_tsvector('english', name) @@ plainto_tsquery('english', 'name1') FROM customers
SELECT md5(email), encode(sha256(email::bytea), 'hex') FROM customers
SELECT id, CASE status WHEN 'paid' THEN 1 WHEN 'new' THEN 0 END AS flag, COALESCE(status, 'unknown') FROM orders WHERE (customer_id, status) IN (SELECT customer_id, status FROM orders WHERE total > 50)
SELECT m.month, o.cnt FROM (SELECT generate_series(1, 12) AS month) m LEFT JOIN (SELECT extract(month FROM created_at)::int AS month, count(*) AS cnt FROM orders GROUP BY 1) o USING (month)
SELECT date_bin('15 minutes', ts, timestamp '2024-01-01') AS bin, count(*) FROM events GROUP BY 1
SELECT region, json_object_agg(segment, n) FROM (SELECT region, segment, count(*) n FROM customers GROUP BY 1, 2) q GROUP BY region
SELECT count(*) AS "number of orders", avg(total)::money FROM orders -- the total
SELECT jsonb_build_object('a', 1) || '{"b": 2}'::jsonb, to_jsonb(o) - 'payload' FROM orders o
SELECT string_to_array(email, '@'), unnest(string_to_array('a,b', ',')) FROM customers
SELECT x.* FROM jsonb_to_recordset('[{"a":1,"b":"x"}]') AS x(a int, b text)
SELECT * FROM json_table('[{"a":1}]'::jsonb, '$[*]' COLUMNS (a int PATH '$.a')) AS jt
SELECT id, name FROM customers WHERE name COLLATE "C" < 'n' ORDER BY name COLLATE "C" DESC
SELECT trim_scale(avg(total)::numeric), factorial(5), gcd(12, 18), sign(-3), log(100), ln(2.7), power(2, 10), |/ 25, 7 % 3, 7 / 2.0 FROM orders
SELECT extract(quarter FROM created_at) q, count(*) FROM orders WHERE created_at >= date_trunc('year', current_date) - interval '1 year' AND created_at < now() GROUP BY q
SELECT o.id, o.total::numeric(12,2), (o.created_at + interval '1 month')::date - current_date AS days_left FROM orders AS o
SELECT date_trunc('day', ts) AS d, count(DISTINCT user_id) AS dau, count(*) FILTER (WHERE name = 'buy')::float / NULLIF(count(*), 0) AS conv FROM events GROUP BY d ORDER BY d
SELECT segment, round((100.0 * count(*) / sum(count(*)) OVER ())::numeric, 2) AS pct FROM customers GROUP BY segment
SELECT (array_agg(status ORDER BY created_at DESC))[1] AS latest FROM orders GROUP BY customer_id
SELECT c.name, coalesce(s.n, 0) AS n FROM customers c LEFT JOIN (SELECT customer_id, count(*) AS n FROM orders GROUP BY 1) s ON s.customer_id = c.id ORDER BY n DESC, c.name
WITH ranked AS (SELECT *, dense_rank() OVER (PARTITION BY category ORDER BY price DESC) AS r FROM products) SELECT name FROM ranked WHERE r <= 3
SELECT to_char(date_trunc('month', created_at), 'Mon YYYY') AS label, sum(total) FROM orders GROUP BY date_trunc('month', created_at) ORDER BY date_trunc('month', created_at)
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY total) FILTER (WHERE status = 'paid') FROM orders
SELECT e.name, m.name AS boss FROM employees e LEFT JOIN employees m ON m.id = e.manager_id WHERE e.salary > (SELECT avg(x.salary) FROM employees x WHERE x.department = e.department)
SELECT unnest(ARRAY['a', 'b']) AS k, unnest(ARRAY[1, 2]) AS v
SELECT a, b FROM unnest(ARRAY[1, 2], ARRAY['x', 'y']) AS t(a, b)
SELECT * FROM ROWS FROM (generate_series(1, 3), unnest(ARRAY['a', 'b', 'c'])) AS t(n, s)
SELECT x, x * x FROM generate_series(1, 10) AS x
SELECT payload -> 'items' -> 0 -> 'qty', jsonb_array_length(payload -> 'items'), jsonb_typeof(payload -> 'n'), payload['a']['b'] FROM orders
SELECT o.id, i.sku, i.qty FROM orders o CROSS JOIN LATERAL jsonb_to_recordset(o.items) AS i(sku text, qty int)
SELECT id FROM orders WHERE payload ->> 'c' ILIKE '%x%' AND (payload -> 'a' ->> 'b')::numeric >= 3
SELECT count(*) FROM orders WHERE created_at::date BETWEEN '2024-01-01' AND '2024-12-31' AND extract(dow FROM created_at) IN (0, 6)
SELECT id FROM orders WHERE (created_at, ship_date) OVERLAPS (DATE '2024-01-01', DATE '2024-02-01')
SELECT region, array_to_string(array_agg(DISTINCT city ORDER BY city), ', ') FROM customers GROUP BY region
SELECT regexp_split_to_table(email, '@') FROM customers
SELECT m[1], m[2] FROM customers, regexp_matches(email, '(.+)@(.+)') AS m
SELECT count(*) OVER (PARTITION BY status ORDER BY created_at GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM orders
SELECT lag(total, 7) OVER (ORDER BY created_at), total / NULLIF(first_value(total) OVER (ORDER BY created_at), 0) FROM orders
SELECT DISTINCT status, count(*) OVER (PARTITION BY status) FROM orders
SELECT 1 AS one UNION ALL VALUES (2), (3)
TABLE orders
SELECT * FROM ONLY orders
SELECT o.* FROM orders o JOIN customers c ON c.id = o.customer_id AND c.region = 'r1' WHERE NOT (o.status = 'void' OR o.total IS NULL) ORDER BY o.total DESC NULLS LAST, 1 LIMIT 10
SELECT CASE WHEN total >= 100 THEN '100+' WHEN total >= 50 THEN '50-99' ELSE '<50' END AS bucket, count(*) AS n FROM orders GROUP BY 1 ORDER BY min(total)
SELECT name || ' (' || coalesce(city, '?') || ')', concat_ws(' ', name, city), format('%s: %s', name, city), quote_literal(name) FROM customers
SELECT current_date - interval '1 year', date_part('week', now()), timezone('Asia/Shanghai', now()), localtimestamp, current_time(0), now()::time
SELECT exp(sum(ln(total + 1))), stddev_pop(total), variance(total), bit_and(id), covar_samp(total, discount) FROM orders
WITH RECURSIVE t(id, manager_id, path, cycle) AS (SELECT id, manager_id, ARRAY[id], false FROM employees WHERE id = 1 UNION ALL SELECT e.id, e.manager_id, t.path || e.id, e.id = ANY (t.path) FROM employees e JOIN t ON e.manager_id = t.id WHERE NOT t.cycle) SELECT * FROM t
WITH RECURSIVE t(n) AS (VALUES (1) UNION SELECT n + 1 FROM t WHERE n < 5) SELECT sum(n) FROM t
SELECT "order".id, "order".total FROM "order"
SELECT public.orders.id FROM public.orders WHERE public.orders.total > 3
SELECT id FROM orders WHERE status = ANY ('{paid,new}'::text[]) OR status <> ALL (ARRAY['void'])
SELECT 'x' IS NULL, NULL IS NOT DISTINCT FROM NULL, TRUE IS NOT FALSE, 1 = 1 IS TRUE
SELECT sum(x.v) FROM (SELECT id * 2 AS v FROM orders UNION ALL SELECT id FROM products) x
SELECT date_trunc('hour', ts) + floor(extract(minute FROM ts) / 15) * interval '15 min' AS q, count(*) FROM events GROUP BY 1
SELECT json_build_object('total', sum(total), 'n', count(*)), jsonb_object_agg(status, id) FILTER (WHERE status IS NOT NULL), json_agg(o.id) FROM orders o
SELECT JSON_QUERY(payload, '$.items[*]' WITH WRAPPER), JSON_VALUE(payload, '$.n' RETURNING int), JSON_EXISTS(payload, '$.a') FROM orders
SELECT NULLIF(regexp_replace(name, '\D', '', 'g'), '')::int AS digits FROM customers
SELECT count(*) FROM customers WHERE email !~ '^[^@]+@[^@]+$' OR email !~* 'x' OR email NOT SIMILAR TO '%z%'
SELECT int4range(1, 10) @> 5, daterange('2024-01-01', '2024-02-01', '[]') && daterange('2024-01-15', '2024-03-01'), lower(int4range(1, 5)), upper_inf(int4range(1, NULL))
SELECT substring(name, 1, 2), substring(name from 2), substr(name, 2, 3), left(name, -1), bit_length(name), char_length(name), ascii(name), chr(65), repeat('ab', 2), lpad(name, 10), starts_with(name, 'n'), name ^@ 'na' FROM customers
SELECT total::numeric(10, 2), created_at::date, id::text, id::int8, total::float8, total::real FROM orders
SELECT total::pg_catalog.numeric, id::pg_catalog.text FROM orders
SELECT CAST(name AS citext), CAST(email AS varchar(50)), city::char(3), id::smallint::boolean FROM customers WHERE id < 2
SELECT '(1,2)'::point, '[1,5)'::int4range, 'a b'::tsvector, 'a'::tsquery, '1 day'::interval, '10.0.0.0/8'::cidr, '$.a'::jsonpath
SELECT total OPERATOR(pg_catalog.+) 1 FROM orders WHERE id OPERATOR(pg_catalog.>) 3
SELECT name FROM customers WHERE name OPERATOR(pg_catalog.~) '^n'
SELECT timestamp with time zone '2024-01-01 00:00:00+00', double precision '1.5', date '2024-01-01'
SELECT '{1,2}'::int[], ARRAY['a']::text[], '{"a": 1}'::json ->> 'a', E'\\x41'::bytea
SELECT * FROM json_to_recordset('[{"a": 1, "b": "x"}]') AS t(a int, b text)
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
SELECT date_trunc('week', created_at)::date AS week, COUNT(*) FILTER (WHERE status = 'paid') AS paid FROM orders GROUP BY 1 ORDER BY 1
SELECT id, created_at + interval '1 month' - interval '1 day' AS due, age(ship_date, created_at) AS took FROM orders ORDER BY id
SELECT DATE '2024-01-31' + 1 AS d, TIMESTAMP '2024-01-01 10:00:00' AS t, TIME '10:30' AS c, INTERVAL '2 hours 30 minutes' AS i, INTERVAL '1' YEAR AS y
SELECT TIMESTAMPTZ '2024-01-01 00:00:00+08' AT TIME ZONE 'UTC' AS u, created_at::timestamptz AT TIME ZONE 'Asia/Shanghai' AS s FROM orders ORDER BY id
SELECT payload -> 'a' ->> 'b' AS b, payload #>> '{items,0,sku}' AS sku, payload ? 'c' AS has, payload @> '{"c": "x"}' AS x FROM orders ORDER BY id
SELECT o.id, i ->> 'sku' AS sku, (i ->> 'qty')::int AS qty FROM orders o CROSS JOIN LATERAL jsonb_array_elements(o.items) AS i ORDER BY o.id
SELECT k, COUNT(*) AS n FROM orders, jsonb_object_keys(payload) AS k GROUP BY k ORDER BY k
SELECT jsonb_path_query_array(payload, '$.items[*].sku') AS skus, jsonb_path_exists(payload, '$.a ? (@.b > 3)') AS e FROM orders ORDER BY id
SELECT p.id, t.tag, t.n FROM products p CROSS JOIN LATERAL unnest(p.tags) WITH ORDINALITY AS t(tag, n) ORDER BY p.id, t.n
SELECT id, tags[1] AS first, array_length(tags, 1) AS n, 'a' = ANY(tags) AS has, tags @> ARRAY['a'] AS c, array_to_string(tags, ',') AS s FROM products ORDER BY id
SELECT array_agg(DISTINCT status ORDER BY status) AS statuses, string_agg(DISTINCT status, ', ' ORDER BY status) AS list FROM orders
SELECT percentile_cont(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY total) AS q, percentile_disc(0.9) WITHIN GROUP (ORDER BY total) AS p90 FROM orders
SELECT c.name, l.total FROM customers c LEFT JOIN LATERAL (SELECT o.total FROM orders o WHERE o.customer_id = c.id ORDER BY o.total DESC, o.id FETCH FIRST 2 ROWS ONLY) l ON TRUE ORDER BY c.name, l.total
SELECT g::date AS day, COUNT(o.id) AS n FROM generate_series(DATE '2024-01-01', DATE '2024-01-31', INTERVAL '1 day') AS g LEFT JOIN orders o ON o.created_at::date = g::date GROUP BY 1 ORDER BY 1
SELECT extract(isodow FROM created_at) AS d, extract(epoch FROM ship_date - created_at) / 86400 AS days, to_char(created_at, 'YYYY"Q"Q') AS q FROM orders ORDER BY id
SELECT region, segment, COUNT(*) AS n, GROUPING(region, segment) AS g FROM customers GROUP BY ROLLUP (region, segment) ORDER BY g, region, segment
SELECT id, total, SUM(total) OVER (ORDER BY created_at RANGE BETWEEN INTERVAL '30 days' PRECEDING AND CURRENT ROW) AS s FROM orders ORDER BY id
SELECT id, SUM(total) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE CURRENT ROW) AS around FROM orders ORDER BY id
SELECT B'101' AS a, B'101'::int AS b, X'1F' AS c, '101'::varbit AS d, '1011'::bit(4) AS e, '10'::varbit(5) AS f
SELECT numeric '12.50' AS a, '3.14'::numeric(5, 2) AS b, float8 '1e3' AS c, int '42' AS d, boolean 'yes' AS e, text 'x' AS f
SELECT name COLLATE "C" AS n, name ILIKE 'NAME%' AS i, name ~* '^name[1-3]$' AS r, name SIMILAR TO 'name(1|2)' AS s FROM customers ORDER BY 1
SELECT regexp_match(email, '^([^@]+)@(.+)$') AS m, regexp_split_to_array(email, '@') AS s, (regexp_matches(email, '\d'))[1] AS d FROM customers ORDER BY id
SELECT (ARRAY[1, 2, 3])[2] AS a, ARRAY[1, 2] || 3 AS b, cardinality(ARRAY[[1, 2], [3, 4]]) AS c
SELECT daterange('2024-01-01', '2024-02-01') @> DATE '2024-01-15' AS inside, (DATE '2024-01-01', DATE '2024-02-01') OVERLAPS (DATE '2024-01-15', DATE '2024-03-01') AS o
SELECT bit '101' AS a, char 'abc' AS b, character 'abc' AS c, bpchar 'abc ' AS d, varchar(2) 'xyz' AS e, char(2) 'abc' AS f, bit(3) '101' AS g
SELECT DATE '2024-01-31'::text || 'x' AS a, numeric '12.5'::int AS b, bit '101'::int AS c, timestamp '2024-01-01 10:00:00'::date AS d, interval '1 day'::text AS e, time '10:30'::text AS f
SELECT timestamp with time zone '2024-01-01 00:00:00+00' AS a, double precision '1.5' AS b, date '2024-01-01' AS c, interval '1-2' year to month AS d, interval '3' day AS e, timestamp(0) '2024-01-01 10:00:00.6' AS f
# a third round, of an analyst's own work
SELECT date_trunc('month', o.created_at)::date AS month, sum(o.total) AS revenue, sum(sum(o.total)) OVER (ORDER BY date_trunc('month', o.created_at)) AS running FROM orders o GROUP BY 1 ORDER BY 1
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY total), percentile_disc(ARRAY[0.25, 0.75]) WITHIN GROUP (ORDER BY total) FROM orders
SELECT c.name, last.total FROM customers c LEFT JOIN LATERAL (SELECT total FROM orders o WHERE o.customer_id = c.id ORDER BY created_at DESC FETCH FIRST 1 ROW ONLY) last ON true
SELECT DISTINCT ON (customer_id) customer_id, id, total FROM orders ORDER BY customer_id, created_at DESC NULLS LAST
SELECT d::date AS day, count(o.id) FROM generate_series('2024-01-01'::date, '2024-03-31', interval '1 day') AS d LEFT JOIN orders o ON o.created_at::date = d GROUP BY d ORDER BY d
SELECT payload->'shipping'->>'city' AS city, (payload #>> '{a,b}')::numeric AS x FROM orders WHERE payload @> '{"gift": true}' AND payload ? 'note'
SELECT elem->>'sku' AS sku, sum((elem->>'qty')::int) FROM orders, jsonb_array_elements(items::jsonb) WITH ORDINALITY AS t(elem, n) GROUP BY 1
SELECT region, segment, sum(total) FROM customers JOIN orders ON customers.id = customer_id GROUP BY GROUPING SETS ((region, segment), (region), ()) ORDER BY grouping(region, segment)
SELECT to_char(created_at, 'YYYY-"Q"Q') AS q, count(*) FILTER (WHERE extract(isodow FROM created_at) IN (6, 7)) AS weekend FROM orders GROUP BY 1
WITH RECURSIVE t AS (SELECT id, manager_id, ARRAY[id] AS path FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, e.manager_id, t.path || e.id FROM employees e JOIN t ON t.id = e.manager_id WHERE NOT e.id = ANY (t.path)) SELECT id, array_length(path, 1) FROM t
SELECT age(now(), signup_date), date_part('year', age(signup_date)) FROM customers WHERE signup_date AT TIME ZONE 'Asia/Shanghai' > now() - '1 year'::interval
SELECT regexp_replace(email, '^.*@', '') AS domain, count(*) FROM customers WHERE email ~* '@(gmail|qq)\.com$' GROUP BY 1 HAVING count(*) > 1
SELECT string_agg(name, '、' ORDER BY name) FROM products WHERE tags && ARRAY['new', 'sale']::text[]
SELECT width_bucket(total, 0, 1000, 10) AS bucket, count(*), repeat('█', count(*)::int / 10) FROM orders GROUP BY 1
SELECT coalesce(nullif(trim(both ' ' from city), ''), '未知') AS 城市, count(*) FROM customers GROUP BY 1
SELECT corr(unit_price, quantity), regr_slope(unit_price, quantity), stddev_samp(quantity), mode() WITHIN GROUP (ORDER BY quantity) FROM order_items
SELECT id, total, total / sum(total) OVER () AS share, first_value(id) OVER (PARTITION BY status ORDER BY total DESC RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM orders
(SELECT 'top' AS kind, id FROM orders ORDER BY total DESC LIMIT 5) UNION ALL (SELECT 'bottom', id FROM orders ORDER BY total LIMIT 5)
SELECT make_date(2024, m, 1), m FROM unnest(ARRAY[1, 2, 3]) AS m
SELECT e.name, m.name AS boss FROM employees e LEFT OUTER JOIN employees m ON m.id = e.manager_id WHERE e.hired BETWEEN SYMMETRIC DATE '2024-01-01' AND DATE '2020-01-01'
SELECT (ARRAY_AGG(id ORDER BY total DESC))[1:3] AS top, json_build_object('n', count(*), 'sum', sum(total)) FROM orders GROUP BY status
SELECT count(*) FROM orders WHERE tsrange('2024-01-01', '2024-02-01') @> created_at::timestamp
SELECT to_tsvector('english', name) @@ plainto_tsquery('english', 'blue shirt') AS hit, ts_rank(to_tsvector(name), to_tsquery('blue')) FROM products
SELECT status, created_at::time, EXTRACT(EPOCH FROM (ship_date - created_at)) / 3600 AS hours FROM orders WHERE status IS DISTINCT FROM 'new'
SELECT bool_and(total > 0), every(total < 1e6), bit_or(id), array_to_string(array_agg(DISTINCT status), ', ') FROM orders
VALUES (1, 'a'), (2, 'b')
SELECT * FROM (VALUES ('north', 10), ('south', 20)) AS target(region, goal) JOIN customers USING (region)
SELECT count(*) FROM orders TABLESAMPLE SYSTEM (10) REPEATABLE (42)
SELECT x.* FROM orders o CROSS JOIN LATERAL jsonb_to_recordset(o.items) AS x(sku text, qty int, price numeric(10, 2))
SELECT sum(total) FROM orders WHERE created_at >= date_trunc('year', CURRENT_DATE) - INTERVAL '1' YEAR AND created_at < CURRENT_DATE - 365
SELECT array_fill(0, ARRAY[12]) AS months
WITH RECURSIVE c AS (SELECT 1 AS x UNION SELECT e.id FROM c JOIN employees e ON e.manager_id = c.x) SELECT count(*) FROM c
WITH RECURSIVE c(x) AS (SELECT id FROM employees WHERE manager_id IS NULL UNION SELECT e.id FROM employees e, c WHERE e.manager_id = c.x) SELECT * FROM c
# sizes, samples and recursions
WITH RECURSIVE c AS (SELECT id, 0 AS lvl FROM employees WHERE manager_id IS NULL UNION ALL SELECT x.id, c.lvl + 1 FROM c CROSS JOIN LATERAL (SELECT e.id FROM employees e WHERE e.manager_id = c.id) AS x) SELECT lvl, count(*) FROM c GROUP BY lvl
WITH RECURSIVE c AS (SELECT id, 0 AS lvl FROM employees WHERE manager_id IS NULL UNION ALL SELECT x.id, c.lvl + 1 FROM c, LATERAL (SELECT e.id FROM employees e WHERE e.manager_id = c.id) AS x) SELECT lvl, count(*) FROM c GROUP BY lvl
WITH RECURSIVE c AS (SELECT id, 0 AS lvl FROM employees WHERE manager_id IS NULL UNION ALL (SELECT e.id, c.lvl + 1 FROM employees e JOIN c ON c.id = e.manager_id)) SELECT max(lvl) FROM c
WITH RECURSIVE loose AS ((SELECT status FROM orders ORDER BY status LIMIT 1) UNION ALL SELECT (SELECT status FROM orders WHERE status > loose.status ORDER BY status LIMIT 1) FROM loose WHERE loose.status IS NOT NULL) SELECT status FROM loose WHERE status IS NOT NULL
WITH RECURSIVE pairs(a, b) AS (SELECT id, referrer_id FROM customers UNION SELECT p.a, c.referrer_id FROM pairs p JOIN customers c ON c.id = p.b) SELECT a, count(*) FROM pairs GROUP BY a
SELECT rpad('', count(*)::int / 10, '#') AS bar, status FROM orders GROUP BY status
SELECT id FROM orders TABLESAMPLE BERNOULLI (5)
SELECT id FROM orders TABLESAMPLE system_rows (100)
SELECT array_fill(NULL::numeric, ARRAY[3, 4]) AS grid
SELECT repeat('#', (100 * count(*) / 1000)::int) AS bar FROM orders GROUP BY status
SELECT g FROM generate_series(1, (SELECT max(id) FROM orders)) AS g
SELECT g FROM generate_series(1, (SELECT count(*) FROM orders)) AS g
SELECT lpad(id::text, 8, '0'), repeat('x', length(name)) FROM customers
# a fourth round, written before the lists were read again
WITH RECURSIVE tree AS (SELECT id, name, manager_id, ARRAY[id] AS path, 1 AS lvl FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, e.name, e.manager_id, t.path || e.id, t.lvl + 1 FROM employees e JOIN tree t ON e.manager_id = t.id WHERE NOT e.id = ANY(t.path)) SELECT repeat('  ', lvl - 1) || name AS shown, cardinality(path) FROM tree ORDER BY path
WITH RECURSIVE t(id, manager_id) AS (SELECT id, manager_id FROM employees UNION SELECT e.id, e.manager_id FROM employees e, t WHERE t.manager_id = e.id) SEARCH DEPTH FIRST BY id SET ord CYCLE id SET looped USING way SELECT * FROM t WHERE NOT looped ORDER BY ord LIMIT 20
SELECT date_trunc('quarter', created_at)::date AS q, percentile_cont(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY total) AS quartiles, mode() WITHIN GROUP (ORDER BY status) AS usual FROM orders GROUP BY 1
SELECT region, segment, GROUPING(region, segment) AS g, count(*) FROM customers GROUP BY GROUPING SETS ((region, segment), (region), ()) ORDER BY g, 1 NULLS FIRST
SELECT c.name, latest.* FROM customers c LEFT JOIN LATERAL (SELECT o.id, o.total FROM orders o WHERE o.customer_id = c.id ORDER BY o.created_at DESC FETCH FIRST 2 ROWS WITH TIES) latest ON true
SELECT d::date, coalesce(sum(o.total), 0) FROM generate_series(date '2024-01-01', date '2024-06-30', interval '1 week') AS g(d) LEFT JOIN orders o ON o.created_at >= d AND o.created_at < d + interval '7 days' GROUP BY d ORDER BY d
SELECT id, item ->> 'sku' AS sku, (item ->> 'qty')::int AS qty, n FROM orders CROSS JOIN jsonb_array_elements(payload -> 'items') WITH ORDINALITY AS i(item, n) WHERE payload @> '{"c": "x"}' AND payload ? 'a' AND payload @? '$.items[*] ? (@.qty > 3)'
SELECT age(ship_date, created_at), extract(epoch FROM ship_date - created_at) / 86400.0 AS days, to_char(created_at, 'IYYY-"W"IW') AS week, created_at AT TIME ZONE 'UTC' AT TIME ZONE 'Asia/Shanghai' AS local, make_interval(days => id) FROM orders
SELECT DISTINCT ON (customer_id) customer_id, id, total FROM orders ORDER BY customer_id, total DESC NULLS LAST
SELECT unnest(tags) AS tag, count(*), array_agg(name ORDER BY price DESC) FILTER (WHERE price > 2) AS dear, string_agg(DISTINCT category, ', ') FROM products WHERE tags && ARRAY['a', 'b'] GROUP BY tag
SELECT regexp_replace(email, '^(.)[^@]*', '\1***') AS masked, split_part(email, '@', 2) AS domain, (regexp_match(email, '@(.+)$'))[1], email ~* 'example', format('%s <%s>', name, email), initcap(name), translate(name, 'abc', 'xyz') FROM customers
SELECT width_bucket(total, 0, 100, 10) AS bucket, numrange(min(total)::numeric, max(total)::numeric, '[]') AS r, corr(total, discount), regr_slope(total, discount), stddev_samp(total)::numeric(10, 2) FROM orders GROUP BY ROLLUP(1)
SELECT x.sku, x.qty FROM orders, jsonb_to_recordset(payload -> 'items') AS x(sku text, qty numeric) WHERE (created_at, ship_date) OVERLAPS (timestamp '2024-01-01', interval '90 days')
SELECT x.n, x.a, x.b FROM XMLTABLE('/r/i' PASSING '<r><i id="3"><n>x</n></i><i><n> y </n></i></r>'::xml COLUMNS n FOR ORDINALITY, a int PATH '@id' DEFAULT 0 NOT NULL, b text PATH 'normalize-space(n)') x
SELECT o.id, j.key, j.value FROM orders o CROSS JOIN LATERAL jsonb_each_text(o.payload::jsonb) AS j(key, value)
SELECT payload::jsonb #>> '{customer,name}' AS name, payload::jsonb @? '$.items[*] ? (@.qty > 2)' AS many FROM orders
SELECT c.name, t.total FROM customers c LEFT JOIN LATERAL (SELECT total FROM orders o WHERE o.customer_id = c.id ORDER BY created_at DESC LIMIT 1) t ON true
SELECT date_trunc('month', created_at)::date AS m, sum(total)::numeric(12,2) AS s FROM orders GROUP BY 1 ORDER BY 1
WITH orders AS (SELECT * FROM public.orders WHERE status = 'paid') SELECT count(*) FROM orders
SELECT x.id, x.qty FROM orders o, jsonb_to_recordset(o.items::jsonb) AS x(id int, qty int)
SELECT g.d::date AS day, count(o.id) FROM generate_series('2024-01-01'::timestamp, '2024-01-31', interval '1 day') AS g(d) LEFT JOIN orders o ON o.created_at::date = g.d::date GROUP BY 1
SELECT percentile_disc(ARRAY[0.25, 0.5]) WITHIN GROUP (ORDER BY total) FROM orders
(SELECT city FROM customers ORDER BY city LIMIT 3) UNION ALL (SELECT name FROM products ORDER BY price DESC LIMIT 3)
SELECT status, count(*) FILTER (WHERE total > 100) AS big, array_agg(DISTINCT customer_id ORDER BY customer_id) FROM orders GROUP BY ROLLUP (status)
# a fifth round, written before the lists were read; then rows of constants and recursions
SELECT date_trunc('quarter', created_at)::date AS q, sum(total)::numeric(12,2) AS revenue FROM orders GROUP BY 1 ORDER BY 1
SELECT percentile_cont(0.9) WITHIN GROUP (ORDER BY total) AS p90, mode() WITHIN GROUP (ORDER BY status) FROM orders
SELECT city, segment, count(*), grouping(city, segment) FROM customers GROUP BY GROUPING SETS ((city, segment), (city), ())
SELECT c.id, l.total FROM customers c CROSS JOIN LATERAL (SELECT o.total FROM orders o WHERE o.customer_id = c.id ORDER BY o.total DESC LIMIT 2) l
SELECT g::date AS day, coalesce(sum(o.total), 0) FROM generate_series('2024-01-01'::date, '2024-06-30', interval '1 day') g LEFT JOIN orders o ON o.created_at::date = g GROUP BY 1
SELECT to_char(created_at, 'YYYY-MM') AS m, count(*) FILTER (WHERE status = 'paid') AS paid FROM orders GROUP BY m
SELECT replace(replace('$1,200.00', '$', ''), ',', '')::numeric + 1, NULLIF(regexp_replace('1 200,00 EUR', '[^0-9,]', '', 'g'), '')
SELECT payload -> 'a' ->> 'b' AS b, payload #>> '{a,b}' AS c, payload @> '{"c": "x"}' AS d FROM orders
SELECT o.id, i.sku, i.qty FROM orders o, jsonb_to_recordset(o.items) AS i(sku text, qty int)
SELECT unnest(tags) AS tag, count(*) FROM products GROUP BY tag HAVING count(*) >= 1
SELECT extract(epoch FROM ship_date - created_at) / 3600 AS hours, age(created_at) FROM orders WHERE created_at > now() - interval '10 years'
WITH RECURSIVE chain AS (SELECT id, name, manager_id, ARRAY[id] AS path FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, e.name, e.manager_id, path || e.id FROM employees e JOIN chain c ON e.manager_id = c.id WHERE NOT e.id = ANY(path)) SELECT * FROM chain
SELECT name ~* '^name[0-4]$' AS ok, split_part(name, 'e', 2), initcap(city), left(name, 3) FROM customers WHERE city ILIKE 'p%'
SELECT * FROM order
SELECT string_agg(DISTINCT name, ', ' ORDER BY name) FROM customers WHERE city IS DISTINCT FROM 'Oslo'
SELECT id, total, total - lag(total, 1, 0::double precision) OVER w AS diff, cume_dist() OVER w FROM orders WINDOW w AS (PARTITION BY customer_id ORDER BY created_at)
SELECT department, hired, count(*) OVER (ORDER BY hired RANGE BETWEEN INTERVAL '1 year' PRECEDING AND CURRENT ROW) FROM employees
SELECT width_bucket(total, 0, 100, 5) AS bucket, count(*) FROM orders GROUP BY bucket ORDER BY bucket
SELECT corr(total, discount), regr_slope(total, discount), stddev_samp(total), var_pop(total) FROM orders
SELECT make_date(2024, 2, 29), to_date('03/04/2024', 'DD/MM/YYYY'), to_timestamp(1700000000) AT TIME ZONE 'Europe/Paris'
SELECT v.label, count(o.id) FROM (VALUES ('low', 0, 50), ('high', 50, 1000)) AS v(label, lo, hi) LEFT JOIN orders o ON o.total >= v.lo AND o.total < v.hi GROUP BY v.label
SELECT array_agg(id ORDER BY id) FILTER (WHERE total > 10), bool_and(total > 0), array_length(array_agg(id), 1) FROM orders
SELECT jsonb_path_query_first(payload, '$.items[*] ? (@.qty > 3).sku') FROM orders
SELECT m, count(o.id) FROM generate_series('2024-01-01 00:00'::timestamp, '2024-01-03 23:59'::timestamp, interval '1 minute') AS m LEFT JOIN orders o ON date_trunc('minute', o.created_at) = m GROUP BY m
SELECT d::date FROM generate_series(current_date - interval '5 years', current_date, '1 day') AS d
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM (SELECT i FROM n WHERE i < 12) x) SELECT i FROM n
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n LIMIT 10
# a sixth round
WITH monthly AS (SELECT date_trunc('month', created_at) AS m, sum(total) AS s FROM orders GROUP BY 1) SELECT m, s, s / NULLIF(lag(s) OVER (ORDER BY m), 0) - 1 AS growth FROM monthly
WITH RECURSIVE up AS (SELECT id, manager_id, 1 AS d FROM employees WHERE id = 8 UNION ALL SELECT e.id, e.manager_id, up.d + 1 FROM up JOIN employees e ON e.id = up.manager_id) SELECT * FROM up
SELECT h, count(o.id) FROM generate_series(timestamp '2024-01-01', timestamp '2024-01-07', interval '1 hour') h LEFT JOIN orders o ON date_trunc('hour', o.created_at) = h GROUP BY h ORDER BY h
SELECT name FROM customers WHERE name LIKE 'na\_e%' OR name LIKE '%\%%'
SELECT array_to_string(array_agg(DISTINCT city), ', '), (array_agg(name ORDER BY id DESC))[1] FROM customers
SELECT o.id, e.key, e.value FROM orders o CROSS JOIN LATERAL jsonb_each_text(o.payload) e
SELECT date_part('dow', created_at) AS dow, to_char(sum(total), 'FM999,999.00') FROM orders GROUP BY 1
SELECT count(*) FILTER (WHERE total > 50) * 100.0 / count(*) AS pct, string_agg(status, '/' ORDER BY id) FROM orders GROUP BY customer_id
WITH RECURSIVE t(id, tags) AS (SELECT id, tags FROM products WHERE id = 1 UNION ALL SELECT p.id, p.tags FROM t, unnest(t.tags) u JOIN products p ON p.name = u) SELECT id FROM t
