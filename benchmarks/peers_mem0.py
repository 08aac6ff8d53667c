"""mem0 as two comparisons use it: its local vector store, no model, and vectors that the comparison gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

DIMENSIONS = 384


def local_memory(folder: Path, embedder: object) -> Any:
    """Open mem0 on files of a folder; what it asks for vectors is the given embedder."""
    from mem0 import Memory

    nowhere = {"provider": "openai", "config": {"api_key": "none"}}
    store = {"path": str(folder / "qdrant"), "on_disk": True, "embedding_model_dims": DIMENSIONS}
    memory = Memory.from_config(
        {
            "vector_store": {"provider": "qdrant", "config": store},
            "embedder": nowhere,
            "llm": nowhere,
            "history_db_path": str(folder / "history.db"),
        }
    )
    memory.embedding_model = embedder
    return memory
