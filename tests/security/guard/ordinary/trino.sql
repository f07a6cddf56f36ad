# ordinary analysis in Trino
SELECT date_trunc('month', created_at) AS month, sum(total) FROM orders WHERE created_at >= current_date - INTERVAL '6' MONTH GROUP BY 1 ORDER BY 1
SELECT date_add('day', 1, created_at), date_diff('day', created_at, ship_date), date_format(created_at, '%Y-%m'), year(created_at), day_of_week(created_at), from_unixtime(0), date_parse('2024', '%Y') FROM orders
SELECT p.id, t.tag FROM products p CROSS JOIN UNNEST(p.tags) AS t(tag)
SELECT p.id, t.tag, t.n FROM products p CROSS JOIN UNNEST(p.tags) WITH ORDINALITY AS t(tag, n)
SELECT approx_percentile(total, 0.9), approx_distinct(customer_id), max_by(id, total), min_by(id, total, 3), count_if(total > 1), arbitrary(status) FROM orders
SELECT transform(arr, x -> x + 1), filter(arr, x -> x > 1), reduce(arr, 0, (s, x) -> s + x, s -> s), element_at(arr, 1), cardinality(arr), arr[1] FROM events
SELECT map_agg(id, name), array_agg(name ORDER BY name), histogram(city), multimap_agg(city, name) FROM customers
SELECT json_extract_scalar(payload, '$.a'), json_extract(payload, '$.b'), CAST(json_parse('[1]') AS ARRAY(BIGINT)), json_value(payload, 'lax $.c') FROM orders
SELECT * FROM hive.shop.orders
SELECT o.id FROM shop.orders o
SELECT listagg(name, ', ') WITHIN GROUP (ORDER BY name) FROM customers
SELECT try_cast(name AS BIGINT), try(total / discount), coalesce(discount, 0), nullif(total, 0), if(total > 1, 'a', 'b'), CAST(ROW(1, 'a') AS ROW(x BIGINT, y VARCHAR)).x FROM orders, customers
WITH RECURSIVE t(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM t WHERE n < 10) SELECT n FROM t
SELECT region, city, count(*), grouping(region, city) FROM customers GROUP BY GROUPING SETS ((region), (region, city))
SELECT region, city, count(*) FROM customers GROUP BY CUBE (region, city)
SELECT id FROM orders EXCEPT SELECT order_id FROM order_items
SELECT id, row_number() OVER (PARTITION BY customer_id ORDER BY total DESC) AS rn, lag(total) IGNORE NULLS OVER (ORDER BY id), sum(total) OVER (ORDER BY created_at RANGE BETWEEN INTERVAL '7' DAY PRECEDING AND CURRENT ROW) FROM orders
SELECT regexp_like(email, '^a'), regexp_extract(email, '@(.+)', 1), regexp_replace(name, 'a', 'b'), split(email, '@')[2], split_part(email, '@', 1), strpos(email, '@') FROM customers
SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS v(x, y)
SELECT * FROM orders TABLESAMPLE BERNOULLI (10)
SELECT id FROM orders ORDER BY total DESC FETCH FIRST 5 ROWS WITH TIES
SELECT id FROM orders OFFSET 5 LIMIT 10
SELECT d FROM UNNEST(sequence(DATE '2024-01-01', DATE '2024-01-31', INTERVAL '1' DAY)) AS t(d)
SELECT created_at AT TIME ZONE 'Asia/Shanghai', from_iso8601_timestamp('2024-01-01T00:00:00Z'), to_unixtime(created_at), extract(YEAR FROM created_at), localtimestamp, at_timezone(created_at, 'UTC') FROM orders
SELECT c.name, l.s FROM customers c CROSS JOIN LATERAL (SELECT sum(o.total) AS s FROM orders o WHERE o.customer_id = c.id) l
SELECT c.id FROM customers c FULL OUTER JOIN orders o ON c.id = o.customer_id WHERE o.id IS NULL
SELECT count(*) FILTER (WHERE total > 1), corr(total, discount), stddev(total), checksum(id), bool_and(total > 1), geometric_mean(total) FROM orders
SELECT "编号", sum("金额") FROM "订单" GROUP BY "编号"
SELECT any_match(arr, x -> x > 1), zip(arr, arr), flatten(ARRAY[arr]), array_join(arr, ','), array_distinct(arr), contains(arr, 1), slice(arr, 1, 2), array_sort(arr) FROM events
SELECT * FROM orders MATCH_RECOGNIZE (PARTITION BY customer_id ORDER BY created_at MEASURES a.total AS t ONE ROW PER MATCH PATTERN (a b+) DEFINE b AS b.total > PREV(b.total))
SELECT id, name FROM customers JOIN orders USING (id)
SELECT o.id FROM orders o WHERE o.customer_id IN (SELECT id FROM customers WHERE city = 'x') AND NOT EXISTS (SELECT 1 FROM events e WHERE e.user_id = o.customer_id)
SELECT width_bucket(total, 0, 100, 10), round(total, 2), mod(id, 2), greatest(1, 2), power(total, 2), bar(total, 10), format('%.2f', total), url_extract_host(status), xxhash64(to_utf8(status)) FROM orders
SELECT status, total, first_value(total) OVER w, nth_value(total, 2) OVER w FROM orders WINDOW w AS (PARTITION BY status ORDER BY total)
SELECT s.status, s.n * 1.0 / sum(s.n) OVER () AS share FROM (SELECT status, count(*) AS n FROM orders GROUP BY status) s
SELECT numeric_histogram(10, total), tdigest_agg(total), approx_set(id), merge(approx_set(id)), max(total, 3), array_agg(DISTINCT status) FROM orders GROUP BY customer_id
SELECT date(created_at) d, count(*) c FROM orders WHERE created_at > now() - interval '7' day GROUP BY 1 ORDER BY 1
SELECT hour(created_at), week(created_at), quarter(created_at), day(created_at), month(created_at), last_day_of_month(created_at), to_iso8601(created_at), date_trunc('week', created_at), current_timestamp, format_datetime(created_at, 'YYYY'), parse_datetime('2024', 'YYYY'), with_timezone(timestamp '2024-01-01 00:00:00', 'UTC'), to_milliseconds(interval '1' day) FROM orders
SELECT u.k, u.v FROM events CROSS JOIN UNNEST(map(ARRAY['a'], ARRAY[1])) AS u(k, v)
SELECT t.a, t.b FROM UNNEST(ARRAY[1,2], ARRAY['x','y']) AS t(a, b)
SELECT CAST(props AS map(varchar, varchar))['a'], map_keys(map(ARRAY[1], ARRAY[2])), map_filter(map(ARRAY[1], ARRAY[2]), (k, v) -> v > 1), transform_values(map(ARRAY[1], ARRAY[2]), (k, v) -> v + k), element_at(map(ARRAY[1], ARRAY[2]), 1) FROM events
SELECT json_query(props, 'lax $.a'), json_exists(props, 'lax $.a'), json_array_length(props), json_format(json_parse('{}')), CAST(json_extract(props, '$.a') AS bigint), json_object('a': 1), json_array(1, 2) FROM events
SELECT name, lower(name), substr(name, 1, 2), substring(name FROM 1 FOR 2), length(name), trim(name), replace(name, 'a', 'b'), concat(name, 'x'), name || 'y', position('a' IN name), lpad(name, 10, ' '), reverse(name), levenshtein_distance(name, 'x'), regexp_count(name, 'a'), regexp_split(name, 'a'), regexp_extract_all(name, 'a'), starts_with(name, 'a'), translate(name, 'a', 'b'), md5(to_utf8(name)), to_hex(sha256(to_utf8(name))), codepoint('a'), normalize(name, NFC) FROM customers
SELECT array_agg(name) FILTER (WHERE city IS NOT NULL), map_agg(id, name), approx_most_frequent(3, city, 10), set_agg(city), array_union(ARRAY[1], ARRAY[2]), min_by(name, id), listagg(name, ',') WITHIN GROUP (ORDER BY name), count(DISTINCT city), entropy(id), skewness(id), kurtosis(id), regr_slope(id, id), bitwise_or_agg(id), every(id > 1) FROM customers GROUP BY region
SELECT s.x, s[1] FROM (SELECT CAST(ROW(1, 2) AS ROW(x int, y int)) AS s)
SELECT id, rank() OVER (PARTITION BY status ORDER BY total DESC), sum(total) OVER (ORDER BY created_at ROWS BETWEEN 6 PRECEDING AND CURRENT ROW), ntile(4) OVER (ORDER BY total), last_value(total) IGNORE NULLS OVER (ORDER BY id) FROM orders
SELECT * FROM orders o JOIN customers c ON o.customer_id = c.id LEFT JOIN order_items i ON i.order_id = o.id WHERE o.status IN ('a') AND c.name LIKE 'a!%' ESCAPE '!' AND total IS DISTINCT FROM 1
SELECT region, count(*) FROM customers GROUP BY ROLLUP (region, city) HAVING count(*) > 1 ORDER BY 2 DESC LIMIT 10
SELECT id FROM orders INTERSECT ALL SELECT order_id FROM order_items
WITH RECURSIVE t(id, lvl) AS (SELECT id, 1 FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, t.lvl + 1 FROM employees e JOIN t ON e.manager_id = t.id) SELECT * FROM t
SELECT DATE '2024-01-01', TIMESTAMP '2024-01-01 00:00:00 UTC', INTERVAL '1' DAY, X'65', U&'x', 1.5e0, DECIMAL '1.5', true, ARRAY[1,2,3], ROW(1,'a'), MAP(ARRAY['a'], ARRAY[1])
SELECT coalesce(NULL, 1), nullif(1, 1), if(true, 1), try(1 / 0), try_cast('x' AS int), CASE WHEN true THEN 1 END, greatest(1, 2), round(1.5), truncate(1.5), mod(5, 2), cbrt(8), e(), infinity(), is_nan(nan()), width_bucket(1, ARRAY[0, 1]), bitwise_and(1, 2), from_base('ff', 16), random(10), typeof(1), human_readable_seconds(96), format_number(1000)
SELECT approx_percentile(total, ARRAY[0.5, 0.9]), approx_distinct(customer_id, 0.01), histogram(status), qdigest_agg(total), value_at_quantile(qdigest_agg(total), 0.5), cardinality(approx_set(id)) FROM orders
SELECT count_if(total > 1) * 100.0 / count(*), sum(CASE WHEN status = 'x' THEN 1 ELSE 0 END), geometric_mean(total), any_value(status), checksum(status) FROM orders
SELECT customers.name, x.s FROM customers, LATERAL (SELECT sum(total) AS s FROM orders WHERE orders.customer_id = customers.id) AS x
SELECT * FROM hive.shop.orders AS o (a, b, c, d, e, f, g, h, i) WHERE a > 1
TABLE orders
SELECT "o"."id" FROM "hive"."shop"."orders" "o"
SELECT array_join(array_sort(array_agg(DISTINCT name)), ', ') FROM customers
SELECT sequence(1, 5), repeat('x', 3), zip_with(ARRAY[1], ARRAY[2], (x, y) -> x + y), reduce(ARRAY[1,2], 0, (s, x) -> s + x, s -> s), none_match(ARRAY[1], x -> x > 1), ngrams(ARRAY['a','b'], 2), shuffle(ARRAY[1]), array_max(ARRAY[1]), combinations(ARRAY[1,2], 2), split_to_map('a=1', ',', '=')
