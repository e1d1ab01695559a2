"""Signatures of passkeys, with the kinds of COSE key (RFC 9052, 9053, 8230) that the service accepts."""
from typing import Dict, List, Tuple, Union

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256

from ..errors import VerificationError

CoseValue = Union[int, bytes]


def _read_item(data: bytes, at: int) -> Tuple[int, int, bytes, int]:
    """Reads the head of a CBOR item. Returns its major type, its number, its bytes (for a byte string) and the next place."""
    major, short = data[at] >> 5, data[at] & 31
    at += 1
    if short < 24:
        number = short
    elif short in (24, 25, 26):
        size = 1 << (short - 24)
        number = int.from_bytes(data[at : at + size], "big")
        if len(data) < at + size:
            raise IndexError
        at += size
    else:
        raise ValueError
    if major != 2:
        return major, number, b"", at
    if len(data) < at + number:
        raise IndexError
    return major, number, data[at : at + number], at + number


def _read_map(data: bytes) -> Dict[int, CoseValue]:
    """Reads a CBOR map of integers to integers and byte strings, which is all that a COSE key has here."""
    major, count, _, at = _read_item(data, 0)
    if major != 5 or count > 16:
        raise ValueError
    members: Dict[int, CoseValue] = {}
    for _ in range(count):
        pair: List[CoseValue] = []
        for _ in range(2):
            major, number, content, at = _read_item(data, at)
            if major > 2:
                raise ValueError
            pair.append(content if major == 2 else -1 - number if major == 1 else number)
        label, value = pair
        if not isinstance(label, int) or label in members:
            raise ValueError
        members[label] = value
    if at != len(data):
        raise ValueError
    return members


def _part(members: Dict[int, CoseValue], label: int) -> bytes:
    value = members[label]
    if not isinstance(value, bytes):
        raise ValueError
    return value


def verify_cose(public_key: bytes, signed: bytes, signature: bytes) -> None:
    """Verifies a signature of WebAuthn: ES256, EdDSA or RS256. Raises `VerificationError` for any other key."""
    try:
        members = _read_map(public_key)
        kind = tuple(members.get(label) for label in (1, 3))
        if kind == (2, -7) and members.get(-1) == 1:
            point = b"\x04" + _coordinate(members, -2) + _coordinate(members, -3)
            curve_key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
            curve_key.verify(signature, signed, ec.ECDSA(SHA256()))
        elif kind == (1, -8) and members.get(-1) == 6:
            ed25519.Ed25519PublicKey.from_public_bytes(_part(members, -2)).verify(signature, signed)
        elif kind == (3, -257):
            modulus, exponent = (int.from_bytes(_part(members, label), "big") for label in (-1, -2))
            rsa_key = rsa.RSAPublicNumbers(exponent, modulus).public_key()
            rsa_key.verify(signature, signed, padding.PKCS1v15(), SHA256())
        else:
            raise ValueError
    except (InvalidSignature, IndexError, KeyError, ValueError) as error:
        raise VerificationError("The passkey's signature does not match.") from error


def _coordinate(members: Dict[int, CoseValue], label: int) -> bytes:
    value = _part(members, label)
    if len(value) != 32:
        raise ValueError
    return value
