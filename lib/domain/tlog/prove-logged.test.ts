import { verifyAuditExport } from '@beak/proofs/audit-export'
import {
  certificateRevocationDigest,
  decisionDigest,
  entryText,
  revocationDigest,
  usageDigest,
} from '@beak/proofs/log/entry'
import { pinnedKeys } from '@beak/proofs/log-keys'
import { contradictionBetween } from '@beak/proofs/receipts/contradiction'
import { digestOf } from '@beak/proofs/receipts/decision-statement'
import type { OutcomeFile } from '@beak/proofs/receipts/outcome-schema'
import { checkReceipt } from '@beak/proofs/receipts/verify'
import type { OutcomeFacts } from '@beak/proofs/receipts/verify-outcome'
import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { applyRejection } from '@/lib/domain/pecks/decide/decline'
import { finishRejections } from '@/lib/domain/pecks/decide/held-rejections'
import { lockPeck } from '@/lib/domain/pecks/rows'
import { anAgent } from '@/lib/factories/agents'
import type { Authenticator } from '@/lib/factories/authenticator'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { aPasskey } from '@/lib/factories/passkeys'
import { anApprovedPeck, aPeck } from '@/lib/factories/pecks'
import { appendNow } from '@/lib/fixtures/tlog'
import { config } from '@/lib/kernel/config'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { logVerifierKeys } from './origin'

let asker: ADuckling
let target: ADuckling
beforeEach(async () => {
  asker = await aDuckling()
  target = await aDuckling({ tier: 'T2' })
})

