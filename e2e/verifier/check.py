"""
Checks a running service with the Python client, from the answers alone: access token, certificate, status list, audit log, and the
proofs of the transparency log.

    check.py < input.json     base, issuer, token, duckling_id, credential, vkey, first (a kept checkpoint)

Prints a line for each check. Exit code 0 when all is right, 1 when something was refused.
"""
import json
import sys

from beak import Beak, BeakAnswerError, BeakError, VerificationError
from beak.verify import (
    Issuer,
    KeySet,
    Verifier,
    open_checkpoint,
    verify_audit_log,
    verify_log_entry,
    verify_log_growth,
)
from beak.verify.keys import open_token


def passed(what):
    print("ok: " + what)


def require(condition, message):
    if not condition:
        raise VerificationError(message)


def read_events(beak):
    """Returns the events of the account, oldest first."""
    events, cursor = [], {}
    while True:
        page = beak.list_audit_events(limit=5, **cursor)
        events += page["items"]
        if page["next_cursor"] is None:
            return events[::-1]
        cursor = {"cursor": page["next_cursor"]}


def check(beak, about):
    issuer = Issuer(about["issuer"], KeySet(beak.get_public_keys()))
    vkeys = [about["vkey"]]
    claims = open_token(about["token"], "at+jwt", issuer.keys, issuer.url)
    require((claims["aud"], claims["sub"]) == (issuer.url, about["duckling_id"]), "the token is of somebody else")
    passed("the access token is signed")
    Verifier(beak, issuer=issuer.url).certificate(about["credential"])
    passed("the certificate is signed, and the status list does not revoke it")

    head = beak.get_audit_head()
    events = [event for event in read_events(beak) if event["seq"] <= head["seq"]]
    verify_audit_log(events, duckling_id=about["duckling_id"], head=head["head"], issuer=issuer)
    passed("%d events have their hashes, follow from each other and end with the signed head" % len(events))

    checkpoint = open_checkpoint(beak.get_log_checkpoint(), vkeys)
    passed("the checkpoint of %d entries is signed" % checkpoint.size)
    entry = verify_log_entry(beak.get_audit_proof(), vkeys=vkeys)
    event = events[entry.seq - 1]
    require((entry.duckling_id, entry.hash) == (event["duckling_id"], event["hash"]), "the entry is of another event")
    passed("event %d is entry %d of the log" % (entry.seq, entry.index))
    first = open_checkpoint(about["first"], vkeys)
    growth = beak.get_audit_proof(first=first.size, second=checkpoint.size)
    require(verify_log_growth(about["first"], growth, vkeys=vkeys).root == checkpoint.root, "the proof is of another log")
    passed("the log continues the kept checkpoint of %d entries" % first.size)


about = json.load(sys.stdin)
try:
    with Beak(about["base"], token=about["token"]) as beak:
        check(beak, about)
except (VerificationError, BeakAnswerError) as error:
    print("refused: %s" % error)
    sys.exit(1)
except BeakError as error:
    print("the service answered %s" % error)
    sys.exit(2)
