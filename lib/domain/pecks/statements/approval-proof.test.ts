import { createHash, verify } from 'node:crypto'
import { statementText } from '@beak/proofs/receipts/statement-text'
import { cose, isoCBOR } from '@simplewebauthn/server/helpers'
import { beforeEach, describe, expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import type { AssertionCredential } from '@/lib/domain/passkeys/schema'
import { challengePasskey } from '@/lib/domain/pecks/decide/challenge'
import { requestPeck } from '@/lib/domain/pecks/request/request'
import { Authenticator, type Deviations } from '@/lib/factories/authenticator'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { type APasskey, aPasskey } from '@/lib/factories/passkeys'
import { verifyDecision } from './approval-proof'
import { approvalStatement } from './decision-statement'

type Response = AssertionCredential['response']

let asker: ADuckling
let target: ADuckling
let passkey: APasskey
beforeEach(async () => {
  asker = await aDuckling()
  target = await aDuckling()
  passkey = await aPasskey(target, { authenticator: new Authenticator({ isSynced: true }) })
})

async function aPendingPeck(action: string) {
  const { peck_id } = await requestPeck(await asker.context(), {
    targetDucklingId: target.id,
    action,
    scope: 'limited',
    params: { amount: 5 },
    message: undefined,
    expiresIn: 3600,
    grantExpiresIn: undefined,
  })
  return db().peck.findUniqueOrThrow({ where: { id: peck_id } })
}

async function challengeFor(peckId: string) {
  return challengePasskey(await target.context(), {
    purpose: 'approve',
    peck_id: peckId,
    statement_version: 1,
  })
}

describe('the passkey proof of an approval', () => {
  // security: host-2
  it('contains what anybody can check offline: statement, key and signature', async () => {
    const peck = await aPendingPeck('pay:invoice')
    const assertion = passkey.authenticator.get(await challengeFor(peck.id))
    const proof = await verifyDecision(await target.context(), 'approve', peck, assertion)
    expect(proof).toMatchObject({
      statement: statementText(approvalStatement(peck)),
      passkey_id: passkey.id,
      credential_id: passkey.authenticator.credentialId,
    })

    const bytes = (text: string) => Buffer.from(text, 'base64url')
    const client = bytes(proof.assertion.clientDataJSON)
    const hash = createHash('sha256').update(proof.statement).digest('base64url')
    expect(JSON.parse(client.toString())).toMatchObject({ type: 'webauthn.get', challenge: hash })
    const key = isoCBOR.decodeFirst<Map<number, Uint8Array>>(new Uint8Array(bytes(proof.public_key)))
    const coordinate = (name: cose.COSEKEYS) => Buffer.from(key.get(name) ?? []).toString('base64url')
    const signed = Buffer.concat([
      bytes(proof.assertion.authenticatorData),
      createHash('sha256').update(client).digest(),
    ])
    const jwk = {
      kty: 'EC',
      crv: 'P-256',
      x: coordinate(cose.COSEKEYS.x),
      y: coordinate(cose.COSEKEYS.y),
    }
    const isSigned = verify('sha256', signed, { key: jwk, format: 'jwk' }, bytes(proof.assertion.signature))
    expect(isSigned).toBe(true)
  })

  it('is refused for another peck than the signed one', async () => {
    const [one, other] = [await aPendingPeck('read:profile'), await aPendingPeck('read:cert')]
    const assertion = passkey.authenticator.get(await challengeFor(one.id))
    await challengeFor(other.id)
    await expect(verifyDecision(await target.context(), 'approve', other, assertion)).rejects.toMatchObject({
      failure: 'passkey_assertion_invalid',
    })
  })

  // security: asker-34
  it('is refused when a fact of the peck differs from the signed one', async () => {
    const peck = await aPendingPeck('read:profile')
    const assertion = passkey.authenticator.get(await challengeFor(peck.id))
    const changed = { ...peck, grantSeconds: 999_999 }
    await expect(verifyDecision(await target.context(), 'approve', changed, assertion)).rejects.toMatchObject(
      {
        failure: 'passkey_assertion_invalid',
      },
    )
  })

  it('is accepted once by 20 simultaneous tries', async () => {
    const peck = await aPendingPeck('read:profile')
    const assertion = passkey.authenticator.get(await challengeFor(peck.id))
    const context = await target.context()
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => verifyDecision(context, 'approve', peck, assertion)),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it("is refused for another person's passkey, without user verification, and with a wrong signature", async () => {
    const peck = await aPendingPeck('read:profile')
    const theirs = await aPasskey(asker)
    const context = await target.context()
    const attempts = [
      theirs.authenticator.get(await challengeFor(peck.id)),
      passkey.authenticator.get(await challengeFor(peck.id), { isUserVerified: false }),
      passkey.authenticator.get(await challengeFor(peck.id), { isForged: true }),
    ]
    for (const assertion of attempts) {
      await challengeFor(peck.id)
      await expect(verifyDecision(context, 'approve', peck, assertion)).rejects.toMatchObject({
        failure: 'passkey_assertion_invalid',
      })
    }
  })

  describe.each([
    ['a statement of version 1', 'approve', { statement_version: 1 }],
    ['an approval of version 2', 'approve', {}],
    ['an approval of version 3', 'approve', { statement_version: 3 }],
    ['a rejection', 'reject', {}],
  ] as const)('over %s', (_, purpose, version) => {
    const decide = async (deviations: Deviations, change: (response: Response) => Partial<Response>) => {
      const peck = await aPendingPeck('read:profile')
      const context = await target.context()
      const options = await challengePasskey(context, { purpose, peck_id: peck.id, ...version })
      const assertion = passkey.authenticator.get(options, deviations)
      const response = { ...assertion.response, ...change(assertion.response) }
      return verifyDecision(context, purpose, peck, { ...assertion, response })
    }

    it.each(
      (['signature', 'authenticatorData', 'clientDataJSON'] as const).flatMap((part) => [
        [part, 'a superfluous sign', '='] as const,
        [part, 'a line end', '\n'] as const,
      ]),
    )('is refused when %s has %s, because no receipt could prove it', async (part, _name, more) => {
      await expect(decide({}, (response) => ({ [part]: `${response[part]}${more}` }))).rejects.toMatchObject({
        failure: 'passkey_assertion_invalid',
      })
    })

    it.each<[string, (text: string) => string]>([
      ['a byte order mark', (text) => `\ufeff${text}`],
      ['a member twice', (text) => text.replace('{', '{"type":"webauthn.create",')],
    ])('is refused when the signed client data has %s', async (_name, clientText) => {
      await expect(decide({ clientText }, () => ({}))).rejects.toMatchObject({
        failure: 'passkey_assertion_invalid',
      })
    })

    it('is accepted as the browser gives it', async () => {
      expect(await decide({}, () => ({}))).toMatchObject({ passkey_id: passkey.id })
    })
  })

  it('is refused when its challenge was never issued', async () => {
    const peck = await aPendingPeck('read:profile')
    const options = await challengeFor(peck.id)
    await db().ceremony.deleteMany({ where: { peckId: peck.id } })
    await expect(
      verifyDecision(await target.context(), 'approve', peck, passkey.authenticator.get(options)),
    ).rejects.toMatchObject({
      failure: 'passkey_assertion_invalid',
      concern: { metadata: { cause: 'challenge' } },
    })
  })
})
