"""Merkle trees, tiles and signed notes, written from RFC 6962 and the C2SP specifications. Shares no code with the service."""
import base64
import hashlib

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


class Refused(Exception):
    """What was checked is not right."""


def require(condition, message):
    if not condition:
        raise Refused(message)


def leaf_hash(entry):
    return hashlib.sha256(b"\x00" + entry).digest()


def node_hash(left, right):
    return hashlib.sha256(b"\x01" + left + right).digest()


def split_of(n):
    """The largest power of two below n."""
    k = 1
    while k * 2 < n:
        k *= 2
    return k


def tree_hash(leaves):
    """MTH(D[n]) of RFC 6962, section 2.1, over the hashes of the leaves."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    k = split_of(len(leaves))
    return node_hash(tree_hash(leaves[:k]), tree_hash(leaves[k:]))


def root_from_path(leaf, index, size, path):
    """The root that an audit path (RFC 6962, section 2.1.1) leads to, from the leaf with that index in a tree of that size."""
    if size == 1:
        require(index == 0 and path == [], "the inclusion proof is too long")
        return leaf
    require(len(path) > 0 and 0 <= index < size, "the inclusion proof is too short")
    k = split_of(size)
    if index < k:
        return node_hash(root_from_path(leaf, index, k, path[:-1]), path[-1])
    return node_hash(path[-1], root_from_path(leaf, index - k, size - k, path[:-1]))


def roots_from_consistency(first, second, proof, first_root, is_whole=True):
    """Both roots that a consistency proof (RFC 6962, section 2.1.2) leads to: of the first and of the second tree."""
    if first == second:
        if is_whole:
            require(proof == [], "the consistency proof is too long")
            return first_root, first_root
        require(len(proof) == 1, "the consistency proof has another length")
        return proof[0], proof[0]
    require(len(proof) > 0, "the consistency proof is too short")
    k = split_of(second)
    last = proof[-1]
    if first <= k:
        old, new = roots_from_consistency(first, k, proof[:-1], first_root, is_whole)
        return old, node_hash(new, last)
    old, new = roots_from_consistency(first - k, second - k, proof[:-1], first_root, False)
    return node_hash(last, old), node_hash(last, new)


def tile_path(level, index, width):
    name = "%03d" % (index % 1000)
    while index >= 1000:
        index //= 1000
        name = "x%03d/%s" % (index % 1000, name)
    return "tile/%s/%s%s" % (level, name, "" if width == 256 else ".p/%d" % width)


def read_tile_hashes(read, size):
    """Every hash of every tile of the tree, by level. Checks that each hash is that of the full tile below it."""
    levels = []
    count = size
    while count > 0:
        hashes = []
        for index in range((count + 255) // 256):
            width = min(256, count - 256 * index)
            data = read(tile_path(len(levels), index, width))
            require(len(data) == 32 * width, "a tile has another length")
            hashes += [data[at : at + 32] for at in range(0, len(data), 32)]
        if levels:
            for at, value in enumerate(hashes):
                below = levels[-1][256 * at : 256 * at + 256]
                require(tree_hash(below) == value, "a tile does not give the hash above it")
        levels.append(hashes)
        count //= 256
    return levels


def read_entries(read, size):
    entries = []
    for index in range((size + 255) // 256):
        width = min(256, size - 256 * index)
        data = read(tile_path("entries", index, width))
        at = 0
        for _ in range(width):
            length = int.from_bytes(data[at : at + 2], "big")
            require(at + 2 + length <= len(data), "a bundle of entries is too short")
            entries.append(data[at + 2 : at + 2 + length])
            at += 2 + length
        require(at == len(data), "a bundle of entries is too long")
    return entries


def verify_signature(public_key, signature, message, what):
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except InvalidSignature:
        raise Refused("the signature of %s is wrong" % what)


def parse_vkey(vkey):
    """Name, key id, type of signature and public key of a verifier key."""
    name, key_id, encoded = vkey.split("+", 2)
    key = base64.b64decode(encoded, validate=True)
    digest = hashlib.sha256(name.encode() + b"\n" + key).digest()
    require(digest[:4].hex() == key_id and len(key) == 33, "the verifier key is malformed")
    return name, bytes.fromhex(key_id), key[0], key[1:]


def open_note(note, vkey):
    """The text of a note. Refuses a note without a good signature of that key."""
    name, key_id, kind, public_key = parse_vkey(vkey)
    text, found, signatures = note.rpartition("\n\n")
    require(found != "", "the note has no signatures")
    text += "\n"
    for line in signatures.splitlines():
        dash, signer, encoded = line.split(" ")
        value = base64.b64decode(encoded, validate=True)
        if dash != "\u2014" or signer != name or value[:4] != key_id:
            continue
        if kind == 4:
            time = int.from_bytes(value[4:12], "big")
            verify_signature(public_key, value[12:], ("cosignature/v1\ntime %d\n%s" % (time, text)).encode(), name)
        else:
            verify_signature(public_key, value[4:], text.encode(), name)
        return text
    raise Refused("the note has no signature of %s" % name)


def open_checkpoint(note, vkey):
    """Size and root of a checkpoint whose origin is the name of the key."""
    origin, size, root = open_note(note, vkey).split("\n")[:3]
    require(origin == vkey.split("+")[0], "the checkpoint is of another log")
    return int(size), base64.b64decode(root, validate=True)
