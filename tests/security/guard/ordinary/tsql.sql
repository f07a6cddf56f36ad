# ordinary analysis in SQL Server
SELECT TOP 10 c.name, SUM(o.total) AS revenue FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.name ORDER BY revenue DESC
SELECT TOP (5) WITH TIES id, total FROM orders ORDER BY total DESC
SELECT TOP 10 PERCENT id FROM orders ORDER BY total DESC
SELECT [id], [o].[total] FROM [dbo].[orders] AS [o] WHERE [o].[status] = N'paid'
SELECT DATEADD(month, DATEDIFF(month, 0, created_at), 0) AS m, COUNT(*) FROM orders GROUP BY DATEADD(month, DATEDIFF(month, 0, created_at), 0)
SELECT DATEPART(year, created_at), DATENAME(weekday, created_at), EOMONTH(created_at), YEAR(created_at), FORMAT(created_at, 'yyyy-MM'), CONVERT(VARCHAR(7), created_at, 120), DATETRUNC(month, created_at) FROM orders
SELECT id FROM orders ORDER BY id OFFSET 10 ROWS FETCH NEXT 5 ROWS ONLY
SELECT STRING_AGG(name, ', ') WITHIN GROUP (ORDER BY name) FROM customers
SELECT ISNULL(discount, 0), IIF(total > 1, 'a', 'b'), COALESCE(discount, 0), NULLIF(total, 0), CHOOSE(1, 'a', 'b'), TRY_CAST(status AS INT), TRY_CONVERT(INT, status) FROM orders
SELECT c.name, l.total FROM customers c CROSS APPLY (SELECT TOP 1 o.total FROM orders o WHERE o.customer_id = c.id ORDER BY o.total DESC) l
SELECT c.name, l.total FROM customers c OUTER APPLY (SELECT TOP 1 o.total FROM orders o WHERE o.customer_id = c.id) l
SELECT s.value FROM products p CROSS APPLY STRING_SPLIT(p.tags, ',') s
SELECT j.sku FROM orders o CROSS APPLY OPENJSON(o.payload) WITH (sku NVARCHAR(20) '$.sku', qty INT '$.qty') j
SELECT JSON_VALUE(payload, '$.a'), JSON_QUERY(payload, '$.b'), ISJSON(payload) FROM orders
SELECT * FROM (SELECT customer_id, status, total FROM orders) AS s PIVOT (SUM(total) FOR status IN ([paid], [void])) AS p
SELECT k, v FROM products UNPIVOT (v FOR k IN (price, id)) AS u
WITH t AS (SELECT id, manager_id, 0 AS lvl FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, e.manager_id, t.lvl + 1 FROM employees e JOIN t ON e.manager_id = t.id) SELECT * FROM t OPTION (MAXRECURSION 100)
WITH a AS (SELECT status, SUM(total) AS s FROM orders GROUP BY status), b AS (SELECT SUM(s) AS t FROM a) SELECT a.status, a.s / b.t FROM a CROSS JOIN b
SELECT region, city, COUNT(*) FROM customers GROUP BY ROLLUP (region, city)
SELECT region, city, COUNT(*) FROM customers GROUP BY GROUPING SETS ((region, city), ())
SELECT id, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY created_at DESC) AS rn, LAG(total) OVER (ORDER BY id), SUM(total) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) FROM orders
SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY total) OVER (PARTITION BY status), STDEV(total) OVER (), COUNT_BIG(*) OVER () FROM orders
SELECT LEN(name), CHARINDEX('@', email), SUBSTRING(email, 1, 3), LEFT(name, 1), REPLACE(name, 'a', 'b'), STUFF(name, 1, 1, 'x'), PATINDEX('%a%', name), CONCAT(name, email), QUOTENAME(name), LTRIM(RTRIM(name)), UPPER(name) FROM customers
SELECT id FROM orders EXCEPT SELECT order_id FROM order_items
SELECT id FROM orders UNION ALL SELECT id FROM customers
SELECT id FROM orders UNION SELECT id FROM customers ORDER BY id
SELECT o.id FROM orders o WITH (NOLOCK) WHERE o.total > 1
SELECT c.name FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id) AND c.email LIKE '%@[a-z]%' AND c.name IS NOT NULL
SELECT dbo.orders.id FROM dbo.orders
SELECT v.a, v.b FROM (VALUES (1, 'a'), (2, 'b')) AS v(a, b)
SELECT GETDATE(), SYSDATETIME(), CAST(GETDATE() AS DATE), DATEFROMPARTS(2024, 1, 1), DATEDIFF(day, created_at, ship_date), created_at AT TIME ZONE 'UTC' FROM orders
SELECT value FROM GENERATE_SERIES(1, 10)
SELECT [编号], SUM([金额]) FROM [订单] GROUP BY [编号]
SELECT ABS(total), CEILING(total), POWER(total, 2), ROUND(total, 2), SQUARE(total), SIGN(total), total % 3 FROM orders
SELECT CASE WHEN total > 1 THEN 'a' ELSE 'b' END AS k, COUNT(DISTINCT customer_id) FROM orders GROUP BY CASE WHEN total > 1 THEN 'a' ELSE 'b' END HAVING COUNT(*) > 1
SELECT c.id, (SELECT MAX(o.total) FROM orders o WHERE o.customer_id = c.id) AS m FROM customers c
SELECT APPROX_COUNT_DISTINCT(id), CHECKSUM_AGG(id), HASHBYTES('SHA2_256', status), NEWID() FROM orders GROUP BY status
SELECT a.name AS emp, b.name AS boss FROM employees AS a LEFT OUTER JOIN employees AS b ON a.manager_id = b.id
SELECT c.id, STUFF((SELECT ',' + o.status FROM orders o WHERE o.customer_id = c.id FOR XML PATH('')), 1, 1, '') AS statuses FROM customers c
SELECT o.id FROM orders o WITH (INDEX(ix_total), NOLOCK) OPTION (RECOMPILE)
SELECT id, status FROM orders FOR JSON PATH
SELECT TOP (10) [c].[name] AS [Customer Name], COUNT_BIG(*) AS n FROM [dbo].[customers] [c] INNER JOIN [dbo].[orders] AS [o] ON [o].[customer_id] = [c].[id] GROUP BY [c].[name] ORDER BY n DESC
SELECT name = c.name, total_orders = COUNT(*) FROM customers c GROUP BY c.name
SELECT YEAR(created_at) AS y, MONTH(created_at) AS m, SUM(total) AS s FROM orders GROUP BY YEAR(created_at), MONTH(created_at) ORDER BY y, m
SELECT * FROM orders WHERE created_at >= DATEADD(DAY, -7, CAST(GETDATE() AS DATE)) AND created_at < GETDATE()
SELECT DATEDIFF(HOUR, created_at, ship_date), DATENAME(MONTH, created_at), DATEPART(WEEKDAY, created_at), DATEPART(ISO_WEEK, created_at), DATEADD(YEAR, 1, created_at), ISDATE(status), SYSUTCDATETIME(), SWITCHOFFSET(created_at, '+08:00'), TODATETIMEOFFSET(created_at, '+00:00'), EOMONTH(GETDATE(), -1) FROM orders
SELECT CONVERT(DATE, created_at), CONVERT(DECIMAL(10,2), total), CAST(total AS NVARCHAR(20)), TRY_PARSE('1' AS INT), STR(total, 10, 2), FORMAT(total, 'N2'), PARSE('1' AS INT) FROM orders
SELECT name + ' ' + city, CONCAT_WS(',', name, city), TRIM(name), TRANSLATE(name, 'a', 'b'), REVERSE(name), SPACE(2), REPLICATE('x', 3), UNICODE('a'), NCHAR(65), ASCII('a'), DATALENGTH_X FROM (SELECT *, 1 AS DATALENGTH_X FROM customers) t
SELECT id, SUM(total) OVER (PARTITION BY customer_id ORDER BY created_at ROWS UNBOUNDED PRECEDING) AS running, FIRST_VALUE(total) OVER (ORDER BY id), CUME_DIST() OVER (ORDER BY total) FROM orders
WITH cte AS (SELECT *, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY created_at DESC) AS rn FROM orders) SELECT id, total FROM cte WHERE rn = 1
WITH n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 31) SELECT DATEADD(DAY, i - 1, '2024-01-01') AS d FROM n
SELECT o.id, x.cnt FROM orders o OUTER APPLY (SELECT COUNT(*) AS cnt FROM order_items i WHERE i.order_id = o.id) x
SELECT p.customer_id, p.[paid], p.[void] FROM (SELECT customer_id, status, total FROM orders) s PIVOT (SUM(total) FOR status IN ([paid], [void])) p ORDER BY p.customer_id
SELECT j.[key], j.value, j.type FROM orders o CROSS APPLY OPENJSON(o.payload, '$.items') j
SELECT CASE WHEN total >= 100 THEN 'big' ELSE 'small' END AS size, AVG(CAST(total AS FLOAT)) FROM orders GROUP BY CASE WHEN total >= 100 THEN 'big' ELSE 'small' END
SELECT COUNT(DISTINCT customer_id), STDEV(total), VARP(total), MAX(total), MIN(total), GROUPING(status) FROM orders GROUP BY CUBE(status)
SELECT a.id FROM orders a FULL OUTER JOIN customers b ON a.customer_id = b.id WHERE a.id IS NULL
SELECT id FROM orders WHERE status LIKE N'%支付%' OR status IN (N'a', N'b') OR total BETWEEN 1 AND 2 OR NOT EXISTS (SELECT 1 FROM customers)
SELECT PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY total) OVER (PARTITION BY status) AS med FROM orders
SELECT STRING_AGG(CAST(name AS NVARCHAR(MAX)), ',') FROM customers
SELECT ROUND(total, 2), FLOOR(total), LOG(total), SQRT(4), PI(), RAND(), total / NULLIF(discount, 0), 7 % 3, 1.0 * 3 / 2, -1 FROM orders
SELECT * FROM orders ORDER BY (SELECT NULL) OFFSET 0 ROWS FETCH NEXT 10 ROWS ONLY
SELECT DATEFROMPARTS(YEAR(created_at), MONTH(created_at), 1) AS m, COUNT(*) c FROM orders GROUP BY DATEFROMPARTS(YEAR(created_at), MONTH(created_at), 1) HAVING COUNT(*) > 1
SELECT x.n.value('.', 'int') FROM customers c CROSS APPLY (SELECT CAST('<a>1</a>' AS XML) AS n) x
SELECT DATE_BUCKET(WEEK, 1, created_at), DATETRUNC(WEEK, created_at), GREATEST(1, 2), LEAST(1, 2), IIF(1 = 1, 1, 0), ISNUMERIC('1'), APPROX_COUNT_DISTINCT(id) FROM orders GROUP BY created_at
SELECT LAG(total, 1, 0) OVER (ORDER BY id) AS prev, total - LAG(total) OVER (ORDER BY id) AS diff FROM orders WINDOW w AS (ORDER BY id)
# written after the lists, and counted when they first ran (docs/guard.md)
SELECT TOP (10) c.name, SUM(o.total) AS revenue FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.name ORDER BY revenue DESC
SELECT TOP 5 WITH TIES id, total FROM orders ORDER BY total DESC
SELECT DATEFROMPARTS(YEAR(created_at), MONTH(created_at), 1) AS m, COUNT(*) FROM dbo.orders GROUP BY DATEFROMPARTS(YEAR(created_at), MONTH(created_at), 1)
SELECT DATEADD(month, DATEDIFF(month, 0, created_at), 0) AS m, SUM(total) FROM orders GROUP BY DATEADD(month, DATEDIFF(month, 0, created_at), 0)
SELECT DATETRUNC(week, created_at), DATENAME(weekday, created_at), DATEPART(iso_week, created_at), EOMONTH(created_at), EOMONTH(GETDATE(), -1), FORMAT(created_at, 'yyyy-MM'), CONVERT(varchar(10), created_at, 120), CAST(created_at AS date), GETUTCDATE(), SYSDATETIME(), SYSDATETIMEOFFSET(), DATEDIFF(day, created_at, ship_date), DATEDIFF_BIG(second, created_at, ship_date), DATE_BUCKET(week, 2, created_at), ISDATE('2024-01-01'), TRY_CONVERT(date, '2024-13-01'), DATETIME2FROMPARTS(2024, 1, 1, 0, 0, 0, 0, 0), SWITCHOFFSET(SYSDATETIMEOFFSET(), '+08:00'), created_at AT TIME ZONE 'UTC' AT TIME ZONE 'China Standard Time' FROM orders
SELECT ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY created_at) rn, SUM(total) OVER (PARTITION BY customer_id ORDER BY created_at ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) s, LAG(total, 1, 0) OVER (ORDER BY id), FIRST_VALUE(total) OVER (ORDER BY id), LAST_VALUE(total) IGNORE NULLS OVER (ORDER BY id), PERCENT_RANK() OVER (ORDER BY total), CUME_DIST() OVER (ORDER BY total), NTILE(4) OVER (ORDER BY total) FROM orders
SELECT DISTINCT department, PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY salary) OVER (PARTITION BY department) FROM employees
SELECT APPROX_COUNT_DISTINCT(customer_id), STDEV(total), STDEVP(total), VAR(total), VARP(total), COUNT_BIG(*), CHECKSUM_AGG(id), MIN(total), AVG(CAST(total AS float)) FROM orders
SELECT STRING_AGG(name, ', ') WITHIN GROUP (ORDER BY name) FROM products GROUP BY category
SELECT STUFF((SELECT ',' + p.name FROM products p WHERE p.category = q.category ORDER BY p.name FOR XML PATH('')), 1, 1, '') FROM products q GROUP BY q.category
SELECT STUFF((SELECT ',' + p.name FROM products p FOR XML PATH(''), TYPE).value('.', 'nvarchar(max)'), 1, 1, '')
SELECT * FROM (SELECT customer_id, status, total FROM orders) s PIVOT (SUM(total) FOR status IN ([paid], [void], [new])) p
SELECT id, measure, amount FROM (SELECT id, total, discount FROM orders) s UNPIVOT (amount FOR measure IN (total, discount)) u
SELECT c.name, x.total FROM customers c CROSS APPLY (SELECT TOP 3 o.total FROM orders o WHERE o.customer_id = c.id ORDER BY o.total DESC) x
SELECT c.name, x.total FROM customers c OUTER APPLY (SELECT MAX(total) AS total FROM orders o WHERE o.customer_id = c.id) x
SELECT c.id, s.value FROM customers c CROSS APPLY STRING_SPLIT(c.email, '@') s
SELECT s.value, s.ordinal FROM STRING_SPLIT('a,b,c', ',', 1) s
SELECT o.id, j.sku, j.qty FROM orders o CROSS APPLY OPENJSON(o.items) WITH (sku nvarchar(20) '$.sku', qty int '$.qty') j
SELECT [key], value, type FROM OPENJSON('{"a":1}')
SELECT JSON_VALUE(payload, '$.a.b'), JSON_QUERY(payload, '$.items'), ISJSON(payload), JSON_MODIFY(payload, '$.c', 'y'), JSON_PATH_EXISTS(payload, '$.a'), JSON_OBJECT('a': 1), JSON_ARRAY(1, 2) FROM orders
SELECT id, name FROM customers FOR JSON PATH
SELECT id, name FROM customers FOR JSON AUTO, ROOT('x')
WITH cte AS (SELECT id, name, manager_id, 0 AS lvl FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, e.name, e.manager_id, c.lvl + 1 FROM employees e INNER JOIN cte c ON e.manager_id = c.id) SELECT * FROM cte OPTION (MAXRECURSION 50)
WITH n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 31) SELECT DATEADD(day, i - 1, '20240101') FROM n
SELECT value FROM GENERATE_SERIES(1, 12)
SELECT id, total FROM orders ORDER BY created_at OFFSET 10 ROWS FETCH NEXT 5 ROWS ONLY
SELECT region, city, COUNT(*), GROUPING(region), GROUPING_ID(region, city) FROM customers GROUP BY ROLLUP (region, city)
SELECT region, city, COUNT(*) FROM customers GROUP BY CUBE (region, city)
SELECT region, city, COUNT(*) FROM customers GROUP BY GROUPING SETS ((region), (city), ())
SELECT region, city, COUNT(*) FROM customers GROUP BY region, city WITH ROLLUP
SELECT IIF(total > 50, 'big', 'small'), CHOOSE(2, 'a', 'b'), ISNULL(discount, 0), COALESCE(discount, 0), NULLIF(total, 0), CASE WHEN total > 5 THEN 1 ELSE 0 END, TRY_CAST(status AS int), CONVERT(decimal(10, 2), total), PARSE('2024-01-01' AS date), TRY_PARSE('1' AS int), CAST(id AS nvarchar(20)), GREATEST(total, 5), LEAST(total, 5) FROM orders
SELECT LEN(name), DATALENGTH(name), LEFT(name, 2), RIGHT(name, 2), SUBSTRING(name, 1, 3), CHARINDEX('@', email), PATINDEX('%[0-9]%', name), REPLACE(name, 'a', 'b'), REPLICATE('a', 3), REVERSE(name), UPPER(name), LTRIM(RTRIM(name)), TRIM(name), CONCAT(name, '-', city), CONCAT_WS('-', name, city), name + ' ' + city, QUOTENAME(name), STR(id, 5), SPACE(2), UNICODE(name), NCHAR(65), ASCII(name), SOUNDEX(name), DIFFERENCE(name, city), TRANSLATE(name, 'a', 'b'), FORMAT(id, '00000'), HASHBYTES('SHA2_256', name), CHECKSUM(name), NEWID(), STRING_ESCAPE(name, 'json') FROM customers
SELECT ROUND(total, 2), FLOOR(total), CEILING(total), ABS(-1), POWER(2, 3), SQRT(4), SQUARE(2), EXP(1), LOG(2), LOG10(100), PI(), SIGN(-1), id % 2, RAND(), DEGREES(1), ATN2(1, 2), id & 1, id | 2, id ^ 3, ~id FROM orders
SELECT * FROM orders WITH (NOLOCK) WHERE status = N'paid'
SELECT o.id FROM orders o WITH (INDEX(ix_orders), NOLOCK) INNER HASH JOIN customers c ON c.id = o.customer_id
SELECT name FROM customers WHERE name LIKE '[a-c]%' OR name LIKE '%[^0-9]' OR name LIKE '%!_%' ESCAPE '!'
SELECT name FROM customers WHERE name COLLATE Latin1_General_CS_AS = 'Name1'
SELECT id FROM orders EXCEPT SELECT id FROM customers
SELECT id FROM orders INTERSECT SELECT id FROM customers
SELECT id FROM orders UNION ALL SELECT id FROM customers ORDER BY id
SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS v(n, s)
SELECT [id], [total] FROM [dbo].[order] WHERE [total] > 3
SELECT [编号], [金额] FROM [订单]
SELECT c.name FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id) AND c.id NOT IN (SELECT customer_id FROM orders WHERE status = 'void' AND customer_id IS NOT NULL)
SELECT id FROM products WHERE price > ALL (SELECT price FROM products WHERE category = 'c1') OR price = SOME (SELECT MAX(price) FROM products)
SELECT total AS [Order Total], 'Total' = total, total "Tot" FROM orders
SELECT o.id FROM orders AS o TABLESAMPLE (10 PERCENT)
SELECT COUNT(*) FROM orders WHERE created_at >= DATEADD(day, -30, CAST(GETDATE() AS date)) AND created_at < CAST(GETDATE() AS date)
SELECT SUM(CASE WHEN status = 'paid' THEN total ELSE 0 END) * 100.0 / SUM(total) AS pct FROM orders HAVING SUM(total) > 0
SELECT id, total, AVG(total) OVER w FROM orders WINDOW w AS (PARTITION BY customer_id ORDER BY id)
SELECT JSON_VALUE(o.payload, 'lax $.c') AS c FROM orders o WHERE JSON_VALUE(o.payload, '$.c') = 'x'
SELECT x.n.value('(a)[1]', 'int') FROM (SELECT CAST('<r><a>1</a></r>' AS xml) AS d) t CROSS APPLY t.d.nodes('/r') AS x(n)
SELECT CAST('<r><a>1</a></r>' AS xml).query('/r/a')
SELECT MAX(total) FROM orders OPTION (RECOMPILE, MAXDOP 1)
SELECT * FROM orders WHERE status IS DISTINCT FROM 'paid'
SELECT e.name, m.name FROM employees e LEFT JOIN employees m ON m.id = e.manager_id
SELECT DATEDIFF(year, hired, GETDATE()) AS years, COUNT(*) FROM employees GROUP BY DATEDIFF(year, hired, GETDATE())
SELECT DATEPART(hour, created_at) h, DATEPART(dw, created_at) d, COUNT(*) n FROM orders GROUP BY DATEPART(hour, created_at), DATEPART(dw, created_at)
SELECT DATEPART(QUARTER, created_at), DATENAME(MONTH, created_at), DAY(created_at) FROM orders
SELECT * FROM orders FOR SYSTEM_TIME AS OF '2024-01-01'
SELECT CONVERT(VARCHAR(7), created_at, 126) ym, SUM(total) OVER () FROM orders
SELECT a.id, b.id FROM orders a CROSS JOIN orders b WHERE a.id < b.id
SELECT id, CAST(total AS money), CAST(total AS numeric(18, 4)), total / NULLIF(discount, 0) FROM orders
SELECT * FROM orders FOR SYSTEM_TIME AS OF '2020-01-01'
SELECT FORMAT(o.created_at, 'yyyy-MM') AS ym, COUNT(DISTINCT o.customer_id) AS buyers, CAST(SUM(o.total) / NULLIF(COUNT(*), 0) AS decimal(10, 2)) AS aov FROM dbo.orders AS o WHERE o.created_at >= DATEADD(year, -1, GETDATE()) GROUP BY FORMAT(o.created_at, 'yyyy-MM') ORDER BY ym
;WITH t AS (SELECT *, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY created_at DESC) AS rn FROM orders) SELECT * FROM t WHERE rn = 1
SELECT c.name, ISNULL(SUM(o.total), 0) AS s FROM customers AS c LEFT OUTER JOIN orders AS o ON o.customer_id = c.id GROUP BY c.name HAVING COUNT(o.id) > 1 ORDER BY s DESC
SELECT TOP (5) p.category, SUM(oi.quantity * oi.unit_price) AS rev, RANK() OVER (ORDER BY SUM(oi.quantity * oi.unit_price) DESC) AS r FROM order_items oi INNER JOIN products p ON p.id = oi.product_id GROUP BY p.category ORDER BY rev DESC
SELECT CASE WHEN total < 10 THEN 'low' WHEN total BETWEEN 10 AND 50 THEN 'mid' ELSE 'high' END AS band, COUNT(*) AS n FROM orders GROUP BY CASE WHEN total < 10 THEN 'low' WHEN total BETWEEN 10 AND 50 THEN 'mid' ELSE 'high' END
SELECT CONVERT(date, created_at) AS d, SUM(total) AS s, SUM(SUM(total)) OVER (ORDER BY CONVERT(date, created_at) ROWS UNBOUNDED PRECEDING) AS cum FROM orders GROUP BY CONVERT(date, created_at)
SELECT o.id, LAG(o.total) OVER (PARTITION BY o.customer_id ORDER BY o.created_at) AS prev, o.total - LAG(o.total) OVER (PARTITION BY o.customer_id ORDER BY o.created_at) AS diff FROM orders o
SELECT YEAR(created_at) AS y, MONTH(created_at) AS m, COUNT(*) AS n FROM orders GROUP BY YEAR(created_at), MONTH(created_at) ORDER BY y, m
SELECT * FROM orders WHERE created_at >= '20240101' AND created_at < '20240201' AND status IN (N'paid', N'new') AND discount IS NULL
SELECT o.id, i.[key], JSON_VALUE(i.value, '$.sku') AS sku FROM orders o CROSS APPLY OPENJSON(o.items) AS i
SELECT j.* FROM OPENJSON('[{"a":1,"b":"x"}]') WITH (a int, b nvarchar(10)) AS j
SELECT STRING_AGG(CAST(name AS nvarchar(max)), N', ') FROM products
SELECT DATEDIFF(day, MIN(created_at), MAX(created_at)) AS span, DATEADD(week, DATEDIFF(week, 0, MAX(created_at)), 0) AS wk FROM orders
SELECT id FROM orders WHERE customer_id = ANY (SELECT id FROM customers WHERE region = 'r1') AND NOT EXISTS (SELECT * FROM order_items WHERE order_id = orders.id)
SELECT * FROM (SELECT department, salary FROM employees) AS s PIVOT (AVG(salary) FOR department IN ([d0], [d1])) AS p
SELECT CONCAT(LEFT(name, 1), REPLICATE('*', LEN(name) - 1)), UPPER(SUBSTRING(name, 1, 1)) + LOWER(SUBSTRING(name, 2, LEN(name))), SUBSTRING(email, CHARINDEX('@', email) + 1, LEN(email)) FROM customers
SELECT e.name, m.name AS boss FROM employees AS e LEFT JOIN employees AS m ON e.manager_id = m.id ORDER BY e.salary DESC OFFSET 0 ROWS FETCH NEXT 10 ROWS ONLY
WITH d AS (SELECT CAST('2024-01-01' AS date) AS d UNION ALL SELECT DATEADD(day, 1, d) FROM d WHERE d < '2024-01-31') SELECT d.d, COUNT(o.id) FROM d LEFT JOIN orders o ON CAST(o.created_at AS date) = d.d GROUP BY d.d OPTION (MAXRECURSION 0)
SELECT DISTINCT PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY total) OVER () AS med FROM orders
SELECT o.id AS 'order id', o.total AS [total amount] FROM orders AS o ORDER BY [total amount] DESC
SELECT CAST(total AS int), CAST(id AS varchar(10)) + '-x', TRY_CAST('x' AS float), CONVERT(char(8), created_at, 112), CONVERT(nvarchar(30), created_at, 126) FROM orders
SELECT SUM(IIF(status = 'paid', 1, 0)) * 1.0 / COUNT(*) AS rate, MAX(CASE WHEN status = 'void' THEN total END) AS mv FROM orders
SELECT v.x FROM (VALUES (1), (2), (3)) AS v(x) CROSS JOIN (SELECT 1 AS y) AS w
SELECT id, name FROM customers WHERE name LIKE N'%北%' OR name LIKE 'n[0-9]%' OR CONTAINS(name, 'x')
SELECT COUNT_BIG(*), COUNT(DISTINCT status), AVG(total * 1.0), STDEV(total), SUM(total) OVER () FROM orders GROUP BY total
SELECT id, total FROM order WHERE total > 1 ORDER BY order.total
SELECT COUNT(*) FROM orders JOIN order ON order.id = orders.id
# a third round, of an analyst's own work
SELECT TOP (10) c.name, SUM(o.total) AS revenue FROM dbo.customers AS c INNER JOIN dbo.orders AS o ON o.customer_id = c.id WHERE o.created_at >= DATEADD(month, -3, GETDATE()) GROUP BY c.name ORDER BY revenue DESC
SELECT FORMAT(created_at, 'yyyy-MM') AS ym, COUNT_BIG(*) FROM orders WITH (NOLOCK) GROUP BY FORMAT(created_at, 'yyyy-MM')
SELECT [name], [salary], LAG([salary]) OVER (ORDER BY [hired]) AS prev FROM [dbo].[employees] ORDER BY [hired] OFFSET 10 ROWS FETCH NEXT 20 ROWS ONLY
SELECT * FROM (SELECT status, YEAR(created_at) AS y, total FROM orders) AS s PIVOT (SUM(total) FOR y IN ([2023], [2024])) AS p
SELECT c.name, x.total FROM customers c OUTER APPLY (SELECT TOP 1 total FROM orders o WHERE o.customer_id = c.id ORDER BY created_at DESC) x
SELECT o.id, j.sku, j.qty FROM orders o CROSS APPLY OPENJSON(o.items) WITH (sku NVARCHAR(20) '$.sku', qty INT '$.qty') AS j
SELECT STRING_AGG(CAST(name AS NVARCHAR(MAX)), N'、') WITHIN GROUP (ORDER BY name) FROM products
SELECT DATEDIFF(day, created_at, ship_date) AS d, IIF(total > 100, 1, 0), CHOOSE(2, 'a', 'b'), TRY_CAST(total AS INT) FROM orders
WITH t AS (SELECT id, manager_id, 0 AS lvl FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, e.manager_id, t.lvl + 1 FROM employees e JOIN t ON e.manager_id = t.id) SELECT lvl, COUNT(*) FROM t GROUP BY lvl OPTION (MAXRECURSION 50)
SELECT region, segment, COUNT(*), GROUPING_ID(region, segment) FROM customers GROUP BY CUBE (region, segment)
SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY salary) OVER (PARTITION BY department) FROM employees
SELECT value FROM STRING_SPLIT('a,b,c', ',')
SELECT CONVERT(VARCHAR(10), created_at, 120) AS d, EOMONTH(created_at), DATEFROMPARTS(2024, 1, 1) FROM orders
SELECT id, total AS [total amount], 'x' + name FROM [order] CROSS JOIN (VALUES ('a'), ('b')) AS v(name)
SELECT JSON_VALUE(payload, '$.city') AS city, COUNT(*) FROM orders WHERE ISJSON(payload) = 1 GROUP BY JSON_VALUE(payload, '$.city')
SELECT id FROM orders WHERE total > ALL (SELECT AVG(total) FROM orders GROUP BY status) EXCEPT SELECT id FROM [order]
SELECT DATETRUNC(month, created_at) AS m, SUM(total) OVER (ORDER BY created_at ROWS 6 PRECEDING) FROM orders FOR JSON PATH
SELECT d FROM (SELECT CAST('2024-01-01' AS DATE) AS d) AS t OPTION (MAXRECURSION 0)
SELECT id FROM orders OPTION (MAXRECURSION 0)
# sizes, samples and recursions
WITH c AS (SELECT id, 0 AS lvl FROM employees WHERE manager_id IS NULL UNION ALL SELECT x.id, c.lvl + 1 FROM c CROSS APPLY (SELECT e.id FROM employees e WHERE e.manager_id = c.id) AS x) SELECT lvl, COUNT(*) AS n FROM c GROUP BY lvl
WITH d AS (SELECT CAST('2024-01-01' AS DATE) AS d UNION ALL SELECT DATEADD(day, 1, d) FROM d WHERE d < '2024-12-31') SELECT d.d, COUNT(o.id) AS n FROM d LEFT JOIN orders o ON CAST(o.created_at AS DATE) = d.d GROUP BY d.d OPTION (MAXRECURSION 366)
SELECT TOP 5 PERCENT id, total FROM orders TABLESAMPLE (10 PERCENT) ORDER BY total DESC
SELECT c.name, REPLICATE('*', COUNT(*)) AS bar FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.name
# a fourth round, written before the lists were read again
WITH t AS (SELECT id, name, 0 AS lvl, CAST(name AS nvarchar(max)) AS path FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, e.name, t.lvl + 1, t.path + N'/' + e.name FROM employees e JOIN t ON e.manager_id = t.id) SELECT * FROM t ORDER BY path OPTION (MAXRECURSION 50)
SELECT TOP (10) WITH TIES c.name, SUM(o.total) AS s FROM dbo.customers AS c JOIN dbo.orders AS o ON o.customer_id = c.id GROUP BY c.name ORDER BY s DESC
SELECT c.name, x.total FROM customers c CROSS APPLY (SELECT TOP 1 o.total FROM orders o WHERE o.customer_id = c.id ORDER BY o.created_at DESC) x
SELECT [status], [1] AS jan, [2] AS feb FROM (SELECT status, MONTH(created_at) AS m, total FROM orders) s PIVOT (SUM(total) FOR m IN ([1], [2])) AS p
SELECT id, kind, amount FROM (SELECT id, total, discount FROM orders) p UNPIVOT (amount FOR kind IN (total, discount)) AS u
SELECT FORMAT(created_at, 'yyyy-MM') AS m, DATEDIFF(day, created_at, ship_date), DATEADD(month, DATEDIFF(month, 0, created_at), 0), EOMONTH(created_at), DATEPART(iso_week, created_at), DATENAME(weekday, created_at), TRY_CONVERT(int, status), CONVERT(varchar(10), created_at, 120), created_at AT TIME ZONE 'UTC' AT TIME ZONE 'China Standard Time' FROM orders
SELECT DISTINCT status, PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY total) OVER (PARTITION BY status) AS med, COUNT_BIG(*) OVER () AS n FROM orders
SELECT STRING_AGG(CAST(name AS nvarchar(max)), N'、') WITHIN GROUP (ORDER BY name), ISNULL(city, N'无'), IIF(region = 'r0', 1, 0) AS f, CHOOSE(1, 'a', 'b') FROM customers GROUP BY city, region
SELECT o.id, j.sku, j.qty, JSON_VALUE(o.payload, '$.c') FROM orders o CROSS APPLY OPENJSON(o.payload, '$.items') WITH (sku nvarchar(20) '$.sku', qty int '$.qty') j WHERE ISJSON(o.payload) = 1
SELECT region, segment, GROUPING_ID(region, segment) g, COUNT(*) n FROM customers GROUP BY GROUPING SETS ((region, segment), (region), ()) ORDER BY g OFFSET 0 ROWS FETCH NEXT 20 ROWS ONLY
SELECT value, COUNT(*) FROM products CROSS APPLY STRING_SPLIT(tags, ',') GROUP BY value
SELECT CHARINDEX('@', email), STUFF(email, 1, 1, '*'), PATINDEX('%[0-9]%', name), QUOTENAME(name), LEFT(name, 2) + REPLICATE('-', 3), CONCAT_WS(', ', city, region), TRIM(name) FROM customers WITH (NOLOCK) WHERE name LIKE '[a-n]%'
SELECT id, SUM(total) OVER (ORDER BY created_at ROWS UNBOUNDED PRECEDING) AS r, LAG(total, 1, 0) OVER (PARTITION BY customer_id ORDER BY id) AS b FROM orders WHERE created_at >= DATEFROMPARTS(2024, 1, 1) AND created_at < SYSDATETIME()
SELECT payload.value('(/a)[1]', 'int') FROM orders
SELECT TOP (10) WITH TIES o.id, j.[value] FROM orders o CROSS APPLY OPENJSON(o.items) j ORDER BY o.total DESC
SELECT c.name, t.total FROM customers c OUTER APPLY (SELECT TOP 1 total FROM orders o WHERE o.customer_id = c.id ORDER BY created_at DESC) t
SELECT FORMAT(created_at, 'yyyy-MM') AS m, STRING_AGG(status, ', ') WITHIN GROUP (ORDER BY status) FROM orders GROUP BY FORMAT(created_at, 'yyyy-MM')
# a fifth round, written before the lists were read; then rows of constants and recursions
SELECT TOP 5 WITH TIES c.name, SUM(o.total) AS t FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.name ORDER BY t DESC
SELECT DATEFROMPARTS(YEAR(created_at), MONTH(created_at), 1) AS m, SUM(total) FROM orders GROUP BY DATEFROMPARTS(YEAR(created_at), MONTH(created_at), 1)
SELECT FORMAT(created_at, 'yyyy-MM'), DATEDIFF(DAY, created_at, ship_date), DATEADD(MONTH, -3, GETDATE()), EOMONTH(created_at), DATENAME(WEEKDAY, created_at) FROM orders
SELECT c.name, x.total FROM customers c OUTER APPLY (SELECT TOP 1 o.total FROM orders o WHERE o.customer_id = c.id ORDER BY o.total DESC) x
SELECT * FROM (SELECT customer_id, status, total FROM orders) s PIVOT (SUM(total) FOR status IN ([paid], [void])) p
SELECT TRY_CAST(REPLACE(REPLACE('$1,200.00', '$', ''), ',', '') AS DECIMAL(10, 2)), TRY_CONVERT(INT, 'x'), CAST('$1,200.00' AS MONEY), ISNULL(discount, 0) FROM orders
SELECT JSON_VALUE(payload, '$.a.b'), j.sku FROM orders CROSS APPLY OPENJSON(items) WITH (sku NVARCHAR(20) '$.sku', qty INT '$.qty') j
SELECT STRING_AGG(name, ', ') WITHIN GROUP (ORDER BY name), IIF(COUNT(*) > 1, 'many', 'one') FROM customers GROUP BY city
SELECT DISTINCT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY total) OVER (PARTITION BY customer_id) FROM orders
SELECT id, total FROM orders ORDER BY id OFFSET 10 ROWS FETCH NEXT 5 ROWS ONLY
WITH n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 100) SELECT i FROM n OPTION (MAXRECURSION 100)
SELECT city, segment, COUNT_BIG(*), GROUPING(city) FROM customers GROUP BY GROUPING SETS ((city, segment), ())
SELECT name, value FROM customers CROSS APPLY STRING_SPLIT(name, 'e')
SELECT [id], [total] FROM [order] WHERE total LIKE '[0-9]%' AND PATINDEX('%[0-9]%', CAST(id AS VARCHAR(10))) > 0
SELECT name, STUFF((SELECT ',' + c2.name FROM customers c2 WHERE c2.city = c.city FOR XML PATH('')), 1, 1, '') FROM customers c
SELECT LAG(total) OVER (PARTITION BY customer_id ORDER BY created_at), SUM(total) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING), CHOOSE(1, 'a', 'b') FROM orders
SELECT * FROM orders WITH (NOLOCK) WHERE created_at >= '20240101' AND status IN (N'paid', N'void')
SELECT CONVERT(VARCHAR(10), created_at, 120), DATEPART(QUARTER, created_at), CHARINDEX('a', status), LEFT(status, 2), DATETRUNC(MONTH, created_at) FROM orders
# a sixth round
SELECT DATEPART(ISO_WEEK, created_at) AS w, SUM(total) FROM orders GROUP BY DATEPART(ISO_WEEK, created_at)
SELECT CONCAT_WS(', ', name, city), TRIM(name), REVERSE(name), LEN(name), NULLIF(city, '') FROM customers
WITH t AS (SELECT id, 0 AS d FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, t.d + 1 FROM employees e INNER JOIN t ON e.manager_id = t.id) SELECT * FROM t
SELECT v.l, COUNT(*) FROM orders o JOIN (VALUES ('a', 0, 50), ('b', 50, 100)) v(l, lo, hi) ON o.total >= v.lo AND o.total < v.hi GROUP BY v.l
SELECT id, total, CASE WHEN total > AVG(total) OVER () THEN 1 ELSE 0 END FROM orders
