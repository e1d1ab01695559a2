"""How calls behave when the service refuses, is slow, or cannot be reached. Both clients share this code."""
import asyncio
import json
import logging
import time
import traceback
from types import MappingProxyType
from typing import Any, Callable, Dict, List, Type

import httpx
import pytest
from beak import AsyncBeak, Beak, BeakAnswerError, BeakConnectionError, BeakError, BeakTimeout
from beak._operation import LONGEST_DELAY, Request, backoff, is_temporary, may_repeat
from beak.events import EventParser, ServerSentEvent
from conftest import Person
from service import Service, free_port

CODES = {
    "E4000": 400,
    "E4001": 401,
    "E4002": 403,
    "E4003": 409,
    "E4005": 404,
    "E4006": 401,
    "E4007": 403,
    "E4008": 409,
    "E4009": 403,
    "E4010": 405,
    "E4011": 413,
    "E4012": 415,
    "E4013": 422,
    "E5001": 500,
}


def requests_of(faults: str, run: str) -> List[Dict[str, Any]]:
    items: List[Dict[str, Any]] = httpx.get(f"{faults}/requests/{run}").json()["items"]
    return items


def key_at(faults: str, run: str) -> object:
    """Returns the key that arrived last."""
    return requests_of(faults, run)[-1]["headers"].get("x-beak-key")


def test_reads_the_address_and_the_key_of_the_environment(
    monkeypatch: pytest.MonkeyPatch, faults: str, run: str
) -> None:
    url = f"{faults}/error-E4000/always/{run}"
    monkeypatch.setenv("BEAK_URL", url)
    monkeypatch.setenv("BEAK_KEY", "beak_of_environment")

    def sent_key(beak: Beak) -> object:
        with beak, pytest.raises(BeakError):
            beak.get_profile()
        return key_at(faults, run)

    assert sent_key(Beak()) == "beak_of_environment"
    assert sent_key(Beak(key="beak_given")) == "beak_given"
    assert sent_key(Beak(token="a.b.c")) is None
    with Beak() as beak:
        assert sent_key(beak.with_credential()) is None
    assert sent_key(Beak(url)) is None
    monkeypatch.setenv("BEAK_URL", "http://127.0.0.1:9")
    assert sent_key(Beak(url)) is None


def test_names_a_missing_address_and_repeats_no_wrong_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BEAK_URL", "")
    with pytest.raises(ValueError, match="url is missing. Pass .* or set BEAK_URL"):
        Beak(key="beak_1")
    monkeypatch.setenv("BEAK_URL", "beak_SECRET")
    with pytest.raises(ValueError, match="BEAK_URL is not the address") as caught:
        Beak()
    assert "SECRET" not in str(caught.value)


@pytest.mark.parametrize(("code", "status"), CODES.items())
def test_raises_each_code_once_with_its_members(faults: str, run: str, code: str, status: int) -> None:
    with Beak(f"{faults}/error-{code}/always/{run}") as beak, pytest.raises(BeakError) as caught:
        beak.get_service()
    error = caught.value
    assert (error.code, error.status, error.request_id) == (code, status, f"fault-{code}")
    assert error.action == "Nothing: this is a test."
    assert len(requests_of(faults, run)) == 1


def test_names_the_faults_of_fields_and_what_to_do_in_the_text_of_an_error(anybody: Beak) -> None:
    with pytest.raises(BeakError, match="E4000 .*email must be.*Correct the fields") as caught:
        anybody.sign_up(email="nobody", display_name="Duck")
    assert caught.value.reason == "invalid_request"
    assert [error["field"] for error in caught.value.errors] == ["email"]


@pytest.mark.parametrize("fault", ["error-E4004", "error-E5002", "bad-gateway", "cut", "truncated"])
def test_repeats_a_read_after_a_fault_that_passes(faults: str, run: str, fault: str) -> None:
    with Beak(f"{faults}/{fault}/1/{run}") as beak:
        assert beak.get_service()["name"] == "Beak"
    first, second = requests_of(faults, run)
    if fault in ("error-E4004", "error-E5002"):
        assert second["at"] - first["at"] >= 1000


