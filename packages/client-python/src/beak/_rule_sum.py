"""
Sums what a shop has accepted by a rule. How much of the budget was spent before is the word of the service, and `before` of receipts cannot be
compared: unused permissions lower it, and uses arrive in another order. So the shop counts itself, by the statement that the passkey signed.

The TypeScript client stores the same keys and texts, so both can share a table.
"""
import json
from typing import Dict, Optional, cast

from .verify.enrolments import part_digest
from .verify.verdicts import VerifiedRule
from .verify.rules import budget_amount, budget_of

#: What a shop has accepted before the first use. A rule without periods has one, whose name is empty.
NO_USE = '{"uses":0,"periods":{}}'


def sum_key(rule: VerifiedRule) -> str:
    """Returns the key under which the sum of a rule is stored."""
    return f"rule:{part_digest(rule.statement)}"


def sum_after(kept: str, rule: VerifiedRule) -> Optional[str]:
    """
    Returns the text of the sum with one more use, or None when the signed rule does not allow it. Raises `ValueError` for a text that is
    no sum.
    """
    terms = cast(Dict[str, object], rule.statement["rule"])
    budget, limit = budget_of(terms), budget_amount(terms)
    known = json.loads(kept)
    # The service may narrow a rule without periods to periods, but the person signed none.
    period = str(rule.budget["period"]) if "per" in budget else ""
    before = known["periods"].get(period, {"uses": 0, "amount": 0})
    uses, amount = known["uses"] + 1, before["amount"] + int(cast(int, rule.budget["cost"]))
    each = before["uses"] + 1
    is_within = (
        uses <= cast(float, budget.get("uses", uses))
        and each <= cast(float, budget.get("uses_each", each))
        and (limit is None or amount <= limit.minor)
    )
    if not is_within:
        return None
    periods = {**known["periods"], period: {"uses": each, "amount": amount}}
    return json.dumps({"uses": uses, "periods": periods}, separators=(",", ":"))
