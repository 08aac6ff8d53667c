"""The figures of benchmarks/turn.py as lines and as a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.plots import markdown_table
from benchmarks.turn_services import Kind

FLOOR = Kind.SAME_ROWS.value
GOALS = {"context_p50_ms": 5.0, "http_ratio": 0.5}


def write(folder: Path, circumstances: Mapping[str, str], figures: Mapping[str, Any]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    page = _PAGE.format(
        circumstances="\n".join(f"- {name}: {value}" for name, value in circumstances.items()),
        verdict="\n".join(f"- {line}" for line in verdict(figures)),
        context=context_table(figures["context"]),
        http=http_table(figures["http"]),
        stream=figures["stream"]["overhead_us_per_token"],
    )
    (folder / "turn.md").write_text(page, encoding="utf-8")


def told(figures: Mapping[str, Any]) -> Iterator[str]:
    for line in figures.get("context", ()):
        yield f"context of {line['turns']:>6} turns: {line['context']}; the decision beside it: {line['decision']}"
    for line in figures.get("http", ()):
        ours, plain = line["gunita"], line["by_hand"]
        yield (
            f"{line['kind']}, {ours['connections']} connections: {ours['requests_per_second']} requests/s, "
            f"p50 {ours['p50_ms']} ms, p99 {ours['p99_ms']} ms, processor {ours['processor_ms']} ms a request; "
            f"by hand {plain['requests_per_second']} requests/s, processor {plain['processor_ms']} ms; "
            f"ratio {line['ratio']}, {ours['failures']:.0f} failures"
        )
    if "stream" in figures:
        yield f"a streamed token costs {figures['stream']['overhead_us_per_token']} µs beside the model"


def verdict(figures: Mapping[str, Any]) -> Iterator[str]:
    """Say what misses its goal first, and by how much."""
    slow = [line for line in figures["context"] if line["context"]["p50_ms"] > GOALS["context_p50_ms"]]
    yield from (f"Missed: a context in {line['turns']:,} turns takes {line['context']['p50_ms']} ms." for line in slow)
    served = [line for line in figures["http"] if line["kind"] != FLOOR]
    behind = [line for line in served if line["ratio"] < GOALS["http_ratio"]]
    yield from (
        f"Missed: {line['gunita']['connections']} connections, {line['kind']}: {line['ratio']} × by hand."
        for line in behind
    )
    yield f"{len(figures['context']) - len(slow)} of {len(figures['context'])} contexts are within their goal."
    yield f"{len(served) - len(behind)} of {len(served)} cases over HTTP are within theirs."
    floor = ", ".join(
        f"{line['ratio']:.2f} × at {line['gunita']['connections']}" for line in figures["http"] if line["kind"] == FLOOR
    )
    yield f"The floor: keeping the same rows by hand, and doing nothing else, reaches {floor} connections."


def context_table(lines: Sequence[Mapping[str, Any]]) -> str:
    rows = [[f"{line['turns']:,}", _times(line["context"]), _times(line["decision"])] for line in lines]
    return markdown_table(["turns", "context", "decision beside it"], rows, left=1)


def http_table(lines: Sequence[Mapping[str, Any]]) -> str:
    head = ["service", "connections", "requests/s", "by hand", "ratio", "p50 / p99 ms", "processor ms", "by hand"]
    rows = [
        [
            line["kind"],
            f"{line['gunita']['connections']}",
            f"{line['gunita']['requests_per_second']:,.0f}",
            f"{line['by_hand']['requests_per_second']:,.0f}",
            f"**{line['ratio']:.3f}**",
            f"{line['gunita']['p50_ms']:,.1f} / {line['gunita']['p99_ms']:,.1f}",
            f"{line['gunita']['processor_ms']:.2f}",
            f"{line['by_hand']['processor_ms']:.2f}",
        ]
        for line in lines
    ]
    return markdown_table(head, rows, left=1)


def _times(figures: Mapping[str, float]) -> str:
    return f"{figures['p50_ms']:.2f} / {figures['p99_ms']:.2f} ({figures['processor_ms']:.2f})"


_PAGE = """# One turn

Written by `python -m benchmarks.turn --docs docs/benchmarks`, on SQLite.

{circumstances}

## Against the goals

Goals: a context under 5 ms at the median, besides the reference decision, however long the conversation is; and over
HTTP half as many answers a second as a service written by hand that keeps one row and says so.

{verdict}

## A context without a model

Reading the turns that may matter, the conversation, 30 memories, the user memory and the summary, choosing, counting
tokens and writing the prompt with its receipt. Milliseconds, *median / 99th percentile (median on the processor)*. The
texts of the window were counted at the turn before, as in a conversation; the query is new every time.

{context}

## Answers from memory over HTTP

`POST /chat` from one process, every query another one and in a conversation of its own, over connections that ask
again as soon as they are answered; the clients run on the same machine. *By hand* is an empty FastAPI route that
inserts one row. A turn of Gunita's keeps six: the conversation, two messages, their places in the index queue, and the
receipt. *Processor ms* is what one request keeps processors busy for, in whichever
thread, and says most where the machine has other work.

{http}

Where the time goes: keeping the same rows by hand, in the same two transactions (the query is safe before it is
answered), already costs the distance between the first lines and 1. The rest of an answer without a decision is reading
memories and settings, counting tokens, writing the prompt's receipt and the reply, and the request's log line and
counters.

The reference decision is one pass of the encoder over the query, which is where nearly all of its time goes. Passes
of several queries at once are no faster than one after another on processors like this one, so requests are not
gathered; at most one turn a processor is read at a time, since more threads only interrupt each other.

## A streamed answer

A token costs {stream} µs beside the model.
"""
