"""Puts the values of a run into a template's tree: conditions decided, loops repeated, placeholders turned to marks.

A mark is two characters of the private use area around a number. Data stays outside the text until a writer puts it
in, escaped in its own way, so that no cell is ever read as Markdown, HTML or another placeholder.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from inquery.errors import Text
from inquery.reports.expressions import BadExpression, names_used, work_out
from inquery.reports.goals import goal_key
from inquery.reports.pieces import WAITS, Manner, Piece, Value, piece_of, problem_piece
from inquery.reports.problems import Problem
from inquery.reports.shown import look_of, shown
from inquery.reports.template import Broken, Cell, Each, If, Node, Placeholder, Reference, Words, walk_nodes

OPEN, CLOSE = "\ue000", "\ue001"
MARK = re.compile(f"{OPEN}(\\d+){CLOSE}")
UNSOLVED = "unsolved"
_OWN = re.compile(f"[{OPEN}{CLOSE}]")


@dataclass(frozen=True, slots=True)
class LoopRow:
    """Where a loop is."""

    columns: tuple[str, ...]
    cells: Sequence[Any]
    number: int


@dataclass(slots=True)
class Filling:
    """Everything a template is filled with, and the pieces its marks stand for."""

    values: Mapping[str, Value]
    parameters: Mapping[str, Any]
    manner: Manner
    problems: dict[str, Problem] = field(default_factory=dict)
    pieces: list[Piece] = field(default_factory=list)
    _names: dict[str, Any] = field(default_factory=dict)
    _tables: dict[str, Value] = field(default_factory=dict)
    _unsolved: dict[str, Problem] = field(default_factory=dict)

    def learn_names(self, nodes: Sequence[Node]) -> None:
        """What expressions may use: parameters, and every placeholder that has a name."""
        self._names |= self.parameters
        for node in walk_nodes(nodes):
            name = node.option("name") if isinstance(node, Placeholder) else ""
            if not isinstance(node, Placeholder) or not name:
                continue
            value = self.values.get(goal_key(node))
            if value is None or not value.usable:
                self._unsolved[name] = self._why(node, value)
            else:
                self._tables[name] = value
                self._names[name] = value.cell if node.kind == "value" else [list(row) for row in value.rows]

    def _why(self, node: Placeholder, value: Value | None) -> Problem:
        if value is not None and value.problem is not None:
            return value.problem
        return self.problems.get(goal_key(node)) or Problem(node.line, UNSOLVED, Text("not solved", "未能求解"))

    def text(self, nodes: Sequence[Node], row: LoopRow | None = None) -> str:
        """The template's text with a mark at every place."""
        return "".join(self._one(node, row) for node in nodes)

    def mark(self, piece: Piece) -> str:
        """A mark that stands for a piece."""
        self.pieces.append(piece)
        return f"{OPEN}{len(self.pieces) - 1}{CLOSE}"

    def _one(self, node: Node, row: LoopRow | None) -> str:
        match node:
            case Words():
                return _OWN.sub("", node.text)
            case Placeholder():
                return self.mark(self.placeholder(node))
            case Broken():
                return self.mark(problem_piece(node.problem, self.manner))
            case Reference():
                return self.mark(self.reference(node))
            case Cell():
                return self.mark(self.cell(node, row))
            case If():
                return self._chosen(node, row)
            case Each():
                return self._repeated(node)
            case _:
                return ""

    def placeholder(self, node: Placeholder) -> Piece:
        """What stands in place of a question."""
        key = goal_key(node)
        if key in self.problems:
            return problem_piece(replace(self.problems[key], line=node.line), self.manner)
        return piece_of(node, self.values.get(key), self.manner)

    def reference(self, node: Reference) -> Piece:
        """A named value or a calculation."""
        found = self.worked_out(node.expression, node.line)
        if isinstance(found, Problem):
            return self._unknown(found, node.expression)
        return Piece("inline", shown(found, look_of(node.options, self.manner.currency), self.manner.language))

    def cell(self, node: Cell, row: LoopRow | None) -> Piece:
        """A column of the loop's row."""
        if row is None and self.manner.sketch:
            return Piece("waiting", node.column)
        if row is None:
            reason = Text(f"“.{node.column}” stands outside a loop", f"“.{node.column}”不在循环中")
            return problem_piece(Problem(node.line, "bad_block", reason), self.manner)
        if node.column == "#":
            return Piece("inline", str(row.number))
        place = _column(node.column, row.columns)
        if place is None:
            listed = ", ".join(row.columns)
            reason = Text(f"no column “{node.column}”; there are: {listed}", f"没有列“{node.column}”；现有列：{listed}")
            return problem_piece(Problem(node.line, "bad_block", reason), self.manner)
        look = look_of(node.options, self.manner.currency)
        return Piece("inline", shown(row.cells[place], look, self.manner.language))

    def worked_out(self, expression: str, line: int) -> Any:
        """The value of an expression, or the problem that keeps it from having one."""
        for name in names_used(expression):
            if name in self._unsolved:
                return replace(self._unsolved[name], line=line)
            if name not in self._names and self.manner.building and not self.manner.sketch:
                return Problem(line, UNSOLVED, Text("not known yet", "尚未得知"))  # a run begins before its parameters
        try:
            return work_out(expression, self._names)
        except BadExpression as error:
            return Problem(line, "bad_expression", Text(error.en, error.zh))

    def chosen(self, node: If) -> tuple[bool | None, Piece | None]:
        """Which half of a condition stands; none, with the reason, where it cannot be decided."""
        found = self.worked_out(node.condition, node.line)
        if isinstance(found, Problem):
            return None, self._unknown(found, node.condition)
        return bool(found), None

    def _unknown(self, problem: Problem, expression: str) -> Piece:
        """Why an expression has no value; while the document is filled it may still get one."""
        if self.manner.building and problem.code == UNSOLVED:
            return Piece("waiting", f"{WAITS}{expression}")
        return problem_piece(problem, self.manner)

    def _chosen(self, node: If, row: LoopRow | None) -> str:
        holds, problem = self.chosen(node)
        if problem is not None and problem.kind == "waiting" and self.manner.sketch:
            return self.text(node.then, row)
        if problem is not None:
            return self.mark(problem)
        return self.text(node.then if holds else node.otherwise, row)

    def rows_of(self, node: Each) -> list[LoopRow] | Piece:
        """The rows a loop goes over, or the reason of none."""
        if isinstance(node.source, Placeholder):
            value = self.values.get(goal_key(node.source))
            if goal_key(node.source) in self.problems or value is None or not value.usable:
                return self.placeholder(node.source)
            asked = node.source.option("rows")
            most = int(asked) if asked.isdigit() and asked != "0" else self.manner.table_rows
            return _rows(value, most)
        return self._named_rows(node)

    def _named_rows(self, node: Each) -> list[LoopRow] | Piece:
        name = str(node.source)
        if name in self._unsolved:
            return problem_piece(replace(self._unsolved[name], line=node.line), self.manner)
        if not isinstance(self._names.get(name), list):
            reason = Text(f"no table here is named “{name}”", f"没有名为“{name}”的表")
            return problem_piece(Problem(node.line, "bad_block", reason), self.manner)
        return _rows(self._tables[name], self.manner.table_rows)

    def _repeated(self, node: Each) -> str:
        rows = self.rows_of(node)
        if isinstance(rows, Piece):
            return self.mark(rows) + (self.text(node.body) if self.manner.sketch else "")
        return "".join(self.text(node.body, row) for row in rows)


def _rows(value: Value, most: int) -> list[LoopRow]:
    names = tuple(column.name for column in value.columns)
    return [LoopRow(names, row, number) for number, row in enumerate(value.rows[:most], 1)]


def _column(name: str, columns: tuple[str, ...]) -> int | None:
    if name.isdigit():
        return int(name) - 1 if 1 <= int(name) <= len(columns) else None
    folded = [column.casefold() for column in columns]
    return folded.index(name.casefold()) if name.casefold() in folded else None
