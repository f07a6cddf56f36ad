"""Nothing is kept that nobody uses: settings are read, prompts are rendered, methods of what is stored are called.

Names are followed by their text, not by types: an object is known by the names it is given where its class is written, in an
annotation, an assignment or what a function returns. What is waiting for its reader is declared, and a declaration that has
become needless fails.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import inquery
from inquery.llm.prompting import prompt_names
from inquery.settings import Settings

SOURCE = Path(inquery.__file__).parent
ROOMS = ("store", "memory", "knowledge", "cache")
HANDED_ON = 2

WAITING_PROMPTS: dict[str, str] = {}
WAITING_METHODS = {
    "LongTermMemory.search": "what a person prefers is to be found by meaning, once there is more of it than readings",
    "LongTermMemory.all": "a person is to see what is remembered of them",
    "LongTermMemory.forget": "a person is to take one thing back",
    "VectorStore.close": "a process shares one store among all that are open, so that only its end may close it",
    "BuiltinVectors.close": "as VectorStore.close",
    "MilvusVectors.close": "as VectorStore.close",
}


@cache
def modules() -> dict[Path, ast.Module]:
    return {file: ast.parse(file.read_text("utf-8")) for file in sorted(SOURCE.rglob("*.py"))}


def nodes() -> Iterator[ast.AST]:
    for module in modules().values():
        yield from ast.walk(module)


def last_name(node: ast.AST | None) -> str:
    """The name nearest to the dot: `memory` of `here.services.memory`, `open_samples` of `open_samples(…)`."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=ast.Attribute(attr="to_thread"), args=[called, *_]) | ast.Call(func=called):
            return last_name(called)
        case ast.Await(value=inner) | ast.NamedExpr(value=inner):
            return last_name(inner)
    return ""


def names_in(node: ast.AST | None) -> set[str]:
    """Every name that an annotation speaks of, in strings too."""
    if node is None:
        return set()
    found = {last_name(each) for each in ast.walk(node)}
    texts = [each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    return found | {part for text in texts for part in text.replace("|", " ").split()}


@cache
def named() -> dict[str, set[str]]:
    """By each name, what it stands for: the classes and functions that it is annotated with or assigned from."""
    found: dict[str, set[str]] = defaultdict(set)
    for node in nodes():
        match node:
            case ast.arg(arg=name, annotation=kind) | ast.AnnAssign(target=ast.Name(id=name), annotation=kind):
                found[name] |= names_in(kind)
            case ast.AnnAssign(target=ast.Attribute(attr=name), annotation=kind):
                found[name] |= names_in(kind)
            case ast.FunctionDef(name=name, returns=kind) | ast.AsyncFunctionDef(name=name, returns=kind):
                found[name] |= names_in(kind)
            case ast.Assign(targets=[target], value=value):
                for each, given in parts(target, value):
                    found[last_name(each)].add(last_name(given))
            case ast.NamedExpr(target=ast.Name(id=name), value=value) | ast.keyword(arg=str(name), value=value):
                found[name].add(last_name(value))
            case ast.withitem(context_expr=value, optional_vars=ast.Name(id=name)):
                found[name].add(last_name(value))
            case (
                ast.For(target=ast.Name(id=name), iter=value) | ast.comprehension(target=ast.Name(id=name), iter=value)
            ):
                found[name].add(last_name(value))
    return found


def parts(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What is assigned to what, of several at once too."""
    names = target.elts if isinstance(target, ast.Tuple) else [target]
    yield from zip(names, value.elts if isinstance(value, ast.Tuple) else [value] * len(names), strict=False)


@cache
def holders(kinds: frozenset[str]) -> set[str]:
    """The names that may hold an object of one of the classes: made by a function, kept under a name, handed on once more."""
    given_to: dict[str, set[str]] = defaultdict(set)
    for name, stands_for in named().items():
        for each in stands_for - {""}:
            given_to[each].add(name)
    found = set(kinds)
    for _ in range(HANDED_ON):
        found |= {name for each in found for name in given_to[each]}
    return found


@cache
def classes() -> list[ast.ClassDef]:
    return [node for node in nodes() if isinstance(node, ast.ClassDef)]


def is_ours(kind: ast.ClassDef) -> bool:
    """Whether all its bases are ours or give no methods to override; what a library calls has a caller there."""
    plain = {"Protocol", "BaseModel", "TypedDict", "Exception", "str"} | {each.name for each in classes()}
    return {last_name(base) for base in kind.bases} <= plain


def public_methods(kind: ast.ClassDef) -> list[str]:
    functions = (each for each in kind.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef))
    return [each.name for each in functions if not each.name.startswith("_")]


def kin(kind: ast.ClassDef) -> frozenset[str]:
    """A class, those it is made of or that are made of it, and the protocols whose methods it has."""
    bases = {last_name(base) for base in kind.bases} - {"Protocol", "BaseModel"}
    made = {each.name for each in classes() if kind.name in {last_name(base) for base in each.bases}}
    mine = set(public_methods(kind))
    protocols = {
        each.name
        for each in classes()
        if "Protocol" in {last_name(base) for base in each.bases} and set(public_methods(each)) <= mine
    }
    return frozenset({kind.name} | bases | made | protocols)


@cache
def uses() -> dict[str, list[tuple[str, str]]]:
    """By attribute: the name before the dot, and the class that the use stands in."""
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)

    def visit(node: ast.AST, inside: str) -> None:
        if isinstance(node, ast.Attribute):
            found[node.attr].append((last_name(node.value), inside))
        for child in ast.iter_child_nodes(node):
            visit(child, node.name if isinstance(node, ast.ClassDef) else inside)

    for module in modules().values():
        visit(module, "")
    return found


def is_called(kind: ast.ClassDef, method: str) -> bool:
    family = kin(kind)
    return any(
        inside in family if before in {"self", "cls", "super"} else before in holders(family)
        for before, inside in uses()[method]
    )


def test_every_public_method_of_what_is_stored_has_a_caller() -> None:
    stored = [
        node
        for file, module in modules().items()
        if file.relative_to(SOURCE).parts[0] in ROOMS
        for node in ast.walk(module)
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and is_ours(node)
    ]
    idle = {
        f"{kind.name}.{method}" for kind in stored for method in public_methods(kind) if not is_called(kind, method)
    }
    assert idle == WAITING_METHODS.keys()


def test_every_prompt_is_rendered() -> None:
    loaded = {
        node.args[0].value
        for node in nodes()
        if isinstance(node, ast.Call)
        and last_name(node.func) == "load_prompt"
        and isinstance(node.args[0], ast.Constant)
    }
    assert set(prompt_names()) - loaded == WAITING_PROMPTS.keys()


def test_every_setting_has_a_reader() -> None:
    unread = []
    for group, field in Settings.model_fields.items():
        inner = getattr(field.annotation, "model_fields", None)
        kinds = frozenset({group, field.annotation.__name__} if inner else {"Settings"})
        for name in inner or [group]:
            read = (
                before in holders(kinds) or (before == "self" and inside in kinds) for before, inside in uses()[name]
            )
            if not any(read):
                unread.append(f"{group}.{name}" if inner else group)
    assert unread == []
