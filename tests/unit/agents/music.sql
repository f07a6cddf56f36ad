-- A record shop: people are called by two halves of a name, and who looks after a customer is an employee.
CREATE TABLE Employee (
  EmployeeId INTEGER PRIMARY KEY, LastName TEXT NOT NULL, FirstName TEXT NOT NULL, Title TEXT,
  ReportsTo INTEGER REFERENCES Employee (EmployeeId), HireDate DATETIME, City TEXT, Email TEXT);
CREATE TABLE Customer (
  CustomerId INTEGER PRIMARY KEY, FirstName TEXT NOT NULL, LastName TEXT NOT NULL, Company TEXT, City TEXT, Country TEXT,
  Email TEXT NOT NULL, SupportRepId INTEGER REFERENCES Employee (EmployeeId));
CREATE TABLE Artist (ArtistId INTEGER PRIMARY KEY, Name TEXT);
CREATE TABLE Album (AlbumId INTEGER PRIMARY KEY, Title TEXT NOT NULL, ArtistId INTEGER NOT NULL REFERENCES Artist (ArtistId));
CREATE TABLE Genre (GenreId INTEGER PRIMARY KEY, Name TEXT);
CREATE TABLE Track (
  TrackId INTEGER PRIMARY KEY, Name TEXT NOT NULL, AlbumId INTEGER REFERENCES Album (AlbumId),
  GenreId INTEGER REFERENCES Genre (GenreId), Composer TEXT, Milliseconds INTEGER NOT NULL, UnitPrice NUMERIC NOT NULL);
CREATE TABLE Invoice (
  InvoiceId INTEGER PRIMARY KEY, CustomerId INTEGER NOT NULL REFERENCES Customer (CustomerId), InvoiceDate DATETIME NOT NULL,
  BillingCity TEXT, BillingCountry TEXT, Total NUMERIC NOT NULL);
CREATE TABLE InvoiceLine (
  InvoiceLineId INTEGER PRIMARY KEY, InvoiceId INTEGER NOT NULL REFERENCES Invoice (InvoiceId),
  TrackId INTEGER NOT NULL REFERENCES Track (TrackId), UnitPrice NUMERIC NOT NULL, Quantity INTEGER NOT NULL);
INSERT INTO Employee VALUES
  (1, 'Adams', 'Andrew', 'General Manager', NULL, '2019-08-14', 'Edmonton', 'andrew@shop.example'),
  (2, 'Edwards', 'Nancy', 'Sales Manager', 1, '2019-05-01', 'Calgary', 'nancy@shop.example'),
  (3, 'Peacock', 'Jane', 'Sales Support Agent', 2, '2019-04-01', 'Calgary', 'jane@shop.example'),
  (4, 'Park', 'Margaret', 'Sales Support Agent', 2, '2020-05-03', 'Calgary', 'margaret@shop.example'),
  (5, 'Johnson', 'Steve', 'Sales Support Agent', 2, '2020-10-17', 'Calgary', 'steve@shop.example');
INSERT INTO Customer VALUES
  (1, 'Luis', 'Silva', 'Embraer', 'Sao Paulo', 'Brazil', 'luis@mail.example', 3),
  (2, 'Leonie', 'Kohler', NULL, 'Stuttgart', 'Germany', 'leonie@mail.example', 5),
  (3, 'Mark', 'Taylor', NULL, 'Sydney', 'Australia', 'mark@mail.example', 3),
  (4, 'Helena', 'Holy', NULL, 'Prague', 'Czech Republic', 'helena@mail.example', 4);
INSERT INTO Artist VALUES (1, 'AC/DC'), (2, 'Accept'), (3, 'Iron Maiden');
INSERT INTO Album VALUES (1, 'Restless and Wild', 2), (2, 'Let There Be Rock', 1), (3, 'Powerslave', 3);
INSERT INTO Genre VALUES (1, 'Rock'), (2, 'Jazz'), (3, 'Metal');
INSERT INTO Track VALUES
  (1, 'Fast As a Shark', 1, 1, 'F. Baltes', 230619, 0.99), (2, 'Overdose', 2, 1, 'AC/DC', 369319, 0.99),
  (3, 'Aces High', 3, 3, 'Harris', 276375, 0.99), (4, 'Princess of the Dawn', 1, 2, NULL, 375418, 1.99);
INSERT INTO Invoice VALUES
  (1, 1, '2024-01-01', 'Sao Paulo', 'Brazil', 1.98), (2, 2, '2024-03-02', 'Stuttgart', 'Germany', 3.96),
  (3, 3, '2025-02-11', 'Sydney', 'Australia', 5.94), (4, 1, '2025-06-19', 'Sao Paulo', 'Brazil', 0.99),
  (5, 4, '2025-11-23', 'Prague', 'Czech Republic', 1.99);
INSERT INTO InvoiceLine VALUES
  (1, 1, 1, 0.99, 1), (2, 1, 2, 0.99, 1), (3, 2, 3, 0.99, 4), (4, 3, 2, 0.99, 6), (5, 4, 1, 0.99, 1), (6, 5, 4, 1.99, 1);
