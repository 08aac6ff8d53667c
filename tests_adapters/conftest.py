"""The two engines of the main suite, for tests that need a framework and so an environment of their own."""

import pytest

from tests.conftest import gunita, new_postgres_url, postgres_url, pytest_configure, pytest_unconfigure, url

__all__ = ["gunita", "new_postgres_url", "postgres_url", "pytest_configure", "pytest_unconfigure", "url"]

pytest.register_assert_rewrite("tests_adapters.promises")
