# ordinary analysis in DuckDB
FROM orders
FROM orders SELECT status, COUNT(*) GROUP BY ALL ORDER BY ALL
SELECT * EXCLUDE (email) REPLACE (upper(name) AS name) FROM customers
SELECT COLUMNS('^t.*') FROM orders
SELECT MIN(COLUMNS(*)) FROM orders
SELECT status, COUNT(*) AS n FROM orders GROUP BY ALL HAVING n > 1
SELECT customer_id, total FROM orders QUALIFY ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY total DESC) = 1
PIVOT orders ON status USING SUM(total) GROUP BY customer_id
SELECT * FROM (PIVOT orders ON status USING COUNT(*))
UNPIVOT products ON price INTO NAME k VALUE v
SELECT * FROM orders PIVOT (SUM(total) FOR status IN ('paid', 'void') GROUP BY customer_id)
SELECT * FROM orders UNPIVOT (v FOR k IN (total, discount))
SELECT unnest(tags) AS tag, COUNT(*) FROM products GROUP BY tag
SELECT [x * 2 FOR x IN arr IF x > 1] FROM events
SELECT list_transform(arr, x -> x + 1), list_filter(arr, x -> x > 1), list_sum(arr), list_sort(arr), len(arr) FROM events
SELECT list_reduce(arr, (a, b) -> a + b), arr[1], arr[-1], arr[1:3], list_aggregate(arr, 'sum') FROM events
SELECT {'a': 1, 'b': name} AS s, s.a, struct_pack(k := 1), MAP {'x': 1}['x'], row(1, 2) FROM customers
SELECT o.id, e.ts FROM orders o ASOF LEFT JOIN events e ON o.customer_id = e.user_id AND o.created_at >= e.ts
SELECT o.id FROM orders o SEMI JOIN customers c ON c.id = o.customer_id
SELECT o.id FROM orders o ANTI JOIN customers c USING (id)
SELECT * FROM orders POSITIONAL JOIN customers
SELECT time_bucket(INTERVAL '15 minutes', ts) AS b, approx_count_distinct(user_id), approx_quantile(value, 0.9) FROM events GROUP BY b
SELECT quantile_cont(total, [0.5, 0.9]), mode(status), arg_max(id, total), max_by(id, total), median(total), mad(total) FROM orders
SELECT date_trunc('week', created_at), date_diff('day', created_at, ship_date), date_part('year', created_at), strftime(created_at, '%Y-%m'), created_at::DATE + INTERVAL 1 DAY FROM orders
SELECT * FROM range(10) t(i)
SELECT i FROM generate_series(1, 10) AS g(i) WHERE i % 2 = 0
SELECT range, range * 2 FROM range(5)
SELECT * FROM orders USING SAMPLE 10%
SELECT * FROM orders TABLESAMPLE reservoir(20 ROWS)
SELECT * FROM orders LIMIT 10%
SELECT payload->>'$.a', payload->'b', json_extract_string(payload, '$.c'), payload.d FROM orders
SELECT string_agg(name, ',' ORDER BY name), array_agg(DISTINCT city), list(name) FILTER (WHERE city IS NOT NULL) FROM customers
SELECT region, city, SUM(1) FROM customers GROUP BY GROUPING SETS ((region, city), (region), ())
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 10) SELECT n FROM t
SELECT * FROM customers WHERE name ILIKE '%a%' AND regexp_matches(email, '^[a-z]') AND name SIMILAR TO 'a.*' AND email GLOB '*@x'
SELECT a.name.upper().substr(1, 3), 'abc'.length() FROM customers a
SELECT TRY_CAST(name AS INTEGER), name::VARCHAR, CAST(total AS DECIMAL(10, 2)), total // 2, total ** 2, 5 % 3 FROM customers, orders
SELECT * FROM orders UNION ALL BY NAME SELECT id, total FROM orders
SELECT "编号", 金额 FROM 订单
SELECT c.name, l.s FROM customers c, LATERAL (SELECT SUM(o.total) AS s FROM orders o WHERE o.customer_id = c.id) l
SELECT count(*) FILTER (status = 'paid'), count_if(total > 1), sum(total) FILTER (WHERE status = 'x') FROM orders
SELECT main.orders.id FROM main.orders
SELECT id, total + discount AS t, t * 2 AS tt FROM orders WHERE t > 1
SELECT o FROM orders o
SELECT histogram(total), entropy(status), kurtosis(total), skewness(total), regr_r2(total, discount) FROM orders
SELECT * FROM (VALUES (1, 'a'), (2, 'b')) v(x, y) WHERE x IN (SELECT id FROM orders)
SELECT lag(total IGNORE NULLS) OVER (ORDER BY id), sum(total) OVER (ORDER BY created_at RANGE BETWEEN INTERVAL 7 DAYS PRECEDING AND CURRENT ROW EXCLUDE CURRENT ROW) FROM orders
SELECT DISTINCT ON (customer_id) * FROM orders ORDER BY customer_id, total DESC
SELECT unnest(range(3)), unnest({'a': 1}), generate_subscripts(tags, 1) FROM products
SELECT j.key, j.value FROM orders, json_each(payload) AS j
SELECT epoch_ms(ts), make_date(2024, 1, 1), dayname(ts), last_day(ts), age(ts), ts AT TIME ZONE 'UTC', now() FROM events
SELECT * FROM orders WHERE created_at > current_date - INTERVAL 7 DAY
SELECT date_trunc('month', created_at) AS m, sum(total) s, s / lag(s) OVER (ORDER BY m) - 1 AS growth FROM orders GROUP BY m
SELECT strptime('2024-01-01', '%Y-%m-%d'), strftime(now(), '%A'), date_part('epoch', now()), extract('dow' FROM now()), datesub('month', DATE '2024-01-01', DATE '2024-03-01'), today(), current_timestamp
SELECT c.* EXCLUDE (id), o.* FROM customers c JOIN orders o ON c.id = o.customer_id
SELECT * LIKE 'c%' FROM customers
SELECT COLUMNS(c -> c LIKE 'n%') FROM customers
SELECT COLUMNS(* EXCLUDE (id)) FROM customers
SELECT sum(COLUMNS(['total','discount'])) FROM orders
SELECT struct_extract(s, 'a'), s['a'], s.a FROM (SELECT {'a': 1} AS s)
SELECT m['k'], map_keys(m), element_at(m, 'k') FROM (SELECT MAP {'k': 1} AS m)
SELECT list_distinct(arr), array_length(arr), list_contains(arr, 1), arr || [1], [1,2] && [2], list_slice(arr,1,2), flatten([arr]), list_zip(arr, arr), list_unique(arr), array_to_string(arr, ',') FROM events
SELECT unnest(arr) AS x, generate_subscripts(arr, 1) AS i FROM events
SELECT e.id, u.x FROM events e, unnest(e.arr) AS u(x)
SELECT id, u FROM events CROSS JOIN LATERAL (SELECT unnest(arr) AS u)
SELECT unnest([{'a':1,'b':2}], recursive := true)
SELECT * FROM (SELECT unnest(attrs) FROM products)
SELECT status, count(*) FROM orders GROUP BY CUBE (status, customer_id)
SELECT status, count(*) FROM orders GROUP BY ROLLUP (status)
FROM orders o JOIN customers c ON o.customer_id = c.id SELECT c.name, o.total WHERE o.total > 1
FROM (FROM orders SELECT id LIMIT 5)
SELECT (FROM orders SELECT max(total))
SELECT id FROM orders ORDER BY ALL DESC LIMIT 5
SELECT a::INT, TRY_CAST('x' AS DATE), CAST(1 AS HUGEINT), 1::DECIMAL(18,3), '{"a":1}'::JSON->>'a' FROM (SELECT 1 AS a)
PIVOT orders ON status IN ('paid','void') USING sum(total) AS t, count(*) AS n GROUP BY customer_id ORDER BY customer_id LIMIT 5
PIVOT (SELECT * FROM orders WHERE total > 1) ON year(created_at) USING sum(total)
WITH p AS (PIVOT orders ON status USING sum(total) GROUP BY customer_id) SELECT * FROM p
UNPIVOT orders ON total, discount INTO NAME metric VALUE v
UNPIVOT (SELECT id, total, discount FROM orders) ON COLUMNS(* EXCLUDE (id)) INTO NAME n VALUE v
SELECT * FROM orders o LEFT JOIN customers c ON o.customer_id = c.id WHERE c.name ~ 'a' AND c.name NOT ILIKE 'x%' AND c.city IN ('a','b') AND regexp_full_match(c.name, '.*')
SELECT first(name ORDER BY signup_date), last(name), any_value(name), arg_min(name, signup_date), list(name ORDER BY name)[1:3] FROM customers GROUP BY city
SELECT approx_top_k(status, 3), reservoir_quantile(total, 0.5), quantile_disc(total, 0.5), bitstring_agg(id), product(total), geomean(total), sem(total), kahan_sum(total), favg(total) FROM orders
SELECT row_number() OVER () AS rn, ntile(4) OVER (ORDER BY total), count(*) FILTER (total > 1) OVER (PARTITION BY status) FROM orders
SELECT lead(ts) OVER w - ts AS gap FROM events WINDOW w AS (PARTITION BY user_id ORDER BY ts)
SELECT * FROM range(DATE '2024-01-01', DATE '2024-02-01', INTERVAL 1 DAY) AS t(d)
SELECT generate_series FROM generate_series(1, 3)
SELECT d.generate_series::date AS day FROM generate_series(DATE '2024-01-01', DATE '2024-01-05', INTERVAL 1 DAY) d
SELECT o.id FROM orders o WHERE o.customer_id NOT IN (SELECT id FROM customers WHERE city IS NULL) AND EXISTS (FROM order_items i WHERE i.order_id = o.id)
SELECT CASE WHEN total > 1 THEN 'a' END, if(total > 1, 1, 0), ifnull(discount, 0), coalesce(discount, 0), nullif(total, 0), greatest(1, 2), total BETWEEN 1 AND 2 FROM orders
SELECT json_extract(payload, '$.a'), payload->'$.b'->>'c', json_array_length(payload), json_keys(payload), from_json(payload, '{"a":"INTEGER"}'), payload->>'/x/0' FROM orders
SELECT list_aggregate([1,2], 'avg'), [1,2,3][-1], [x FOR x IN [1,2,3] IF x % 2 = 1], list_apply([1], lambda x : x + 1), [1,2]::INT[], array_value(1,2)::INT[2]
SELECT * FROM orders TABLESAMPLE 10 PERCENT (bernoulli)
SELECT * FROM orders USING SAMPLE reservoir(50 ROWS) REPEATABLE (100)
SELECT count(DISTINCT customer_id), count(DISTINCT (customer_id, status)), mode(status), entropy(status) FROM orders
SELECT count() FROM orders
WITH RECURSIVE t AS (SELECT 1 AS n UNION SELECT n + 1 FROM t WHERE n < 5) FROM t
WITH a AS MATERIALIZED (FROM orders), b AS NOT MATERIALIZED (SELECT * FROM a) SELECT count(*) FROM b
SELECT t.id, t.rn FROM (SELECT *, row_number() OVER (PARTITION BY status ORDER BY total DESC) rn FROM orders) t WHERE t.rn <= 3
SELECT e1.user_id FROM events e1 ASOF JOIN events e2 USING (user_id, ts)
SELECT sum(total) OVER (ORDER BY created_at RANGE BETWEEN INTERVAL 3 DAYS PRECEDING AND INTERVAL 3 DAYS FOLLOWING) FROM orders
SELECT id FROM orders UNION SELECT id FROM customers EXCEPT SELECT id FROM products ORDER BY id
SELECT printf('%05.2f', total), format('{:.2f}', total), lpad(status, 10, ' '), string_split(status, ','), split_part(status, ',', 1), regexp_extract(status, '(\w+)', 1), levenshtein(status, 'x'), md5(status), hash(id), bar(total, 0, 10) FROM orders
SELECT "订单"."编号" AS "号" FROM "订单" ORDER BY "号"
SELECT v.i FROM (VALUES (1), (2)) AS v(i) POSITIONAL JOIN (VALUES (3), (4)) AS w(j)
SELECT histogram(status), map_entries(histogram(status)), epoch(now()), make_timestamp(2024,1,1,0,0,0.0), time_bucket(INTERVAL '1 week', now()), isodow(now()), date_diff('hour', now(), now()), last_day(today()), to_days(3), INTERVAL (3) DAY FROM orders
# written after the lists, and counted when they first ran (docs/guard.md)
SELECT date_trunc('month', created_at) AS m, sum(total) AS s FROM orders GROUP BY ALL ORDER BY ALL
SELECT customer_id, total FROM orders QUALIFY row_number() OVER (PARTITION BY customer_id ORDER BY total DESC) <= 2
SELECT * EXCLUDE (items, payload) FROM orders
SELECT * REPLACE (round(total) AS total) FROM orders
SELECT * RENAME (total AS amount) FROM orders
SELECT COLUMNS('.*_id') FROM orders
SELECT min(COLUMNS(* EXCLUDE (items, payload, status))) FROM orders
SELECT COLUMNS(c -> c LIKE '%id%') FROM orders
FROM orders SELECT count(*) WHERE status = 'paid'
FROM customers
PIVOT orders ON status USING sum(total) GROUP BY customer_id
PIVOT (SELECT status, total, customer_id FROM orders) ON status IN ('paid', 'void') USING sum(total) AS s, count(*) AS n GROUP BY customer_id ORDER BY customer_id
UNPIVOT (SELECT id, total, discount FROM orders) ON total, discount INTO NAME measure VALUE amount
SELECT * FROM (SELECT customer_id, status, total FROM orders) PIVOT (sum(total) FOR status IN ('paid', 'void'))
SELECT list(name ORDER BY price DESC) AS names, list(DISTINCT category) FROM products
SELECT list_transform(arr, x -> x * 2), list_filter(arr, x -> x > 3), list_sum(arr), list_aggregate(arr, 'max'), arr[1], arr[-1], arr[1:2], len(arr) FROM events
SELECT [x * 2 FOR x IN arr IF x > 3] FROM events
SELECT unnest(arr) AS v, id FROM events
SELECT e.id, u.v FROM events e, unnest(e.arr) AS u(v)
SELECT struct_pack(a := 1, b := 'x').a, {'k': total}.k, row(1, 2) FROM orders
SELECT map {'a': 1, 'b': 2}['a'], map_keys(map(['a'], [1])), map_from_entries([('k', 5)])
SELECT payload ->> '$.a.b', payload->'$.c', json_extract_string(payload, '$.c'), json_extract(payload, ['$.c', '$.n']), json_array_length(items), json_keys(payload) FROM orders
SELECT unnest(from_json(items, '[{"sku":"VARCHAR","qty":"INTEGER"}]'), recursive := true) FROM orders
SELECT quantile_cont(total, 0.5), quantile_cont(total, [0.25, 0.75]), median(total), mode(status), approx_quantile(total, 0.9), approx_count_distinct(customer_id), mad(total), entropy(status), kurtosis(total), skewness(total) FROM orders
SELECT arg_max(id, total), arg_min(id, total), max_by(status, total), min_by(status, total), arg_max(id, total, 3), max(total, 3) FROM orders
SELECT histogram(status), count_if(total > 50), any_value(status), first(status), last(status), product(discount), geomean(total), favg(total), fsum(total), sum(total) FILTER (status = 'paid') FROM orders
SELECT string_agg(name, ',' ORDER BY name), group_concat(name), listagg(name, ';') FROM products
SELECT time_bucket(INTERVAL '15 minutes', ts) AS b, count(*) FROM events GROUP BY b
SELECT date_diff('day', created_at, ship_date), datediff('hour', created_at, ship_date), date_sub('month', created_at, ship_date), date_part('dow', created_at), dayname(created_at), monthname(created_at), last_day(created_at), week(created_at), yearweek(created_at), isodow(created_at), epoch(created_at), epoch_ms(created_at) FROM orders
SELECT strftime(created_at, '%Y-%m'), strptime('2024-01-02', '%Y-%m-%d'), try_strptime('x', '%Y'), created_at + INTERVAL 3 DAY, created_at - INTERVAL (id) HOUR, created_at::DATE - DATE '2024-01-01', age(created_at), current_date - 7, today(), now() FROM orders
SELECT make_date(2024, 1, 1), make_timestamp(2024, 1, 1, 0, 0, 0), to_days(3), to_timestamp(0), extract('year' FROM DATE '2024-01-01'), century(DATE '2024-01-01'), date_add(DATE '2024-01-01', INTERVAL 1 MONTH)
SELECT d::DATE FROM generate_series(DATE '2024-01-01', DATE '2024-01-31', INTERVAL 1 DAY) AS t(d)
SELECT range FROM range(1, 10)
SELECT unnest(range(5)), unnest(generate_series(DATE '2024-01-01', DATE '2024-01-03', INTERVAL 1 DAY))
SELECT regexp_matches(name, '^n'), regexp_extract(name, '([a-z]+)(\d+)', 2), regexp_extract_all(name, '\d'), regexp_replace(name, '\d', 'x', 'g'), regexp_split_to_array(name, 'm'), regexp_full_match(name, 'n.*') FROM customers
SELECT name[1:3], left(name, 2), right(name, 2), lpad(name, 10, '.'), contains(name, 'a'), starts_with(name, 'n'), suffix(name, '1'), split_part(email, '@', 2), string_split(email, '@')[1], str_split(email, '@'), strip_accents(name), levenshtein(name, email), jaccard(name, email), jaro_winkler_similarity(name, email), damerau_levenshtein(name, 'x'), editdist3(name, 'y'), format('{} {}', name, id), printf('%d', id), concat_ws('-', name, city), bar(id, 0, 10, 20), translate(name, 'a', 'b'), ascii(name), chr(65), reverse(name), repeat('ab', 3), initcap(name), trim(name), ltrim(name), instr(name, 'a'), strpos(name, 'a'), nfc_normalize(name), ord(name), hash(name), md5(name), sha256(name), base64(name::BLOB), url_encode(name), parse_path('a/b') FROM customers
SELECT o.id, c.name FROM orders o ASOF JOIN customers c ON o.customer_id = c.id AND o.created_at >= c.signup_date
SELECT * FROM customers POSITIONAL JOIN products
SELECT * FROM customers c SEMI JOIN orders o ON o.customer_id = c.id
SELECT * FROM customers c ANTI JOIN orders o ON o.customer_id = c.id
SELECT id FROM orders UNION BY NAME SELECT id, name FROM customers
SELECT total, sum(total) OVER (ORDER BY created_at RANGE BETWEEN INTERVAL 7 DAYS PRECEDING AND INTERVAL 7 DAYS FOLLOWING EXCLUDE CURRENT ROW) FROM orders
SELECT id, lag(status IGNORE NULLS) OVER (ORDER BY id), last_value(status IGNORE NULLS) OVER (ORDER BY id), nth_value(id, 2) OVER (ORDER BY id), fill(total) OVER (ORDER BY id) FROM orders
SELECT region, city, count(*), grouping_id(region, city) FROM customers GROUP BY CUBE (region, city)
SELECT region, segment, count(*) FROM customers GROUP BY GROUPING SETS ((region), (segment), ())
WITH RECURSIVE org AS (SELECT id, name, [name] AS path FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, e.name, list_append(o.path, e.name) FROM employees e, org o WHERE e.manager_id = o.id) SELECT * FROM org
SELECT * FROM orders USING SAMPLE 10 PERCENT (bernoulli)
SELECT * FROM orders TABLESAMPLE reservoir(5 ROWS) REPEATABLE (1)
SELECT id // 2, id % 3, id ** 2, id ^ 2, -id, @(-5), 1_000_000 FROM orders
SELECT total::DECIMAL(10,2), TRY_CAST(status AS INTEGER), CAST(id AS VARCHAR), id::HUGEINT, '2024-01-01'::TIMESTAMPTZ AT TIME ZONE 'Asia/Shanghai' FROM orders
SELECT status, count(*) FROM orders GROUP BY status ORDER BY count(*) DESC NULLS LAST LIMIT 50%
SELECT name.upper().substr(1, 3) FROM customers
SELECT CASE WHEN total > 50 THEN 'x' END, if(total > 5, 1, 0), ifnull(discount, 0), coalesce(discount, 0), nullif(total, 0), greatest(1, total), least(1, total) FROM orders
SELECT 'a' IN ('a', 'b'), 3 IN (SELECT id FROM orders), total BETWEEN 1 AND 5, status IS DISTINCT FROM 'x', status SIMILAR TO 'p.*', status ~ 'p.*', status ILIKE 'P%', status GLOB 'p*' FROM orders
SELECT c.name, t.total FROM customers c, LATERAL (SELECT total FROM orders o WHERE o.customer_id = c.id ORDER BY total DESC LIMIT 1) t
SELECT * FROM (VALUES (1, 'a'), (2, 'b')) v(x, y)
SELECT alias_total * 2 AS twice, total AS alias_total FROM orders WHERE alias_total > 3
SELECT "编号", "金额" FROM "订单" ORDER BY "金额" DESC
SELECT ln(total + 1), log10(100), log2(8), exp(1), pow(2, 3), sqrt(4), cbrt(8), pi(), radians(180), sin(1), atan2(1, 2), gamma(5), even(3), round_even(2.5, 0), gcd(4, 6), lcm(4, 6), bit_count(7), xor(1, 2), isnan('nan'::FLOAT), isinf(1.0::FLOAT), isfinite(1.0::FLOAT), nextafter(1.0, 2.0), trunc(1.5), sign(-2) FROM orders
SELECT regr_slope(total, discount), regr_r2(total, discount), corr(total, discount), covar_pop(total, discount), stddev(total), var_samp(total), sem(total), bool_and(total > 0), bit_xor(id), bitstring_agg(id) FROM orders
SELECT array_agg(id ORDER BY id)[1:3], list_sort(list(id)), list_distinct(list(status)), list_contains(list(id), 3), list_slice(list(id), 1, 2), array_to_string(list(status), ','), list_zip([1], [2]), flatten([[1], [2]]), list_reduce([1, 2, 3], (x, y) -> x + y), list_cosine_similarity([1.0], [2.0]), list_unique([1, 1]), list_any_value([1]), list_concat([1], [2]), list_position([1], 1), list_reverse_sort([1, 2]), array_value(1, 2), array_length([1]) FROM orders
SELECT SUM(amount) FROM (SELECT UNNEST([10, 20, 30]) AS amount)
SELECT typeof(total), date_part(['year', 'month'], created_at), greatest_common_divisor(4, 6), ceil(total), floor(total), uuid() FROM orders
SELECT count(*) FROM events WHERE ts >= TIMESTAMP '2024-01-01 00:00:00' AND ts < '2024-02-01'::TIMESTAMP
SELECT list_transform(arr, lambda x: x * 2), list_filter(arr, lambda x: x > 3), list_reduce(arr, lambda a, b: a + b) FROM events
SELECT COLUMNS(lambda c: c LIKE '%id%') FROM orders
SELECT arr.list_transform(lambda x: x + 1).list_sum() FROM events
SELECT list_filter(arr, lambda x, i: i > 1) FROM events
SELECT a.*, b.name FROM orders a JOIN customers b ON (a.customer_id = b.id) WHERE a.status IN ('paid') ORDER BY ALL DESC
SELECT date_trunc('week', created_at) AS wk, count(DISTINCT customer_id) AS buyers, sum(total) / count(*) AS aov FROM orders WHERE created_at >= '2024-01-01' GROUP BY wk HAVING count(*) > 1 ORDER BY wk
WITH m AS (SELECT date_trunc('month', created_at) AS mth, sum(total) AS rev FROM orders GROUP BY 1) SELECT mth, rev, rev / lag(rev) OVER (ORDER BY mth) - 1 AS growth FROM m
SELECT unnest(items::JSON[]) ->> 'sku' AS sku FROM orders
SELECT (payload->'a'->>'b')::INT AS b FROM orders WHERE payload->>'c' = 'x'
SELECT o.payload.a.b FROM (SELECT {'a': {'b': 1}} AS payload) o
SELECT s.a FROM (SELECT struct_pack(a := id, b := total) AS s FROM orders)
SELECT s.* FROM (SELECT {'a': 1, 'b': 2} AS s)
SELECT unnest({'a': 1, 'b': 2})
SELECT TRY(CAST(status AS INTEGER)) FROM orders
SELECT CAST(NULL AS STRUCT(a INTEGER, b VARCHAR[])), ARRAY[1, 2, 3], [1, 2, 3]::INTEGER[3]
SELECT id, total, sum(total) OVER win AS s, avg(total) OVER win FROM orders WINDOW win AS (PARTITION BY customer_id ORDER BY id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)
SELECT first_value(total ORDER BY id) OVER (PARTITION BY customer_id) FROM orders
SELECT string_agg(DISTINCT status, ', ' ORDER BY status) FILTER (WHERE status IS NOT NULL) FROM orders
SELECT quantile_disc(total, 0.9), mode() WITHIN GROUP (ORDER BY status), percentile_cont(0.5) WITHIN GROUP (ORDER BY total DESC) FROM orders
SELECT 'Q' || quarter(created_at) || ' ' || year(created_at) AS q, sum(total)::INT FROM orders GROUP BY ALL
SELECT * FROM orders ORDER BY created_at DESC LIMIT 10 OFFSET 20
SELECT * FROM orders WHERE created_at BETWEEN DATE '2024-01-01' AND DATE '2024-03-31' AND hour(created_at) NOT IN (1, 2)
SELECT * FROM orders o JOIN order_items i ON i.order_id = o.id LEFT JOIN products p ON p.id = i.product_id
SELECT c.* EXCLUDE (email), o.total FROM customers c LEFT JOIN orders o ON o.customer_id = c.id
SELECT DISTINCT ON (customer_id) * FROM orders ORDER BY customer_id, created_at DESC
SELECT count(*) FILTER (total > 10) AS big, count(*) FILTER (WHERE total <= 10) AS small FROM orders
SELECT i, (SELECT count(*) FROM orders WHERE id <= i) FROM range(1, 5) t(i)
SELECT * FROM generate_series(1, 10) g(n) WHERE n % 2 = 0
WITH RECURSIVE cal(d) AS (SELECT DATE '2024-01-01' UNION ALL SELECT d + 1 FROM cal WHERE d < DATE '2024-01-10') SELECT d::DATE FROM cal
(SELECT id FROM orders ORDER BY total LIMIT 3) UNION ALL (SELECT id FROM orders ORDER BY total DESC LIMIT 3)
SELECT id FROM orders EXCEPT ALL SELECT id FROM customers
SELECT id AS "order id", total AS "Σ" FROM orders
SELECT replace(name, 'a', '') AS "x""y" FROM customers
SELECT * FROM (SELECT id, unnest(arr) AS v FROM events) WHERE v > 3
UNPIVOT orders ON total, discount INTO NAME k VALUE v
SELECT * FROM (PIVOT orders ON status USING count(*) GROUP BY customer_id)
SELECT max(created_at) - min(created_at) AS span, date_diff('month', min(created_at), max(created_at)) FROM orders
SELECT product(1 + discount) - 1, sum(total) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) FROM orders GROUP BY total, id
SELECT strftime(created_at, '%A') AS dow, count(*) FROM orders GROUP BY dow ORDER BY min(isodow(created_at))
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
SELECT date_trunc('month', created_at) AS month, COUNT(*) FILTER (status = 'paid') AS paid FROM orders GROUP BY ALL ORDER BY ALL
SELECT id, created_at + INTERVAL 1 MONTH AS due, created_at + INTERVAL '90 minutes' AS b, date_diff('day', created_at, ship_date) AS d FROM orders ORDER BY id
SELECT DATE '2024-01-31' + 1 AS d, TIMESTAMP '2024-01-01 10:00:00' AS t, TIME '10:30:00' AS c, INTERVAL '1' YEAR AS y, INTERVAL (2) DAY AS i
SELECT id, customer_id, total FROM orders QUALIFY ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY total DESC, id) = 1 ORDER BY id
SELECT payload -> '$.a' -> '$.b' AS b, payload ->> '$.c' AS c, payload ->> 'n' AS n, json_extract_string(payload, '$.items[0].sku') AS s FROM orders ORDER BY id
SELECT id, unnest(tags) AS tag FROM products ORDER BY id, tag
SELECT p.id, t.tag FROM products p, UNNEST(p.tags) AS t(tag) ORDER BY p.id, t.tag
SELECT id, tags[1] AS first, len(tags) AS n, list_contains(tags, 'a') AS has, list_transform(tags, x -> upper(x)) AS up, [x || '!' FOR x IN tags IF x <> 'a'] AS c FROM products ORDER BY id
SELECT {'a': id, 'b': status} AS s, MAP {'k': total} AS m, struct_pack(x := id) AS p, [1, 2, 3][2:3] AS l FROM orders ORDER BY id
SELECT list(id ORDER BY id) AS ids, string_agg(status, ',' ORDER BY id) AS s, arg_max(id, total) AS best, median(total) AS m, quantile_cont(total, 0.9) AS q FROM orders
SELECT * EXCLUDE (payload, items), total * 2 AS twice FROM orders ORDER BY id
SELECT * REPLACE (round(total, 0) AS total) FROM orders ORDER BY id
SELECT c.name, l.total FROM customers c LEFT JOIN LATERAL (SELECT o.total FROM orders o WHERE o.customer_id = c.id ORDER BY o.total DESC, o.id LIMIT 1) l ON TRUE ORDER BY c.name
SELECT g.day::DATE AS day, COUNT(o.id) AS n FROM generate_series(TIMESTAMP '2024-01-01', TIMESTAMP '2024-01-31', INTERVAL 1 DAY) AS g(day) LEFT JOIN orders o ON o.created_at::DATE = g.day::DATE GROUP BY 1 ORDER BY 1
SELECT strftime(created_at, '%Y-%m') AS m, monthname(created_at) AS n, dayofweek(created_at) AS d, epoch(created_at) AS e, last_day(created_at) AS l FROM orders ORDER BY id
SELECT region, segment, COUNT(*) AS n, GROUPING(region) AS g FROM customers GROUP BY GROUPING SETS ((region, segment), (region), ()) ORDER BY g, region, segment
SELECT id, total, SUM(total) OVER (ORDER BY created_at RANGE BETWEEN INTERVAL 30 DAYS PRECEDING AND CURRENT ROW) AS s FROM orders ORDER BY id
FROM orders SELECT status, COUNT(*) AS n GROUP BY status ORDER BY n DESC, status LIMIT 3
SELECT '101'::BIT AS a, BIT '101' AS b, '\xAA'::BLOB AS c, DECIMAL '12.50' AS d, 1e3 AS e, 1_000 AS f, '12.345'::DECIMAL(6, 2) AS g
SELECT regexp_extract(email, '^([^@]+)@', 1) AS u, regexp_matches(name, '^name[1-3]$') AS m, name ILIKE 'NAME%' AS i, name GLOB 'name*' AS g, split_part(email, '@', 2) AS d FROM customers ORDER BY id
SELECT a.id, b.id AS earlier FROM orders a ASOF JOIN orders b ON a.customer_id = b.customer_id AND a.created_at > b.created_at ORDER BY a.id
SELECT * FROM (SELECT status, customer_id, total FROM orders) PIVOT (SUM(total) FOR status IN ('paid', 'new')) ORDER BY customer_id
SELECT * FROM (SELECT id, total, discount FROM orders) UNPIVOT (v FOR k IN (total, discount)) ORDER BY id, k
SELECT TRY_CAST(status AS INTEGER) AS i, COALESCE(TRY_CAST('x' AS DATE), DATE '2024-01-01') AS d, total::VARCHAR AS t, CAST(id AS HUGEINT) AS h FROM orders ORDER BY id
SELECT DATE '2024-01-31'::VARCHAR || 'x' AS a, DECIMAL '12.5'::INT AS b, TIMESTAMP '2024-01-01 10:00:00'::DATE AS c, CHAR 'abc' AS d, TIME '10:30:00'::VARCHAR AS e, DATE '2024-01-31'.month() AS f
# a third round, of an analyst's own work
FROM orders SELECT status, sum(total) GROUP BY ALL ORDER BY ALL
SELECT * EXCLUDE (payload, items) REPLACE (round(total) AS total) FROM orders
SELECT COLUMNS('.*_id') FROM order_items
SELECT customer_id, arg_max(id, total), max_by(status, created_at), approx_quantile(total, 0.9), median(total) FROM orders GROUP BY 1
SELECT *, row_number() OVER (PARTITION BY category ORDER BY price DESC) AS rn FROM products QUALIFY rn <= 2
PIVOT (SELECT status, total, year(created_at::date) AS y FROM orders) ON y IN (2023, 2024) USING sum(total) GROUP BY status
SELECT list_filter(tags, x -> x LIKE 'a%'), list_aggregate(arr, 'sum') FROM products, events
SELECT [x * 2 FOR x IN [1, 2, 3] IF x > 1] AS l, {'a': 1, 'b': 2}.a AS s
SELECT time_bucket(INTERVAL '15 minutes', ts) AS t, count(*) FROM events GROUP BY t USING SAMPLE 10 PERCENT
SELECT e.id, o.id FROM events e ASOF JOIN orders o ON e.user_id = o.customer_id AND e.ts >= o.created_at
SELECT unnest(range(1, 13)) AS m
SELECT strftime(created_at, '%Y/%m'), date_diff('day', created_at, ship_date), dayname(created_at) FROM orders
SELECT payload ->> '$.city' AS city, json_extract_string(payload, 'zip'), count(*) FROM orders GROUP BY ALL
SELECT name, string_split(email, '@')[2] AS domain, regexp_extract(email, '^([^@]+)', 1) FROM customers
SELECT histogram(status), quantile_cont(total, [0.1, 0.5]), mode(status) FROM orders
SELECT region, count(*) AS n, bar(count(*), 0, 100, 20) FROM customers GROUP BY region
UNPIVOT (SELECT id, total, discount FROM orders) ON total, discount INTO NAME k VALUE v
SELECT o.* FROM orders o SEMI JOIN customers c ON c.id = o.customer_id
WITH t AS MATERIALIZED (FROM orders WHERE total > 10) SELECT count() FROM t
SELECT struct_pack(a := id, b := total), levenshtein(name, 'x'), jaccard('a', 'b') FROM "order" JOIN products USING (id)
SELECT sum(total) FILTER (status = 'paid') FROM orders WHERE created_at BETWEEN DATE '2024-01-01' AND current_date
# sizes, samples and recursions
WITH RECURSIVE t(id, lvl) USING KEY (id) AS (SELECT id, 0 FROM employees WHERE manager_id IS NULL UNION SELECT e.id, t.lvl + 1 FROM employees e JOIN t ON e.manager_id = t.id) SELECT * FROM t
SELECT * FROM orders USING SAMPLE reservoir(100 ROWS) REPEATABLE (7)
SELECT * FROM orders TABLESAMPLE reservoir(20%)
SELECT repeat('▇', count(*)::INT // 5) AS bar FROM orders GROUP BY status
SELECT unnest(generate_series(1, (SELECT max(quantity) FROM order_items)))
# a fourth round, written before the lists were read again
FROM orders SELECT status, count(*) AS n, arg_max(id, total) AS top GROUP BY ALL ORDER BY ALL
SELECT * EXCLUDE (payload, items) REPLACE (round(total) AS total) FROM orders QUALIFY row_number() OVER (PARTITION BY customer_id ORDER BY total DESC) = 1
SELECT list_transform(arr, lambda x: x * 2), list_filter(arr, lambda x: x > 3), arr[1:2], array_to_string(arr, '-'), [x + 1 FOR x IN arr IF x % 2 = 0] FROM events
PIVOT (SELECT status, region, total FROM orders JOIN customers ON customers.id = customer_id) ON region IN ('r0', 'r1') USING sum(total) GROUP BY status
SELECT * FROM (UNPIVOT (SELECT id, price, price * 2 AS twice FROM products) ON price, twice INTO NAME kind VALUE amount)
SELECT e.id, o.id AS before FROM events e ASOF LEFT JOIN orders o ON e.user_id = o.customer_id AND e.ts >= o.created_at
SELECT quantile_cont(total, [0.1, 0.9]), mad(total), median(total), approx_quantile(total, 0.5), histogram(status), entropy(status) FROM orders
SELECT date_trunc('month', created_at) AS m, sum(total) AS s, s / lag(s) OVER (ORDER BY m) - 1 AS growth, strftime(created_at, '%a') AS d FROM orders GROUP BY m, d
SELECT columns('^(total|discount)$'), struct_pack(a := id, b := status) AS s, s.a, {'k': total}['k'], map([1], [id])[1], payload->>'$.c', payload->'a'->>'b' FROM orders
SELECT time_bucket(interval '2 weeks', created_at) AS b, datediff('day', created_at, ship_date) AS dd, age(ship_date, created_at), epoch_ms(created_at), dayname(created_at), created_at + to_days(id) FROM orders
SELECT region, segment, count(*) FROM customers GROUP BY CUBE (region, segment) HAVING GROUPING_ID(region, segment) < 3
SELECT unnest(generate_series(date '2024-01-01', date '2024-01-07', interval 1 day))::date AS d, unnest(tags) AS t FROM products
WITH RECURSIVE up AS (SELECT id, manager_id, [id] AS path FROM employees WHERE id = 8 UNION ALL SELECT e.id, e.manager_id, list_append(up.path, e.id) FROM employees e JOIN up ON e.id = up.manager_id WHERE NOT list_contains(up.path, e.id)) SELECT * FROM up
SELECT TRY_CAST(status AS INTEGER), total::DECIMAL(10,2), regexp_extract(email, '@(.*)', 1), string_split(email, '@')[2], levenshtein(o.status, c.name), c.name ILIKE 'N%', format('{:.2f}', total) FROM orders o JOIN customers c USING (id)
SELECT bool_and(total > 0), count_if(status = 'paid'), sum(total) FILTER (status = 'paid'), max_by(id, total, 3), any_value(status), bitstring_agg(id), list(DISTINCT status ORDER BY status) FROM orders
PIVOT (SELECT o.status, o.total FROM orders o WHERE EXISTS (SELECT 1 FROM customers c WHERE c.id = o.id)) ON status IN ('paid', 'void') USING sum(total)
WITH j AS (SELECT o.status, c.region, o.total FROM orders o JOIN customers c ON c.id = o.customer_id) PIVOT j ON region IN ('r0', 'r1') USING sum(total), count(*) AS n GROUP BY status
SELECT payload->>'$.a.b' AS x, payload->'items'->0 AS y FROM orders
PIVOT orders ON status IN ('paid', 'open') USING sum(total) GROUP BY customer_id
SELECT unnest(['a', 'b']) AS k, list_sum(list_transform([1, 2], x -> x * 2)) AS t
WITH products AS (FROM main.products WHERE price > 5) SELECT category, count(*) FROM products GROUP BY category
# a fifth round, written before the lists were read; then rows of constants and recursions
SELECT date_trunc('week', created_at) AS w, sum(total), median(total), quantile_cont(total, [0.25, 0.75]) FROM orders GROUP BY ALL ORDER BY ALL
SELECT customer_id, id, total FROM orders QUALIFY row_number() OVER (PARTITION BY customer_id ORDER BY total DESC) = 1
FROM orders SELECT status, count(*) AS n GROUP BY status
PIVOT orders ON status IN ('paid', 'void') USING sum(total) GROUP BY customer_id
SELECT * FROM (PIVOT (SELECT customer_id, status, total FROM orders) ON status IN ('paid', 'new') USING sum(total))
SELECT id, list_filter(arr, x -> x > 3) AS big, list_sum(arr), arr[1], len(arr) FROM events
SELECT unnest(tags) AS tag, id FROM products
SELECT CAST(replace(replace('$1,200.00', '$', ''), ',', '') AS DOUBLE), TRY_CAST('n/a' AS INTEGER), '1,200'.replace(',', '')::INT
SELECT strftime(created_at, '%Y-%m') AS m, count(*) FILTER (status = 'paid'), arg_max(id, total) FROM orders GROUP BY m
SELECT payload->'a'->>'b' AS b, json_extract_string(payload, '$.c') AS c FROM orders
SELECT * EXCLUDE (payload, items) REPLACE (round(total, 1) AS total) FROM orders
SELECT columns('^(id|total)$') FROM orders
SELECT city, segment, count(*) FROM customers GROUP BY CUBE (city, segment)
SELECT range AS day FROM range(DATE '2024-01-01', DATE '2024-02-01', INTERVAL 1 DAY)
SELECT regexp_extract(name, '([a-z]+)(\d+)', 2)::INT AS n, string_split(name, 'e')[1] FROM customers
SELECT datediff('day', created_at, ship_date), created_at + INTERVAL '3 months', dayname(created_at), last_day(created_at) FROM orders
SELECT list(name ORDER BY name) AS names, histogram(city), {'a': 1, 'b': city} AS s FROM customers GROUP BY city
SELECT approx_count_distinct(customer_id), mode(status), skewness(total), sum(total) OVER (ORDER BY id) FROM orders GROUP BY id, total
SELECT id, total FROM orders USING SAMPLE 10%
WITH RECURSIVE f(n, a, b) AS (SELECT 1, 0, 1 UNION ALL SELECT n + 1, b, a + b FROM f WHERE n < 20) SELECT n, a FROM f
SELECT range AS hour FROM range(TIMESTAMP '2024-01-01', TIMESTAMP '2024-06-01', INTERVAL 1 HOUR)
SELECT format('{:>10} {:.2f} {:,}', name, 1.5, 1200) FROM customers
# a sixth round
SELECT time_bucket(INTERVAL '7 days', created_at) AS b, avg(total) FROM orders GROUP BY b ORDER BY b
SELECT * FROM (SELECT customer_id, total, dense_rank() OVER (PARTITION BY customer_id ORDER BY total DESC) AS r FROM orders) WHERE r <= 2
SELECT list_sort(list_distinct(list(city))), string_agg(name, ', ' ORDER BY name) FROM customers
SELECT format('{:05.1f}', total), printf('%08.2f', total) FROM orders
WITH RECURSIVE t AS (SELECT id, 0 AS d FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, t.d + 1 FROM employees e, t WHERE e.manager_id = t.id) SELECT max(d) FROM t
SELECT struct_pack(a := id, b := name).b, coalesce(try_cast(city AS INT), 0) FROM customers
SELECT d::DATE AS d FROM generate_series(DATE '2024-01-01', DATE '2024-03-01', INTERVAL 1 DAY) AS t(d)