const post = async (line: `POST ${string}`, { token }: { token: string }, body: object) => {
  const answer = await call(line, { token, body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}

async function receiptOf(peckId: string): Promise<OutcomeFile> {
  const line = `GET /beak/peck/outcome?peck_id=${peckId}` as const
  return (await call(line, { token: asker.token })).body as OutcomeFile
}

/** Returns the facts of a valid receipt, checked with the keys of the service and of its log. */
async function factsOf(receipt: OutcomeFile): Promise<OutcomeFacts> {
  const vkeys = pinnedKeys(await logVerifierKeys(), 'ed25519')
  const verdict = await checkReceipt(receipt, receipt.jwks, { vkeys })
  if (!verdict.ok || verdict.facts.version === 1) throw new Error(JSON.stringify(verdict))
  return verdict.facts
}

/** Decides with a passkey, which signs a statement of version 3. */
async function decideSigned(authenticator: Authenticator, purpose: 'approve' | 'reject', peck_id: string) {
  const version = purpose === 'approve' ? { statement_version: 3 } : {}
  const body = await post('POST /beak/passkey/challenge', target, { purpose, peck_id, ...version })
  const more = purpose === 'reject' ? { reason: 'No' } : {}
  await post(`POST /beak/peck/${purpose}`, target, { peck_id, passkey: authenticator.get(body), ...more })
}

/** Makes a permission that a passkey of version 3 approved. Returns its id and its token. */
async function aSignedPermission(scope: 'limited' | 'timed') {
  const { authenticator } = await aPasskey(target)
  const { peck_id } = await aPeck(asker, target, { scope })
  await decideSigned(authenticator, 'approve', peck_id)
  const { grant_token } = (await call(`GET /beak/peck/status?peck_id=${peck_id}`, { token: asker.token }))
    .body
  return { peckId: peck_id, grantToken: grant_token as string }
}

const use = (grant_token: string) => call('POST /beak/peck/consume', { body: { grant_token, params: {} } })

/** Returns the texts of the target's entries about a peck or a certificate, sorted. */
async function entriesOf(subjectId: string): Promise<string[]> {
  await appendNow()
  const rows = await db().logEntry.findMany({ where: { subjectId, ducklingId: target.id } })
  return rows.map(({ data }) => String(Buffer.from(data))).sort()
}

/** Returns the text of the entry that the receipt of a decision implies. */
async function decisionIn(peckId: string): Promise<string> {
  const receipt = await receiptOf(peckId)
  const { decidedAt } = await factsOf(receipt)
  return entryText(
    'decided',
    decisionDigest({ statement: digestOf(receipt.statement), decidedAt: decidedAt ?? '' }),
  )
}

describe('a decision', () => {
  it('is one entry of the person who decided, whether approved or rejected, with a passkey or without', async () => {
    const { peck_id: approved } = await anApprovedPeck(asker, target)
    const { peck_id: rejected } = await aPeck(asker, target, { action: 'read:more' })
    await post('POST /beak/peck/reject', target, { peck_id: rejected, reason: 'No' })
    const { authenticator } = await aPasskey(target)
    const { peck_id: signed } = await aPeck(asker, target, { action: 'read:most' })
    await decideSigned(authenticator, 'reject', signed)
    for (const id of [approved, rejected, signed]) expect(await entriesOf(id)).toEqual([await decisionIn(id)])
  })

  it('has its digest in the event', async () => {
    const { peck_id } = await anApprovedPeck(asker, target)
    const events = await db().auditEvent.findMany({
      where: { action: 'peck.approved', ducklingId: target.id },
    })
    const { log_digest } = (events[0]?.metadata ?? {}) as { log_digest: string }
    expect(await entriesOf(peck_id)).toEqual([entryText('decided', log_digest)])
  })

  it('gets the entry only when it takes effect, at that time', async () => {
    const { peck_id } = await aPeck(asker, target)
    await post('POST /beak/peck/reject', target, { peck_id, reason: 'No', undo_seconds: 10 })
    expect(await entriesOf(peck_id)).toEqual([])
    await finishRejections(secondsAfter(readClock(), 11))
    const { rejectAt } = await db().peck.findUniqueOrThrow({ where: { id: peck_id } })
    expect(rejectAt).toBeNull()
    expect(await entriesOf(peck_id)).toEqual([await decisionIn(peck_id)])
  })

  it('gets no entry when it is rolled back', async () => {
    const { peck_id } = await aPeck(asker, target)
    const context = (await target.context()) as never
    const undone = transaction(async (tx) => {
      const peck = await lockPeck(tx, peck_id)
      if (peck !== null) applyRejection(tx, context, peck, { reason: 'No', proof: null })
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await entriesOf(peck_id)).toEqual([])
  })

  it('is one entry after 50 simultaneous answers', async () => {
    const { peck_id } = await aPeck(asker, target)
    const body = { peck_id }
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => call('POST /beak/peck/approve', { token: target.token, body })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await entriesOf(peck_id)).toEqual([await decisionIn(peck_id)])
  })
})

describe('each use and each revocation', () => {
  it('of 50 simultaneous uses has its own entry', async () => {
    const { peck_id, grant_token } = await anApprovedPeck(asker, target, { scope: 'timed' })
    const answers = await Promise.all(Array.from({ length: 50 }, () => use(grant_token)))
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
    const entries = await entriesOf(peck_id)
    expect(new Set(entries).size).toBe(51)
    const { statement } = await receiptOf(peck_id)
    const { lastUsedAt } = await db().peck.findUniqueOrThrow({ where: { id: peck_id } })
    const last = usageDigest(digestOf(statement), { uses: 50, usedAt: lastUsedAt?.toISOString() ?? '' })
    expect(entries).toContain(entryText('used', last))
  })

  it('is an entry, whatever ended the permission', async () => {
    const agent = await anAgent(asker)
    const ends: Record<string, () => Promise<unknown>> = {
      one: async () => post('POST /beak/peck/revoke', target, { peck_id: (await latest('one')).id }),
      all: () => post('POST /beak/peck/revoke-all', target, { asker: asker.id }),
      agent: () => post('POST /beak/agent/deregister', asker, { agent_id: agent.agentId }),
      account: () => post('POST /beak/account/delete', asker, {}),
    }
    const latest = (action: string) =>
      db().peck.findFirstOrThrow({ where: { targetDucklingId: target.id, action: `read:${action}` } })
    for (const [name, end] of Object.entries(ends)) {
      const { peck_id } = await anApprovedPeck(name === 'agent' ? agent : asker, target, {
        action: `read:${name}`,
        scope: 'timed',
      })
      const decided = await decisionIn(peck_id).catch(() => null)
      await end()
      const { statementDigest, grantRevokedAt } = await latest(name)
      const statement = Buffer.from(statementDigest ?? []).toString('base64url')
      const revoked = entryText('revoked', revocationDigest(statement, grantRevokedAt?.toISOString() ?? ''))
      const entries = await entriesOf(peck_id)
      expect(entries).toContain(revoked)
      expect(entries).toHaveLength(2)
      if (decided !== null) expect(entries).toContain(decided)
    }
  })

  it('of a certificate is an entry', async () => {
    const { cert_id } = await post('POST /beak/cert/issue', target, {})
    await post('POST /beak/cert/revoke', target, { reason: 'lost' })
    const { revokedAt } = await db().certificate.findUniqueOrThrow({ where: { id: cert_id } })
    const digest = certificateRevocationDigest(cert_id, revokedAt?.toISOString() ?? '')
    expect(await entriesOf(cert_id)).toEqual([entryText('revoked', digest)])
  })
})

describe('a receipt of version 3', () => {
  it('shows the entries as soon as the log has them', async () => {
    const { peckId, grantToken } = await aSignedPermission('timed')
    expect((await receiptOf(peckId)) as unknown).toMatchObject({ version: 3, logged: null })
    await appendNow()
    const state = { state: 'witness_not_trusted', index: expect.any(Number) }
    expect((await factsOf(await receiptOf(peckId))).logged).toMatchObject({
      decided: state,
      used: null,
      revoked: null,
    })
    const used = await use(grantToken)
    expect(used.body.receipt).toMatchObject({ version: 3, logged: null })
    const checked = await call('POST /beak/peck/check', { body: { grant_token: grantToken, params: {} } })
    expect((await factsOf(checked.body.receipt)).logged).toMatchObject({
      decided: state,
      used: { state: 'not_logged' },
    })
    await post('POST /beak/peck/revoke', target, { peck_id: peckId })
    await appendNow()
    expect((await factsOf(await receiptOf(peckId))).logged).toMatchObject({
      decided: state,
      used: state,
      revoked: state,
    })
  })

  it('contradicts an earlier one when the host takes back a revocation or a use', async () => {
    const { peckId, grantToken } = await aSignedPermission('timed')
    await use(grantToken)
    const used = await factsOf(await receiptOf(peckId))
    await post('POST /beak/peck/revoke', target, { peck_id: peckId })
    const revoked = await factsOf(await receiptOf(peckId))
    expect(contradictionBetween(used, revoked)).toBeNull()
    await db().peck.update({ where: { id: peckId }, data: { grantRevokedAt: null } })
    expect(contradictionBetween(revoked, await factsOf(await receiptOf(peckId)))).toContain('was revoked at')
    await db().peck.update({ where: { id: peckId }, data: { uses: 0, lastUsedAt: null } })
    expect(contradictionBetween(used, await factsOf(await receiptOf(peckId)))).toContain('was used 1 times')
  })

  it('shows no entry for a decision that the host dates anew, and none of another request', async () => {
    const { peckId } = await aSignedPermission('limited')
    await appendNow()
    const { decidedAt } = await db().peck.findUniqueOrThrow({ where: { id: peckId } })
    const later = secondsAfter(decidedAt ?? new Date(), 60)
    await db().peck.update({
      where: { id: peckId },
      data: { decidedAt: later, grantExpiresAt: secondsAfter(later, 60) },
    })
    expect((await receiptOf(peckId)) as unknown).toMatchObject({ version: 3, logged: null })
  })
})

describe("the owner's list of entries", () => {
  const listOf = async ({ token }: ADuckling, query = '') =>
    (await call(`GET /beak/audit/proof?entries=true${query}`, { token })).body

  it('has passkeys, decisions, uses and revocations, the newest first, and nothing of others', async () => {
    const { peckId, grantToken } = await aSignedPermission('timed')
    await appendNow()
    await use(grantToken)
    await appendNow()
    await post('POST /beak/peck/revoke', target, { peck_id: peckId })
    await appendNow()
    const list = await listOf(target)
    expect(list.own_entries.map(({ kind }: { kind: string }) => kind).slice(0, 2)).toEqual([
      'revoked',
      'used',
    ])
    expect(list.own_entries.map(({ kind }: { kind: string }) => kind).sort()).toEqual([
      'decided',
      'passkey_enrolled',
      'revoked',
      'used',
    ])
    expect(list.has_more).toBe(false)
    expect((await listOf(asker)).own_entries).toEqual([])
    const [, used] = list.own_entries
    const rest = await listOf(target, `&before=${used.index}`)
    expect(rest.own_entries).toEqual(list.own_entries.slice(2))
  })

  it('is refused with a place but without the list', async () => {
    const answer = await call('GET /beak/audit/proof?before=3', { token: target.token })
    expect(answer.status).toBe(400)
  })

  it('is also in the export, and its check compares it with the events', async () => {
    const { peck_id } = await anApprovedPeck(asker, target)
    await appendNow()
    const { body } = await call('GET /beak/account/export', { token: target.token })
    const found = body.audit.log.own_entries.find(
      ({ subject_id }: { subject_id: string }) => subject_id === peck_id,
    )
    expect(found).toMatchObject({ kind: 'decided' })
    const keys = (await call('GET /.well-known/jwks.json')).body
    const faultsOf = async (file: unknown) =>
      (await verifyAuditExport(file, { issuer: config().baseUrl, keys })).faults.map(({ message }) => message)
    expect(await faultsOf(body)).toEqual([])
    const strange = { ...found, kind: 'passkey_enrolled', passkey_id: 'PKY-STRANGE', digest: '0'.repeat(64) }
    body.audit.log.own_entries = [strange]
    expect(await faultsOf(body)).toEqual([expect.stringContaining('no event of the audit log names it')])
  })
})
