"""
Checks a running service from its answers alone: tokens, certificate, status list, audit log, transparency log.

    verify.py service < input.json     base, issuer, token, duckling_id, credential, vkey, first (a kept checkpoint)
    verify.py vectors <folder>         the test vectors of docs/audit/format.md

Prints a line for each check. Exit code 0 when all is right, 1 when something was refused. Needs PyJWT and cryptography.
"""
import base64
import gzip
import json
import os
import sys
import urllib.error
import urllib.request

import jwt
from jwt.algorithms import OKPAlgorithm

from events import canonical, check_chain, check_event, digest_of, hashed_content
from merkle import (
    Refused,
    leaf_hash,
    open_checkpoint,
    open_note,
    read_entries,
    read_tile_hashes,
    require,
    root_from_path,
    roots_from_consistency,
    tree_hash,
)


def passed(what):
    print("ok: " + what)


class Service:
    """Reads answers of the service. `base` is where it is asked, `issuer` what it calls itself."""

    def __init__(self, base, issuer, token):
        self.base, self.issuer, self.token = base, issuer, token

    def read(self, path, bearer=False):
        request = urllib.request.Request(self.base + path)
        if bearer:
            request.add_header("Authorization", "Bearer " + self.token)
        try:
            with urllib.request.urlopen(request, timeout=15) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            raise Refused("GET %s answered %d" % (path, error.code))

    def json(self, path, bearer=True):
        return json.loads(self.read(path, bearer))

    def open_jwt(self, token, kind, audience=None):
        header = jwt.get_unverified_header(token)
        require(header["typ"] == kind, "the token is of another type: " + header["typ"])
        keys = [key for key in self.json("/.well-known/jwks.json", False)["keys"] if key["kid"] == header["kid"]]
        require(len(keys) == 1, "the service has no key " + header["kid"])
        options = {"require": ["iss"], "verify_aud": audience is not None}
        key = OKPAlgorithm.from_jwk(json.dumps(keys[0]))
        return jwt.decode(token, key, algorithms=["EdDSA"], audience=audience, issuer=self.issuer, options=options)


