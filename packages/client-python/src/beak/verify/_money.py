"""
Exact amounts of money, for rules. An amount is a whole number of the minor unit of its currency (cents of EUR, yen of JPY). The forms are few:
whatever two people could read differently is not an amount.
"""
import re
import unicodedata
from typing import Dict, FrozenSet, NamedTuple, Optional

from ..errors import VerificationError
from ._encoding import number_text


class Money(NamedTuple):
    """An exact amount: a whole number of the minor unit, never negative, and its currency (ISO 4217)."""

    minor: int
    currency: str


#: The codes of currencies (ISO 4217).
CODES: FrozenSet[str] = frozenset(
    """
    AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF
    CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD
    HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD
    MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN
    PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY
    TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWG
    """.split()
)
#: Currencies without a minor unit, and those whose minor unit is a thousandth.
_WITHOUT_MINOR_UNIT = frozenset("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF".split())
_WITH_THOUSANDTHS = frozenset("BHD IQD JOD KWD LYD OMR TND".split())
#: Signs that name one currency. `$` and `¥` name several.
_SIGNS: Dict[str, str] = {"€": "EUR", "£": "GBP", "₹": "INR", "US$": "USD"}

_AMOUNT = re.compile(r"(\d{1,12}|\d{1,3}(?:,\d{3}){1,3})(?:\.(\d{1,2}))?", re.ASCII)
_MARK = r"(US\$|[€£₹]|[A-Z]{3})"
_MARK_BEFORE = re.compile(rf"{_MARK} ?([0-9.,]{{1,20}})")
_MARK_AFTER = re.compile(rf"([0-9.,]{{1,20}}) ?{_MARK}")


def _code_of(text: object) -> Optional[str]:
    """Returns the code that a sign or code names, or None."""
    if not isinstance(text, str):
        return None
    code = _SIGNS.get(text, text)
    return code if code in CODES else None


def _minor_of(text: str, currency: str) -> Optional[int]:
    """Returns an amount in digits as a number of the minor unit, or None. "4,800" is no amount: it can mean 4.80 as well."""
    found = _AMOUNT.fullmatch(text)
    if found is None:
        return None
    groups, decimals = found[1].split(","), found[2] or ""
    places = 0 if currency in _WITHOUT_MINOR_UNIT else 3 if currency in _WITH_THOUSANDTHS else 2
    if (len(groups) == 2 and decimals == "") or len(decimals) > places:
        return None
    return int("".join(groups) + decimals.ljust(places, "0"))


def _digits_of(amount: object) -> Optional[str]:
    """Returns the digits of an amount that JSON has as a number or a text, or None."""
    if isinstance(amount, str):
        return amount
    if isinstance(amount, bool) or not isinstance(amount, (int, float)) or not amount >= 0:
        return None
    try:
        return number_text(amount)
    except VerificationError:
        # An infinite number, or one that does not fit in 64 bits.
        return None


def _money_of(digits: Optional[str], currency: Optional[str]) -> Optional[Money]:
    minor = None if digits is None or currency is None else _minor_of(digits, currency)
    return None if minor is None or currency is None else Money(minor, currency)


def read_money(text: str) -> Optional[Money]:
    """Returns the amount that a text writes with its currency ("€38.00", "38 EUR", "US$1,234.50"), or None for any other text."""
    before = _MARK_BEFORE.fullmatch(text)
    if before is not None:
        return _money_of(before[2], _code_of(before[1]))
    after = _MARK_AFTER.fullmatch(text)
    return None if after is None else _money_of(after[1], _code_of(after[2]))


def contradicts(value: object, beside: object) -> bool:
    """Tells whether a text names another currency than the param `currency` beside it. Then nobody can say which of them counts."""
    money, code = read_money(value) if isinstance(value, str) else None, _code_of(beside)
    return money is not None and code is not None and money.currency != code


def money_of_param(value: object, beside: object) -> Optional[Money]:
    """
    Returns the amount that a param is, or None. A param is an amount as a text with its currency, as `{amount, currency}`, or as an amount
    whose currency stands beside it: `beside` is the param `currency`. A text that names another currency than the one beside it is no amount.
    """
    code = _code_of(beside)
    if contradicts(value, beside):
        return None
    if isinstance(value, str):
        return read_money(value) or _money_of(value, code)
    if isinstance(value, dict):
        if not set(value) <= {"amount", "currency"}:
            return None
        return _money_of(_digits_of(value.get("amount")), _code_of(value.get("currency")))
    return _money_of(_digits_of(value), code)


#: The signs of currencies, and the small dollar sign. A fixed list, so that every verifier has the same.
_CURRENCY_SIGN = re.compile(
    "[$\u00a2-\u00a5\u058f\u060b\u07fe\u07ff\u09f2\u09f3\u09fb\u0af1\u0bf9\u0e3f\u17db\u20a0-\u20cf\ua838\ufdfc\ufe69]"
)
#: A longer text is a sentence, not an amount. In UTF-16 units, as other languages count.
_AMOUNT_MOST = 40


def looks_like_money(value: str, is_beside: bool) -> bool:
    """
    Tells whether a text can be read as an amount by somebody, in whatever form: "$5", "4.800 eur", "−€5". `is_beside`: a currency stands
    beside it.
    """
    if len(value.encode("utf-16-le", "surrogatepass")) // 2 > _AMOUNT_MOST:
        return False
    text = unicodedata.normalize("NFKC", value)
    if not any(unicodedata.category(character) == "Nd" for character in text):
        return False
    letters = re.sub("[^A-Za-z]", "", text).upper()
    return _CURRENCY_SIGN.search(text) is not None or letters in CODES or (is_beside and letters == "")
