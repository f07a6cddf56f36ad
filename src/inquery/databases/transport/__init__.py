"""How a database is reached: addresses, hosts and files that may be, SSH."""
