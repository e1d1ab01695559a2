import { type OutcomePolicy, verifyOutcome } from '@beak/proofs/receipt'
import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { type APasskey, aPasskey, confirmWithPasskey } from '@/lib/factories/passkeys'
import { aPeck } from '@/lib/factories/pecks'
import { config } from '@/lib/kernel/config'

let owner: ADuckling
let older: APasskey
let newer: APasskey
beforeEach(async () => {
  owner = await aDuckling()
  older = await aPasskey(owner)
  newer = await anotherPasskey()
})

/** Adds a passkey that is newer than all others of the owner. */
async function anotherPasskey(confirmed = older): Promise<APasskey> {
  await confirmWithPasskey(owner, confirmed.authenticator)
  return aPasskey(owner)
}

const challengeFor = (passkey_id: string, { token } = owner) =>
  call('POST /beak/passkey/challenge', { token, body: { purpose: 'endorse', passkey_id } })

const endorse = (passkey_id: string, passkey: object, { token } = owner) =>
  call('POST /beak/passkey/endorse', { token, body: { passkey_id, passkey } })

async function endorsedBy({ authenticator }: APasskey, { id }: APasskey) {
  return endorse(id, authenticator.get((await challengeFor(id)).body))
}

/** Returns the receipt of an approval that a passkey signed. */
async function receiptSignedBy({ authenticator }: APasskey) {
  const asker = await aDuckling()
  const { peck_id } = await aPeck(asker, owner, {
    terms: { requireSigned: true, challenge: null, codeHash: null },
  })
  const { body } = await call('POST /beak/passkey/challenge', {
    token: owner.token,
    body: { purpose: 'approve', peck_id },
  })
  await call('POST /beak/peck/approve', {
    token: owner.token,
    body: { peck_id, passkey: authenticator.get(body) },
  })
  return (await call(`GET /beak/peck/outcome?peck_id=${peck_id}`, { token: asker.token })).body
}

/** Returns whether a shop that has pinned only this passkey accepts the receipt. */
async function isAccepted(receipt: unknown, pinned: APasskey): Promise<boolean> {
  const row = await db().passkey.findUniqueOrThrow({ where: { id: pinned.id } })
  const pin = {
    credential_id: row.credentialId,
    public_key: Buffer.from(row.publicKey).toString('base64url'),
  }
  const { body: keys } = await call('GET /.well-known/jwks.json')
  const policy: OutcomePolicy = { issuer: config().baseUrl, keys, require: 'pinned', pins: [pin] }
  return (await verifyOutcome(receipt, policy)).ok
}

describe('an older passkey that vouches for a newer one', () => {
  it('leads whoever has pinned it to the newer one, and not the other way round', async () => {
    expect(await isAccepted(await receiptSignedBy(newer), older)).toBe(false)
    expect(await endorsedBy(older, newer)).toMatchObject({ status: 200, body: { passkey_id: newer.id } })
    expect(await isAccepted(await receiptSignedBy(newer), older)).toBe(true)
    expect(await isAccepted(await receiptSignedBy(older), newer)).toBe(false)
  })

  it('leads on through a third one, also after it was removed itself', async () => {
    await endorsedBy(older, newer)
    const third = await anotherPasskey()
    await endorsedBy(newer, third)
    await db().passkey.delete({ where: { id: older.id } })
    const receipt = await receiptSignedBy(third)
    expect(receipt.passkey.endorsements).toHaveLength(2)
    for (const pinned of [newer, third]) expect(await isAccepted(receipt, pinned)).toBe(true)
  })

  it('is recorded in the log of the owner', async () => {
    await endorsedBy(older, newer)
    const event = await db().auditEvent.findFirst({
      where: { ducklingId: owner.id, action: 'passkey.endorsed' },
    })
    expect(event).toMatchObject({ outcome: 'success', metadata: { by: older.id } })
  })

  it('is accepted once of 50 simultaneous uses of one assertion', async () => {
    const assertion = older.authenticator.get((await challengeFor(newer.id)).body)
    const answers = await Promise.all(Array.from({ length: 50 }, () => endorse(newer.id, assertion)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

const refused = { status: 401, body: { code: 'E4006' } }

describe('an endorsement is refused', () => {
  // security: session-14
  it('when the newer passkey vouches for the older one, or for itself', async () => {
    expect((await challengeFor(older.id)).status).toBe(409)
    const { body } = await challengeFor(newer.id)
    expect(body.allowCredentials).toMatchObject([{ id: older.authenticator.credentialId }])
    expect(await endorse(newer.id, newer.authenticator.get(body))).toMatchObject(refused)
  })

  it('for the passkey of somebody else, which looks like an unknown one', async () => {
    const other = await aDuckling()
    const otherPasskey = await aPasskey(other)
    expect((await challengeFor(otherPasskey.id)).status).toBe(404)
    const { body } = await challengeFor(newer.id)
    expect((await endorse(otherPasskey.id, older.authenticator.get(body))).status).toBe(404)
  })

  it('by the passkey of somebody else', async () => {
    const other = await aDuckling()
    const otherPasskey = await aPasskey(other)
    const { body } = await challengeFor(newer.id)
    expect(await endorse(newer.id, otherPasskey.authenticator.get(body))).toMatchObject(refused)
  })

  // security: session-14
  it('with the assertion of a confirmation, an approval or about another passkey', async () => {
    const third = await anotherPasskey()
    const { peck_id } = await aPeck(await aDuckling(), owner)
    const challenges = [
      await call('POST /beak/passkey/challenge', { token: owner.token, body: { purpose: 'confirm' } }),
      await call('POST /beak/passkey/challenge', {
        token: owner.token,
        body: { purpose: 'approve', peck_id },
      }),
      await challengeFor(third.id),
    ]
    for (const { body } of challenges)
      expect(await endorse(newer.id, older.authenticator.get(body))).toMatchObject(refused)
  })

  it.each([
    ['forged', { isForged: true }],
    ['made on another site', { origin: 'https://evil.example' }],
    ['made without the person', { isUserVerified: false }],
  ])('when it is %s', async (_, deviations) => {
    const { body } = await challengeFor(newer.id)
    expect(await endorse(newer.id, older.authenticator.get(body, deviations))).toMatchObject(refused)
  })

  it('when its challenge was used as the challenge of an approval', async () => {
    const { body } = await challengeFor(newer.id)
    const { peck_id } = await aPeck(await aDuckling(), owner)
    const answer = await call('POST /beak/peck/approve', {
      token: owner.token,
      body: { peck_id, passkey: older.authenticator.get(body) },
    })
    expect(answer).toMatchObject(refused)
  })

  it('when the newer passkey was removed meanwhile', async () => {
    const assertion = older.authenticator.get((await challengeFor(newer.id)).body)
    await db().passkey.delete({ where: { id: newer.id } })
    expect((await endorse(newer.id, assertion)).status).toBe(404)
  })

  it('with an assertion over a text that the service never made', async () => {
    const { body } = await challengeFor(newer.id)
    const forged = older.authenticator.get({ ...body, challenge: Buffer.alloc(32).toString('base64url') })
    expect(await endorse(newer.id, forged)).toMatchObject(refused)
  })
})
