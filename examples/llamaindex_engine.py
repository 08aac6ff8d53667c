"""A LlamaIndex chat engine whose memory stays, and tells the model what "the first one" means.

python examples/llamaindex_engine.py juan "What is the capital of France?"
"""

from __future__ import annotations

import sys

from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.llms import LLM, MockLLM

from gunita import Gunita
from gunita.adapters.llamaindex import GunitaMemory


def answer(gunita: Gunita, user: str, question: str, llm: LLM) -> str:
    memory = GunitaMemory.from_defaults(gunita=gunita, session_id="engine", user_id=user, token_limit=4_000)
    return str(SimpleChatEngine.from_defaults(llm=llm, memory=memory).chat(question))


if __name__ == "__main__":
    with Gunita.open() as opened:
        # MockLLM says back what it was told; put any LLM of LlamaIndex in its place.
        print(answer(opened, sys.argv[1], sys.argv[2], MockLLM()))
