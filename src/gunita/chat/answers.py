"""Answers from memory alone, when no model is connected: quotes what was said and is known, and never pretends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gunita.chat.records import Understood
from gunita.language.references import language_of
from gunita.models import Language, Memory, Turn
from gunita.recall.ranking import best_turns, shared_words
from gunita.services.gathering import Gathered

PASSAGES = 3
MEMORIES = 3
LONGEST_QUOTE = 600
RELATED = 0.2
"""How much of a query's weight a memory must share to be worth telling."""


@dataclass(frozen=True, slots=True)
class Wording:
    """How an answer from memory speaks in one language."""

    referred: str
    related: str
    known: str
    nothing: str
    connect: str


ENGLISH = Wording(
    referred="You mean turn {number}. You asked: “{query}”\n\n> {response}",
    related="From this conversation, turn {number} — “{query}”:\n\n> {response}",
    known="What I know about you: {memories}.",
    nothing="I have kept your message, and found nothing in memory that answers it.",
    connect="No language model is connected, so I answer from memory alone. "
    "To connect one, set GUNITA_LLM_BASE_URL and GUNITA_LLM_MODEL to any OpenAI-compatible endpoint.",
)
TAGALOG = Wording(
    referred="Ang tinutukoy mo ay ang ika-{number} na tanong. Ang tanong mo: “{query}”\n\n> {response}",
    related="Mula sa usapang ito, ika-{number} na tanong — “{query}”:\n\n> {response}",
    known="Ang alam ko tungkol sa iyo: {memories}.",
    nothing="Naitala ko ang mensahe mo, pero wala akong nahanap na sagot sa alaala.",
    connect="Walang nakakabit na language model, kaya mula lang sa alaala ang sagot ko. "
    "Para magkabit, itakda ang GUNITA_LLM_BASE_URL at GUNITA_LLM_MODEL sa alinmang OpenAI-compatible na endpoint.",
)
TAGLISH = Wording(
    referred="Yung turn {number} ang tinutukoy mo. Tanong mo: “{query}”\n\n> {response}",
    related="Galing sa usapan natin, turn {number} — “{query}”:\n\n> {response}",
    known="Ito ang alam ko tungkol sa’yo: {memories}.",
    nothing="Na-save ko ang message mo, pero wala akong nahanap na sagot sa memory.",
    connect="Walang naka-connect na language model, kaya galing lang sa memory ang sagot ko. "
    "Para mag-connect, i-set ang GUNITA_LLM_BASE_URL at GUNITA_LLM_MODEL sa kahit anong OpenAI-compatible endpoint.",
)
CEBUANO = Wording(
    referred="Ang ika-{number} nga pangutana ang imong gipasabot. Nangutana ka: “{query}”\n\n> {response}",
    related="Gikan niining panag-istorya, ika-{number} nga pangutana — “{query}”:\n\n> {response}",
    known="Kini ang akong nahibaloan bahin nimo: {memories}.",
    nothing="Gitipigan nako ang imong mensahe, apan wala koy nakit-an sa panumdoman nga makatubag niini.",
    connect="Walay nakakonektar nga language model, mao nga gikan ra sa panumdoman ang akong tubag. "
    "Aron magkonektar, ibutang ang GUNITA_LLM_BASE_URL ug GUNITA_LLM_MODEL sa bisan unsang OpenAI-compatible nga "
    "endpoint.",
)
SPANISH = Wording(
    referred="Te refieres al turno {number}. Preguntaste: “{query}”\n\n> {response}",
    related="De esta conversación, turno {number} — “{query}”:\n\n> {response}",
    known="Lo que sé de ti: {memories}.",
    nothing="He guardado tu mensaje, y no encuentro nada en la memoria que lo responda.",
    connect="No hay ningún modelo de lenguaje conectado, así que respondo solo de memoria. "
    "Para conectar uno, pon GUNITA_LLM_BASE_URL y GUNITA_LLM_MODEL a cualquier dirección compatible con OpenAI.",
)
WORDINGS = {
    Language.TAGALOG: TAGALOG,
    Language.MIXED: TAGLISH,
    Language.CEBUANO: CEBUANO,
    Language.SPANISH: SPANISH,
}


def from_memory(query: str, understood: Understood, found: Gathered) -> str:
    """Answer with the turns referred to, or else with what shares most with the query, and with what is known."""
    wording = wording_for(query)
    parts = [*understood.warnings, *quotations(query, understood, found, wording)]
    if known := related_memories(query, found.memories):
        parts.append(wording.known.format(memories="; ".join(memory.content.rstrip(".") for memory in known)))
    if not parts:
        parts.append(wording.nothing)
    return "\n\n".join([*parts, wording.connect])


def wording_for(text: str) -> Wording:
    return WORDINGS.get(language_of(text), ENGLISH)


def quotations(query: str, understood: Understood, found: Gathered, wording: Wording) -> list[str]:
    if understood.referenced:
        return [_quoted(wording.referred, turn) for turn in understood.referenced]
    related = best_turns(found.window, query, PASSAGES) if found.window else ()
    return [_quoted(wording.related, turn) for turn in related]


def related_memories(query: str, memories: Sequence[Memory]) -> list[Memory]:
    if not memories:
        return []
    scores = shared_words(query, [memory.content for memory in memories])
    related = [memory for memory, score in zip(memories, scores, strict=True) if memory.pinned or score >= RELATED]
    return related[:MEMORIES]


def _quoted(form: str, turn: Turn) -> str:
    response = _cut(_without_advice(turn.response_text)).replace("\n", "\n> ")
    return form.format(number=turn.turn_number, query=_cut(turn.query_text, 120), response=response)


def _without_advice(response: str) -> str:
    """An earlier answer of ours without how to connect a model, which stands below this one anyway."""
    for wording in (ENGLISH, *WORDINGS.values()):
        response = response.removesuffix(wording.connect)
    return response.rstrip()


def _cut(text: str, longest: int = LONGEST_QUOTE) -> str:
    return text if len(text) <= longest else text[:longest].rsplit(" ", 1)[0] + " …"
