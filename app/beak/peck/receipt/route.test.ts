import { statementText } from '@beak/proofs/receipts/statement-text'
import { checkReceipt } from '@beak/proofs/receipts/verify'
import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { approvalStatement } from '@/lib/domain/pecks/statements/decision-statement'
import { anAgent } from '@/lib/factories/agents'
import { Authenticator } from '@/lib/factories/authenticator'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { aPasskey } from '@/lib/factories/passkeys'
import { anApprovedPeck, aPeck } from '@/lib/factories/pecks'

let asker: ADuckling
let target: ADuckling
beforeEach(async () => {
  asker = await aDuckling()
  target = await aDuckling({ tier: 'T2' })
})

const receiptFor = ({ token }: { token: string }, peckId: string) =>
  call(`GET /beak/peck/receipt?peck_id=${peckId}`, { token })

/** The id of a peck approved with a new passkey. */
async function signedPeck(authenticator = new Authenticator()): Promise<string> {
  await aPasskey(target, { authenticator })
  return approvedWith(authenticator)
}

async function approvedWith(authenticator: Authenticator): Promise<string> {
  const { peck_id } = await aPeck(asker, target, { scope: 'standing' })
  const { token } = target
  const options = await call('POST /beak/passkey/challenge', {
    token,
    body: { purpose: 'approve', peck_id, statement_version: 1 },
  })
  const approved = await call('POST /beak/peck/approve', {
    token,
    body: { peck_id, passkey: authenticator.get(options.body) },
  })
  expect(approved.status).toBe(200)
  return peck_id
}

it('says that it is deprecated, and until when it works', async () => {
  const { peck_id } = await anApprovedPeck(asker, target)
  const { headers } = await receiptFor(asker, peck_id)
  expect(headers.get('Deprecation')).toBe(`@${Date.parse('2026-11-23') / 1000}`)
  expect(headers.get('Sunset')).toBe('Tue, 23 Feb 2027 00:00:00 GMT')
  expect(headers.get('Link')).toContain('/docs/sites/verify#a-receipt')
})

describe('200', () => {
  it('returns a receipt to both sides that can be checked offline', async () => {
    const { peck_id } = await anApprovedPeck(asker, target, { params: { fields: ['email'] } })
    const peck = await db().peck.findUniqueOrThrow({ where: { id: peck_id } })
    for (const side of [asker, target]) {
      const { status, body } = await receiptFor(side, peck_id)
      expect(status).toBe(200)
      expect(body).toMatchObject({
        peck_id,
        statement: approvalStatement(peck),
        statement_text: statementText(approvalStatement(peck)),
        passkey: null,
      })
      expect(await checkReceipt(body)).toMatchObject({
        ok: true,
        facts: {
          decidedAt: peck.decidedAt?.toISOString(),
          grantExpiresAt: peck.grantExpiresAt?.toISOString(),
          passkey: null,
        },
      })
    }
  })

  it.each(['ES256', 'EdDSA'] as const)('contains what the passkey signed with %s', async (algorithm) => {
    const authenticator = new Authenticator({ algorithm })
    const { body } = await receiptFor(asker, await signedPeck(authenticator))
    expect(body.passkey.credential_id).toBe(authenticator.credentialId)
    expect(await checkReceipt(body)).toMatchObject({
      ok: true,
      facts: { grantExpiresAt: null, passkey: { credentialId: authenticator.credentialId } },
    })
  })

  it('stays at version 1 without a passkey when the passkey signed version 2', async () => {
    const authenticator = new Authenticator()
    await aPasskey(target, { authenticator })
    const { peck_id } = await aPeck(asker, target)
    const { token } = target
    const options = await call('POST /beak/passkey/challenge', {
      token,
      body: { purpose: 'approve', peck_id, statement_version: 2 },
    })
    const body = { peck_id, passkey: authenticator.get(options.body) }
    expect((await call('POST /beak/peck/approve', { token, body })).status).toBe(200)
    const receipt = (await receiptFor(asker, peck_id)).body
    expect(receipt).toMatchObject({ statement: { version: 1 }, passkey: null })
    expect(await checkReceipt(receipt)).toMatchObject({ ok: true, facts: { version: 1, passkey: null } })
  })

  it('returns a valid receipt after the grant was revoked and the passkey removed', async () => {
    const peckId = await signedPeck()
    const { token } = target
    expect((await call('POST /beak/peck/revoke', { token, body: { peck_id: peckId } })).status).toBe(200)
    await db().passkey.deleteMany({ where: { ducklingId: target.id } })
    expect((await checkReceipt((await receiptFor(target, peckId)).body)).ok).toBe(true)
  })

  it('returns the receipt to the operator of the agent that asked', async () => {
    const agent = await anAgent(asker, { capabilities: ['read:peck', 'request:peck', 'read:profile'] })
    const { peck_id } = await anApprovedPeck(agent, target)
    const { status, body } = await receiptFor(asker, peck_id)
    expect(status).toBe(200)
    expect(body.statement.requester).toEqual({ duckling_id: asker.id, agent_id: agent.agentId })
  })
})

