"""The form: what the embedded model writes, how it is read, constrained and compiled to SQL.

    query  := block [(union | intersect | except) query]
    block  := [from source {, source}] show [distinct] item {, item} [where cond] [same key {, key}]
              [by key {, key}] [having cond] [sort expr [desc] {, …}] [top number]
    source := [maybe] table [as role] [via column = column]
    item   := * | source.* | expr
    expr   := column | number | expr (+ | - | * | /) expr | unit ( column ) | days ( column , column )
              | aggregate | ( expr ) | ( query )
    aggregate := count | share | percent | func ( [distinct] expr | source | query [if cond] ) | func ( if cond )
    cond   := test {(and | or) test};  test := [ cond ] | not [ cond ] | (any | no) ( from … [where cond] )
              | expr op value | expr [not] in ( … ) | expr between … and … | expr [not] null | expr [not] has 'text'
    key    := column | source | unit ( column )

Tables that only connect others may be left out of `from`; joins come from the join graph. `maybe t` keeps rows without
a match. A role is the key column that leads to the table. `by t` groups by the primary key. `any`/`no` ask for related
rows. `same` ties a nested block to the row around it.

`ast` is the tree, `printing` and `reader` its text, `form_grammar` on `automaton` which words may follow. `to_sql`
compiles it; `from_sql` on `sql_sources` is the way back, for training and measures. `join_paths` is the join graph,
`name_words` and `idents` how names are spelled in the form and in SQL, `date_units` the parts of dates in each dialect.
"""
