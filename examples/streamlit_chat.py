"""A chat page in Streamlit: history, input, a choice of sessions, a new conversation, and Markdown to take away.

pip install 'gunita[streamlit]' && streamlit run examples/streamlit_chat.py
"""

from __future__ import annotations

from uuid import UUID

import streamlit as st

from gunita import Gunita

USER = "streamlit"
SHOWN = 200


@st.cache_resource
def memory() -> Gunita:
    """Open the database that DATABASE_URL names once for all visitors."""
    return Gunita.open().scoped(user_id=USER)


def choose_session(gunita: Gunita) -> UUID:
    """Show the sessions at the side, and give the one that is chosen."""
    if st.sidebar.button("New conversation", key="new"):
        st.session_state["session"] = gunita.sessions.create_session()
    recent = {conversation.id: conversation for conversation in gunita.sessions.get_recent_sessions(50)}
    current: UUID = st.session_state.get("session") or next(iter(recent), None) or gunita.sessions.create_session()
    choices = [*recent] if current in recent else [current, *recent]
    chosen: UUID = st.sidebar.selectbox(
        "Conversation",
        choices,
        index=choices.index(current),
        format_func=lambda session: (recent[session].title if session in recent else None) or "New conversation",
    )
    st.session_state["session"] = chosen
    return chosen


def show(gunita: Gunita, session: UUID) -> None:
    for turn in gunita.sessions.get_session_history(session, SHOWN):
        st.chat_message("user").markdown(turn.query_text)
        st.chat_message("assistant").markdown(turn.response_text)


def offer_markdown(gunita: Gunita, session: UUID) -> None:
    written = gunita.sessions.export_conversation(session, format="markdown")
    st.sidebar.download_button("Download as Markdown", written, "conversation.md", "text/markdown", key="download")


def main() -> None:
    st.title("Gunita")
    gunita = memory()
    session = choose_session(gunita)
    if query := st.chat_input("Magtanong ka, o bumalik sa sinabi kanina"):
        gunita.chat.reply(query, session_id=session)
        st.rerun()  # The conversation has its title only now, and the selector must not change under the user's hand.
    show(gunita, session)
    offer_markdown(gunita, session)


main()
