"""
Names of params that say whom or what an action reaches. `any` never stands for them. The TypeScript client has the same list.
"""
import re
import unicodedata
from typing import List

_REACHED = frozenset(
    """
    cc bcc recipient receiver payee beneficiary creditor addressee destination dest merchant vendor supplier seller counterparty
    attendee invitee participant contact user username handle
    account acct iban bic swift aba routing sortcode wallet lnurl bolt11
    address addr url uri link href endpoint webhook callback redirect host hostname domain server ip
    email mail phone tel telephone mobile msisdn fax sms whatsapp
    path file filename folder directory dir target command cmd sql shell exec script
    konto kontonummer kontoinhaber empfanger empfaenger begunstigter beguenstigter zahlungsempfanger zahlungsempfaenger glaubiger adresse
    anschrift telefon telefonnummer rufnummer handy handynummer mobilnummer pfad datei ordner befehl
    destinataire beneficiaire compte courriel telephone chemin fichier
    destinatario beneficiario cuenta direccion telefono correo ruta archivo carpeta comando
    conto indirizzo cellulare percorso cartella conta endereco telefone caminho arquivo pasta
    ontvanger begunstigde rekening rekeningnummer adres telefoon telefoonnummer bestand opdracht
    """.split()
)
#: What a name says about somebody instead of naming them: `email_subject`.
_DETAILS = frozenset(
    "body count enabled format kind label language length limit message note size status subject text title type unit verified version".split()
)
_LONG = tuple(name for name in _REACHED if len(name) >= 5)
_CAMEL = re.compile("([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])")
_NUMBERED = re.compile("(.*[^0-9])[0-9]+")


def _words_of(name: str) -> List[str]:
    """Returns the words of a name in small letters of ASCII: `newPayee`, `New-Payee` and `new_payées` have two."""
    plain = "".join(one for one in unicodedata.normalize("NFKD", name) if not unicodedata.category(one).startswith("M"))
    split = _CAMEL.sub(lambda found: f"{found[1] or ''}{found[3] or ''}_{found[2] or ''}", plain)
    small = re.sub("[A-Z]", lambda letter: letter[0].lower(), split)
    words = [word for word in re.split("[^a-z0-9]+", small) if word]
    return [_NUMBERED.sub(r"\1", word) if _NUMBERED.fullmatch(word) else word for word in words]


def _is_reached(word: str) -> bool:
    forms = (word, re.sub("s$", "", word), re.sub("es$", "", word))
    return any(form in _REACHED for form in forms) or word.startswith(_LONG) or word.endswith(_LONG)


def names_reached(name: str) -> bool:
    """Tells whether a param with this name says whom or what an action reaches: a recipient, an account, an address, a path or a command."""
    words = _words_of(name)
    last = words[-1] if words else ""
    if last == "to":
        return True
    return last not in _DETAILS and any(map(_is_reached, words))
