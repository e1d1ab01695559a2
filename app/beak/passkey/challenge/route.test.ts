import { createHash, randomUUID } from 'node:crypto'
import { statementText } from '@beak/proofs/receipts/statement-text'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { requestPeck } from '@/lib/domain/pecks/request/request'
import { approvalStatement } from '@/lib/domain/pecks/statements/decision-statement'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { type APasskey, aPasskey } from '@/lib/factories/passkeys'
import { databaseUrl, describeOnPostgres } from '@/lib/fixtures/source-files'
import { onSignal, startSignals, stopSignals } from '@/lib/infrastructure/events/signals'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'

let asker: ADuckling
let target: ADuckling
let passkey: APasskey
beforeEach(async () => {
  asker = await aDuckling()
  target = await aDuckling()
  passkey = await aPasskey(target)
})

/** Sends a peck from the asker to the target and returns its id. */
async function aPendingPeck(action = 'read:profile'): Promise<string> {
  const { peck_id } = await requestPeck(await asker.context(), {
    targetDucklingId: target.id,
    action,
    scope: 'timed',
    params: {},
    message: undefined,
    expiresIn: 3600,
    grantExpiresIn: undefined,
  })
  return peck_id
}

const ask = (body: unknown, duckling = target) =>
  call('POST /beak/passkey/challenge', { token: duckling.token, body })

describe('200', () => {
  it("returns 32 random bytes and the caller's passkeys for elevate", async () => {
    const [first, second] = [await ask({ purpose: 'elevate' }), await ask({ purpose: 'elevate' })]
    expect(first.body).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rpId: 'localhost',
      timeout: 300_000,
      userVerification: 'required',
      allowCredentials: [
        { id: passkey.authenticator.credentialId, type: 'public-key', transports: ['internal'] },
      ],
    })
    expect(second.body.challenge).not.toBe(first.body.challenge)
  })

  it("returns the SHA-256 of the peck's statement of version 1 for approve, the same at every call", async () => {
    const peckId = await aPendingPeck()
    const peck = await db().peck.findUniqueOrThrow({ where: { id: peckId } })
    const expected = createHash('sha256')
      .update(statementText(approvalStatement(peck)))
      .digest('base64url')
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => ask({ purpose: 'approve', peck_id: peckId, statement_version: 1 })),
    )
    expect(answers.map(({ status, body }) => [status, body.challenge])).toEqual(
      Array(5).fill([200, expected]),
    )
    expect(await db().ceremony.count({ where: { peckId } })).toBe(1)
  })

  it('extends an expired challenge of version 1 of the same peck by five minutes', async () => {
    const peckId = await aPendingPeck()
    await ask({ purpose: 'approve', peck_id: peckId, statement_version: 1 })
    await db().ceremony.updateMany({ where: { peckId }, data: { expiresAt: new Date(0) } })
    await ask({ purpose: 'approve', peck_id: peckId, statement_version: 1 })
    const { expiresAt } = await db().ceremony.findFirstOrThrow({ where: { peckId } })
    expect(expiresAt.getTime()).toBeGreaterThan(secondsAfter(readClock(), 290).getTime())
  })
})

describeOnPostgres('beside an instance of 0.2.0', () => {
  afterEach(() => stopSignals())

  it('returns version 1, which that instance can check, unless the request demands more', async () => {
    const [peckId, other] = [await aPendingPeck(), await aPendingPeck('read:cert')]
    await db().peck.update({ where: { id: other }, data: { requireSigned: true } })
    const versionOf = async (peck_id: string, more = {}) => {
      const { body } = await ask({ purpose: 'approve', peck_id, ...more })
      return body.statement === undefined ? 1 : JSON.parse(body.statement).version
    }
    startSignals()
    // What an instance of 0.2.0 sends at every beat, and when it stops.
    const from = randomUUID()
    const say = async (more = {}) =>
      void (await db().run`SELECT pg_notify('beak', ${JSON.stringify({ from, topics: [], ...more })})`)
    await expect.poll(() => say().then(() => versionOf(peckId)), { timeout: 10_000 }).toBe(1)
    expect(await versionOf(other)).toBe(3)
    await say()
    expect(await versionOf(peckId, { statement_version: 2 })).toBe(2)
    await say({ isLeaving: true })
    await expect.poll(() => versionOf(peckId), { timeout: 10_000 }).toBe(2)
  })

  it('returns version 1 from the start, before that instance has sent anything', async () => {
    const peckId = await aPendingPeck()
    const other = new Client({ connectionString: databaseUrl ?? '' })
    await other.connect()
    onTestFinished(() => other.end())
    await other.query('LISTEN beak')
    await stopSignals()
    startSignals()
    const statement = async () => (await ask({ purpose: 'approve', peck_id: peckId })).body.statement
    await expect.poll(statement, { timeout: 10_000 }).toBeUndefined()
  })

  it('returns version 2 beside another instance of this version', async () => {
    const peckId = await aPendingPeck()
    startSignals()
    const heard = new Promise<void>((resolve) => onSignal(peckId, resolve))
    const message = JSON.stringify({ from: randomUUID(), version: '0.3.0', topics: [peckId] })
    await db().run`SELECT pg_notify('beak', ${message})`
    await heard
    expect(JSON.parse((await ask({ purpose: 'approve', peck_id: peckId })).body.statement).version).toBe(2)
  })
})

describe('400', () => {
  it.each([
    [{}, 'purpose'],
    [{ purpose: 'login' }, 'purpose'],
    [{ purpose: 'approve' }, 'peck_id'],
    [{ purpose: 'approve', peck_id: 'PECK-1' }, 'peck_id'],
    [{ purpose: 'elevate', peck_id: 'PECK-0000000000000000' }, 'peck_id'],
  ])('names the invalid field in %j', async (body, field) => {
    const answer = await ask(body)
    expect(answer.status).toBe(400)
    expect(answer.body.errors.map((error: { field: string }) => error.field)).toContain(field)
  })
})

describe('403 and 404', () => {
  it('refuses a challenge for a peck to everybody but its target', async () => {
    const peckId = await aPendingPeck()
    await aPasskey(asker)
    const stranger = await aDuckling()
    await aPasskey(stranger)
    const approve = { purpose: 'approve', peck_id: peckId }
    expect((await ask(approve, asker)).body.code).toBe('E4007')
    expect((await ask(approve, stranger)).status).toBe(404)
    expect((await ask({ purpose: 'approve', peck_id: 'PECK-0000000000000000' })).status).toBe(404)
    expect(await db().ceremony.count({ where: { peckId } })).toBe(0)
  })
})

describe('409', () => {
  it('names the status when the peck is no longer pending', async () => {
    const [rejected, late] = [await aPendingPeck('read:cert'), await aPendingPeck('read:audit')]
    await db().peck.update({ where: { id: rejected }, data: { status: 'rejected' } })
    await db().peck.update({ where: { id: late }, data: { expiresAt: readClock() } })
    for (const [peckId, status] of [
      [rejected, 'rejected'],
      [late, 'expired'],
    ]) {
      const { body } = await ask({ purpose: 'approve', peck_id: peckId })
      expect([body.code, body.current_status]).toEqual(['E4008', status])
    }
  })

  it('explains how to add a passkey when the account has none', async () => {
    const { status, body } = await ask({ purpose: 'elevate' }, asker)
    expect([status, body.code]).toEqual([409, 'E4008'])
    expect(body.action).toContain('POST /beak/passkey/register')
  })
})
