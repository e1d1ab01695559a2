import { createHash } from 'node:crypto'
import { type OutcomePolicy, verifyOutcome } from '@beak/proofs/receipt'
import { codeDigest } from '@beak/proofs/receipts/decision-statement'
import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import type { Authenticator } from '@/lib/factories/authenticator'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { aPasskey } from '@/lib/factories/passkeys'
import { config } from '@/lib/kernel/config'

/** The code that the shop shows, and the salt that only the shop has. */
const code = { code: '483920', salt: 'S4ltS4ltS4ltS4ltS4ltSQ' }
const code_hash = codeDigest(code.salt, code.code)
const challenge = 'order-17.c7Yk0f2QZtq1m9s4'
const params = { to: 'pond@example.com' }

let asker: ADuckling
let target: ADuckling
let passkey: Authenticator
beforeEach(async () => {
  asker = await aDuckling()
  target = await aDuckling()
  passkey = (await aPasskey(target)).authenticator
})

const post = (line: `POST ${string}`, { token }: { token: string }, body: object) =>
  // biome-ignore lint/suspicious/noExplicitAny: each answer has its own shape
  call(line, { token, body }) as Promise<{ status: number; body: any }>

const ask = (demands: object, more: object = {}) =>
  post('POST /beak/peck/request', asker, {
    target_duckling_id: target.id,
    action: 'send:mail',
    scope: 'limited',
    params,
    ...demands,
    ...more,
  })

const challengeFor = (peck_id: string, more: object = {}) =>
  post('POST /beak/passkey/challenge', target, { purpose: 'approve', peck_id, ...more })

async function approve(peck_id: string, more: object = {}) {
  const { body } = await challengeFor(peck_id, more)
  return post('POST /beak/peck/approve', target, { peck_id, passkey: passkey.get(body) })
}

async function grantOf(peck_id: string): Promise<string> {
  const { body } = await call(`GET /beak/peck/status?peck_id=${peck_id}`, { token: asker.token })
  return body.grant_token
}

async function policy(more: Partial<OutcomePolicy> = {}): Promise<OutcomePolicy> {
  const { body: keys } = await call('GET /.well-known/jwks.json')
  return {
    issuer: config().baseUrl,
    keys,
    require: 'signed',
    action: 'send:mail',
    params,
    target: target.id,
    ...more,
  }
}

/** Returns `ok` or why the receipt is not accepted. */
async function judge(receipt: unknown, more: Partial<OutcomePolicy> = {}): Promise<string> {
  const verdict = await verifyOutcome(receipt, await policy(more))
  if (verdict.ok) return 'ok'
  return verdict.fault.part === 'policy' ? verdict.fault.reason : verdict.fault.message
}

