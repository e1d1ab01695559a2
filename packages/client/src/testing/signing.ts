/** Signs the tokens and receipts of a fake, with a key that exists only in this fake. */
import { base64url, bytesOfText, sha256 } from '@beak/proofs/bytes'
import { canonicalText } from '@beak/proofs/canonical'
import {
  type DecisionStatement2,
  digestOf,
  displayDigest,
  paramDigest,
} from '@beak/proofs/receipts/decision-statement'
import { decisionOf, type Outcome } from '@beak/proofs/receipts/outcome'
import type { OutcomeFile } from '@beak/proofs/receipts/outcome-schema'
import { type FakePeck, randomText } from './pecks'
import { ownerOf } from './people'

const seconds = (time: number) => Math.floor(time / 1000)
const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString())
const encode = (value: object) => base64url(bytesOfText(JSON.stringify(value)))
const standingMs = 30 * 86_400_000

interface PublicKey {
  kty: 'OKP'
  crv: 'Ed25519'
  x: string
  kid: string
  alg: 'EdDSA'
  use: 'sig'
}

export class Signer {
  readonly #key = newKey()

  constructor(readonly issuer: string) {}

  async jwks(): Promise<{ keys: PublicKey[] }> {
    return { keys: [(await this.#key).jwk] }
  }

  /** Returns a token. Every one has the mark of a test service. */
  async #sign(typ: string, claims: object): Promise<string> {
    const { privateKey, jwk } = await this.#key
    const header = encode({ alg: 'EdDSA', typ, kid: jwk.kid })
    const text = `${header}.${encode({ iss: this.issuer, aud: this.issuer, ...claims, test: true })}`
    const signature = await crypto.subtle.sign('Ed25519', privateKey, bytesOfText(text))
    return `${text}.${base64url(new Uint8Array(signature))}`
  }

  grantToken(peck: FakePeck, now: number): Promise<string> {
    return this.#sign('peck+jwt', {
      sub: peck.asker.id,
      jti: randomText(20),
      iat: seconds(now),
      exp: Math.ceil((peck.grantExpiresAt ?? now + standingMs) / 1000),
      peck_id: peck.id,
      target: peck.target.id,
      action: peck.action,
      scope: peck.scope,
      params_hash: peck.paramsHash,
    })
  }

  /** Returns a receipt of version 2 without a passkey. */
  async receipt(peck: FakePeck, outcome: Outcome, now: number): Promise<OutcomeFile> {
    const params = Object.entries(peck.params).map(([name, value]) => ({ salt: randomText(), name, value }))
    const statement = this.#statement(peck, outcome, params)
    const isGrant = decisionOf[outcome] === 'approve'
    const ends: Record<Outcome, number | null> = {
      approved: null,
      rejected: null,
      expired: peck.expiresAt,
      cancelled: peck.decided?.at ?? null,
      revoked: peck.revokedAt,
      consumed: peck.lastUsedAt,
    }
    const jws = await this.#sign('peck-receipt+jwt', {
      iat: seconds(now),
      version: 2,
      sub: peck.id,
      outcome,
      decided_at: statement.decision === null ? null : iso(peck.decided?.at ?? null),
      ended_at: iso(ends[outcome]),
      uses: peck.uses,
      last_used_at: iso(peck.lastUsedAt),
      grant_expires_at: isGrant ? iso(peck.grantExpiresAt) : null,
      statement: digestOf(statement),
      passkey: null,
      enrolment: null,
    })
    return {
      version: 2,
      peck_id: peck.id,
      outcome,
      statement,
      statement_text: canonicalText(statement),
      passkey: null,
      enrolment: null,
      values: { params },
      jws,
      jwks: await this.jwks(),
    }
  }

  #statement(
    peck: FakePeck,
    outcome: Outcome,
    params: { salt: string; name: string; value: unknown }[],
  ): DecisionStatement2 {
    const shown = { version: 1, sentence: peck.action, values: [], message: peck.message }
    return {
      type: 'beak.peck.decision',
      version: 2,
      decision: decisionOf[outcome],
      issuer: this.issuer,
      audience: peck.audience,
      nonce: randomText(),
      peck_id: peck.id,
      action: peck.action,
      scope: peck.scope,
      params: params.map(({ salt, name, value }) => paramDigest(salt, name, value)).sort(),
      requester: {
        duckling_id: ownerOf(peck.asker).id,
        agent_id: 'owner' in peck.asker ? peck.asker.id : null,
      },
      target_duckling_id: peck.target.id,
      created_at: new Date(peck.createdAt).toISOString(),
      expires_at: new Date(peck.expiresAt).toISOString(),
      grant_seconds: peck.grantSeconds,
      display: { version: shown.version, hash: displayDigest(randomText(), shown) },
      log: null,
    }
  }
}

async function newKey(): Promise<{ privateKey: CryptoKey; jwk: PublicKey }> {
  const pair = (await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])) as CryptoKeyPair
  const { x = '' } = await crypto.subtle.exportKey('jwk', pair.publicKey)
  const kid = base64url(await sha256(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`))
  return {
    privateKey: pair.privateKey,
    jwk: { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' },
  }
}
