import { parseNote } from '@beak/proofs/log/note'
import { pinnedKeys } from '@beak/proofs/log-keys'
import { type OutcomePolicy, verifyOutcome } from '@beak/proofs/receipt'
import type { OutcomeFile } from '@beak/proofs/receipts/outcome-schema'
import { checkReceipt } from '@beak/proofs/receipts/verify'
import type { OutcomeFacts } from '@beak/proofs/receipts/verify-outcome'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { paramsHash } from '@/lib/domain/pecks/params'
import { appendToLog } from '@/lib/domain/tlog/append'
import { logOrigin, logVerifierKeys } from '@/lib/domain/tlog/origin'
import type { PublishedCheckpoint } from '@/lib/domain/tlog/published'
import { cosignNote } from '@/lib/domain/tlog/sign-note'
import { anAgent } from '@/lib/factories/agents'
import type { Authenticator } from '@/lib/factories/authenticator'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { aPasskey } from '@/lib/factories/passkeys'
import { anApprovedPeck, aPeck } from '@/lib/factories/pecks'
import { appendNow, newestCheckpoint, pendingEntries } from '@/lib/fixtures/tlog'
import { aNoteSigner } from '@/lib/fixtures/witnesses'
import { config, useConfig } from '@/lib/kernel/config'

const params = { amount: 4800.5, currency: 'EUR', to: 'pond@example.com' }

const before = config()
afterEach(() => useConfig(before))

let asker: ADuckling
let target: ADuckling
beforeEach(async () => {
  asker = await aDuckling()
  target = await aDuckling({ tier: 'T2' })
})

const receiptFor = ({ token }: { token: string }, peckId: string, more = '') =>
  call(`GET /beak/peck/outcome?peck_id=${peckId}${more}`, { token })

/** Returns the facts of a valid receipt, checked with the keys of the service and of its log. */
async function factsOf(receipt: OutcomeFile): Promise<OutcomeFacts> {
  const vkeys = pinnedKeys(await logVerifierKeys(), 'ed25519')
  const verdict = await checkReceipt(receipt, receipt.jwks, { vkeys })
  if (!verdict.ok || verdict.facts.version === 1) throw new Error(JSON.stringify(verdict))
  return verdict.facts
}

const post = (line: `POST ${string}`, { token }: { token: string }, body: object) =>
  call(line, { token, body }) as ReturnType<typeof receiptFor>

/** Decides with the passkey, which signs a statement of version 2. */
async function decideSigned(
  authenticator: Authenticator,
  purpose: 'approve' | 'reject',
  peck_id: string,
  more: object = {},
) {
  const version = purpose === 'approve' ? { statement_version: 2 } : {}
  const { body } = await post('POST /beak/passkey/challenge', target, { purpose, peck_id, ...version })
  const passkey = authenticator.get(body)
  const decided = await post(`POST /beak/peck/${purpose}`, target, { peck_id, passkey, ...more })
  expect(decided.status).toBe(200)
}

/** A passkey of the target that the transparency log has. */
async function aLoggedPasskey(): Promise<Authenticator> {
  const { authenticator } = await aPasskey(target)
  await appendToLog(new Date(), { force: true })
  return authenticator
}