describe('a request that demands a signature', () => {
  it.each([
    ['require', { require: 'signed' }],
    ['a challenge', { challenge }],
    ['a code', { code_hash }],
  ])('with %s is shown to both sides, and cannot be approved without a passkey', async (_, demands) => {
    const { status, body: peck } = await ask(demands)
    expect(status).toBe(200)
    expect(peck).toMatchObject({ require: 'signed', ...demands })
    const { peck_id } = peck
    const answers = [
      await post('POST /beak/peck/approve', target, { peck_id }),
      await post('POST /beak/peck/decide', target, { decision: 'approve', peck_ids: [peck_id] }),
    ]
    expect(answers[0]).toMatchObject({ status: 403, body: { required: 'passkey' } })
    expect(answers[1]?.body.items).toMatchObject([{ outcome: 'passkey_needed' }])
    const { body: inbox } = await call('GET /beak/peck/inbox', { token: target.token })
    expect(inbox.items).toMatchObject([{ peck_id, needs_passkey: true }])
  })

  // security: agent-2
  it('cannot be approved by a person without a passkey, with any kind of session', async () => {
    const other = await aDuckling()
    const { body } = await ask({ require: 'signed' }, { target_duckling_id: other.id })
    expect(await post('POST /beak/peck/approve', other, { peck_id: body.peck_id })).toMatchObject({
      status: 403,
      body: { required: 'passkey' },
    })
  })

  it('is not signed in an older form, which lacks what it demands', async () => {
    const { body } = await ask({ challenge })
    for (const statement_version of [1, 2])
      expect(await challengeFor(body.peck_id, { statement_version })).toMatchObject({
        status: 400,
        body: { errors: [{ field: 'statement_version' }] },
      })
  })

  it('gives a receipt of version 3 that names the challenge, and another request gives another', async () => {
    const { body: peck } = await ask({ challenge })
    expect((await approve(peck.peck_id)).status).toBe(200)
    const { body: receipt } = await call(`GET /beak/peck/outcome?peck_id=${peck.peck_id}`, {
      token: asker.token,
    })
    expect(receipt).toMatchObject({ version: 3, statement: { challenge, decided_by: { type: 'person' } } })
    expect(await judge(receipt, { challenge })).toBe('ok')
    expect(await judge(receipt, { challenge: 'order-18' })).toBe('challenge')
  })

  // security: agent-2
  it('is another request with another demand, and the same one with the same', async () => {
    const [first, again, other, plain] = [
      await ask({ challenge }),
      await ask({ challenge }),
      await ask({ challenge: 'order-18' }),
      await ask({}),
    ]
    expect(again.body).toMatchObject({ peck_id: first.body.peck_id, repeated: true })
    expect(new Set([first, other, plain].map(({ body }) => body.peck_id)).size).toBe(3)
  })

  it.each([
    ['challenge', ''],
    ['challenge', 'a b'],
    ['challenge', 'c'.repeat(65)],
    ['challenge', 'schlüssel'],
    ['code_hash', '483920'],
    ['code_hash', createHash('sha256').update('483920').digest('hex')],
    ['require', 'proven'],
  ])('is refused when %s is %j', async (field, value) => {
    expect(await ask({ [field]: value })).toMatchObject({ status: 400, body: { errors: [{ field }] } })
  })

  it('can be rejected without a passkey, and then its receipt is of version 3, too', async () => {
    const { body } = await ask({ code_hash, challenge })
    const { peck_id } = body
    expect((await post('POST /beak/peck/reject', target, { peck_id, reason: 'no' })).status).toBe(200)
    const { body: receipt } = await call(`GET /beak/peck/outcome?peck_id=${peck_id}`, { token: asker.token })
    expect(receipt).toMatchObject({ version: 3, outcome: 'rejected', statement: { code: { typed: null } } })
    expect(await judge(receipt, { require: 'service', outcome: 'rejected' })).toBe('ok')
  })

  it('can be rejected with a passkey, which then signs version 3', async () => {
    const { peck_id } = (await ask({ code_hash })).body
    const { body } = await post('POST /beak/passkey/challenge', target, { purpose: 'reject', peck_id })
    const assertion = passkey.get(body)
    await post('POST /beak/peck/reject', target, { peck_id, reason: 'no', passkey: assertion })
    const { body: receipt } = await call(`GET /beak/peck/outcome?peck_id=${peck_id}`, { token: asker.token })
    expect(await judge(receipt, { outcome: 'rejected' })).toBe('ok')
  })
})