def check_certificate(service, credential):
    claims = service.open_jwt(credential, "vc+jwt")
    require("BirthCertificate" in claims["type"], "it is not a birth certificate")
    status = claims["credentialStatus"]
    path = status["statusListCredential"][len(service.issuer) :]
    listed = service.open_jwt(service.read(path).decode(), "vc+jwt")
    require(listed["id"] == status["statusListCredential"], "it is another status list")
    encoded = listed["credentialSubject"]["encodedList"]
    bits = gzip.decompress(base64.urlsafe_b64decode(encoded[1:] + "=" * (-len(encoded[1:]) % 4)))
    index = int(status["statusListIndex"])
    require(bits[index // 8] >> (7 - index % 8) & 1 == 0, "the certificate is revoked")
    passed("the certificate is signed, and the status list does not revoke it")


def read_events(service):
    events, cursor = [], ""
    while cursor is not None:
        page = service.json("/beak/audit?limit=5" + ("&cursor=" + cursor if cursor else ""))
        events += page["items"]
        cursor = page["next_cursor"]
    return events[::-1]


def check_audit_log(service, duckling_id):
    head = service.json("/beak/audit/head")
    claims = service.open_jwt(head["head"], "audit-head+jwt", service.issuer)
    events = [event for event in read_events(service) if event["seq"] <= claims["seq"]]
    check_chain(events, duckling_id)
    passed("%d events have their hashes and follow from each other" % len(events))
    require(claims["sub"] == duckling_id, "the head is of another log")
    require(events[-1]["seq"] == claims["seq"] and events[-1]["hash"] == claims["hash"], "the head is another event")
    passed("the signed head is the last event")
    return events


def decode_all(texts):
    return [base64.b64decode(text, validate=True) for text in texts]


def check_log(read, vkey):
    """Checks a whole log by its files. Returns the size, the root, the leaves and the checkpoint."""
    note = read("checkpoint").decode()
    size, root = open_checkpoint(note, vkey)
    passed("the checkpoint of %d entries is signed" % size)
    leaves = (read_tile_hashes(read, size) or [[]])[0]
    require(tree_hash(leaves) == root, "the tiles do not give the root")
    passed("the tiles give the root")
    require([leaf_hash(entry) for entry in read_entries(read, size)] == leaves, "an entry does not have its hash")
    passed("every entry has its hash")
    return size, root, leaves


def check_own_entry(service, events, vkey):
    proof = service.json("/beak/audit/proof")
    size, root = open_checkpoint(proof["checkpoint"], vkey)
    entry = proof["entry"]
    event = events[entry["seq"] - 1]
    digest = digest_of({"duckling_id": event["duckling_id"], "hash": event["hash"], "seq": event["seq"]})
    data = canonical({"digest": digest, "kind": "chain_head"}).encode()
    require(entry["data"].encode() == data, "the entry is not that of the event")
    path = decode_all(proof["inclusion"])
    require(root_from_path(leaf_hash(data), entry["index"], size, path) == root, "the entry is not included")
    passed("event %d is entry %d of the log" % (event["seq"], entry["index"]))


def check_growth(service, first, size, root, leaves, vkey):
    """Checks that the log continues a checkpoint that was kept."""
    first_size, first_root = open_checkpoint(first, vkey)
    require(tree_hash(leaves[:first_size]) == first_root, "the log does not begin with the kept checkpoint")
    answer = service.json("/beak/audit/proof?first=%d&second=%d" % (first_size, size))
    proof = decode_all(answer["consistency"]["proof"])
    roots = roots_from_consistency(first_size, size, proof, first_root)
    require(roots == (first_root, root), "the consistency proof leads elsewhere")
    passed("the log continues the kept checkpoint of %d entries" % first_size)


def check_service(about):
    service = Service(about["base"], about["issuer"], about["token"])
    claims = service.open_jwt(about["token"], "at+jwt", service.issuer)
    require(claims["sub"] == about["duckling_id"], "the token is of somebody else")
    passed("the access token is signed")
    check_certificate(service, about["credential"])
    events = check_audit_log(service, about["duckling_id"])
    vkey = about["vkey"]
    size, root, leaves = check_log(lambda path: service.read("/.well-known/tlog/" + path), vkey)
    check_own_entry(service, events, vkey)
    check_growth(service, about["first"], size, root, leaves, vkey)


def check_vectors(folder):
    def load(name):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            return json.load(file)

    vectors = load("events.json")
    for vector in vectors["events"]:
        require(canonical(hashed_content(vector["event"])) == vector["canonical"], "the canonical text is another")
        check_event(vector["event"])
    check_chain([vector["event"] for vector in vectors["events"]], vectors["events"][0]["event"]["duckling_id"])
    for vector in load("entries.json")["entries"]:
        digest = digest_of(json.loads(vector["canonical"]))
        data = canonical({"digest": digest, "kind": vector["kind"]})
        require((digest, data) == (vector["digest"], vector["data"]), "the entry is another")
        require(base64.b64encode(leaf_hash(data.encode())).decode() == vector["leaf_hash"], "the leaf is another")
    witness = load("cosignature.json")
    for name in ("log-5.json", "log-300.json"):
        log = load(name)
        files = {path: base64.b64decode(text) for path, text in log["tiles"].items()}
        files["checkpoint"] = log["checkpoint"].encode()
        open_note(log["checkpoint"], witness["vkey"])
        size, root, leaves = check_log(files.__getitem__, log["vkey"])
        for proof in log["inclusion"]:
            path = decode_all(proof["proof"])
            require(root_from_path(leaves[proof["index"]], proof["index"], size, path) == root, "not included")
        for proof in (one for one in log["consistency"] if one["first"] > 0):
            first_root = base64.b64decode(proof["first_root"])
            roots = roots_from_consistency(proof["first"], size, decode_all(proof["proof"]), first_root)
            require(roots == (first_root, root), "not consistent")
    passed("all vectors")


try:
    if sys.argv[1] == "service":
        check_service(json.load(sys.stdin))
    else:
        check_vectors(sys.argv[2])
except (Refused, jwt.PyJWTError, IndexError, KeyError, TypeError, ValueError) as error:
    print("refused: %s %s" % (type(error).__name__, error))
    sys.exit(1)
