"""The account of a prompt: every piece once, what became of it, and why."""

from __future__ import annotations

import json
from typing import Any

from gunita.context.budget import Budget, Filled
from gunita.context.pieces import MESSAGE_TOKENS, Meter
from gunita.models import Fate, PieceKind, Receipt, ReceiptLine


def receipt_of(system_prompt: str, filled: Filled, budget: Budget, meter: Meter) -> Receipt:
    """Write down what a filled prompt is made of."""
    lines = [
        ReceiptLine(
            kind=decision.piece.kind,
            source=decision.piece.source,
            turn_number=decision.piece.turn_number,
            tokens=decision.tokens,
            whole_tokens=decision.whole_tokens,
            fate=decision.fate,
            reason=decision.reason,
        )
        for decision in filled.decisions
    ]
    if system_prompt:
        size = MESSAGE_TOKENS + meter.count(system_prompt)
        kind = PieceKind.SYSTEM_PROMPT
        lines.insert(0, ReceiptLine(kind, kind.value, None, size, size, Fate.KEPT, "always"))
    return Receipt(
        lines=tuple(lines),
        context_tokens=budget.context_tokens,
        reserve_tokens=budget.reserve_tokens,
        framing_tokens=filled.used_tokens - sum(line.tokens for line in lines),
        prompt_tokens=filled.used_tokens,
    )


def tokens_by_kind(receipt: Receipt) -> dict[PieceKind, int]:
    """Add up what each kind of piece takes in the prompt."""
    totals = dict.fromkeys((line.kind for line in receipt.lines), 0)
    for line in receipt.lines:
        totals[line.kind] += line.tokens
    return totals


def to_json(receipt: Receipt) -> str:
    """Write a receipt as JSON."""
    return json.dumps(to_object(receipt), ensure_ascii=False, separators=(",", ":"))


def to_object(receipt: Receipt) -> dict[str, Any]:
    """Give a receipt as plain values, with its totals."""
    return {
        "context_tokens": receipt.context_tokens,
        "reserve_tokens": receipt.reserve_tokens,
        "framing_tokens": receipt.framing_tokens,
        "prompt_tokens": receipt.prompt_tokens,
        "tokens_by_kind": {kind.value: tokens for kind, tokens in tokens_by_kind(receipt).items()},
        "lines": [
            {
                "kind": line.kind.value,
                "source": line.source,
                "turn_number": line.turn_number,
                "tokens": line.tokens,
                "whole_tokens": line.whole_tokens,
                "fate": line.fate.value,
                "reason": line.reason,
            }
            for line in receipt.lines
        ],
    }


def from_json(text: str) -> Receipt:
    """Read a receipt back."""
    return from_object(json.loads(text))


def from_object(stored: dict[str, Any]) -> Receipt:
    """Read a receipt back from plain values."""
    return Receipt(
        lines=tuple(
            ReceiptLine(
                kind=PieceKind(line["kind"]),
                source=line["source"],
                turn_number=line["turn_number"],
                tokens=line["tokens"],
                whole_tokens=line["whole_tokens"],
                fate=Fate(line["fate"]),
                reason=line["reason"],
            )
            for line in stored["lines"]
        ),
        context_tokens=stored["context_tokens"],
        reserve_tokens=stored["reserve_tokens"],
        framing_tokens=stored["framing_tokens"],
        prompt_tokens=stored["prompt_tokens"],
    )
