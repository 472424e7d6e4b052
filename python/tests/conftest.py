"""Settings of all tests."""

from hypothesis import settings

# The machine may be busy: how long an example takes says nothing.
settings.register_profile("turncoat", deadline=None)
settings.load_profile("turncoat")
