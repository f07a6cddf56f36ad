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
