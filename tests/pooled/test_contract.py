"""What the store promises, promised once more behind a pooler: the same tests, with another address."""

from tests.store.test_conversations import *  # noqa: F403
from tests.store.test_conversations import test_a_long_conversation_is_exported_whole
from tests.store.test_messages import *  # noqa: F403
from tests.store.test_users import *  # noqa: F403

# Ten thousand turns take long to write, and say nothing about poolers.
del test_a_long_conversation_is_exported_whole