def test_gives_up_after_the_retries(faults: str, run: str) -> None:
    with Beak(f"{faults}/cut/always/{run}", retries=3) as beak, pytest.raises(BeakConnectionError):
        beak.get_service()
    assert len(requests_of(faults, run)) == 4


def test_leaves_a_long_retry_after_to_the_caller(faults: str, run: str) -> None:
    with Beak(f"{faults}/wait-long/always/{run}") as beak, pytest.raises(BeakError) as caught:
        beak.get_service()
    assert caught.value.retry_after == 3600
    assert len(requests_of(faults, run)) == 1


@pytest.mark.parametrize("fault", ["cut", "error-E5002", "truncated"])
def test_never_repeats_a_change_without_an_idempotency_key(faults: str, run: str, fault: str) -> None:
    with Beak(f"{faults}/{fault}/always/{run}") as beak:
        with pytest.raises((BeakError, BeakConnectionError)):
            beak.sign_out()
    assert len(requests_of(faults, run)) == 1


@pytest.mark.parametrize("fault", ["cut", "cut-after", "running", "error-E5002"])
def test_repeats_a_change_with_the_same_idempotency_key_and_has_its_effect_once(
    faults: str, run: str, teal: Person, fault: str
) -> None:
    with Beak(f"{faults}/{fault}/1/{run}", token=teal.token) as beak:
        webhook = beak.create_webhook(url="https://pond.example/hook")
    first, second = [request["headers"]["idempotency-key"] for request in requests_of(faults, run)]
    assert first == second
    assert len(first) == 36
    assert [one["webhook_id"] for one in teal.beak.iter_webhooks()] == [webhook["webhook_id"]]


def test_sends_the_idempotency_key_of_the_caller(faults: str, run: str, teal: Person) -> None:
    with Beak(f"{faults}/none/always/{run}", token=teal.token) as beak:
        made = [beak.create_webhook(url="https://pond.example/hook", idempotency_key="order-7") for _ in range(2)]
    assert made[0] == made[1]
    assert {request["headers"]["idempotency-key"] for request in requests_of(faults, run)} == {"order-7"}


@pytest.mark.parametrize("fault", ["silent", "dripping"])
def test_raises_a_timeout_when_no_whole_answer_arrives(faults: str, run: str, fault: str) -> None:
    started = time.monotonic()
    with Beak(f"{faults}/{fault}/always/{run}", retries=0) as beak, pytest.raises(BeakTimeout):
        beak.get_service(timeout=0.2)
    assert time.monotonic() - started < 5


def test_waits_for_a_slow_answer_within_the_timeout(faults: str, run: str) -> None:
    with Beak(f"{faults}/delay-300/always/{run}") as beak:
        assert beak.get_service()["name"] == "Beak"


@pytest.mark.parametrize("fault", ["broken-json", "list", "empty", "html", "html-error", "strange-problem"])
def test_raises_an_answer_error_for_what_is_not_an_answer_of_the_service(
    faults: str, run: str, fault: str
) -> None:
    with Beak(f"{faults}/{fault}/always/{run}") as beak, pytest.raises(BeakAnswerError):
        beak.get_service()
    assert len(requests_of(faults, run)) == 1


def test_follows_no_redirect_with_its_credential(faults: str, run: str) -> None:
    with Beak(f"{faults}/redirect/always/{run}", token="secret") as beak:
        with pytest.raises(BeakAnswerError) as caught:
            beak.get_profile()
    assert caught.value.status == 302
    assert requests_of(faults, "stolen") == []


