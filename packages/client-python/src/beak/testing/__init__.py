"""
A fake of the service for tests: no server, no network, no database. Its clients are ordinary ones, which reach the fake in the process of
the test. Needs the extra `verify` of this package.

    from beak.testing import FakeBeak

    fake = FakeBeak()
    permission = fake.agent().request_permission(target="@always-approves", action="book:table", params={"seats": 2})
    fake.shop().use_permission(permission, {"seats": 2})
"""
from ._clock import FakeClock
from ._fake import FakeBeak, FakePerson
from ._transport import FakeCall

__all__ = ["FakeBeak", "FakeCall", "FakeClock", "FakePerson"]
