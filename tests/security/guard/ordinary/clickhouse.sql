# ordinary analysis in ClickHouse
SELECT toStartOfMonth(created_at) AS month, sum(total), countIf(status = 'paid'), uniqExact(customer_id) FROM orders GROUP BY month ORDER BY month
SELECT quantile(0.9)(total), quantiles(0.5, 0.9, 0.99)(total), median(total), avgIf(total, status = 'paid'), sumIf(total, discount > 0) FROM orders
SELECT argMax(status, created_at), argMin(id, total), any(status), anyLast(status), groupArray(id), groupUniqArray(10)(status), topK(3)(status) FROM orders
SELECT uniqState(customer_id), sumMerge(s), uniqIfMerge(u), sumMapIf([1], [2], total > 1) FROM (SELECT sumState(total) AS s, uniqIfState(id, total > 1) AS u, customer_id, total FROM orders GROUP BY customer_id, total) GROUP BY customer_id
SELECT arrayJoin(tags) AS tag, count() AS c FROM products GROUP BY tag ORDER BY c DESC LIMIT 10
SELECT id, tag FROM products ARRAY JOIN tags AS tag
SELECT id, t, n FROM products LEFT ARRAY JOIN tags AS t, arrayEnumerate(tags) AS n
SELECT arrayMap(x -> x * 2, arr), arrayFilter(x -> x > 1, arr), arrayReduce('sum', arr), arraySort((x, y) -> y, arr, arr), arr[1], length(arr) FROM events
SELECT * FROM orders FINAL WHERE total > 1
SELECT * FROM orders PREWHERE status = 'paid' WHERE total > 1
SELECT customer_id, id FROM orders ORDER BY total DESC LIMIT 2 BY customer_id LIMIT 100
SELECT customer_id, id FROM orders ORDER BY total DESC LIMIT 1 BY customer_id
SELECT count() FROM orders SAMPLE 0.1
WITH toDate('2024-01-01') AS d0, (SELECT max(total) FROM orders) AS mx SELECT id, total / mx FROM orders WHERE created_at >= d0
WITH x AS (SELECT customer_id, sum(total) AS s FROM orders GROUP BY customer_id) SELECT * FROM x WHERE s > 10
SELECT o.id, c.name FROM orders AS o ANY LEFT JOIN customers AS c ON o.customer_id = c.id
SELECT o.id, e.ts FROM orders o ASOF JOIN events e ON o.customer_id = e.user_id AND o.created_at >= e.ts
SELECT id FROM orders GLOBAL ANY LEFT JOIN customers USING (id)
SELECT id FROM orders LEFT SEMI JOIN customers ON customers.id = orders.customer_id
SELECT status, count() FROM orders GROUP BY status WITH TOTALS
SELECT region, city, count() FROM customers GROUP BY region, city WITH ROLLUP
SELECT toDate(created_at) AS d, count() FROM orders GROUP BY d ORDER BY d WITH FILL FROM toDate('2024-01-01') TO toDate('2024-02-01') STEP 1
SELECT multiIf(total > 100, 'a', total > 10, 'b', 'c') AS band, if(total > 1, 1, 0), total > 1 ? 'x' : 'y' FROM orders
SELECT JSONExtractString(payload, 'a', 'b'), JSONExtractInt(payload, 'n'), visitParamExtractString(payload, 'c'), JSONHas(payload, 'x') FROM orders
SELECT dateDiff('day', created_at, ship_date), addDays(created_at, 1), toYYYYMM(created_at), formatDateTime(created_at, '%Y-%m'), created_at + INTERVAL 1 DAY, toIntervalDay(3), now() - toIntervalHour(1) FROM orders
SELECT toStartOfInterval(ts, INTERVAL 15 MINUTE) AS b, runningDifference(value), toStartOfWeek(ts, 1), toDayOfWeek(ts), toUnixTimestamp(ts) FROM events
SELECT name, extractAll(email, '[a-z]+'), match(email, '^a'), replaceRegexpAll(name, 'a', 'b'), splitByChar('@', email)[2], position(email, '@'), lowerUTF8(name) FROM customers
SELECT CAST(total AS Float64), total::UInt32, toDecimal64(total, 2), toString(id), CAST(id, 'String'), toTypeName(id), accurateCastOrNull(name, 'UInt8') FROM orders, customers
SELECT number FROM numbers(10)
SELECT toDate('2024-01-01') + number AS d FROM numbers(31)
SELECT id, row_number() OVER (PARTITION BY customer_id ORDER BY created_at) AS rn, lagInFrame(total) OVER (ORDER BY created_at ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM orders
SELECT windowFunnel(3600)(ts, name = 'view', name = 'cart', name = 'buy') AS level, user_id FROM events GROUP BY user_id
SELECT retention(name = 'a', name = 'b'), sequenceMatch('(?1)(?2)')(ts, name = 'a', name = 'b'), exponentialMovingAverage(5)(value, toUnixTimestamp(ts)) FROM events
SELECT tuple(1, 'a').1, (1, 2).2, tupleElement((1, 2), 1), map('a', 1)['a'], [1, 2, 3][1], mapKeys(map('a', 1))
SELECT id FROM orders WHERE customer_id IN (SELECT id FROM customers WHERE city = '北京') AND status NOT IN ('a', 'b')
SELECT id FROM orders UNION ALL SELECT id FROM customers UNION DISTINCT SELECT id FROM products
SELECT `编号`, sum(`金额`) FROM `订单` GROUP BY `编号`
SELECT default.orders.id FROM default.orders
SELECT count(DISTINCT customer_id), uniq(customer_id), uniqCombined(id), uniqHLL12(id), sum(total) / count() AS avg_total FROM orders HAVING avg_total > 1
SELECT * EXCEPT (email) FROM customers
SELECT * REPLACE (upper(name) AS name) FROM customers
SELECT COLUMNS('^t') FROM orders
SELECT * APPLY(toString) FROM orders
SELECT domain(email), cityHash64(name), hex(MD5(name)), geoDistance(1, 2, 3, 4), bar(total, 0, 100, 10), formatReadableSize(total), greatest(1, 2) FROM customers, orders
SELECT a.id FROM (SELECT id, total FROM orders ORDER BY total DESC LIMIT 10) AS a INNER JOIN (SELECT id FROM customers) AS b ON a.id = b.id
SELECT id, total FROM orders ORDER BY total DESC LIMIT 5, 10
SELECT sum(total) AS s, s / 2 AS half, round(half, 2) FROM orders
SELECT groupArrayIf(id, total > 1), groupArrayDistinct(status), maxIf(total, status = 'x'), countDistinct(id), avgWeighted(total, id), stddevPop(total), corr(total, discount), sumOrNull(total), skewPop(total) FROM orders
SELECT toMonday(created_at), toYear(created_at), toQuarter(created_at), today() - 7, yesterday(), parseDateTimeBestEffort('2024-01-01'), toTimeZone(created_at, 'Asia/Shanghai'), dateName('month', created_at) FROM orders
SELECT ifNull(discount, 0), nullIf(total, 0), coalesce(discount, total), assumeNotNull(discount), isNull(discount), toNullable(id), empty(name), notEmpty(name), length(name) FROM orders CROSS JOIN customers
SELECT count() FROM orders WHERE created_at >= now() - INTERVAL 7 DAY
SELECT toStartOfHour(ts) AS h, uniq(user_id) AS u FROM events WHERE toDate(ts) = today() GROUP BY h ORDER BY h WITH FILL STEP 3600
SELECT formatDateTime(created_at, '%Y-%m') m, sum(total) s, s / lagInFrame(s) OVER (ORDER BY m ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) g FROM orders GROUP BY m
SELECT user_id, groupArray((ts, name)) AS path, arraySort(x -> x.1, path) AS sorted FROM events GROUP BY user_id
SELECT sumMap(map('a', 1)), minMap([1],[2]), groupBitmap(id), bitmapCardinality(groupBitmapState(id)) FROM orders
SELECT quantileTDigest(0.95)(total), quantileExact(0.5)(total), quantileTiming(0.99)(total), quantilesExact(0.1, 0.9)(total), quantileTDigestIf(0.9)(total, status = 'x') FROM orders
SELECT countMerge(c) FROM (SELECT countState() AS c FROM orders)
SELECT finalizeAggregation(sumState(total)), runningAccumulate(sumState(total)) FROM orders GROUP BY status
SELECT arrayZip(arr, arr), arrayDistinct(arr), arrayCumSum(arr), arrayDifference(arr), has(arr, 1), hasAny(arr, [1]), indexOf(arr, 1), arrayExists(x -> x = 1, arr), arrayAll(x -> x > 0, arr), arrayCount(x -> x > 1, arr), arraySum(arr), arrayAvg(arr), arrayFirst(x -> x > 1, arr), arrayStringConcat(arr, ','), arrayConcat(arr, [1]), arraySlice(arr, 1, 2), arrayReverse(arr), arrayUniq(arr), arrayFlatten([arr]), arrayEnumerateUniq(arr) FROM events
SELECT ts, name FROM events WHERE name IN ('a', 'b') AND user_id GLOBAL IN (SELECT id FROM customers) ORDER BY ts DESC LIMIT 100 OFFSET 10
SELECT dictionary_like, x FROM (SELECT 1 AS dictionary_like, 2 AS x)
SELECT if(empty(name), 'x', name), multiIf(id = 1, 'a', 'b'), CASE WHEN id > 1 THEN 1 ELSE 0 END, coalesce(NULL, 1), nullIf(1, 1), greatest(1, 2), id IS NULL FROM customers
SELECT toInt32('1'), toFloat64OrZero('x'), toInt64OrNull('x'), toDateTime('2024-01-01 00:00:00', 'UTC'), toDateTime64(now(), 3), toDate32('2024-01-01'), toUInt8(1), reinterpretAsUInt32('a'), toUUID('61f0c404-5cb3-11e7-907b-a6006ad3dba0'), CAST('1' AS Nullable(Int32)), CAST([1] AS Array(String)), '2024-01-01'::Date
SELECT lower(name), upper(name), concat(name, city), name || city, substring(name, 1, 3), length(name), reverse(name), trim(name), replaceOne(name, 'a', 'b'), replaceAll(name, 'a', 'b'), like(name, 'a%'), name ILIKE 'A%', startsWith(name, 'a'), endsWith(name, 'z'), splitByString(',', name), extract(name, '[a-z]+'), format('{} {}', name, city), leftPad(name, 10, ' '), positionCaseInsensitive(name, 'a'), multiSearchAny(name, ['a', 'b']), countSubstrings(name, 'a'), base64Encode(name), hex(name), URLHash(name), tokens(name), ngramDistance(name, 'x') FROM customers
SELECT toYear(ts), toMonth(ts), toDayOfMonth(ts), toHour(ts), toMinute(ts), toISOWeek(ts), toRelativeDayNum(ts), date_trunc('month', ts), date_diff('day', ts, now()), timeSlot(ts), addMonths(ts, 1), subtractDays(ts, 1), toLastDayOfMonth(ts), toStartOfQuarter(ts), toStartOfFiveMinutes(ts), toStartOfTenMinutes(ts), dateAdd(DAY, 1, ts), dateSub(MONTH, 1, ts), ts + toIntervalMonth(1), date_add(DAY, 3, ts), INTERVAL 1 DAY + ts, toTimeZone(ts, 'UTC'), monthName(ts), fromUnixTimestamp(0), toUnixTimestamp64Milli(toDateTime64(ts, 3)) FROM events
SELECT sum(total) FILTER (WHERE status = 'x'), count(DISTINCT customer_id, status), sumDistinct(total), groupArrayArray([1]), anyHeavy(status), argMaxIf(status, total, id > 1), maxArray([1]), simpleLinearRegression(total, discount), entropy(status), sumWithOverflow(id), sumKahan(total), covarPop(total, discount), varSamp(total), kurtPop(total), first_value(total), last_value(total), deltaSum(id), boundingRatio(id, total), groupArrayMovingAvg(3)(total), histogram(5)(total), topKWeighted(3)(status, id), uniqUpTo(5)(id), sparkbar(5)(id, id), mannWhitneyUTest('two-sided')(total, id), studentTTest(total, id), rankCorr(total, id) FROM orders
SELECT id, rank() OVER (ORDER BY total), dense_rank() OVER w, nth_value(total, 2) OVER w, sum(total) OVER (PARTITION BY status ORDER BY created_at RANGE BETWEEN 86400 PRECEDING AND CURRENT ROW), leadInFrame(total, 1, 0) OVER w FROM orders WINDOW w AS (PARTITION BY status ORDER BY total)
SELECT a.id, b.name FROM orders a INNER JOIN customers b ON a.customer_id = b.id LEFT ANTI JOIN products p ON p.id = a.id
SELECT * FROM orders o FULL OUTER JOIN customers c ON o.customer_id = c.id CROSS JOIN products p
SELECT o.id, p.name FROM orders AS o PASTE JOIN products AS p
SELECT id FROM orders WHERE (customer_id, status) IN ((1, 'a'), (2, 'b'))
SELECT id FROM orders WHERE status IN ('a') QUALIFY row_number() OVER (PARTITION BY customer_id ORDER BY total) = 1
SELECT region, city, count() FROM customers GROUP BY GROUPING SETS ((region), (city))
SELECT region, city, count() FROM customers GROUP BY CUBE(region, city) WITH TOTALS
SELECT status, count() FROM orders GROUP BY ALL
SELECT number, toDate('2024-01-01') + INTERVAL number DAY AS d FROM numbers(0, 10)
SELECT * FROM generateSeries(1, 10)
SELECT c1 FROM values('c1 UInt8', 1, 2)
SELECT t.1, t.2, t.a FROM (SELECT (1, 2)::Tuple(a UInt8, b UInt8) AS t)
SELECT props['a'], props.keys, mapValues(props), mapContains(props, 'a'), mapFilter((k, v) -> v > 1, props) FROM events
SELECT JSONExtract(props, 'a', 'Array(Int32)'), JSONExtractKeysAndValues(props, 'Int32'), simpleJSONExtractInt(props, 'a'), JSON_VALUE(props, '$.a'), JSONLength(props), isValidJSON(props), JSONExtractBool(props, 'b') FROM events
WITH (SELECT sum(total) FROM orders) AS t SELECT status, sum(total) / t FROM orders GROUP BY status
WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT n FROM r
SELECT 1 AS a, a + 1 AS b, (SELECT max(b) FROM (SELECT 1 AS b)) AS c
SELECT id FROM orders SAMPLE 1/10 OFFSET 1/2
SELECT arr, num FROM events ARRAY JOIN arr AS num WHERE num > 1
SELECT sum(num) FROM events LEFT ARRAY JOIN arr AS num, arrayEnumerate(arr) AS i GROUP BY i
SELECT DISTINCT ON (customer_id) id, total FROM orders ORDER BY customer_id, total DESC
SELECT COLUMNS('to.*') APPLY(sum) FROM orders
SELECT * EXCEPT(items, payload) APPLY(toString) FROM orders
SELECT orders.* FROM orders
SELECT o.*, c.name FROM orders AS o LEFT JOIN customers AS c ON c.id = o.customer_id
SELECT toTypeName(1), NULL, true, [1, NULL], {'a': 1}, 'it\'s', 1e3, 0xFF, -1, 1 = 1 AND NOT 0, 5 % 3, intDiv(5, 2), 5 DIV 2, modulo(5, 2), round(1.5, 1), floor(1.5), pow(2, 3), exp2(3), log10(100), rand() % 10
SELECT domain('http://a.b/c'), path('http://a.b/c'), extractURLParameter('http://a?x=1', 'x'), IPv4NumToString(1), cutToFirstSignificantSubdomain('http://a.b.c'), geohashEncode(1.0, 2.0), greatCircleDistance(1, 2, 3, 4), pointInPolygon((1, 2), [(0, 0), (1, 1), (2, 0)]), sipHash64('a'), xxHash64('a'), murmurHash3_64('a'), generateUUIDv4(), formatReadableQuantity(1000), formatReadableTimeDelta(100)
SELECT exponentialTimeDecayedAvg(60)(value, ts), seriesDecomposeSTL([1, 2], 1), sequenceCount('(?1)(?2)')(ts, name = 'a', name = 'b'), sequenceNextNode('forward', 'head')(ts, name, name = 'a', name = 'b') FROM events
SELECT transform(status, ['a', 'b'], [1, 2], 0), toStartOfInterval(created_at, INTERVAL 1 week), bar(total, 0, 100, 20), neighbor(id, 1), rowNumberInAllBlocks(), materialize(1), identity(1), ignore(1) FROM orders