describe('200', () => {
  it('proves an approval to both sides, with its values and what the page displayed', async () => {
    const { peck_id } = await anApprovedPeck(asker, target, {
      action: 'pay:invoice',
      params,
      message: 'For May',
    })
    for (const side of [asker, target]) {
      const { status, body } = await receiptFor(side, peck_id)
      expect(status).toBe(200)
      expect(JSON.stringify(body.statement)).not.toContain('pond@example.com')
      const facts = await factsOf(body)
      expect(facts).toMatchObject({
        outcome: 'approved',
        uses: 0,
        endedAt: null,
        passkey: null,
        enrolment: { state: 'no_passkey' },
        statement: { decision: 'approve', action: 'pay:invoice', log: null },
        values: { hiddenParams: 0, shown: { version: 3, message: 'For May' } },
      })
      expect(Object.fromEntries(facts.values.params.map(({ name, value }) => [name, value]))).toEqual(params)
    }
  })

  // security: database-7
  it('shows that the log has the passkey that approved', async () => {
    const authenticator = await aLoggedPasskey()
    const { peck_id } = await aPeck(asker, target, { scope: 'standing', params })
    await decideSigned(authenticator, 'approve', peck_id)
    await appendToLog(new Date(), { force: true })
    expect(await factsOf((await receiptFor(asker, peck_id)).body)).toMatchObject({
      outcome: 'approved',
      passkey: { credentialId: authenticator.credentialId, statementVersion: 2 },
      enrolment: { state: 'witness_not_trusted' },
    })
  })

  it('is proven at once: it names the newest cosigned state of the log, unless the passkey is newer', async () => {
    const [one, two] = [1, 2].map((byte) => aNoteSigner(`w${byte}.example/w`, byte, 'cosignature'))
    if (!one || !two) throw new Error('no witnesses')
    const witnesses = [one, two].map(({ vkey, key }) => ({ vkey, key, url: 'https://w.example' }))
    useConfig({ ...config(), tlogWitnesses: witnesses })
    const cosign = async ({ size, note }: PublishedCheckpoint, signers = [one, two]) => {
      const text = parseNote(note)?.text ?? ''
      const time = Math.floor(Date.now() / 1000)
      const origin = await logOrigin()
      await db().logCosignature.createMany({
        data: signers.map(({ vkey, key, privateKey }) => ({
          origin,
          size,
          witness: vkey,
          line: cosignNote(text, key, privateKey, time),
          createdAt: new Date(),
        })),
      })
    }
    const policy = async (): Promise<OutcomePolicy> => ({
      issuer: config().baseUrl,
      keys: (await call('GET /.well-known/jwks.json')).body,
      require: 'proven',
      vkeys: await logVerifierKeys(),
      witnesses: [one.vkey, two.vkey],
    })
    const decide = async (authenticator: Authenticator) => {
      const { peck_id } = await aPeck(asker, target)
      await decideSigned(authenticator, 'approve', peck_id)
      return (await receiptFor(asker, peck_id)).body
    }

    const authenticator = await aLoggedPasskey()
    const cosigned = await newestCheckpoint()
    await cosign(cosigned)
    await pendingEntries(2)
    // One witness was faster than the other.
    await cosign(await appendNow(), [one])
    const receipt = await decide(authenticator)
    expect(receipt.statement.log.size).toBe(cosigned.size)
    expect(await verifyOutcome(receipt, await policy())).toMatchObject({ ok: true, trust: 'proven' })

    target = await aDuckling({ tier: 'T2' })
    const newer = (await aPasskey(target)).authenticator
    const uncosigned = await appendNow()
    const early = await decide(newer)
    expect(early.statement.log.size).toBe(uncosigned.size)
    expect(await verifyOutcome(early, await policy())).toMatchObject({ ok: false, trust: 'signed' })
    await cosign(uncosigned)
    const again = (await receiptFor(asker, early.peck_id)).body
    expect(await verifyOutcome(again, await policy())).toMatchObject({ ok: true, trust: 'proven' })
  })

  it('says when the log did not have the passkey yet', async () => {
    await appendToLog(new Date(), { force: true })
    const { authenticator } = await aPasskey(target)
    const { peck_id } = await aPeck(asker, target)
    await decideSigned(authenticator, 'approve', peck_id)
    await appendToLog(new Date(), { force: true })
    expect(await factsOf((await receiptFor(asker, peck_id)).body)).toMatchObject({
      passkey: { credentialId: authenticator.credentialId },
      enrolment: { state: 'not_logged', index: null },
    })
  })

  it('proves a rejection, with and without a passkey', async () => {
    const authenticator = await aLoggedPasskey()
    const [plain, signed] = [await aPeck(asker, target), await aPeck(asker, target, { action: 'read:cert' })]
    await post('POST /beak/peck/reject', target, { peck_id: plain.peck_id, reason: 'Not now' })
    await decideSigned(authenticator, 'reject', signed.peck_id, { reason: 'Not now' })
    expect(await factsOf((await receiptFor(asker, plain.peck_id)).body)).toMatchObject({
      outcome: 'rejected',
      statement: { decision: 'reject' },
      passkey: null,
    })
    expect(await factsOf((await receiptFor(asker, signed.peck_id)).body)).toMatchObject({
      outcome: 'rejected',
      statement: { decision: 'reject' },
      enrolment: { state: 'witness_not_trusted' },
    })
  })

  it('proves an expiry at the time of the peck, also before the worker has marked it', async () => {
    const { peck_id } = await aPeck(asker, target)
    const expiresAt = new Date(Date.now() - 1000)
    await db().peck.update({ where: { id: peck_id }, data: { expiresAt } })
    expect(await factsOf((await receiptFor(target, peck_id)).body)).toMatchObject({
      outcome: 'expired',
      decidedAt: null,
      endedAt: expiresAt.toISOString(),
      statement: { decision: null },
    })
  })

  it('proves a cancellation', async () => {
    const { peck_id } = await aPeck(asker, target)
    await post('POST /beak/peck/cancel', asker, { peck_id })
    const facts = await factsOf((await receiptFor(target, peck_id)).body)
    expect(facts).toMatchObject({ outcome: 'cancelled', decidedAt: null, statement: { decision: null } })
    expect(facts.endedAt).not.toBeNull()
  })

  it('proves a use, and a revocation after uses', async () => {
    const once = await anApprovedPeck(asker, target, { params })
    const often = await anApprovedPeck(asker, target, { scope: 'timed', action: 'read:cert' })
    await call('POST /beak/peck/consume', { body: { grant_token: once.grant_token, params } })
    await call('POST /beak/peck/consume', { body: { grant_token: often.grant_token } })
    await call('POST /beak/peck/consume', { body: { grant_token: often.grant_token } })
    expect(await factsOf((await receiptFor(asker, often.peck_id)).body)).toMatchObject({
      outcome: 'approved',
      uses: 2,
    })
    await post('POST /beak/peck/revoke', target, { peck_id: often.peck_id })
    const used = await factsOf((await receiptFor(asker, once.peck_id)).body)
    expect(used).toMatchObject({ outcome: 'consumed', uses: 1 })
    expect(used.endedAt).toBe(used.lastUsedAt)
    const revoked = await factsOf((await receiptFor(asker, often.peck_id)).body)
    expect(revoked).toMatchObject({ outcome: 'revoked', uses: 2 })
    expect(revoked.endedAt).not.toBeNull()
  })

  it('proves an approval whose passkey signed version 1, and later its revocation', async () => {
    const authenticator = await aLoggedPasskey()
    const { peck_id } = await aPeck(asker, target, { scope: 'standing', params })
    const { body } = await post('POST /beak/passkey/challenge', target, {
      purpose: 'approve',
      peck_id,
      statement_version: 1,
    })
    expect([body.statement, body.values]).toEqual([undefined, undefined])
    await post('POST /beak/peck/approve', target, { peck_id, passkey: authenticator.get(body) })
    const expected = {
      passkey: { credentialId: authenticator.credentialId, statementVersion: 1 },
      enrolment: { state: 'not_logged' },
    }
    expect(await factsOf((await receiptFor(asker, peck_id)).body)).toMatchObject(expected)
    await post('POST /beak/peck/revoke', target, { peck_id })
    expect(await factsOf((await receiptFor(asker, peck_id)).body)).toMatchObject({
      ...expected,
      outcome: 'revoked',
    })
  })

  it('discloses the unsalted hash of version 1 only together with all params', async () => {
    const authenticator = await aLoggedPasskey()
    const { peck_id } = await aPeck(asker, target, { scope: 'standing', params })
    const { body } = await post('POST /beak/passkey/challenge', target, {
      purpose: 'approve',
      peck_id,
      statement_version: 1,
    })
    await post('POST /beak/peck/approve', target, { peck_id, passkey: authenticator.get(body) })
    const hash = paramsHash(params)
    expect(JSON.stringify((await receiptFor(asker, peck_id)).body)).toContain(hash)
    const hidden = (await receiptFor(asker, peck_id, '&values=false')).body
    expect(JSON.stringify(hidden)).not.toContain(hash)
    expect(await factsOf(hidden)).toMatchObject({ outcome: 'approved', passkey: null })
    const { share_id } = (await post('POST /beak/peck/share', target, { peck_id })).body
    const shared = await call(`GET /beak/peck/shared?id=${share_id}`)
    expect(JSON.stringify(shared.body)).not.toContain(hash)
    expect(await factsOf(shared.body.receipt)).toMatchObject({ outcome: 'approved', passkey: null })
  })

  it('leaves the values out on request, and stays valid without any of them', async () => {
    const { peck_id } = await anApprovedPeck(asker, target, { params })
    const { body } = await receiptFor(asker, peck_id, '&values=false')
    expect(body.values).toBeUndefined()
    expect(JSON.stringify(body)).not.toContain('pond@example.com')
    expect((await factsOf(body)).values).toEqual({ params: [], hiddenParams: 3, shown: null })
    const whole = (await receiptFor(asker, peck_id)).body
    const part = { ...whole, values: { params: whole.values.params.slice(1) } }
    expect((await factsOf(part)).values).toMatchObject({ hiddenParams: 1, shown: null })
  })

  it('has the same statement each time, also for a peck that is older than the seed', async () => {
    const { peck_id } = await anApprovedPeck(asker, target, { params })
    await db().peck.update({ where: { id: peck_id }, data: { receiptSeed: null, displayed: null } })
    const answers = await Promise.all(Array.from({ length: 50 }, () => receiptFor(asker, peck_id)))
    expect(new Set(answers.map(({ body }) => body.statement_text)).size).toBe(1)
  })

  it('shows what the page displayed at the decision, after the words have changed', async () => {
    const { peck_id } = await anApprovedPeck(asker, target, { params })
    const displayed = { version: 0, sentence: 'said it differently', values: [], message: null }
    await db().peck.update({ where: { id: peck_id }, data: { displayed: JSON.stringify(displayed) } })
    expect((await factsOf((await receiptFor(asker, peck_id)).body)).values.shown).toEqual(displayed)
  })

  it('answers the agent that asked, and the operator of that agent', async () => {
    const agent = await anAgent(asker, { capabilities: ['read:peck', 'request:peck', 'read:profile'] })
    const { peck_id } = await anApprovedPeck(agent, target)
    const path = `GET /beak/peck/outcome?peck_id=${peck_id}` as const
    const { status, body } = await call(path, { key: agent.beakKey })
    expect(status).toBe(200)
    expect((await factsOf(body)).statement.requester).toEqual({
      duckling_id: asker.id,
      agent_id: agent.agentId,
    })
    expect((await receiptFor(asker, peck_id)).status).toBe(200)
  })
})

