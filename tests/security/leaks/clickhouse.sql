# ways past a filter, a hidden column or a grant in ClickHouse; each is refused, or holds no canary
SELECT * FROM orders AS secret
SELECT orders.note FROM users AS orders
SELECT `note` FROM "orders" WHERE region != 'north'
SELECT note FROM orders SAMPLE 1
SELECT note FROM orders FINAL PREWHERE region = 'south' WHERE 1
SELECT note FROM orders PREWHERE note LIKE 'HID%'
SELECT count() AS n FROM orders PREWHERE region = 'south'
SELECT note FROM orders WHERE region = 'south' LIMIT 2 BY note
SELECT note FROM orders LIMIT 1 WITH TIES
SELECT * EXCEPT (id, name) FROM users
SELECT * EXCEPT ('id') FROM users
SELECT * REPLACE (name AS id) FROM users
SELECT COLUMNS('pass') FROM users
SELECT COLUMNS(id, password) FROM users
SELECT users.COLUMNS('.*') FROM users
SELECT * APPLY(toString) APPLY(upper) FROM users
SELECT COLUMNS('.*') APPLY(max) FROM orders
SELECT groupArray(tuple(*)) AS t FROM orders
SELECT tuple(*) AS t FROM users
SELECT tuple(users.*) AS t FROM users
SELECT untuple(tuple(*)) FROM users
SELECT array(note) AS a FROM orders ARRAY JOIN [1, 2] AS x
SELECT note, x FROM orders ARRAY JOIN splitByChar('-', note) AS x
SELECT argMax(note, id) AS a, any(note) AS b, anyLast(note) AS c, anyHeavy(note) AS d FROM orders
SELECT groupUniqArray(note) AS a, topK(5)(note) AS b, groupArraySample(5)(note) AS c FROM orders
SELECT maxIf(note, region = 'south') AS m, groupArrayIf(note, id < 5) AS g FROM orders
SELECT groupArrayMerge(s) AS g FROM (SELECT groupArrayState(note) AS s FROM orders)
SELECT toInt32(CASE WHEN region = 'south' THEN note ELSE '1' END) AS x FROM orders
SELECT count() AS n FROM orders WHERE toDate(if(region = 'south', note, '2020-01-01')) > '2000-01-01'
SELECT intDiv(1, if(region = 'south', 0, 1)) AS x FROM orders
SELECT count() AS n FROM orders WHERE intDiv(1, region != 'south') = 1
SELECT CAST(if(region = 'south', note, '1'), 'Int32') AS x FROM orders
SELECT match('x', if(region = 'south', concat(note, '('), 'x')) AS x FROM orders
WITH (SELECT max(note) FROM orders) AS m SELECT m
WITH (SELECT groupArray(password) FROM users) AS m SELECT m
WITH orders AS (SELECT * FROM orders) SELECT note FROM orders WHERE region = 'south'
WITH 'x' AS orders SELECT note FROM orders
SELECT id FROM users WHERE password IN (SELECT token FROM secret)
SELECT id FROM users WHERE (id, password) IN ((1, 'pw-1'))
SELECT id FROM users WHERE id GLOBAL IN (SELECT user_id FROM orders WHERE region = 'south' AND note LIKE 'HID%')
SELECT id FROM users ORDER BY password
SELECT id FROM users ANY LEFT JOIN orders ON users.id = orders.user_id ORDER BY note LIMIT 1 BY note
SELECT o.note FROM users AS u ASOF JOIN orders AS o ON o.user_id = u.id AND o.id >= u.id
SELECT a.id FROM users AS a INNER JOIN users AS b USING (password)
SELECT a.* FROM users AS a CROSS JOIN (SELECT * FROM users) AS b
SELECT * FROM default.orders
SELECT note FROM orders WINDOW w AS (ORDER BY id) ORDER BY first_value(note) OVER w
SELECT neighbor(note, 1) AS n FROM orders
SELECT runningDifference(id) AS d, note FROM orders
SELECT password AS p FROM (SELECT * FROM users)
SELECT _part, _partition_id, note FROM orders
SELECT 'a\' AS x, (SELECT max(token) FROM secret) AS y -- '
SELECT note FROM orders UNION ALL SELECT token FROM secret
SELECT note FROM orders INTERSECT SELECT note FROM orders
# a later round, written before the lists were read
SELECT note FROM orders PREWHERE region != 'north'
SELECT * FROM orders ARRAY JOIN [1, 2] AS a
SELECT * FROM users GLOBAL ANY LEFT JOIN orders ON orders.user_id = users.id
SELECT groupArray(note) AS n FROM orders GROUP BY region WITH TOTALS
SELECT groupUniqArray(tuple(region, note)) AS n FROM orders
SELECT argMax(note, id) AS n FROM orders
SELECT anyLast(note), topK(5)(note), any(note) FROM orders
SELECT * EXCEPT (name) FROM users
SELECT * REPLACE (password AS name) FROM users
SELECT * APPLY(toString) FROM users
SELECT users.* APPLY(max) FROM users
SELECT tuple(users.*) FROM users
WITH (SELECT groupArray(note) FROM orders) AS n SELECT n
WITH note AS x SELECT x FROM orders
WITH orders AS (SELECT note FROM orders) SELECT note FROM orders
SELECT note FROM (SELECT note, region FROM orders) WHERE region != 'north'
SELECT note FROM orders WHERE id IN (SELECT id FROM orders WHERE region != 'north') OR 1
SELECT note FROM orders WHERE (id, note) NOT IN (SELECT id, note FROM orders)
SELECT note FROM orders ORDER BY id WITH FILL
SELECT max(note) OVER (PARTITION BY region) AS n FROM orders QUALIFY n LIKE 'HIDDEN%'
SELECT note FROM merge(currentDatabase(), 'orders')
SELECT note FROM view(SELECT * FROM orders)
SELECT arrayJoin(groupArray(note)) AS n FROM orders
SELECT sumIf(1, note LIKE 'HIDDEN%') AS c, groupArrayIf(note, region != 'north') AS n FROM orders
SELECT `password` FROM users
SELECT users.password AS p FROM users
SELECT note FROM default.orders AS o INNER JOIN default.orders AS p USING (id)
SELECT note FROM orders o ASOF JOIN users u ON o.user_id = u.id AND o.id >= u.id
SELECT formatRow('CSV', *) FROM users
SELECT formatRowNoNewline('JSONEachRow', password) FROM users
SELECT tupleElement(tuple(*), 'password') FROM users
SELECT note FROM loop(orders) LIMIT 5
SELECT note FROM merge('orders')
SELECT note FROM remote('localhost', currentDatabase(), 'orders')
SELECT note FROM orders FINAL SAMPLE 1
WITH (SELECT groupArray(note) FROM orders) AS notes SELECT notes
SELECT * FROM values('a String', 'x') AS v, orders
SELECT * FROM users PASTE JOIN (SELECT note FROM orders) AS n
SELECT toString(users.*) FROM users