def test_sends_each_credential_in_its_header_and_none_where_none_is_read(faults: str, run: str) -> None:
    with Beak(f"{faults}/none/always/{run}", token="t") as person:
        agent = person.with_credential(key="beak_k")
        for beak in (person, agent):
            with pytest.raises(BeakError):
                beak.get_profile()
        agent.get_service()
    first, second, third = [request["headers"] for request in requests_of(faults, run)]
    assert first["authorization"] == "Bearer t"
    assert (second["x-beak-key"], "authorization" in second) == ("beak_k", False)
    assert not {"authorization", "x-beak-key"} & set(third)


def test_sends_truth_values_and_numbers_as_the_service_reads_them(faults: str, run: str) -> None:
    with Beak(f"{faults}/none/always/{run}") as beak:
        with pytest.raises(BeakError):
            beak.list_audit_events(limit=5, names=True)
    assert requests_of(faults, run)[0]["path"] == "/beak/audit?limit=5&names=true"


def test_leaves_out_what_was_not_given_and_sends_null_where_it_has_a_meaning(teal: Person) -> None:
    assert teal.beak.update_profile(bio="A duck")["bio"] == "A duck"
    assert teal.beak.update_profile(directory_visible=False)["bio"] == "A duck"
    assert teal.beak.update_profile(bio=None)["bio"] is None


def test_sends_every_kind_of_mapping(faults: str, run: str) -> None:
    params = MappingProxyType({"deep": MappingProxyType({"to": "pond"}), "list": (1, 2)})
    with Beak(f"{faults}/none/always/{run}") as beak, pytest.raises(BeakError):
        beak.consume_grant(grant_token="none", params=params)
    body = json.loads(requests_of(faults, run)[0]["body"])
    assert body == {"grant_token": "none", "params": {"deep": {"to": "pond"}, "list": [1, 2]}}


def test_raises_a_connection_error_for_an_address_where_nobody_listens() -> None:
    with Beak(f"http://127.0.0.1:{free_port()}", retries=1) as beak:
        with pytest.raises(BeakConnectionError) as caught:
            beak.sign_out()
    assert not caught.value.was_sent


@pytest.mark.parametrize("arguments", [{"token": "a", "key": "b"}, {"url": "beak.example"}])
def test_refuses_two_credentials_and_an_address_without_scheme(arguments: Dict[str, str]) -> None:
    with pytest.raises(ValueError):
        Beak(**{"url": "http://localhost", **arguments})  # type: ignore[arg-type]


def test_shows_no_credential_in_its_representation() -> None:
    beak = Beak("http://localhost", token="secret-token")
    assert "secret-token" not in repr(beak) + repr(beak._credential)
    beak.close()


SECRET = "beak_KEY-01JD_Q7ZV4T9XW2N8"


@pytest.mark.parametrize("name, header", [("key", "X-Beak-Key"), ("token", "Authorization")])
@pytest.mark.parametrize("written", [f"{SECRET}\n", f" {SECRET}", f"\ufeff{SECRET}\r\n", f"\t{SECRET} \n\n"])
def test_sends_a_credential_without_the_blanks_and_line_breaks_around_it(name: str, header: str, written: str) -> None:
    sent: List[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request.headers[header])
        return httpx.Response(200, json={"display_name": "Teal"})

    with httpx.Client(transport=httpx.MockTransport(answer)) as http:
        Beak("http://localhost", http=http, **{name: written}).get_profile()  # type: ignore[arg-type]
    assert sent == [f"Bearer {SECRET}" if name == "token" else SECRET]


def texts_of(error: BaseException) -> str:
    """Returns all that a program prints of an exception: its texts, those of its causes, and its members."""
    chain: List[BaseException] = []
    following: List[BaseException] = [error]
    while following:
        one = following.pop()
        chain.append(one)
        following += [other for other in (one.__cause__, one.__context__) if other is not None and other not in chain]
    printed = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    return printed + "".join(f"{one} {one!r} {vars(one)!r}" for one in chain)


