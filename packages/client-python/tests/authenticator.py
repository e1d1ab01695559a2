"""A software authenticator with one passkey: makes the registrations and assertions of a browser, with real signatures."""
import base64
import hashlib
import json
import secrets
from typing import Any, List, Tuple, Union

from beak import models
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256

Cbor = Union[int, bytes, str, List[Tuple[Any, Any]]]


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def head(major: int, number: int) -> bytes:
    if number < 24:
        return bytes([major << 5 | number])
    size = 1 if number < 256 else 2 if number < 65536 else 4
    return bytes([major << 5 | {1: 24, 2: 25, 4: 26}[size]]) + number.to_bytes(size, "big")


def cbor(value: Cbor) -> bytes:
    """Encodes whole numbers, bytes, texts, and maps as lists of pairs."""
    if isinstance(value, int):
        return head(0, value) if value >= 0 else head(1, -1 - value)
    if isinstance(value, bytes):
        return head(2, len(value)) + value
    if isinstance(value, str):
        return head(3, len(value.encode())) + value.encode()
    return head(5, len(value)) + b"".join(cbor(key) + cbor(item) for key, item in value)


class Authenticator:
    """A passkey with a key of the kind `ES256`, `EdDSA` or `RS256`."""

    def __init__(self, origin: str, kind: str = "ES256") -> None:
        self._origin = origin
        self._id = secrets.token_bytes(32)
        self._key: Union[ec.EllipticCurvePrivateKey, ed25519.Ed25519PrivateKey, rsa.RSAPrivateKey]
        if kind == "ES256":
            self._key = ec.generate_private_key(ec.SECP256R1())
        elif kind == "EdDSA":
            self._key = ed25519.Ed25519PrivateKey.generate()
        else:
            self._key = rsa.generate_private_key(65537, 2048)
        self._counter = 0

    @property
    def credential_id(self) -> str:
        return base64url(self._id)

    def cose_key(self) -> bytes:
        if isinstance(self._key, ec.EllipticCurvePrivateKey):
            point = self._key.public_key().public_numbers()
            x, y = (number.to_bytes(32, "big") for number in (point.x, point.y))
            return cbor([(1, 2), (3, -7), (-1, 1), (-2, x), (-3, y)])
        if isinstance(self._key, ed25519.Ed25519PrivateKey):
            from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

            raw = self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
            return cbor([(1, 1), (3, -8), (-1, 6), (-2, raw)])
        numbers = self._key.public_key().public_numbers()
        return cbor([(1, 3), (3, -257), (-1, numbers.n.to_bytes(256, "big")), (-2, b"\x01\x00\x01")])

    def sign(self, data: bytes) -> bytes:
        if isinstance(self._key, ec.EllipticCurvePrivateKey):
            return self._key.sign(data, ec.ECDSA(SHA256()))
        if isinstance(self._key, ed25519.Ed25519PrivateKey):
            return self._key.sign(data)
        return self._key.sign(data, padding.PKCS1v15(), SHA256())

    def _client_data(self, kind: str, challenge: str) -> bytes:
        data = {"type": kind, "challenge": challenge, "origin": self._origin, "crossOrigin": False}
        return json.dumps(data).encode()

    def _data(self, rp_id: str, flags: int, attested: bytes = b"") -> bytes:
        self._counter += 1
        return hashlib.sha256(rp_id.encode()).digest() + bytes([flags]) + self._counter.to_bytes(4, "big") + attested

    def register(self, options: models.PasskeyCreationOptions) -> models.RegistrationCredential:
        """Returns the registration for creation options."""
        attested = bytes(16) + len(self._id).to_bytes(2, "big") + self._id + self.cose_key()
        attestation = cbor(
            [("fmt", "none"), ("attStmt", []), ("authData", self._data(options["rp"]["id"], 0x45, attested))]
        )
        client_data = self._client_data("webauthn.create", options["challenge"])
        return {
            "id": base64url(self._id),
            "rawId": base64url(self._id),
            "type": "public-key",
            "clientExtensionResults": {},
            "response": {
                "clientDataJSON": base64url(client_data),
                "attestationObject": base64url(attestation),
            },
        }

    def assertion(self, options: models.PasskeyRequestOptions) -> models.AssertionCredential:
        """Returns the assertion for request options."""
        client_data = self._client_data("webauthn.get", options["challenge"])
        data = self._data(options["rpId"], 0x05)
        signature = self.sign(data + hashlib.sha256(client_data).digest())
        return {
            "id": base64url(self._id),
            "rawId": base64url(self._id),
            "type": "public-key",
            "clientExtensionResults": {},
            "response": {
                "clientDataJSON": base64url(client_data),
                "authenticatorData": base64url(data),
                "signature": base64url(signature),
            },
        }


def add_passkey(beak: Any, origin: str, kind: str = "ES256") -> Authenticator:
    """Adds a passkey to the account of a client."""
    authenticator = Authenticator(origin, kind)
    beak.finish_passkey_registration(credential=authenticator.register(beak.start_passkey_registration()))
    return authenticator
