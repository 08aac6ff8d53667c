"""The two engines of the main suite, for tests inside Chainlit, whose pins want an environment of their own."""

import os
import tempfile
import warnings

import pytest

# Chainlit writes its configuration and translations into the folder that it is told is the application's.
os.environ["CHAINLIT_APP_ROOT"] = tempfile.mkdtemp(prefix="chainlit-")
os.environ["CHAINLIT_AUTH_SECRET"] = "a secret for tests alone, long enough to sign with"
os.environ["ANONYMIZED_TELEMETRY"] = "false"

with warnings.catch_warnings():
    # What its own dependencies are warned of while they load is theirs; ours stays an error.
    warnings.simplefilter("ignore")
    import chainlit.server

from tests.conftest import gunita, new_postgres_url, postgres_url, pytest_configure, pytest_unconfigure, url

__all__ = ["chainlit", "gunita", "new_postgres_url", "postgres_url", "pytest_configure", "pytest_unconfigure", "url"]

pytest.register_assert_rewrite("tests_adapters.promises")