describe('the code of a service', () => {
  it.each([
    ['left out', {}],
    ['of five digits', { code: '48392' }],
    ['of letters', { code: 'abcdef' }],
    ['of digits in circles', { code: '④⑧③⑨②⓪' }],
  ])('is asked for when it is %s', async (_, typed) => {
    const { peck_id } = (await ask({ code_hash })).body
    expect(await challengeFor(peck_id, typed)).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'code' }] },
    })
  })

  it('is refused where the request has none', async () => {
    const { peck_id } = (await ask({ challenge })).body
    expect(await challengeFor(peck_id, { code: code.code })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'code' }] },
    })
  })

  it('is signed as it was typed, and only the service that has the salt can tell whether it is right', async () => {
    for (const [typed, result] of [
      ['483920', 'ok'],
      ['483921', 'code'],
    ] as const) {
      const { peck_id } = (await ask({ code_hash, challenge: `order-${typed}` })).body
      // The service that approves takes any six digits: it knows only the hash.
      expect((await approve(peck_id, { code: typed })).status).toBe(200)
      const { body } = await call(`GET /beak/peck/outcome?peck_id=${peck_id}`, { token: asker.token })
      expect(body.statement.code).toEqual({ hash: code_hash, typed })
      expect(await judge(body, { code })).toBe(result)
    }
  })

  it('cannot be changed after the passkey has signed another one', async () => {
    const { peck_id } = (await ask({ code_hash })).body
    const { body: signed } = await challengeFor(peck_id, { code: '111111' })
    await challengeFor(peck_id, { code: '483920' })
    const assertion = passkey.get({ ...signed, challenge: signed.challenge })
    await db().ceremony.updateMany({
      where: { peckId: peck_id, challenge: signed.challenge },
      data: { statement: signed.statement.replace('111111', '483920') },
    })
    expect(await post('POST /beak/peck/approve', target, { peck_id, passkey: assertion })).toMatchObject({
      status: 401,
    })
  })
})

describe('the receipt in a use', () => {
  it('is from after the use, has the params and the signature, and not what was displayed', async () => {
    const { peck_id } = (await ask({ challenge }, { message: 'For May' })).body
    await approve(peck_id)
    const grant_token = await grantOf(peck_id)
    const { body: used } = await call('POST /beak/peck/consume', { body: { grant_token, params } })
    expect(used).toMatchObject({ active: true, peck_id, receipt: { outcome: 'consumed', version: 3 } })
    expect(JSON.stringify(used.receipt)).not.toContain('For May')
    expect(await judge(used.receipt, { challenge, outcome: 'consumed' })).toBe('ok')
  })

  // security: agent-3
  it('can be read before the use, any number of times, and spends nothing', async () => {
    const { peck_id } = (await ask({ require: 'signed' })).body
    await approve(peck_id)
    const body = { grant_token: await grantOf(peck_id), params }
    const reads = await Promise.all(Array.from({ length: 50 }, () => call('POST /beak/peck/check', { body })))
    expect(new Set(reads.map(({ status }) => status))).toEqual(new Set([200]))
    expect(reads[0]?.body).toMatchObject({ active: true, uses_left: 1, receipt: { outcome: 'approved' } })
    expect(await db().peck.findUnique({ where: { id: peck_id }, select: { uses: true } })).toEqual({
      uses: 0,
    })
    expect((await call('POST /beak/peck/consume', { body })).status).toBe(200)
    expect(await call('POST /beak/peck/check', { body })).toMatchObject({
      status: 409,
      body: { current_status: 'consumed' },
    })
  })

  // security: agent-3
  it.each([
    ['other params', { params: { to: 'evil@example.com' } }],
    ['no params', { params: {} }],
    ['another audience', { audience: 'evil.example' }],
    ['another token', { grant_token: 'a.b.c' }],
  ])('is not shown for %s', async (_, other) => {
    const { peck_id } = (await ask({ require: 'signed' }, { audience: 'shop.example' })).body
    await approve(peck_id)
    const body = { grant_token: await grantOf(peck_id), params, ...other }
    const { status, body: problem } = await call('POST /beak/peck/check', { body })
    expect([401, 403]).toContain(status)
    expect(problem).not.toHaveProperty('receipt')
  })

  it('is also there for an approval without a passkey, which a policy then refuses', async () => {
    const { peck_id } = (await ask({})).body
    await post('POST /beak/peck/approve', target, { peck_id })
    const { body } = await call('POST /beak/peck/consume', {
      body: { grant_token: await grantOf(peck_id), params },
    })
    expect(body.receipt.version).toBe(2)
    expect([await judge(body.receipt), await judge(body.receipt, { require: 'service' })]).toEqual([
      'trust',
      'ok',
    ])
  })
})
