"""Reads a statement with PostgreSQL's own parser and tells whether every table in it is held to one shard.

A table is held when its tenant equals the call's parameter, in the WHERE or a JOIN, itself or by way of other tables
whose tenants must be equal; a row that is inserted, when its tenant is that parameter or a held table's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pglast import ast, parse_sql
from pglast.enums import A_Expr_Kind, BoolExprType

COLUMN = "tenant_id"
PARAMETER = 1
_NAMED = re.compile(r"(?<![:\w]):([a-z_]+)")


def numbered(statement: str) -> str:
    """Say the parameters as $1, $2, …; the first is the tenant's."""
    numbers = {COLUMN: PARAMETER}
    return _NAMED.sub(lambda found: f"${numbers.setdefault(found[1], len(numbers) + 1)}", statement)


def loose_tables(statement: str, tables: set[str]) -> list[str]:
    """Name the tables that a statement would look for on every shard."""
    [raw] = parse_sql(numbered(statement))
    loose: list[str] = []
    for query in queries_of(raw.stmt):
        loose += loose_here(query, tables)
    return loose


def queries_of(node: Any) -> Iterator[Any]:
    """Find every query level: the statement, its CTEs, the queries inside it, the sides of a UNION."""
    kinds = (ast.SelectStmt, ast.InsertStmt, ast.UpdateStmt, ast.DeleteStmt)
    if isinstance(node, kinds) and not (isinstance(node, ast.SelectStmt) and node.larg):
        yield node
    for child in children(node):
        yield from queries_of(child)


def children(node: Any) -> Iterator[Any]:
    if isinstance(node, ast.Node):
        values = [getattr(node, name) for name in node.__slots__]
    else:
        values = list(node) if isinstance(node, tuple) else []
    yield from (value for value in values if isinstance(value, ast.Node | tuple))


def loose_here(query: Any, tables: set[str]) -> list[str]:
    """Look at one level alone."""
    sources, conditions = from_here(query)
    own = getattr(query, "relation", None)
    if own is not None and own.relname in tables and not isinstance(query, ast.InsertStmt):
        sources.append(own)
    named = {source.alias.aliasname if source.alias else source.relname: source.relname for source in sources}
    named = {alias: table for alias, table in named.items() if table in tables}
    held = held_aliases(named, equalities(conditions))
    loose = [table for alias, table in named.items() if alias not in held]
    if isinstance(query, ast.InsertStmt) and own.relname in tables and not inserts_held(query, tables):
        loose.append(own.relname)
    return loose


def from_here(query: Any) -> tuple[list[Any], list[Any]]:
    """Collect the tables that a level reads from, and what it asks of them."""
    sources: list[Any] = []
    conditions: list[Any] = [getattr(query, "whereClause", None)]

    def walk(item: Any) -> None:
        if isinstance(item, ast.RangeVar):
            sources.append(item)
        elif isinstance(item, ast.JoinExpr):
            walk(item.larg)
            walk(item.rarg)
            conditions.append(item.quals)

    for item in (*(getattr(query, "fromClause", None) or ()), *(getattr(query, "usingClause", None) or ())):
        walk(item)
    return sources, [condition for condition in conditions if condition is not None]


def equalities(conditions: list[Any]) -> list[tuple[Any, Any]]:
    """Give both sides of everything that must be equal; what stands under OR or NOT need not."""
    found = []
    for condition in conditions:
        if isinstance(condition, ast.BoolExpr) and condition.boolop == BoolExprType.AND_EXPR:
            found += equalities(list(condition.args))
        elif (
            isinstance(condition, ast.A_Expr)
            and condition.kind == A_Expr_Kind.AEXPR_OP
            and condition.name[0].sval == "="
        ):
            found.append((condition.lexpr, condition.rexpr))
    return found


def held_aliases(named: dict[str, str], equal: list[tuple[Any, Any]]) -> set[str]:
    sides = [(side_of(left, named), side_of(right, named)) for left, right in equal]
    held: set[str | None] = {"$"}
    while True:
        more = {
            other for pair in sides for one, other in (pair, pair[::-1]) if one in held and other is not None
        } - held
        if not more:
            return {alias for alias in held if alias in named}
        held |= more


def side_of(node: Any, named: dict[str, str]) -> str | None:
    """Name whose tenant this is: the call's ($), a table's by its alias, or nobody's."""
    if isinstance(node, ast.ParamRef):
        return "$" if node.number == PARAMETER else None
    if not isinstance(node, ast.ColumnRef) or getattr(node.fields[-1], "sval", None) != COLUMN:
        return None
    if len(node.fields) > 1:
        return str(node.fields[0].sval)
    # Said without its table it can mean one alone, or PostgreSQL would not take the statement.
    return next(iter(named)) if len(named) == 1 else None


def inserts_held(query: Any, tables: set[str]) -> bool:
    columns = [column.name for column in query.cols or ()]
    if COLUMN not in columns:
        return False
    place = columns.index(COLUMN)
    conflict = query.onConflictClause
    if conflict is not None and conflict.infer is not None:
        inferred = [element.name for element in conflict.infer.indexElems]
        if COLUMN not in inferred:
            return False
    select = query.selectStmt
    if select.valuesLists:
        return all(side_of(row[place], {}) == "$" for row in select.valuesLists)
    sources, conditions = from_here(select)
    named = {source.alias.aliasname if source.alias else source.relname: source.relname for source in sources}
    named = {alias: table for alias, table in named.items() if table in tables}
    given = side_of(select.targetList[place].val, named)
    return given == "$" or given in held_aliases(named, equalities(conditions))
