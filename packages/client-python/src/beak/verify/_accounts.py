"""
Numbers of accounts, wallets and invoices in texts, for `any`. Rather too often than too rarely.
"""
import re
import unicodedata

#: Days and times, whose digits are no number.
_DATES = re.compile(
    r"(?<![0-9])[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9:.]{5,12}(?:Z|[+-][0-9]{2}:[0-9]{2})?)?(?![0-9])"
)
_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}[0-9]{2}[ -]?(?:[A-Za-z]{1,8}[ -]?)?(?:[0-9][ -]?){8}")
_NAMED = re.compile(
    r"(?<![A-Za-z])(?:account|accounts|acct|a/c|iban|routing|wallet|konto|kontonr|kontonummer|compte|cuenta|conto|conta|rekening"
    r"|rekeningnummer)(?![A-Za-z])[^0-9]{0,20}[0-9](?:[ -]?[0-9]){4}",
    re.IGNORECASE | re.ASCII,
)
_CHARACTERS = "[qpzry9x8gf2tvdw0s3jn54khce6mua7l]"
#: Of Bitcoin, Lightning, Cardano, Cosmos and others (BIP 173).
_BECH32 = re.compile(rf"[A-Za-z][A-Za-z0-9]{{0,40}}1{_CHARACTERS}{{20,}}", re.IGNORECASE | re.ASCII)
#: Of Bitcoin Cash, of Ethereum and others.
_WALLETS = (
    re.compile(rf"[qp]{_CHARACTERS}{{41}}", re.IGNORECASE | re.ASCII),
    re.compile("0x[0-9a-f]{40,64}", re.IGNORECASE | re.ASCII),
    re.compile("[A-Z2-7]{56,58}"),
    re.compile("[EUk0]Q[A-Za-z0-9_-]{46}"),
    re.compile("(?:nano|xrb)_[a-z0-9]{60}", re.IGNORECASE | re.ASCII),
)
_BASE58 = re.compile("[1-9A-HJ-NP-Za-km-z]{25,110}")
_HEX = re.compile("[0-9a-f]+", re.IGNORECASE | re.ASCII)
_LONG_HEX = re.compile("[0-9a-f]{40,}", re.IGNORECASE | re.ASCII)
_LONG_NUMBER = re.compile("(?<![A-Za-z0-9])[0-9]{8}")
_TAG = re.compile(r"(?<![A-Za-z0-9])\$[A-Za-z]")


def _is_wallet(word: str) -> bool:
    """Tells whether a word is the address of a wallet or an invoice of Lightning."""
    is_bech32 = _BECH32.fullmatch(word) is not None and _HEX.fullmatch(word) is None
    return is_bech32 or any(form.fullmatch(word) for form in _WALLETS)


def _is_base58(word: str) -> bool:
    """Tells whether a word has the form of older wallets: many letters of both sizes, and digits."""
    has_all = all(re.search(form, word) for form in ("[a-z]", "[A-Z]", "[0-9]"))
    return has_all and _BASE58.fullmatch(word) is not None


def looks_like_account(value: str, is_paid: bool) -> bool:
    """
    Tells whether a text can name an account: an IBAN, a wallet, an invoice of Lightning, "account 12345678". `is_paid`: beside a payment
    also a bare number, a long one in a text, and a tag such as "$name".
    """
    text = _DATES.sub(" ", unicodedata.normalize("NFKC", value))
    words = [word for word in re.split("[^A-Za-z0-9_-]+", text) if word]
    joined = "".join(words)
    numbered = sum(re.search("[0-9]", word) is not None for word in words)
    # Prose without blanks would have the form of some wallets.
    is_split = len(words) > 1 and numbered * 3 >= len(words) * 2
    digits = [one for one in text if unicodedata.category(one) == "Nd"]
    # Digits of other scripts.
    is_foreign = sum(not one.isascii() for one in digits) > 5
    if is_foreign or _IBAN.search(text) or _NAMED.search(text) or any(map(_is_wallet, [*words, joined])):
        return True
    if any(map(_is_base58, words)) or (is_split and _is_base58(joined)):
        return True
    if not is_paid:
        return False
    is_bare = bool(digits) and not any(unicodedata.category(one).startswith("L") for one in text)
    is_long = _LONG_NUMBER.search(text) is not None or any(map(_LONG_HEX.fullmatch, words))
    return is_bare or is_long or _TAG.search(text) is not None
