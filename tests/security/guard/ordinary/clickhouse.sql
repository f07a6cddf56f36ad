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
# written after the lists, and counted when they first ran (docs/guard.md)
SELECT toStartOfMonth(created_at) AS m, sum(total) AS s, count() AS n, uniq(customer_id) AS u FROM orders GROUP BY m ORDER BY m
SELECT toStartOfInterval(ts, INTERVAL 12 HOUR) AS t, countIf(name = 'buy') AS buys, sumIf(value, name = 'buy') FROM events GROUP BY t ORDER BY t WITH FILL STEP INTERVAL 12 HOUR
SELECT toDate(created_at) AS d, sum(total) FROM orders GROUP BY d WITH TOTALS ORDER BY d
SELECT customer_id, total FROM orders ORDER BY customer_id, total DESC LIMIT 2 BY customer_id LIMIT 10
SELECT argMax(status, created_at) AS latest, argMin(status, created_at), anyLast(status), any(status) FROM orders GROUP BY customer_id
SELECT quantile(0.5)(total), quantiles(0.25, 0.5, 0.75)(total), quantileExact(0.9)(total), quantileTDigest(0.99)(total), median(total), quantileTiming(0.5)(toFloat64(id)) FROM orders
SELECT uniqExact(customer_id), uniqHLL12(customer_id), uniqCombined(customer_id), topK(3)(status), topKWeighted(3)(status, id), groupArray(3)(id), groupUniqArray(status), groupArraySorted(3)(id), groupBitAnd(id) FROM orders
SELECT id, a FROM events ARRAY JOIN arr AS a
SELECT id, a, n FROM events LEFT ARRAY JOIN arr AS a, arrayEnumerate(arr) AS n
SELECT arrayJoin(arr) AS v, count() FROM events GROUP BY v
SELECT arrayMap(x -> x * 2, arr), arrayFilter(x -> x > 3, arr), arraySum(arr), arrayExists(x -> x = 3, arr), arrayReverse(arr), arraySort(x -> -x, arr), arrayFirst(x -> x > 3, arr), has(arr, 3), indexOf(arr, 3), length(arr), arrayElement(arr, 1), arr[1], arraySlice(arr, 1, 2), arrayStringConcat(arr, ','), arrayUniq(arr), arrayDistinct(arr), arrayConcat(arr, [1]), arrayZip(arr, arr), arrayReduce('max', arr), arrayCumSum(arr), arrayDifference(arr), arrayEnumerateUniq(arr), arrayCount(x -> x > 1, arr), arrayAll(x -> x > 0, arr), arrayFold((acc, x) -> acc + x, arr, toInt64(0)), hasAny(arr, [3]), hasAll(arr, [3]), range(5), emptyArrayInt32() FROM events
SELECT JSONExtractString(payload, 'c'), JSONExtractInt(payload, 'a', 'b'), JSONExtract(payload, 'n', 'UInt32'), JSONHas(payload, 'a'), JSONLength(payload), JSONExtractArrayRaw(payload, 'items'), JSON_VALUE(payload, '$.c'), visitParamExtractUInt(payload, 'n'), simpleJSONExtractString(payload, 'c'), JSONExtractKeysAndValues(payload, 'String'), isValidJSON(payload) FROM orders
SELECT dateDiff('day', created_at, ship_date), age('hour', created_at, ship_date), toYYYYMM(created_at), toYear(created_at), toDayOfWeek(created_at), toHour(created_at), toISOWeek(created_at), toMonday(created_at), toStartOfQuarter(created_at), toStartOfHour(created_at), toStartOfFiveMinutes(created_at), addDays(created_at, 3), subtractMonths(created_at, 1), formatDateTime(created_at, '%Y-%m'), toUnixTimestamp(created_at), date_trunc('week', created_at), toLastDayOfMonth(created_at), toQuarter(created_at), toRelativeDayNum(created_at), dateName('month', created_at), created_at + INTERVAL 1 DAY, created_at - toIntervalHour(2), timeSlot(created_at), toTimeZone(created_at, 'Asia/Shanghai') FROM orders
SELECT parseDateTimeBestEffort('2024-01-02 03:04:05'), parseDateTimeBestEffortOrNull('x'), toDateTime('2024-01-01 00:00:00', 'UTC'), toDateTime64('2024-01-01 00:00:00.123', 3), toDate('2024-01-01'), makeDate(2024, 1, 1), today() - 7, yesterday(), now() - 3600, fromUnixTimestamp(0), toDateOrNull('x')
SELECT multiIf(total < 20, 'low', total < 60, 'mid', 'high') AS band, count() FROM orders GROUP BY band
SELECT if(total > 5, 1, 0), ifNull(discount, 0), coalesce(discount, 0), nullIf(total, 0), assumeNotNull(status), isNull(status), toNullable(1), transform(status, ['paid', 'new'], ['P', 'N'], '?'), CASE WHEN total > 5 THEN 'x' ELSE 'y' END FROM orders
SELECT domain('https://a.example.com/x?y=1'), path('https://a.example.com/x?y=1'), extractURLParameter('https://e.com/?a=1', 'a'), cutQueryString('https://e.com/?a=1'), topLevelDomain('https://e.com'), protocol('https://e.com'), domainWithoutWWW('http://www.e.com'), URLHierarchy('http://e.com/a/b')
SELECT splitByChar('@', assumeNotNull(email))[2] AS d, count() FROM customers GROUP BY d
SELECT match(name, '^n'), extract(name, '\\d+'), extractAll(name, '\\d'), replaceRegexpAll(name, '\\d', 'x'), replaceOne(name, 'a', 'b'), replaceAll(name, 'a', 'b'), position(name, 'a'), positionCaseInsensitive(name, 'A'), substring(name, 1, 2), lower(name), upperUTF8(name), lengthUTF8(name), reverse(name), concat(name, '-', city), startsWith(name, 'n'), endsWith(name, '1'), trim(BOTH ' ' FROM name), leftPad(name, 10, '.'), multiSearchAny(name, ['a', 'b']), like(name, 'n%'), ilike(name, 'N%'), ngramDistance(name, 'name'), format('{} {}', name, 'x'), empty(name), notEmpty(name), toString(id), toInt32OrZero(name), toFloat64OrNull(name), hex(name), MD5(name), cityHash64(name), sipHash64(name), base64Encode(name), countSubstrings(name, 'a'), tokens(name), splitByString(', ', name), left(name, 2), initcap(name), soundex(name), translate(name, 'a', 'b'), extractGroups(name, '(\\w)(\\w)') FROM customers
SELECT sum(total) OVER (PARTITION BY customer_id ORDER BY created_at ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), row_number() OVER (ORDER BY id), rank() OVER (ORDER BY total), lagInFrame(total) OVER (ORDER BY id), leadInFrame(total, 1, 0) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), dense_rank() OVER w, ntile(4) OVER w, first_value(total) OVER w, nth_value(total, 2) OVER w FROM orders WINDOW w AS (ORDER BY total)
SELECT customer_id, exponentialMovingAverage(5)(total, toUnixTimestamp(created_at)), deltaSum(total), deltaSumTimestamp(total, created_at), avgWeighted(total, id), sumMap([1], [2]), stddevPop(total), varSamp(total), corr(total, id), covarPop(total, id), skewPop(total), kurtSamp(total), entropy(status), simpleLinearRegression(id, total), rankCorr(id, total), studentTTest(total, id % 2), mannWhitneyUTest(total, id % 2), boundingRatio(id, total), intervalLengthSum(id, id + 1), maxIntersections(id, id + 2), sparkbar(5)(id, total), histogram(3)(total), cramersV(status, customer_id), sumKahan(total), sumWithOverflow(id) FROM orders GROUP BY customer_id
SELECT level, count() FROM (SELECT user_id, windowFunnel(3600)(ts, name = 'view', name = 'cart', name = 'buy') AS level FROM events GROUP BY user_id) GROUP BY level
SELECT user_id, sequenceMatch('(?1).*(?2)')(ts, name = 'view', name = 'buy'), sequenceCount('(?1)(?2)')(ts, name = 'view', name = 'cart'), retention(name = 'view', name = 'buy') FROM events GROUP BY user_id
SELECT o.id, c.name FROM orders AS o GLOBAL ANY LEFT JOIN customers AS c ON o.customer_id = c.id
SELECT o.id, e.ts FROM orders o ASOF LEFT JOIN events e ON o.customer_id = e.user_id AND o.created_at >= e.ts
SELECT * FROM customers c LEFT SEMI JOIN orders o ON o.customer_id = c.id
SELECT * FROM customers c LEFT ANTI JOIN orders o ON o.customer_id = c.id
SELECT id FROM orders PREWHERE status = 'paid' WHERE total > 10
SELECT * FROM orders FINAL WHERE id > 3
SELECT region, city, count() FROM customers GROUP BY region, city WITH CUBE
SELECT region, segment, count() FROM customers GROUP BY GROUPING SETS ((region), (segment))
SELECT id, x FROM (SELECT id, total AS x FROM orders) WHERE x IN (SELECT max(total) FROM orders) OR id GLOBAL IN (1, 2)
WITH (SELECT avg(total) FROM orders) AS mean SELECT id, total - mean FROM orders
WITH 10 AS threshold SELECT count() FROM orders WHERE total > threshold
WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t WHERE n < 10) SELECT n FROM t
SELECT number, toDate('2024-01-01') + number AS d FROM numbers(31)
SELECT count(*) FROM orders WHERE created_at BETWEEN toDateTime('2024-01-01 00:00:00') AND now() AND status NOT IN ('void') AND status ILIKE 'p%'
SELECT * EXCEPT (items, payload) FROM orders
SELECT * REPLACE (round(total, 1) AS total) FROM orders
SELECT COLUMNS('id') FROM orders
SELECT columns.1 FROM (SELECT (1, 'a') AS columns)
SELECT (id, status).1, tuple(id, total), tupleElement((1, 2), 1), untuple((1, 2)), map('a', 1)['a'], mapKeys(map('a', 1)), mapValues(map('a', 1)), mapContains(map('a', 1), 'a') FROM orders
SELECT sumState(total) AS st FROM orders
SELECT sumMerge(st), uniqMerge(un), finalizeAggregation(sumState(1)) FROM (SELECT sumState(total) AS st, uniqState(customer_id) AS un FROM orders)
SELECT round(total, 2), floor(total), ceil(total), intDiv(id, 2), modulo(id, 3), id % 3, pow(2, 3), sqrt(4), exp(1), log(2), log2(8), abs(-1), sign(-1), greatest(1, 2), least(1, 2), bitAnd(5, 3), bitShiftLeft(1, 2), roundBankers(2.5), roundToExp2(5), plus(1, 2), divide(1, 2), intDivOrZero(1, 0), isFinite(1.0), isNaN(nan), toDecimal64(total, 2), toUInt8(1), CAST(id AS String), id::Float64, accurateCastOrNull('x', 'Int8'), reinterpretAsUInt8('a'), toTypeName(id), rand() % 10, generateUUIDv4(), widthBucket(total, 0., 100., 10), roundAge(30), roundDown(7, [1, 5, 10]), factorial(5), gcd(4, 6), e(), pi(), erf(1.), hypot(3, 4), degrees(pi()), neighbor(id, 1), runningDifference(id), runningAccumulate(sumState(id)) FROM orders GROUP BY id, total
SELECT 'a' || 'b', true, NULL, [1, 2], (1, 2), {'a': 1}
SELECT id FROM orders UNION ALL SELECT id FROM customers
SELECT id FROM orders INTERSECT SELECT id FROM customers
SELECT id FROM orders EXCEPT SELECT id FROM customers
SELECT `编号`, `金额` FROM `订单` WHERE `日期` >= '2024-03-01'
SELECT count() FROM default.orders WHERE total = (SELECT max(total) FROM default.orders)
SELECT toStartOfWeek(created_at, 1) AS w, uniqIf(customer_id, status = 'paid') / uniq(customer_id) AS rate, avgOrNull(total), sumOrDefault(total), countDistinct(status), count(DISTINCT customer_id) FROM orders GROUP BY w HAVING rate > 0
SELECT IPv4NumToString(toUInt32(3232235777)), toIPv4('1.2.3.4'), isIPv4String('1.2.3.4'), IPv6NumToString(toFixedString('a', 16)), isIPAddressInRange('10.1.1.1', '10.0.0.0/8')
SELECT geoDistance(1., 2., 3., 4.), greatCircleDistance(1., 2., 3., 4.), pointInPolygon((1., 1.), [(0., 0.), (2., 0.), (2., 2.)]), geohashEncode(1., 2.), h3IsValid(1), geoToH3(1., 2., 5), L2Distance([1.], [2.]), cosineDistance([1.], [2.]), dotProduct([1.], [2.])
SELECT formatReadableSize(1024), formatReadableQuantity(1000), formatReadableTimeDelta(100), bar(total, 0, 100, 10), toStringCutToZero('a'), dateDiff('month', toDate('2024-01-01'), today()) FROM orders
SELECT groupArrayIf(id, total > 5), sumMapIf([1], [2], id > 3), uniqExactIf(id, total > 3), quantileIf(0.5)(total, id > 1), argMaxIf(id, total, id > 2), minMap([1], [2]), groupConcat(',')(status), groupArrayMovingAvg(3)(total), groupArrayInsertAt(0)(id, 1), groupArrayLast(2)(id), sumForEach([1, 2]), maxArray([1, 2]), anyHeavy(status), first_value(id), last_value(id), singleValueOrNull(1), kolmogorovSmirnovTest(total, id % 2), largestTriangleThreeBuckets(4)(id, total), contingency(status, customer_id), theilsU(status, customer_id), stochasticLinearRegression(0.1, 0.0, 5, 'SGD')(total, id) FROM orders
SELECT id FROM orders ORDER BY total DESC NULLS LAST LIMIT 5 OFFSET 2
SELECT id FROM orders ORDER BY total DESC LIMIT 5 WITH TIES
SELECT DISTINCT ON (customer_id) customer_id, id FROM orders
SELECT count() FROM events WHERE hasToken(name, 'buy') OR name REGEXP 'b.*'
SELECT id, total FROM orders QUALIFY row_number() OVER (PARTITION BY customer_id ORDER BY total DESC) = 1
SELECT toStartOfDay(ts) AS d, sum(value) AS v FROM events GROUP BY d ORDER BY d ASC WITH FILL FROM toDateTime('2024-01-01 00:00:00') TO toDateTime('2024-02-01 00:00:00') STEP toIntervalDay(1) INTERPOLATE (v AS v)
SELECT * FROM VALUES('a UInt8, b String', (1, 'x'), (2, 'y'))
SELECT toStartOfMonth(created_at) AS month, uniqExact(customer_id) AS buyers, round(sum(total) / count(), 2) AS aov FROM orders WHERE created_at >= today() - INTERVAL 1 YEAR GROUP BY month ORDER BY month
SELECT user_id, groupArray(name) AS path, arrayStringConcat(groupArray(assumeNotNull(name)), '>') FROM (SELECT * FROM events ORDER BY user_id, ts) GROUP BY user_id
SELECT date, revenue, revenue - lagInFrame(revenue) OVER (ORDER BY date ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS diff FROM (SELECT toDate(created_at) AS date, sum(total) AS revenue FROM orders GROUP BY date)
SELECT quantilesTDigest(0.5, 0.9, 0.99)(total), quantileExactWeighted(0.5)(toFloat64(id), 1), quantileDeterministic(0.5)(toFloat64(id), 1), quantilesExactInclusive(0.5)(assumeNotNull(total)), quantileBFloat16(0.5)(toFloat32(id)), quantileInterpolatedWeighted(0.5)(toFloat64(id), 1) FROM orders
SELECT arrayJoin([1, 2, 3]) AS x, x * 2 AS y WHERE y > 2
SELECT id, tag FROM products ARRAY JOIN tags AS tag WHERE tag = 'a'
SELECT (arraySort(groupArray(total)) AS sorted)[1] AS smallest, sorted[-1] FROM orders
SELECT countIf(status = 'paid') / count() AS rate, avgIf(total, status = 'paid'), maxIf(total, isNotNull(discount)), uniqIf(customer_id, total > 5), anyIf(status, id = 1), sumIf(total, status IN ('paid', 'new')) FROM orders
SELECT formatDateTime(toStartOfHour(created_at), '%Y-%m-%d %H:00') AS h, count() AS c FROM orders GROUP BY h ORDER BY c DESC LIMIT 10
SELECT toYear(created_at) AS y, toMonth(created_at) AS m, sum(total) FROM orders GROUP BY y, m WITH ROLLUP ORDER BY y, m
SELECT c.name, o.total FROM customers AS c INNER JOIN orders AS o ON c.id = o.customer_id AND o.total > 10 ORDER BY o.total DESC LIMIT 5
SELECT c.id FROM customers c LEFT JOIN orders o USING (id) WHERE o.id IS NULL
SELECT * FROM (SELECT id, row_number() OVER (PARTITION BY customer_id ORDER BY total DESC) AS rn FROM orders) WHERE rn <= 2
WITH toDate('2024-01-01') AS start, toDate('2024-06-30') AS stop SELECT count() FROM orders WHERE toDate(created_at) BETWEEN start AND stop
WITH t AS (SELECT customer_id, sum(total) AS s FROM orders GROUP BY customer_id) SELECT customer_id, s, s / sum(s) OVER () AS share FROM t ORDER BY s DESC
SELECT JSONExtractInt(payload, 'n') AS n, JSONExtractString(JSONExtractRaw(payload, 'a'), 'b'), JSONExtractArrayRaw(payload, 'items')[1], JSONExtractFloat(payload, 'n'), JSONExtractBool(payload, 'flag'), JSONType(payload, 'a'), JSONExtractKeys(payload) FROM orders
SELECT splitByChar(',', 'a,b,c')[1], arrayElement(splitByString('--', 'a--b'), 2), substringIndex('a.b.c', '.', 2), concat('a', 'b'), toString(1) || 'x', lower('A'), trimBoth(' a '), replaceRegexpOne('abc', 'b', 'x'), extractAllGroups('a1b2', '(\\w)(\\d)'), format('{0}-{1}', 'a', 'b'), lpad('a', 3, '0'), repeat('a', 3)
SELECT dateDiff('week', min(created_at), max(created_at)), dateTrunc('month', max(created_at)), toStartOfYear(max(created_at)), toDayOfMonth(max(created_at)), toDayOfYear(max(created_at)), toYYYYMMDD(max(created_at)), addMonths(max(created_at), 1), subtractDays(max(created_at), 1), date_add(DAY, 1, max(created_at)), date_sub(max(created_at), INTERVAL 1 DAY), timestamp_add(max(created_at), INTERVAL 1 HOUR), toStartOfTenMinutes(max(created_at)), monthName(max(created_at)), toDateTime(toDate(max(created_at))), EXTRACT(YEAR FROM max(created_at)) FROM orders
SELECT status, count() AS c, bar(c, 0, 20, 20) FROM orders GROUP BY status ORDER BY c DESC
SELECT sum(total) AS s, s * 1.1 AS gross, if(s > 100, 'big', 'small') AS size FROM orders GROUP BY customer_id HAVING s > 10 ORDER BY s DESC
SELECT DISTINCT status FROM orders WHERE status LIKE 'p%' OR status = '' OR notLike(status, 'v%')
SELECT id, total, sum(total) OVER (ORDER BY id ASC ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) AS ma7, max(total) OVER (PARTITION BY customer_id), count() OVER () FROM orders
SELECT argMax((status, total), created_at) AS latest, argMin(tuple(id, status), created_at).2 FROM orders GROUP BY customer_id
SELECT number AS n, (SELECT count() FROM orders WHERE id <= 5) FROM numbers(1, 5)
SELECT arrayMap((x, y) -> x + y, [1, 2], [3, 4]), arrayFilter(x -> (x % 2) = 0, range(10)), arrayReduce('uniq', [1, 1]), arrayFlatten([[1], [2]]), arrayCompact([1, 1]), arrayPushBack([1], 2), arrayMin([1]), arrayAvg([1, 2]), arrayPartialSort(1, [2, 1]), arrayReverseSort([1, 2]), arrayIntersect([1], [1, 2]), arrayResize([1], 3), arrayProduct([1, 2]), countEqual([1, 1], 1), arrayShuffle([1]), arrayRotateLeft([1, 2], 1)
SELECT toInt64(1), toUInt32OrNull('x'), toFloat32('1.5'), toDecimal32('1.5', 2), CAST('1', 'Int32'), CAST(1 AS Nullable(String)), toDateOrZero('x'), toUUID('61f0c404-5cb3-11e7-907b-a6006ad3dba0'), toLowCardinality('a'), '2024-01-01'::Date, [1, 2]::Array(String)
SELECT id FROM orders WHERE (customer_id, status) IN (SELECT customer_id, status FROM orders WHERE total > 50)
SELECT id FROM orders WHERE id NOT IN (SELECT order_id FROM order_items) OR EXISTS (SELECT 1 FROM order_items WHERE order_id = 1)
SELECT o.id AS id, any(c.name) AS name FROM orders o LEFT JOIN customers c ON c.id = o.customer_id GROUP BY id ORDER BY id LIMIT 1, 5
SELECT t.1 AS a, t.2 AS b FROM (SELECT (id, total) AS t FROM orders)
SELECT sumMap(map(assumeNotNull(status), 1)) FROM orders WHERE status IS NOT NULL
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
SELECT id FROM orders WHERE total > 50 UNION DISTINCT SELECT id FROM orders WHERE status = 'void' ORDER BY 1
SELECT id FROM customers INTERSECT SELECT customer_id FROM orders ORDER BY id
SELECT id FROM customers EXCEPT SELECT customer_id FROM orders WHERE total > 50
SELECT x.n, COUNT(*) AS c FROM (SELECT customer_id, COUNT(*) AS n FROM orders GROUP BY customer_id) x GROUP BY x.n ORDER BY x.n
WITH a AS (SELECT customer_id, SUM(total) AS t FROM orders GROUP BY customer_id), b AS (SELECT AVG(t) AS m FROM a) SELECT a.customer_id, a.t - b.m AS above FROM a CROSS JOIN b ORDER BY a.customer_id
SELECT o.id, (SELECT COUNT(*) FROM order_items i WHERE i.order_id = o.id) AS items FROM orders o ORDER BY o.id
SELECT 编号, 金额 FROM 订单 WHERE 金额 > 20 ORDER BY 金额 DESC
SELECT 客户, SUM(金额) AS 合计 FROM 订单 GROUP BY 客户 ORDER BY 合计 DESC
SELECT DENSE_RANK() OVER (ORDER BY salary DESC) AS r, name, department FROM employees ORDER BY r, name
SELECT department, name, salary, AVG(salary) OVER (PARTITION BY department) AS mean FROM employees ORDER BY department, name
SELECT LEAD(id, 1, 0) OVER (ORDER BY id) AS nxt, id FROM orders ORDER BY id
SELECT SUM(total) OVER w AS running, COUNT(*) OVER w AS n FROM orders WINDOW w AS (PARTITION BY status ORDER BY id) ORDER BY id
SELECT toStartOfMonth(created_at) AS month, countIf(status = 'paid') AS paid, sumIf(total, status = 'paid') AS revenue FROM orders GROUP BY month ORDER BY month
SELECT id, created_at + INTERVAL 1 MONTH AS due, addDays(created_at, 3) AS d, dateDiff('day', created_at, ship_date) AS n, subtractHours(created_at, 2) AS h FROM orders ORDER BY id
SELECT toDate('2024-01-31') + 1 AS d, toDateTime('2024-01-01 10:00:00') AS t, INTERVAL 2 DAY AS i, DATE '2024-01-01' AS l
SELECT JSONExtractInt(payload, 'a', 'b') AS b, JSONExtractString(payload, 'c') AS c, JSONHas(payload, 'n') AS h, JSONLength(items) AS l FROM orders ORDER BY id
SELECT id, arrayJoin(tags) AS tag FROM products ORDER BY id, tag
SELECT id, tag FROM products ARRAY JOIN tags AS tag ORDER BY id, tag
SELECT id, tag, n FROM products ARRAY JOIN tags AS tag, arrayEnumerate(tags) AS n ORDER BY id, n
SELECT id, tags[1] AS first, length(tags) AS n, has(tags, 'a') AS h, arrayMap(x -> upper(x), tags) AS u, arrayFilter(x -> x != 'a', tags) AS f, arrayStringConcat(tags, ',') AS s FROM products ORDER BY id
SELECT quantile(0.9)(total) AS p90, quantiles(0.25, 0.5, 0.75)(total) AS q, median(total) AS m, uniqExact(customer_id) AS u, argMax(id, total) AS best FROM orders
SELECT status, groupArray(id) AS ids, groupUniqArray(customer_id) AS c, topK(2)(customer_id) AS t FROM (SELECT * FROM orders ORDER BY id) GROUP BY status ORDER BY status
SELECT customer_id, id, total FROM orders ORDER BY customer_id, total DESC, id LIMIT 2 BY customer_id
SELECT id, row_number() OVER (PARTITION BY customer_id ORDER BY id) AS rn, lagInFrame(total) OVER (PARTITION BY customer_id ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS p FROM orders ORDER BY id
SELECT multiIf(total < 20, 'low', total < 60, 'middle', 'high') AS band, count() AS n FROM orders GROUP BY band ORDER BY band
SELECT if(empty(status), 'none', status) AS s, ifNull(discount, 0) AS d, coalesce(status, 'x') AS c, nullIf(total, 0) AS z FROM orders ORDER BY id
SELECT region, segment, count() AS n FROM customers GROUP BY region, segment WITH TOTALS ORDER BY region, segment
SELECT region, segment, count() AS n FROM customers GROUP BY ROLLUP(region, segment) ORDER BY region, segment
SELECT toYear(created_at) AS y, toMonth(created_at) AS m, toDayOfWeek(created_at) AS w, formatDateTime(created_at, '%Y-%m') AS f, toYYYYMM(created_at) AS ym, toStartOfWeek(created_at, 1) AS s FROM orders ORDER BY id
SELECT splitByChar('@', assumeNotNull(email))[2] AS d, extract(assumeNotNull(email), '^[a-z]+') AS e, replaceRegexpAll(assumeNotNull(email), '[0-9]', '#') AS r, match(assumeNotNull(name), '^name[1-3]$') AS m FROM customers ORDER BY id
SELECT tuple(id, status) AS t, (id, total).1 AS f, map('k', total) AS m, [1, 2, 3][-1] AS l FROM orders ORDER BY id
SELECT toInt32('42') AS i, toFloat64('1.5') AS f, toDecimal64('12.50', 2) AS d, CAST('7' AS Int64) AS c, '3'::UInt8 AS s, toString(id) AS t FROM orders ORDER BY id
WITH 50 AS bound, (SELECT avg(total) FROM orders) AS mean SELECT id, total > bound AS big, total - mean AS above FROM orders ORDER BY id
SELECT c.name, sum(o.total) AS t FROM customers AS c LEFT JOIN orders AS o ON o.customer_id = c.id GROUP BY c.name ORDER BY t DESC, c.name
SELECT a.id, b.id AS earlier FROM orders AS a ASOF LEFT JOIN orders AS b ON a.customer_id = b.customer_id AND a.created_at > b.created_at ORDER BY a.id
SELECT toStartOfDay(created_at) AS d, count() AS n FROM orders GROUP BY d ORDER BY d WITH FILL STEP INTERVAL 1 DAY LIMIT 10
SELECT * EXCEPT (payload, items) FROM orders ORDER BY id
SELECT number AS n, toDate('2024-01-01') + number AS d FROM numbers(5)
# a third round, of an analyst's own work
SELECT toStartOfMonth(created_at) AS m, sumIf(total, status = 'paid') AS paid, uniqExact(customer_id) FROM orders GROUP BY m WITH TOTALS ORDER BY m WITH FILL STEP INTERVAL 1 MONTH
SELECT quantiles(0.5, 0.9)(total), quantileTDigest(0.99)(total), topK(3)(status), argMax(id, total) FROM orders
SELECT id, arrayJoin(arr) AS a FROM events WHERE has(arr, 1)
SELECT id, a, i FROM events ARRAY JOIN arr AS a, arrayEnumerate(arr) AS i
SELECT customer_id, groupArray(3)(total) AS last, arraySum(x -> x * 2, last) FROM orders GROUP BY customer_id LIMIT 2 BY customer_id
SELECT JSONExtractString(props, 'page') AS page, count() FROM events PREWHERE ts >= now() - INTERVAL 7 DAY GROUP BY page ORDER BY count() DESC
SELECT windowFunnel(86400)(ts, name = 'view', name = 'cart', name = 'buy') AS level, user_id FROM events GROUP BY user_id
SELECT multiIf(total > 100, 'big', total > 10, 'mid', 'small') AS size, count() FROM orders GROUP BY size
WITH 100 AS lim SELECT id FROM orders WHERE total > lim
SELECT toYYYYMM(created_at) AS ym, sum(total) AS s, s - lagInFrame(s) OVER (ORDER BY ym) FROM orders GROUP BY ym
SELECT formatDateTime(ts, '%F %H:00'), dateDiff('minute', min(ts), max(ts)) FROM events GROUP BY 1
SELECT retention(name = 'a', name = 'b') FROM events GROUP BY user_id
SELECT * FROM orders ANY LEFT JOIN customers ON customers.id = orders.customer_id
SELECT splitByChar('@', email)[2] AS domain, uniq(id), countIf(city = '') FROM customers GROUP BY domain HAVING domain != ''
SELECT if(empty(city), '未知', city) AS c, round(avg(total), 2) FROM customers AS k INNER JOIN orders AS o ON o.customer_id = k.id GROUP BY c
SELECT sequenceMatch('(?1).*(?2)')(ts, name = 'a', name = 'b'), runningDifference(value) FROM events GROUP BY user_id, value
SELECT transform(status, ['p', 's'], ['paid', 'sent'], 'other'), bitAnd(id, 3), cityHash64(id) % 10 FROM orders
# sizes, samples and recursions
SELECT status, repeat('*', toUInt32(count() / 10)) AS bar FROM orders GROUP BY status
SELECT status, bar(count(), 0, 100, 20) FROM orders GROUP BY status
SELECT * FROM orders SAMPLE 1 / 10 OFFSET 1 / 2
# a fourth round, written before the lists were read again
SELECT toStartOfMonth(created_at) AS m, countIf(status = 'paid') AS paid, sumIf(total, status != 'void') / nullIf(sum(total), 0) AS share, uniqExact(customer_id), quantiles(0.5, 0.9)(total) FROM orders GROUP BY m ORDER BY m WITH FILL STEP INTERVAL 1 MONTH
SELECT id, a, i FROM events ARRAY JOIN arr AS a, arrayEnumerate(arr) AS i WHERE a > 3
SELECT customer_id, groupArray(3)(total) AS t, argMax(status, created_at) AS last, topK(2)(status), arrayStringConcat(groupUniqArray(ifNull(status, '-')), ',') FROM orders GROUP BY customer_id WITH TOTALS
SELECT user_id, windowFunnel(86400 * 30)(ts, name = 'view', name = 'cart', name = 'buy') AS level, retention(name = 'view', name = 'buy') AS r FROM events GROUP BY user_id
SELECT JSONExtractInt(payload, 'a', 'b') AS b, JSONExtractString(payload, 'c'), JSONExtractArrayRaw(payload, 'items'), JSONHas(payload, 'd'), visitParamExtractInt(payload, 'n') FROM orders
SELECT o.id, e.id FROM orders o ASOF LEFT JOIN events e ON o.customer_id = e.user_id AND o.created_at >= e.ts
SELECT id, total, leadInFrame(total) OVER (PARTITION BY customer_id ORDER BY created_at ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS nxt, exponentialMovingAverage(3)(total, toUnixTimestamp(created_at)) OVER (ORDER BY created_at) FROM orders LIMIT 2 BY customer_id
SELECT dateDiff('day', created_at, ship_date), toYearWeek(created_at), formatDateTime(created_at, '%Y-%m'), toDayOfWeek(created_at), addMonths(toDate(created_at), 1), toTimeZone(created_at, 'Asia/Shanghai'), created_at - INTERVAL 1 WEEK FROM orders PREWHERE id > 2
SELECT multiIf(total > 50, 'high', total > 20, 'mid', 'low') AS band, count() AS n, bar(n, 0, 20, 10), avgOrNull(discount), stddevPop(total), corr(total, assumeNotNull(discount)) FROM orders GROUP BY band HAVING n > 1
SELECT arrayMap(x -> x * 2, arr), arrayFilter((x, y) -> y > 1, arr, arrayEnumerate(arr)), arraySum(arr), has(arr, 3), arrayReduce('max', arr), arraySort(x -> -x, arr), tuple(id, name).1 FROM events
WITH (SELECT max(total) FROM orders) AS top, 0.8 AS rate SELECT id, total / top AS part FROM orders WHERE total > rate * top
SELECT replaceRegexpOne(email, '@.*', ''), splitByChar('@', assumeNotNull(email))[2], domain(concat('http://', email)), match(email, 'u[0-9]'), positionCaseInsensitive(email, 'U'), lowerUTF8(name), toString(id)::String, CAST(id AS Nullable(Float64)), toDecimal64OrNull('1.2', 2) FROM customers
SELECT region, segment, count() FROM customers GROUP BY GROUPING SETS ((region), (segment)) ORDER BY 1, 2
SELECT t.number, t.d FROM (SELECT number, toDate('2024-01-01') + number AS d FROM numbers(31)) t LEFT ANTI JOIN (SELECT toDate(created_at) AS d FROM orders) o ON o.d = t.d
SELECT CAST(id, 'Nullable(String)'), accurateCastOrNull(id, 'Int8'), uniqMerge(s) FROM (SELECT id, uniqState(customer_id) AS s FROM orders GROUP BY id) GROUP BY id
SELECT toStartOfMonth(created_at) AS m, uniqExact(customer_id), quantile(0.9)(total) FROM orders GROUP BY m ORDER BY m WITH FILL STEP INTERVAL 1 MONTH
SELECT JSONExtractString(payload, 'a', 'b') AS x, arrayJoin(JSONExtractArrayRaw(items)) AS i FROM orders
SELECT status, sumIf(total, discount > 0) AS s FROM orders GROUP BY status WITH TOTALS
WITH 100 AS big SELECT countIf(total > big) FROM orders
# a fifth round, written before the lists were read; then rows of constants and recursions
SELECT toStartOfMonth(created_at) AS m, sum(total) AS revenue, uniqExact(customer_id) FROM orders GROUP BY m ORDER BY m WITH FILL STEP INTERVAL 1 MONTH
SELECT customer_id, argMax(id, created_at) AS last, countIf(status = 'paid') AS paid FROM orders GROUP BY customer_id
SELECT quantile(0.9)(total), quantiles(0.5, 0.95)(total), median(total) FROM orders
SELECT id, arrayJoin(arr) AS a FROM events
SELECT id, a FROM events ARRAY JOIN arr AS a WHERE a > 3
SELECT arrayMap(x -> x * 2, arr), arrayFilter((x, i) -> i > 1, arr, arrayEnumerate(arr)), has(arr, 3), length(arr) FROM events
SELECT JSONExtractInt(payload, 'a', 'b') AS b, JSONExtractString(payload, 'c'), visitParamExtractString(payload, 'c') FROM orders
SELECT toFloat64OrNull(replaceAll(replaceAll('$1,200.00', '$', ''), ',', '')) AS v, toDecimal64('12.5', 2)
SELECT status, count() AS c, bar(c, 0, 10, 20) FROM orders GROUP BY status WITH TOTALS
SELECT city, segment, count() FROM customers GROUP BY city, segment WITH ROLLUP
SELECT customer_id, id FROM orders ORDER BY total DESC LIMIT 2 BY customer_id
SELECT user_id, windowFunnel(86400)(ts, name = 'view', name = 'cart', name = 'buy') AS lvl FROM events GROUP BY user_id
SELECT dateDiff('day', created_at, ship_date), formatDateTime(created_at, '%Y-%m'), toDayOfWeek(created_at), created_at - INTERVAL 1 WEEK FROM orders
SELECT multiIf(total > 50, 'big', total > 10, 'mid', 'small') AS s, groupArray(id), topK(3)(status) FROM orders GROUP BY s
SELECT extract(name, '\\d+'), match(name, '^name'), splitByChar('e', assumeNotNull(name)), positionCaseInsensitive(name, 'AM') FROM customers
SELECT id, lagInFrame(total) OVER (PARTITION BY customer_id ORDER BY created_at ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM orders
SELECT o.id, e.name FROM orders AS o ANY LEFT JOIN events AS e ON o.customer_id = e.user_id
SELECT sumMap(map(assumeNotNull(status), total)) FROM orders WHERE status IS NOT NULL
SELECT retention(name = 'view', name = 'buy') FROM events GROUP BY user_id
SELECT toDate(created_at) AS d, count() FROM orders GROUP BY d ORDER BY d WITH FILL FROM toDate('2020-01-01') TO toDate('2025-01-01') STEP 1
SELECT toStartOfHour(created_at) AS h, count() FROM orders GROUP BY h ORDER BY h WITH FILL FROM toDateTime('2024-01-01 00:00:00') TO toDateTime('2024-07-01 00:00:00') STEP toIntervalHour(1)
# a sixth round
SELECT toStartOfWeek(created_at) AS w, count() FROM orders GROUP BY w ORDER BY w WITH FILL STEP INTERVAL 7 DAY
SELECT city, groupUniqArray(segment), any(region) FROM customers GROUP BY city
SELECT number AS n, count() OVER () FROM numbers(24)
SELECT id, sum(total) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS s FROM orders
SELECT toYYYYMM(created_at) AS ym, sumIf(total, status = 'paid') / sum(total) AS share FROM orders GROUP BY ym
SELECT arraySort(x -> -x, groupArray(id)) FROM orders GROUP BY customer_id
SELECT n FROM (SELECT toUInt32(id) AS n FROM orders) ORDER BY n WITH FILL FROM 1 TO 100