describe('the challenge of version 2', () => {
  it('is the hash of a statement with a new nonce each time', async () => {
    await aLoggedPasskey()
    const { peck_id } = await aPeck(asker, target, { params })
    const ask = () =>
      post('POST /beak/passkey/challenge', target, { purpose: 'approve', peck_id, statement_version: 2 })
    const [one, other] = [(await ask()).body, (await ask()).body]
    expect(one.challenge).not.toBe(other.challenge)
    expect(JSON.parse(one.statement)).toMatchObject({ version: 2, decision: 'approve', peck_id })
    expect(one.values.params).toHaveLength(3)
  })

  it('decides once among 50 simultaneous approvals with one signature', async () => {
    const authenticator = await aLoggedPasskey()
    const { peck_id } = await aPeck(asker, target)
    const { body } = await post('POST /beak/passkey/challenge', target, {
      purpose: 'approve',
      peck_id,
      statement_version: 2,
    })
    const passkey = authenticator.get(body)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => post('POST /beak/peck/approve', target, { peck_id, passkey })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  // security: site-16
  it('of a rejection does not approve, and the signature of an approval does not reject', async () => {
    const authenticator = await aLoggedPasskey()
    const { peck_id } = await aPeck(asker, target)
    const challenge = async (purpose: 'approve' | 'reject') => {
      const version = purpose === 'approve' ? { statement_version: 2 } : {}
      return (await post('POST /beak/passkey/challenge', target, { purpose, peck_id, ...version })).body
    }
    const rejection = authenticator.get(await challenge('reject'))
    const approved = await post('POST /beak/peck/approve', target, { peck_id, passkey: rejection })
    expect(approved.status).toBe(401)
    const approval = authenticator.get(await challenge('approve'))
    const body = { peck_id, reason: 'No', passkey: approval }
    expect((await post('POST /beak/peck/reject', target, body)).status).toBe(401)
  })
})

describe('400', () => {
  it('rejects an id that is not a peck id, and another value for values', async () => {
    const { peck_id } = await anApprovedPeck(asker, target)
    expect((await receiptFor(asker, 'CERT-1')).body.errors[0].field).toBe('peck_id')
    expect((await receiptFor(asker, peck_id, '&values=no')).body.errors[0].field).toBe('values')
  })
})

describe('404', () => {
  it('returns 404 to the target for a peck of a blocked asker', async () => {
    await post('POST /beak/peck/block', target, { duckling_id: asker.id })
    const unseen = await aPeck(asker, target, { action: 'read:cert' })
    await post('POST /beak/peck/cancel', asker, { peck_id: unseen.peck_id })
    expect((await receiptFor(target, unseen.peck_id)).status).toBe(404)
  })
})

describe('409', () => {
  it('refuses a pending peck', async () => {
    const { peck_id } = await aPeck(asker, target)
    const { body } = await receiptFor(asker, peck_id)
    expect(body).toMatchObject({ status: 409, code: 'E4008', current_status: 'pending' })
  })
})
