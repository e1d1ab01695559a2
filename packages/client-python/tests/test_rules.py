"""The published test vectors of rules (docs/receipts/vectors/rules.json)."""
import json
from datetime import datetime
from itertools import combinations
from typing import Any, Dict

from beak.verify._rule_shapes import is_rule
from beak.verify.rules import judge, judge_part, period_of
from service import ROOT

VECTORS: Dict[str, Any] = json.loads((ROOT / "docs/receipts/vectors/rules.json").read_text(encoding="utf-8"))


def money(found: Any) -> Any:
    return None if found is None else {"minor": found.minor, "currency": found.currency}


def test_judges_every_request_as_expected() -> None:
    assert len(VECTORS["judge"]) > 400
    for vector in VECTORS["judge"]:
        misses, cost = judge(vector["rule"], vector, json.loads(vector["params"]))
        expected = [(miss["why"], miss.get("param")) for miss in vector.get("misses", [])]
        assert (vector["about"], vector["params"], sorted(misses, key=str)) == (
            vector["about"],
            vector["params"],
            sorted(expected, key=str),
        )
        if vector["fits"]:
            assert (vector["params"], money(cost)) == (vector["params"], vector["cost"])


def test_never_contradicts_a_request_that_fits_whichever_of_its_params_are_hidden() -> None:
    fitting = [vector for vector in VECTORS["judge"] if vector["fits"]]
    assert len(fitting) > 100
    for vector in fitting:
        params = json.loads(vector["params"])
        for count in range(len(params) + 1):
            for names in combinations(params, count):
                some = {name: params[name] for name in names}
                misses, cost = judge_part(vector["rule"], vector, some, len(params) - count)
                assert (vector["about"], some, misses) == (vector["about"], some, [])
                assert cost is None or cost.minor <= vector["cost"]["minor"]


def test_reads_the_form_of_rules_as_expected() -> None:
    assert len(VECTORS["forms"]) > 100
    for form in VECTORS["forms"]:
        assert (form["about"], is_rule(json.loads(form["rule"]))) == (form["about"], form["is_valid"])
    for vector in VECTORS["judge"]:
        assert is_rule(vector["rule"]), vector["about"]


def test_begins_periods_at_midnight_in_the_time_zone() -> None:
    for one in VECTORS["periods"]:
        time = datetime.fromisoformat(one["time"].replace("Z", "+00:00"))
        assert (one["time_zone"], one["time"], period_of(one["per"], one["time_zone"], time)) == (
            one["time_zone"],
            one["time"],
            one["period"],
        )


def test_knows_no_period_of_a_time_zone_that_does_not_exist() -> None:
    time = datetime.fromisoformat("2026-09-22T14:13:20+00:00")
    for name in ("Europe/Atlantis", "../etc/passwd", "/etc/localtime", "", "Europe/", "posix\n"):
        assert period_of("day", name, time) is None