@pytest.mark.parametrize("name", ["key", "token"])
@pytest.mark.parametrize(
    "change", [lambda text: text[:9] + inner + text[9:] for inner in ("\n", "\r\nX: y", " ", "\0", "é", "\u200b")]
)
# security: asker-23
def test_refuses_a_credential_with_other_characters_and_does_not_name_it(
    name: str, change: Callable[[str], str]
) -> None:
    with pytest.raises(ValueError) as caught:
        Beak("http://localhost", **{name: change(SECRET)})  # type: ignore[arg-type]
    assert "Copy it again." in str(caught.value)
    with pytest.raises(TypeError) as of_bytes:
        Beak("http://localhost", **{name: SECRET.encode()})  # type: ignore[arg-type]
    texts = texts_of(caught.value) + texts_of(of_bytes.value)
    assert SECRET[12:] not in texts


@pytest.mark.parametrize("kind", [httpx.ConnectError, httpx.ReadTimeout, httpx.LocalProtocolError, httpx.DecodingError])
# security: asker-23
def test_names_no_credential_when_the_connection_fails(
    kind: Type[httpx.RequestError], caplog: pytest.LogCaptureFixture
) -> None:
    def fail(request: httpx.Request) -> httpx.Response:
        raise kind("broken", request=request)

    caplog.set_level(logging.DEBUG)
    with httpx.Client(transport=httpx.MockTransport(fail)) as http:
        beak = Beak("http://localhost", key=SECRET, retries=0, http=http)
        with pytest.raises(BeakConnectionError) as caught:
            beak.get_profile()
    error = caught.value
    assert (error.__cause__, error.__context__) == (None, None)
    request = Request("GET", "http://localhost", {}, {"X-Beak-Key": SECRET}, None, 0, is_repeatable=True)
    assert SECRET not in texts_of(error) + caplog.text + repr(request)


def test_waits_longer_after_each_failure_and_never_less_than_it_was_told() -> None:
    broken = BeakConnectionError("broken")
    for failures in range(20):
        most = min(30.0, 0.25 * 2**failures)
        assert most / 2 <= backoff(failures, broken) <= most
        seconds = backoff(failures, BeakAnswerError("wait", status=503, retry_after=7))
        assert 7 <= seconds <= 8
    assert len({backoff(3, broken) for _ in range(10)}) > 1


def test_a_request_that_was_not_sent_may_always_be_repeated() -> None:
    change = Request("POST", "http://localhost", {}, {}, b"", 0, is_repeatable=False)
    assert may_repeat(change, BeakConnectionError("refused", was_sent=False))
    assert not may_repeat(change, BeakConnectionError("broken"))
    assert not is_temporary(BeakAnswerError("later", status=503, retry_after=LONGEST_DELAY + 1))


def test_iterates_over_all_pages(teal: Person) -> None:
    events = list(teal.beak.iter_audit_events(limit=1))
    assert [event["seq"] for event in events] == list(range(len(events), 0, -1))
    assert len(events) > 1


async def collect(beak: AsyncBeak) -> List[int]:
    return [event["seq"] async for event in beak.iter_audit_events(limit=2)]


def test_iterates_over_all_pages_asynchronously(service: Service, teal: Person) -> None:
    async def main() -> List[int]:
        async with AsyncBeak(service.url, token=teal.token) as beak:
            return await collect(beak)

    assert asyncio.run(main()) == [event["seq"] for event in teal.beak.iter_audit_events()]


def test_parses_events_from_any_pieces_and_keeps_unusual_line_separators() -> None:
    data = json.dumps({"message": "a\u2028b\u0085c\x1cd"}, ensure_ascii=False)
    stream = f": hello\r\n\r\nevent: peck\rid: 1\rdata: {data}\r\revent: ready\ndata: {{}}\n\n".encode()
    whole = EventParser().feed(stream)
    assert whole == [ServerSentEvent("peck", data), ServerSentEvent("ready", "{}")]
    for size in (1, 2, 3, 7):
        parser = EventParser()
        pieces = [stream[at : at + size] for at in range(0, len(stream), size)]
        assert [event for piece in pieces for event in parser.feed(piece)] == whole
