/** The content of an entry of the log: a kind and a digest. It does not show whose entry it is. See docs/audit/format.md. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesOfText, hex } from '../bytes'
import { canonicalText } from '../canonical'

export const entryKinds = [
  'chain_head',
  'passkey_enrolled',
  'passkey_removed',
  'decided',
  'used',
  'revoked',
  'approver_page',
  'continues',
  'client_package',
  'ended',
] as const
export type EntryKind = (typeof entryKinds)[number]

/** An event of an audit chain: its hash covers everything before it. */
export interface ChainHead {
  ducklingId: string
  seq: number
  hash: string
}

/** A passkey of an account. Credential id and public key (a COSE key) are base64url, as in a receipt. */
export interface EnrolledPasskey {
  ducklingId: string
  credentialId: string
  publicKey: string
}

const digestOf = (value: object): string => hex(sha256(bytesOfText(canonicalText(value))))

/** Returns the SHA-256, in hex, of the canonical JSON (RFC 8785) that names an event by account, number and hash. */
export function chainHeadDigest({ ducklingId, seq, hash }: ChainHead): string {
  return digestOf({ duckling_id: ducklingId, hash, seq })
}

/** Returns the SHA-256, in hex, of the canonical JSON that names a passkey by account, credential id and public key. */
export function passkeyDigest({ ducklingId, credentialId, publicKey }: EnrolledPasskey): string {
  return digestOf({ credential_id: credentialId, duckling_id: ducklingId, public_key: publicKey })
}

/** A decision of a person. The nonce in the statement keeps the digest from being guessed. */
export interface LoggedDecision {
  /** Digest of the statement in base64url, as in the receipt. */
  statement: string
  /** ISO 8601 in UTC with milliseconds, as all times here. */
  decidedAt: string
}

/** Returns the SHA-256, in hex, of the canonical JSON that names a decision by its statement and its time. */
export function decisionDigest({ statement, decidedAt }: LoggedDecision): string {
  return digestOf({ decided_at: decidedAt, statement })
}

/** Returns the digest of a use of a permission. `statement` as in a `LoggedDecision`. `uses`: how often it was used, with this use. */
export function usageDigest(statement: string, { uses, usedAt }: { uses: number; usedAt: string }): string {
  return digestOf({ statement, used_at: usedAt, uses })
}

/** Returns the digest of the revocation of a permission. `statement` as in a `LoggedDecision`. */
export function revocationDigest(statement: string, revokedAt: string): string {
  return digestOf({ revoked_at: revokedAt, statement })
}

/** Returns the digest of the revocation of a certificate. */
export function certificateRevocationDigest(certId: string, revokedAt: string): string {
  return digestOf({ cert_id: certId, revoked_at: revokedAt })
}

/** A package of a client, as a service hands it out. */
export interface LoggedPackage {
  /** The name of its file. */
  name: string
  /** SHA-256 of the file, in hex. */
  sha256: string
}

/** Returns the digest of a package that a service hands out. */
export function clientPackageDigest({ name, sha256: digest }: LoggedPackage): string {
  return digestOf({ name, sha256: digest })
}

/** Returns the text of an entry: canonical JSON. */
export function entryText(kind: EntryKind, digest: string): string {
  return canonicalText({ digest, kind })
}

/** Returns the bytes of an entry. */
export function encodeEntry(kind: EntryKind, digest: string): Uint8Array {
  return bytesOfText(entryText(kind, digest))
}
