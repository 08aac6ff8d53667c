"""From material to a prompt and its receipt."""

from __future__ import annotations

from dataclasses import dataclass

from gunita.context import prompt
from gunita.context.budget import Budget, fill
from gunita.context.pieces import Meter
from gunita.context.prompt import Material
from gunita.context.receipt import receipt_of
from gunita.models import Receipt


@dataclass(frozen=True, slots=True)
class Assembled:
    """Messages for any OpenAI-compatible model, and the account of what they are made of."""

    messages: list[dict[str, str]]
    tokens: int
    receipt: Receipt


def assemble(material: Material, budget: Budget, meter: Meter) -> Assembled:
    """Fill a model's context with what matters most, and keep the receipt."""
    pieces = prompt.pieces_of(material, meter)
    filled = fill(pieces, budget, meter)
    kept = [(decided.piece, decided.written) for decided in filled.decisions if decided.written is not None]
    return Assembled(
        messages=prompt.messages(pieces.system_prompt, kept),
        tokens=filled.used_tokens,
        receipt=receipt_of(pieces.system_prompt, filled, budget, meter),
    )
