"""A chat in the terminal with no model: Gunita answers from what was said before.

python examples/plain_script.py chat.db
"""

from __future__ import annotations

import sys

from gunita import Gunita


def main(path: str) -> None:
    with Gunita.open(path) as opened:
        gunita = opened.scoped(user_id="juan")
        session = gunita.sessions.create_session()
        for line in sys.stdin:
            if query := line.strip():
                reply = gunita.chat.reply(query, session_id=session)
                print(f"[{reply.intent}] {reply.message}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "chat.db")
