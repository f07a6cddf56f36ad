"""The form: what the embedded model writes, how it is read, constrained and compiled to SQL.

    query  := block [(union | intersect | except) query]
    block  := [from source {, source}] show [distinct] item {, item} [where cond] [same key {, key}]
              [by key {, key}] [having cond] [sort expr [desc] {, …}] [top number [per key {, key}]]
    source := [maybe] table [as role | as source.role] [via column = column {and column = column}]
    item   := * | source.* | source | expr
    expr   := column | number | expr (+ | - | * | /) expr | unit ( column ) | aggregate | ( expr ) | ( query )
              | (days | hours | minutes) ( column , column ) | if ( cond ) | expr else expr | rank
              | (running | previous | change | growth) ( expr )
    aggregate := count | share | percent | func ( [distinct] expr | source | query [if cond] [per key] ) | func ( if cond )
    cond   := test {(and | or) test};  test := [ cond ] | not [ cond ] | (any | no) ( from … [where cond] )
              | expr op value | expr [not] in ( … ) | expr between … and … | expr [not] null | expr [not] has 'text'
              | expr [not] blank
    key    := column | source | unit ( column ) | if ( cond )

or `none`, for what the tables cannot answer.

Tables that only connect others may be left out of `from`; joins come from the join graph. `maybe t` keeps rows without
a match. A role is the key column that leads to the table. `by t` groups by the primary key. `any`/`no` ask for related
rows. `same` ties a nested block to the row around it; an aggregate over a tied one adds up its value for each row.
`top n per k` is so many of each k, ties kept. running, previous, change and growth (in per cent) go by the part of a date
among the keys, else by the last key. `show t` is what names a row of t to people, `if ( cond )` 1 or 0.

Weights say which edition of the form they were trained on (`grammar` in their config.json): D is all but `none`, `per`,
`else`, `blank`, `rank`, `if ( … )`, hours and minutes, the figures beside other groups, sources as items, chained roles,
joins on several columns and ties by a key. A grammar of edition D takes none of these.

`ast` is the tree, `printing` and `reader` its text, `form_grammar` on `automaton` which words may follow. `to_sql`
compiles it; `from_sql` on `sql_shapes` and `sql_sources` is the way back, for training and measures. `join_paths` is the join graph,
`name_words` and `idents` how names are spelled in the form and in SQL, `date_units` the parts of dates in each dialect.
"""