describe('the verifier', () => {
  // security: database-4
  it('finds a change of any single character', async () => {
    const { body } = await receiptFor(asker, await signedPeck())
    const text = JSON.stringify(body)
    const missed: string[] = []
    for (let index = 0; index < text.length; index++) {
      const changed = changedAt(text, index)
      if (changed === undefined) continue
      if ((await checkReceipt(JSON.parse(changed))).ok) missed.push(changed.slice(index - 20, index + 20))
    }
    expect(missed).toEqual([])
  })

  it('names the part of the receipt that is wrong', async () => {
    const authenticator = new Authenticator()
    const { body } = await receiptFor(asker, await signedPeck(authenticator))
    const other = (await receiptFor(asker, await approvedWith(authenticator))).body
    const faultOf = async (change: object) => {
      const verdict = await checkReceipt({ ...body, ...change })
      return verdict.ok ? null : verdict.fault.part
    }
    expect(await faultOf({ statement: { ...body.statement, action: 'send:email' } })).toBe('statement')
    expect(await faultOf({ statement: other.statement, statement_text: other.statement_text })).toBe(
      'statement',
    )
    expect(await faultOf({ decided_at: other.decided_at })).toBe('statement')
    expect(await faultOf({ passkey: null })).toBe('passkey')
    expect(await faultOf({ passkey: other.passkey })).toBe('passkey')
    expect(await faultOf({ jws: other.jws })).toBe('statement')
    expect(await faultOf({ jws: body.jws.replace(/\.[^.]+$/, `.${'A'.repeat(86)}`) })).toBe('jws')
    expect(await faultOf({ jwks: { keys: [] } })).toBe('jws')
    expect(await faultOf({ note: 'more' })).toBe('file')
  })

  it('refuses keys that were replaced in the file when it is given the real keys', async () => {
    const { body } = await receiptFor(asker, await signedPeck())
    expect((await checkReceipt(body, body.jwks)).ok).toBe(true)
    expect(await checkReceipt(body, { keys: [] })).toMatchObject({ ok: false, fault: { part: 'jws' } })
  })
})

describe('400', () => {
  it('rejects an id that is not a peck id', async () => {
    const { status, body } = await receiptFor(asker, 'CERT-1')
    expect([status, body.errors[0].field]).toEqual([400, 'peck_id'])
  })
})

describe('404', () => {
  it('returns 404 to the target for a peck of a blocked asker', async () => {
    await call('POST /beak/peck/block', { token: target.token, body: { duckling_id: asker.id } })
    const unseen = await aPeck(asker, target, { action: 'read:cert' })
    expect((await receiptFor(target, unseen.peck_id)).status).toBe(404)
  })
})

describe('409', () => {
  it('refuses a peck that was not approved, and names its status', async () => {
    const { peck_id } = await aPeck(asker, target)
    const pending = await receiptFor(asker, peck_id)
    expect(pending.body).toMatchObject({ status: 409, code: 'E4008', current_status: 'pending' })
    await call('POST /beak/peck/reject', { token: target.token, body: { peck_id, reason: 'No' } })
    expect((await receiptFor(target, peck_id)).body.current_status).toBe('rejected')
  })
})

/** Returns JSON that differs in one character, which is of another kind from place to place. Undefined where no change leaves JSON. */
function changedAt(text: string, index: number): string | undefined {
  const others = ['A', 'b', '7', '-', ' ']
  return [...others.slice(index % others.length), ...others]
    .filter((other) => other !== text[index])
    .map((other) => `${text.slice(0, index)}${other}${text.slice(index + 1)}`)
    .find(isJson)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
