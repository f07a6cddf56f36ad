"""Reports: templates whose placeholders are questions, solved once, bound to checked SQL and filled again and again."""
