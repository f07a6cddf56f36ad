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
# written after the lists, and counted when they first ran (docs/guard.md)
SELECT date_trunc('month', created_at) AS m, sum(total) AS s, count_if(status = 'paid') FROM orders GROUP BY 1 ORDER BY 1
SELECT date_diff('day', created_at, ship_date), date_add('month', -1, current_date), date_format(created_at, '%Y-%m'), date_parse('2024-01-01', '%Y-%m-%d'), format_datetime(created_at, 'yyyy-MM'), parse_datetime('2024-01-01', 'yyyy-MM-dd'), from_iso8601_timestamp('2024-01-01T00:00:00Z'), from_unixtime(0), to_unixtime(created_at), day_of_week(created_at), week_of_year(created_at), year(created_at), quarter(created_at), extract(hour FROM created_at), last_day_of_month(created_at), created_at + interval '7' day, created_at - interval '1' month, at_timezone(current_timestamp, 'Asia/Shanghai'), current_timestamp AT TIME ZONE 'UTC', date '2024-01-01', timestamp '2024-01-01 00:00:00', now(), localtimestamp, with_timezone(timestamp '2024-01-01 00:00:00', 'UTC'), to_iso8601(current_date), human_readable_seconds(100) FROM orders
SELECT approx_percentile(total, 0.5), approx_percentile(total, ARRAY[0.25, 0.75]), approx_distinct(customer_id), max_by(status, total), min_by(status, total, 3), arbitrary(status), any_value(status), array_agg(status ORDER BY id), map_agg(status, total), multimap_agg(status, total), histogram(status), bool_and(total > 0), checksum(id), geometric_mean(total), corr(total, discount), skewness(total), kurtosis(total), entropy(id), numeric_histogram(5, total), approx_most_frequent(3, status, 10), bitwise_or_agg(id), stddev(total), covar_samp(total, discount), regr_slope(total, discount), listagg(status, ',') WITHIN GROUP (ORDER BY id), count(*) FILTER (WHERE total > 5), reduce_agg(total, 0, (a, b) -> a + b, (a, b) -> a + b), map_union(map(ARRAY['a'], ARRAY[1])), array_agg(DISTINCT status) FILTER (WHERE status IS NOT NULL), set_agg(id), max(total, 3) FROM orders
SELECT o.id, t.item, t.n FROM orders o CROSS JOIN UNNEST(CAST(json_extract(o.items, '$') AS array(json))) WITH ORDINALITY AS t (item, n)
SELECT e.id, u.v FROM events e LEFT JOIN UNNEST(e.arr) AS u (v) ON true
SELECT k, v FROM UNNEST(map(ARRAY['a', 'b'], ARRAY[1, 2])) AS t (k, v)
SELECT json_extract_scalar(payload, '$.a.b'), json_extract(payload, '$.items'), json_value(payload, 'lax $.c'), json_query(payload, 'lax $.items'), json_exists(payload, 'lax $.a'), json_array_length(items), json_parse('[1]'), json_format(JSON '{"a":1}'), json_array_get('[1]', 0), json_size(payload, '$.a'), CAST(json_parse('{"a":1}') AS map(varchar, integer)), is_json_scalar('1'), json_object('a' : 1), json_array(1, 2), json_array_contains('[1]', 1) FROM orders
SELECT element_at(arr, 1), arr[1], cardinality(arr), contains(arr, 3), array_max(arr), array_join(arr, ','), array_sort(arr), array_distinct(arr), array_position(arr, 3), slice(arr, 1, 2), filter(arr, x -> x > 1), transform(arr, x -> x * 2), reduce(arr, 0, (s, x) -> s + x, s -> s), any_match(arr, x -> x = 3), all_match(arr, x -> x > 0), none_match(arr, x -> x < 0), sequence(1, 5), flatten(ARRAY[arr]), zip(arr, arr), zip_with(arr, arr, (x, y) -> x + y), arrays_overlap(arr, arr), array_union(arr, arr), array_intersect(arr, arr), array_except(arr, arr), array_remove(arr, 1), repeat(1, 3), shuffle(arr), ngrams(ARRAY['a', 'b'], 2), combinations(ARRAY[1, 2, 3], 2), array_average, ARRAY[1] || ARRAY[2], array_histogram(arr), array_first(arr), trim_array(arr, 1) FROM (SELECT arr, 1 AS array_average FROM events)
SELECT map(ARRAY['a'], ARRAY[1])['a'], map_keys(m), map_values(m), map_entries(m), map_filter(m, (k, v) -> v > 1), transform_values(m, (k, v) -> v + 1), map_concat(m, m), map_from_entries(ARRAY[('a', 1)]), split_to_map('a=1,b=2', ',', '='), map_zip_with(m, m, (k, a, b) -> a + b) FROM (SELECT map(ARRAY['a'], ARRAY[1]) AS m)
SELECT regexp_like(name, '^n'), regexp_extract(name, '(\w+?)(\d+)', 2), regexp_extract_all(name, '\d'), regexp_replace(name, '\d', ''), regexp_replace(name, '(\w)', x -> upper(x[1])), regexp_split(email, '@'), regexp_count(name, 'a'), regexp_position(name, 'a'), split(email, '@')[2], split_part(email, '@', 2), strpos(name, 'a'), position('a' IN name), substr(name, 1, 2), substring(name FROM 1 FOR 2), lower(name), trim(BOTH ' ' FROM name), lpad(name, 10, '0'), reverse(name), concat(name, '-', city), concat_ws('-', name, city), name || city, length(name), replace(name, 'a', 'b'), levenshtein_distance(name, city), hamming_distance('a', 'b'), soundex(name), starts_with(name, 'n'), translate(name, 'a', 'b'), chr(65), codepoint('a'), normalize(name), word_stem('running'), format('%s-%d', name, id), url_extract_host('https://e.com/a'), url_extract_parameter('https://e.com/?a=1', 'a'), url_decode('%20'), to_hex(md5(to_utf8(name))), from_base64('YQ=='), sha256(to_utf8(name)), xxhash64(to_utf8(name)), crc32(to_utf8(name)), luhn_check('1'), uuid() FROM customers
SELECT try(total / discount), try_cast(status AS integer), coalesce(discount, 0), nullif(total, 0), if(total > 5, 'a', 'b'), CASE WHEN total > 5 THEN 1 ELSE 0 END, greatest(total, 5), least(total, 5), typeof(total), round(total, 2), truncate(total), ceil(total), floor(total), mod(id, 3), id % 3, power(2, 3), sqrt(4), ln(2), log(10, 100), log2(8), exp(1), abs(-1), sign(-1), cbrt(8), width_bucket(total, 0, 100, 10), random(), rand(5), pi(), e(), infinity(), is_nan(total), is_finite(total), bitwise_and(5, 3), bit_count(5, 8), from_base('ff', 16), to_base(255, 16), cosine_similarity(map(ARRAY['a'], ARRAY[1.0]), map(ARRAY['a'], ARRAY[1.0])), normal_cdf(0, 1, 0.5), wilson_interval_lower(1, 10, 1.96), CAST(total AS decimal(10, 2)), CAST(id AS varchar), DECIMAL '1.5', nan() FROM orders
SELECT row_number() OVER (PARTITION BY customer_id ORDER BY created_at), sum(total) OVER (PARTITION BY customer_id ORDER BY created_at ROWS BETWEEN 6 PRECEDING AND CURRENT ROW), lag(total, 1, 0) OVER (ORDER BY id), last_value(total) IGNORE NULLS OVER (ORDER BY id), ntile(4) OVER (ORDER BY total), percent_rank() OVER (ORDER BY total), sum(total) OVER (ORDER BY created_at RANGE BETWEEN INTERVAL '7' DAY PRECEDING AND CURRENT ROW), first_value(total) OVER (ORDER BY id), nth_value(total, 2) OVER (ORDER BY id), count(*) OVER w FROM orders WINDOW w AS (PARTITION BY status)
SELECT region, city, count(*), grouping(region, city) FROM customers GROUP BY ROLLUP (region, city)
SELECT region, city, count(*) FROM customers GROUP BY GROUPING SETS ((region), (city), ())
WITH RECURSIVE t (n) AS (VALUES 1 UNION ALL SELECT n + 1 FROM t WHERE n < 10) SELECT n FROM t
WITH RECURSIVE org (id, lvl) AS (SELECT id, 1 FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, o.lvl + 1 FROM employees e JOIN org o ON e.manager_id = o.id) SELECT * FROM org
SELECT d, count(o.id) FROM UNNEST(sequence(date '2024-01-01', date '2024-01-31', interval '1' day)) AS t (d) LEFT JOIN orders o ON date(o.created_at) = d GROUP BY d
SELECT sequential_number FROM TABLE(sequence(start => 1, stop => 10, step => 2))
SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS t (n, s)
VALUES (1, 'a'), (2, 'b')
SELECT id FROM orders EXCEPT SELECT id FROM customers
SELECT id FROM orders INTERSECT SELECT id FROM customers
SELECT id FROM orders UNION SELECT id FROM customers ORDER BY id OFFSET 2 LIMIT 3
SELECT id FROM orders ORDER BY total DESC OFFSET 5 ROWS FETCH NEXT 5 ROWS ONLY
SELECT c.name, t.total FROM customers c CROSS JOIN LATERAL (SELECT total FROM orders o WHERE o.customer_id = c.id ORDER BY total DESC LIMIT 1) t
SELECT "编号", "金额" FROM "订单"
SELECT count(*) FROM hive.shop.orders o JOIN hive.shop."order" x ON x.id = o.id
SELECT id FROM orders WHERE status IS DISTINCT FROM 'paid' AND total > ALL (SELECT price FROM products) AND EXISTS (SELECT 1 FROM customers) AND customer_id IN (SELECT id FROM customers) AND status NOT LIKE 'a%' AND status LIKE 'p\_%' ESCAPE '\'
SELECT id, total FROM orders WHERE created_at >= current_date - interval '30' day AND created_at < timestamp '2025-01-01 00:00:00 UTC'
SELECT ROW(1, 'a'), CAST(ROW(1, 'a') AS ROW(x integer, y varchar)).x
SELECT * FROM orders MATCH_RECOGNIZE (PARTITION BY customer_id ORDER BY created_at MEASURES A.total AS s, LAST(B.total) AS e ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (A B+) DEFINE B AS B.total > PREV(B.total))
SELECT * FROM orders FOR TIMESTAMP AS OF timestamp '2024-01-01 00:00:00 UTC'
SELECT * FROM orders FOR VERSION AS OF 123
SELECT jt.sku FROM orders o, JSON_TABLE(o.items, 'lax $[*]' COLUMNS (sku varchar PATH 'lax $.sku', n FOR ORDINALITY)) AS jt
SELECT customer_id, sum(total) / sum(sum(total)) OVER () FROM orders GROUP BY customer_id HAVING sum(total) > 10
SELECT st_distance(st_point(1, 2), st_point(3, 4)), st_contains(st_geometryfromtext('POLYGON((0 0,1 0,1 1,0 0))'), st_point(1, 1)), great_circle_distance(1, 2, 3, 4)
SELECT date(created_at), date_trunc('week', created_at), year_of_week(created_at), yow(created_at), dow(created_at), doy(created_at), hour(created_at), minute(created_at), month(created_at), day(created_at), timezone_hour(current_timestamp) FROM orders
SELECT approx_set(id), cardinality(merge(approx_set(id))), tdigest_agg(total), value_at_quantile(tdigest_agg(total), 0.5), qdigest_agg(id) FROM orders
SELECT name FROM products WHERE contains(tags, 'a') AND price BETWEEN 1 AND 10 ORDER BY price DESC NULLS LAST LIMIT ALL
SELECT a.id FROM orders a LEFT JOIN orders b ON a.id = b.id + 1 RIGHT JOIN customers c ON c.id = a.customer_id FULL JOIN products p USING (id)
SELECT total AS "Total Amount", U&'\0041', X'65683F', DOUBLE '1.5', REAL '1.5', CHAR 'a', INTERVAL '2' DAY FROM orders
SELECT user_id, sum(CASE WHEN gap > 30 THEN 1 ELSE 0 END) OVER (PARTITION BY user_id ORDER BY ts) FROM (SELECT user_id, ts, date_diff('minute', lag(ts) OVER (PARTITION BY user_id ORDER BY ts), ts) AS gap FROM events)
WITH a AS (SELECT customer_id, min(date_trunc('month', created_at)) AS cohort FROM orders GROUP BY 1) SELECT a.cohort, date_diff('month', a.cohort, o.created_at) AS k, count(DISTINCT o.customer_id) FROM orders o JOIN a USING (customer_id) GROUP BY 1, 2
SELECT if(cardinality(tags) > 0, tags[1]), element_at(tags, -1) FROM products
SELECT concat_ws(',', ARRAY['a', 'b']), array_agg(name ORDER BY price DESC)[1], ARRAY_AGG(ROW(name, price)) FROM products
SELECT sum(quantity * unit_price) revenue, p.category FROM order_items i JOIN products p ON p.id = i.product_id GROUP BY p.category ORDER BY revenue DESC LIMIT 3
SELECT count(DISTINCT customer_id), avg(total), min(created_at), max(created_at), variance(total), stddev_pop(total), var_samp(total) FROM orders
SELECT all_match(ARRAY[1], x -> x > 0), transform(sequence(1, 3), i -> CAST(i AS varchar)), array_join(transform(sequence(1, 3), i -> format('%d', i)), '-')
SELECT date_parse('20240101', '%Y%m%d') + interval '1' year, parse_duration('1d'), to_milliseconds(parse_duration('1d')), parse_data_size('1GB')
SELECT bar(0.5, 10), render(true), color('red'), rgb(1, 2, 3)
SELECT day_of_month(current_date), day_of_year(current_date), millisecond(now()), week(now()), timezone_minute(now()), date_trunc('quarter', now())
SELECT region, array_agg(city) FILTER (WHERE city IS NOT NULL), count(*) * 100.0 / (SELECT count(*) FROM customers) FROM customers GROUP BY region
SELECT * FROM orders FOR TIMESTAMP AS OF TIMESTAMP '2020-01-01 00:00:00'
SELECT date_format(o.created_at, '%Y-%m') AS ym, count(DISTINCT o.customer_id) AS buyers, round(sum(o.total) / nullif(count(*), 0), 2) AS aov FROM hive.shop.orders o WHERE o.created_at >= date_add('year', -1, current_date) GROUP BY 1 ORDER BY 1
WITH t AS (SELECT *, row_number() OVER (PARTITION BY customer_id ORDER BY created_at DESC) AS rn FROM orders) SELECT * FROM t WHERE rn = 1
SELECT c.name, coalesce(sum(o.total), 0) AS s FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.name HAVING count(o.id) > 1 ORDER BY s DESC LIMIT 10
SELECT json_extract_scalar(i, '$.sku') AS sku, count(*) FROM orders CROSS JOIN UNNEST(CAST(json_parse(items) AS array(json))) AS t(i) GROUP BY 1
SELECT approx_percentile(total, 0.5) FILTER (WHERE status = 'paid') AS p50, approx_distinct(customer_id) FROM orders GROUP BY customer_id
SELECT CAST(created_at AS date), date(created_at), date_trunc('week', created_at), CAST(total AS bigint), CAST('2024-01-01' AS timestamp), CAST(json_parse('[1]') AS array(integer)), try_cast('x' AS double) FROM orders
SELECT date_diff('day', min(created_at), max(created_at)) AS span, max_by(status, created_at) FROM orders GROUP BY customer_id
SELECT d FROM UNNEST(sequence(current_date - interval '30' day, current_date)) AS t(d)
SELECT sum(total) OVER (PARTITION BY customer_id ORDER BY created_at ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS running, lead(total) OVER (ORDER BY id) FROM orders
SELECT if(total > 50, 'big', 'small') AS k, count(*) FROM orders GROUP BY if(total > 50, 'big', 'small')
SELECT element_at(split(email, '@'), 2) AS dom, count(*) FROM customers GROUP BY 1 ORDER BY 2 DESC
SELECT array_join(array_agg(DISTINCT status ORDER BY status), ',') FROM orders
SELECT map_agg(status, n)['paid'] FROM (SELECT status, count(*) AS n FROM orders GROUP BY status)
SELECT regexp_like(email, '(?i)@example\.com$'), regexp_extract(email, '^([^@]+)', 1), substr(name, 1, 3), concat(name, '-', city), lower(trim(name)) FROM customers
SELECT a.id FROM orders a WHERE a.total > (SELECT avg(b.total) FROM orders b WHERE b.customer_id = a.customer_id) AND a.status IN ('paid', 'new')
SELECT t.x, t.y FROM (SELECT CAST(ROW(1, 2) AS ROW(x bigint, y bigint)) AS t)
SELECT count(*) FROM orders WHERE created_at BETWEEN timestamp '2024-01-01 00:00:00' AND timestamp '2024-02-01 00:00:00' AND day_of_week(created_at) < 6
SELECT * FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id) ORDER BY c.name NULLS FIRST LIMIT 20
SELECT lag(ts) OVER w AS prev, date_diff('second', lag(ts) OVER w, ts) AS gap FROM events WINDOW w AS (PARTITION BY user_id ORDER BY ts)
SELECT p.category, sum(i.quantity * i.unit_price) AS rev, rank() OVER (ORDER BY sum(i.quantity * i.unit_price) DESC) AS r FROM order_items i JOIN products p ON p.id = i.product_id GROUP BY p.category
SELECT id, total FROM order WHERE total > 1 ORDER BY order.total
SELECT COUNT(*) FROM orders JOIN order ON order.id = orders.id
# a third round, of an analyst's own work
SELECT date_trunc('week', created_at) AS w, approx_distinct(customer_id), approx_percentile(total, 0.9), count_if(status = 'paid') FROM hive.shop.orders GROUP BY 1
SELECT o.id, t.sku FROM orders o CROSS JOIN UNNEST(CAST(json_parse(items) AS ARRAY(ROW(sku VARCHAR, qty INTEGER)))) AS t(sku, qty)
SELECT customer_id, max_by(id, total), array_join(array_agg(DISTINCT status ORDER BY status), ',') FROM orders GROUP BY customer_id
SELECT d FROM UNNEST(sequence(DATE '2024-01-01', DATE '2024-12-01', INTERVAL '1' MONTH)) AS t(d)
SELECT json_extract_scalar(payload, '$.city') AS city, sum(total) FROM orders GROUP BY ROLLUP (json_extract_scalar(payload, '$.city'))
SELECT transform(filter(ARRAY[1, 2, 3], x -> x > 1), x -> x * 2), reduce(ARRAY[1, 2], 0, (s, x) -> s + x, s -> s), map_agg(name, id) FROM products
SELECT date_diff('day', created_at, ship_date), format_datetime(created_at, 'yyyy-MM'), from_unixtime(1700000000) AT TIME ZONE 'Asia/Shanghai' FROM orders
SELECT try_cast(segment AS INTEGER), regexp_like(email, '@qq\.com$'), element_at(split(email, '@'), 2), url_extract_host('http://a') FROM customers
SELECT sum(total) FILTER (WHERE status = 'paid'), listagg(status, ',') WITHIN GROUP (ORDER BY status), histogram(status) FROM orders OFFSET 0 ROWS FETCH FIRST 10 ROWS ONLY
SELECT customer_id, nth_value(total, 2) IGNORE NULLS OVER (PARTITION BY customer_id ORDER BY created_at) FROM orders
SELECT * FROM orders MATCH_RECOGNIZE (PARTITION BY customer_id ORDER BY created_at MEASURES FIRST(A.total) AS first_total, LAST(B.total) AS last_total ONE ROW PER MATCH PATTERN (A B+) DEFINE B AS B.total < PREV(B.total))
SELECT region, COUNT(*) * 1.0 / SUM(COUNT(*)) OVER () AS share FROM customers WHERE signup_date >= current_date - INTERVAL '90' DAY GROUP BY region
WITH RECURSIVE t(id, depth) AS (SELECT id, 1 FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, t.depth + 1 FROM employees e JOIN t ON e.manager_id = t.id) SELECT depth, count(*) FROM t GROUP BY depth
SELECT geometric_mean(total), corr(total, discount), approx_most_frequent(3, status, 100), checksum(id) FROM orders
# sizes, samples and recursions
SELECT * FROM orders TABLESAMPLE SYSTEM (10)
# a fourth round, written before the lists were read again
SELECT date_trunc('month', created_at) AS m, approx_percentile(total, ARRAY[0.5, 0.9]) AS p, count_if(status = 'paid'), approx_distinct(customer_id), max_by(id, total), arbitrary(status) FROM orders GROUP BY 1
SELECT o.id, t.sku, t.n FROM orders o CROSS JOIN UNNEST(CAST(json_extract(o.payload, '$.items') AS ARRAY(ROW(sku VARCHAR, qty BIGINT)))) WITH ORDINALITY AS t (sku, qty, n)
SELECT transform(arr, x -> x * 2), filter(arr, x -> x > 3), reduce(arr, 0, (s, x) -> s + x, s -> s), element_at(arr, 1), array_join(arr, '-'), cardinality(arr), contains(arr, 3) FROM events
SELECT date_diff('day', created_at, ship_date), date_add('month', -1, current_date), date_format(created_at, '%Y-%m'), created_at AT TIME ZONE 'Asia/Shanghai', year_of_week(created_at), from_unixtime(1700000000), created_at + INTERVAL '2' DAY, parse_datetime('2024', 'yyyy') FROM orders
WITH RECURSIVE t(id, lvl) AS (SELECT id, 1 FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, t.lvl + 1 FROM employees e JOIN t ON e.manager_id = t.id WHERE t.lvl < 10) SELECT lvl, count(*) FROM t GROUP BY lvl
SELECT region, segment, grouping(region, segment), count(*) FROM customers GROUP BY GROUPING SETS ((region, segment), (region), ())
SELECT json_value(payload, 'lax $.a.b' RETURNING integer), json_query(payload, 'lax $.items[0]'), json_extract_scalar(payload, '$.c'), json_exists(payload, 'lax $.d'), try_cast(status AS integer), try(1 / id) FROM orders
SELECT listagg(name, ', ') WITHIN GROUP (ORDER BY name), map_agg(id, name), array_agg(name ORDER BY id) FILTER (WHERE city IS NOT NULL), histogram(city), split(email, '@')[2], regexp_extract(email, '@(.+)', 1) FROM customers GROUP BY email
SELECT * FROM events MATCH_RECOGNIZE (PARTITION BY user_id ORDER BY ts MEASURES A.ts AS began, LAST(B.ts) AS ended ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (A B+) DEFINE B AS B.value > PREV(B.value))
SELECT d, count(o.id) FROM UNNEST(sequence(DATE '2024-01-01', DATE '2024-01-31', INTERVAL '1' DAY)) AS t(d) LEFT JOIN hive.shop.orders o ON CAST(o.created_at AS DATE) = d GROUP BY d
SELECT id, total, first_value(total) IGNORE NULLS OVER (PARTITION BY customer_id ORDER BY created_at), ntile(10) OVER (ORDER BY total), sum(total) OVER (ORDER BY created_at RANGE BETWEEN INTERVAL '7' DAY PRECEDING AND CURRENT ROW) FROM orders FETCH FIRST 5 ROWS ONLY
SELECT c.name, x.n FROM customers c CROSS JOIN LATERAL (SELECT count(*) AS n FROM orders o WHERE o.customer_id = c.id) x WHERE c.name LIKE 'n!_%' ESCAPE '!'
SELECT format('%,.2f', total), lpad(CAST(id AS varchar), 5, '0'), strpos(status, 'a'), normalize(status), width_bucket(total, 0, 100, 10), if(total > 5, 'a', 'b'), coalesce(nullif(status, ''), '?'), bitwise_and(id, 1), typeof(id), url_extract_host('http://a/b') FROM orders TABLESAMPLE BERNOULLI (10)
SELECT CAST(epoch AS date), count(*) FROM (SELECT created_at AS epoch FROM orders) t GROUP BY 1
SELECT combinations(arr, 2) FROM events
SELECT o.id, t.k, t.v FROM orders o CROSS JOIN UNNEST(CAST(json_parse(o.payload) AS map(varchar, varchar))) AS t(k, v)
SELECT json_extract_scalar(payload, '$.a.b'), approx_percentile(total, 0.5) FROM orders GROUP BY 1
SELECT * FROM TABLE(sequence(start => 1, stop => 10)) AS t(n)
SELECT * FROM orders FOR TIMESTAMP AS OF TIMESTAMP '2024-01-01 00:00:00 UTC'
# a fifth round, written before the lists were read; then rows of constants and recursions
SELECT date_trunc('month', created_at) AS m, sum(total), approx_percentile(total, 0.9), count_if(status = 'paid') FROM orders GROUP BY 1
SELECT o.id, t.i FROM orders o CROSS JOIN UNNEST(CAST(o.items AS ARRAY(JSON))) WITH ORDINALITY AS t(i, n)
SELECT json_extract_scalar(payload, '$.a.b'), json_value(payload, 'lax $.c'), try_cast(replace(replace('$1,200.00', '$', ''), ',', '') AS double) FROM orders
SELECT transform(arr, x -> x * 2), filter(arr, x -> x > 1), reduce(arr, 0, (s, x) -> s + x, s -> s), element_at(arr, 1) FROM events
SELECT city, segment, count(*), grouping(city, segment) FROM customers GROUP BY GROUPING SETS ((city, segment), (city), ())
SELECT max_by(id, total), array_agg(status ORDER BY id), map_agg(id, total), listagg(status, ',') WITHIN GROUP (ORDER BY id), histogram(status) FROM orders
SELECT date_diff('day', created_at, ship_date), date_add('month', -3, current_date), format_datetime(created_at, 'yyyy-MM'), day_of_week(created_at), created_at AT TIME ZONE 'UTC' FROM orders
SELECT d, count(o.id) FROM UNNEST(sequence(DATE '2024-01-01', DATE '2024-12-31', INTERVAL '1' DAY)) AS t(d) LEFT JOIN orders o ON CAST(o.created_at AS date) = d GROUP BY d
SELECT * FROM customers MATCH_RECOGNIZE (PARTITION BY city ORDER BY id MEASURES A.id AS first, LAST(B.id) AS last ONE ROW PER MATCH PATTERN (A B+) DEFINE B AS B.id > PREV(B.id))
SELECT regexp_extract(name, '(\d+)', 1), split_part(name, 'e', 1), regexp_like(name, '^n'), coalesce(nullif(trim(city), ''), 'none') FROM customers
SELECT id, total, sum(total) OVER w, ntile(4) OVER w FROM orders WINDOW w AS (PARTITION BY customer_id ORDER BY created_at)
WITH RECURSIVE t(n) AS (VALUES 1 UNION ALL SELECT n + 1 FROM t WHERE n < 10) SELECT n FROM t
SELECT c.name, l.total FROM customers c CROSS JOIN LATERAL (SELECT total FROM orders o WHERE o.customer_id = c.id ORDER BY total DESC LIMIT 1) l
SELECT approx_distinct(customer_id), corr(total, discount), stddev(total), geometric_mean(total), bool_or(total > 1) FROM orders
SELECT from_unixtime(1700000000), date_parse('03/04/2024', '%d/%m/%Y'), to_iso8601(created_at), year(created_at), week(created_at), if(total > 1, 'a', 'b') FROM orders
SELECT CAST(json_parse('{"a":1}') AS MAP(VARCHAR, INTEGER)), cardinality(arr), array_join(arr, ','), contains(arr, 1), ROW(1, 'x') FROM events
# a sixth round
SELECT date_format(created_at, '%Y-%m') m, sum(total), sum(total) / sum(sum(total)) OVER () FROM orders GROUP BY 1
SELECT name, length(name), substr(name, 1, 2), strpos(name, 'a'), upper(city) FROM customers WHERE city IN ('Paris', 'Oslo')
SELECT u.x, count(*) FROM events CROSS JOIN UNNEST(arr) AS u(x) GROUP BY u.x
SELECT t.h FROM UNNEST(sequence(TIMESTAMP '2024-01-01 00:00:00', TIMESTAMP '2024-01-02 00:00:00', INTERVAL '1' HOUR)) AS t(h)
SELECT lag(total, 1) OVER (PARTITION BY customer_id ORDER BY created_at), first_value(total) IGNORE NULLS OVER (ORDER BY id) FROM orders
SELECT try(1 / discount), coalesce(discount, 0), round(total, 1), nullif(status, 'void') FROM orders
