import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type Answer, type CallOptions, call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { purge } from '@/lib/domain/retention/purge'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { sentTo } from '@/lib/factories/outbox'
import { aPasskey } from '@/lib/factories/passkeys'
import { anotherSession } from '@/lib/fixtures/accounts'
import { minute, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { readToken } from '@/lib/kernel/secrets/secret-token'
import { drainOutbox } from '@/lib/worker/start'

const ok = async (line: string, options: CallOptions) => {
  const { status, body } = await call(line, options)
  if (status !== 200) throw new Error(`${line}: ${JSON.stringify(body)}`)
  return body
}

interface Codes {
  device_code: string
  user_code: string
}

const authorize = (client_name = 'beak on laptop'): Promise<Codes> =>
  ok('POST /beak/device/authorize', { body: { client_name }, headers: { 'User-Agent': 'beak/0.2' } })

const poll = ({ device_code }: Codes) =>
  call('POST /beak/device/token', { body: { device_code }, headers: { 'User-Agent': 'beak/0.2' } })

const decide = (what: 'approve' | 'deny', { token }: { token: string }, { user_code }: Codes) =>
  call(what === 'approve' ? 'POST /beak/device/approve' : 'POST /beak/device/deny', {
    token,
    body: { user_code },
  })

async function approved(owner: ADuckling): Promise<Codes> {
  const codes = await authorize()
  await ok('POST /beak/device/approve', { token: owner.token, body: { user_code: codes.user_code } })
  return codes
}

const idOf = ({ device_code }: Codes) => readToken(device_code)?.id ?? ''

async function expire(codes: Codes): Promise<void> {
  await db().deviceRequest.update({
    where: { id: idOf(codes) },
    data: { expiresAt: secondsAfter(readClock(), -1) },
  })
}

/** Makes the sign-in of a session too old for sensitive changes. */
async function age({ id }: ADuckling): Promise<void> {
  const data = { authTime: secondsAfter(readClock(), -11 * minute) }
  await db().session.updateMany({ where: { ducklingId: id }, data })
}

const outcome = ({ status, body }: Answer) => [status, body.code, body.current_status]

describe('a device', () => {
  // security: device-4
  it('gets an ordinary session after the approval, with its name in the list, the audit log and the mail', async () => {
    const owner = await aDuckling()
    const codes = await authorize()
    expect(outcome(await poll(codes))).toEqual([409, 'E4008', 'pending'])
    expect(
      await ok('POST /beak/device/view', { token: owner.token, body: { user_code: codes.user_code } }),
    ).toMatchObject({
      client_name: 'beak on laptop',
      user_agent: 'beak/0.2',
      user_code: codes.user_code,
      same_network: false,
    })
    expect((await decide('approve', owner, codes)).body).toEqual({
      status: 'approved',
      client_name: 'beak on laptop',
    })
    const { status, body } = await poll(codes)
    expect([status, body.trust_tier]).toEqual([200, 'T1'])
    const { items } = await ok('GET /beak/session/list', { token: body.token })
    expect(items[0]).toMatchObject({
      name: 'beak on laptop',
      amr: ['device'],
      user_agent: 'beak/0.2',
      current: true,
    })
    expect(items[1]).toMatchObject({ name: null, current: false })
    const { items: events } = await ok('GET /beak/audit?limit=2', { token: owner.token })
    expect(
      events.map((event: { action: string; metadata: object }) => [event.action, event.metadata]),
    ).toEqual([
      ['session.started', { amr: ['device'], device: 'beak on laptop' }],
      ['session.device_approved', { device: 'beak on laptop' }],
    ])
    await drainOutbox()
    const mail = (await sentTo(owner.email)).at(-1)
    expect(mail).toMatchObject({ kind: 'new_device' })
    expect(mail?.text).toContain('"beak on laptop", approved with a code')
    await ok('POST /beak/session/revoke', { token: owner.token, body: { session_id: items[0].session_id } })
    expect((await call('GET /beak/profile', { token: body.token })).status).toBe(401)
  })

  it('gets no session after a denial', async () => {
    const owner = await aDuckling()
    const codes = await authorize()
    expect((await decide('deny', owner, codes)).body).toEqual({
      status: 'denied',
      client_name: 'beak on laptop',
    })
    expect(outcome(await poll(codes))).toEqual([409, 'E4008', 'denied'])
    const { items } = await ok('GET /beak/audit?limit=1', { token: owner.token })
    expect(items[0]).toMatchObject({ action: 'session.device_denied', outcome: 'success' })
  })

  it('gets no session after its codes expired, even when it was approved before', async () => {
    const owner = await aDuckling()
    const [waiting, decided] = [await authorize(), await approved(owner)]
    await expire(waiting)
    await expire(decided)
    expect(outcome(await poll(waiting))).toEqual([409, 'E4008', 'expired'])
    expect(outcome(await poll(decided))).toEqual([409, 'E4008', 'expired'])
    expect(outcome(await decide('approve', owner, waiting))).toEqual([404, 'E4005', undefined])
  })

  // security: device-7
  it('gets no session when the session that approved it has ended', async () => {
    const owner = await aDuckling()
    const codes = await approved(owner)
    await ok('POST /beak/signout', { token: owner.token })
    expect(outcome(await poll(codes))).toEqual([409, 'E4008', 'expired'])
  })

  // security: device-7
  it('gets no session when the account was closed', async () => {
    const owner = await aDuckling()
    const codes = await approved(owner)
    await ok('POST /beak/account/delete', { token: owner.token })
    expect(outcome(await poll(codes))).toEqual([401, 'E4006', undefined])
    expect(await db().deviceRequest.count({ where: { ducklingId: owner.id } })).toBe(0)
  })

  // security: device-6
  it('gets one session when it redeems its code 50 times simultaneously', async () => {
    const owner = await aDuckling()
    const codes = await approved(owner)
    const answers = await Promise.all(Array.from({ length: 50 }, () => poll(codes)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 401)).toHaveLength(49)
    expect(await db().session.count({ where: { ducklingId: owner.id, name: { not: null } } })).toBe(1)
    expect(outcome(await poll(codes))).toEqual([401, 'E4006', undefined])
  })

  it('must wait 5 seconds longer after each early poll', async () => {
    const codes = await authorize()
    expect((await poll(codes)).headers.get('retry-after')).toBe('5')
    const early = await poll(codes)
    expect([outcome(early), early.headers.get('retry-after')]).toEqual([[429, 'E4004', 'pending'], '10'])
    expect((await poll(codes)).headers.get('retry-after')).toBe('15')
    await db().deviceRequest.update({
      where: { id: idOf(codes) },
      data: { polledAt: secondsAfter(readClock(), -15) },
    })
    const patient = await poll(codes)
    expect([outcome(patient), patient.headers.get('retry-after')]).toEqual([[409, 'E4008', 'pending'], '15'])
  })

  it('is refused with an unknown, malformed or changed code', async () => {
    const { device_code } = await authorize()
    const other = await authorize()
    const swapped = `${idOf(other)}${device_code.slice(30)}`
    for (const code of ['', 'nonsense', swapped, device_code.replace(/.$/, '_')])
      expect(outcome(await poll({ device_code: code, user_code: '' }))).toEqual([401, 'E4006', undefined])
  })
})

describe('an approved device that has not signed in', () => {
  const listed = async ({ token }: { token: string }) =>
    (await ok('GET /beak/session/list', { token })).approved_devices
  const takeBack = (token: string, device_request_id: string) =>
    call('POST /beak/session/revoke', { token, body: { device_request_id } })

  it('is in the list of its owner until it signs in', async () => {
    const [owner, stranger] = [await aDuckling(), await aDuckling()]
    const codes = await approved(owner)
    expect(await listed(owner)).toEqual([
      {
        device_request_id: idOf(codes),
        client_name: 'beak on laptop',
        ip: expect.any(String),
        user_agent: 'beak/0.2',
        created_at: expect.any(String),
        expires_at: expect.any(String),
      },
    ])
    expect(await listed(stranger)).toEqual([])
    await poll(codes)
    expect(await listed(owner)).toEqual([])
  })

  // security: device-8
  it('gets no session after its owner took the approval back, which is in the log', async () => {
    const owner = await aDuckling()
    const codes = await approved(owner)
    const answer = await takeBack(await anotherSession(owner), idOf(codes))
    expect(answer.body).toEqual({ success: true, revoked: 1 })
    expect(outcome(await poll(codes))).toEqual([409, 'E4008', 'denied'])
    expect(await listed(owner)).toEqual([])
    const { items } = await ok('GET /beak/audit?limit=1', { token: owner.token })
    expect(items[0]).toMatchObject({
      action: 'session.device_withdrawn',
      metadata: { device: 'beak on laptop' },
    })
  })

  // security: device-8
  it('gets no session after its owner ended all other sessions', async () => {
    const owner = await aDuckling()
    const codes = await approved(owner)
    const body = { all_others: true }
    expect(await ok('POST /beak/session/revoke', { token: owner.token, body })).toMatchObject({ revoked: 1 })
    expect(outcome(await poll(codes))).toEqual([409, 'E4008', 'denied'])
  })

  it('is not found after it signed in, nor by another account', async () => {
    const [owner, stranger] = [await aDuckling(), await aDuckling()]
    const codes = await approved(owner)
    const answers = [await takeBack(stranger.token, idOf(codes))]
    expect((await poll(codes)).status).toBe(200)
    answers.push(await takeBack(owner.token, idOf(codes)))
    expect(answers.map(({ status, body }) => [status, body.reason])).toEqual(
      Array(2).fill([404, 'session_not_found']),
    )
  })

  // security: device-8
  it('either signs in or is taken back, at 50 simultaneous calls of both', async () => {
    const owner = await aDuckling()
    const codes = await approved(owner)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        index % 2 ? poll(codes) : takeBack(owner.token, idOf(codes)),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
  })

  it('never keeps a session when all others are ended at the same moment', async () => {
    const owner = await aDuckling()
    const all = await Promise.all(Array.from({ length: 10 }, () => approved(owner)))
    const body = { all_others: true }
    await Promise.all([
      ...all.map(poll),
      ok('POST /beak/session/revoke', { token: owner.token, body }),
      ...all.map(poll),
    ])
    const { items } = await ok('GET /beak/session/list', { token: owner.token })
    expect(items).toHaveLength(1)
  })
})

describe('the session of a device', () => {
  // security: device-3
  it('never counts as a fresh sign-in', async () => {
    const owner = await aDuckling()
    const { token } = (await poll(await approved(owner))).body
    for (const [line, body] of [
      ['POST /beak/email-change', { new_email: 'new@example.com' }],
      ['POST /beak/passkey/register', undefined],
      ['POST /beak/passkey/recover', undefined],
      ['POST /beak/account/delete', undefined],
      ['POST /beak/device/view', { user_code: (await authorize()).user_code }],
    ] as const)
      expect([line, ...outcome(await call(line, { token, body }))]).toEqual([line, 403, 'E4009', undefined])
  })
})

describe('a decision', () => {
  // security: device-6
  it.each([
    ['approve', 'approve'],
    ['approve', 'deny'],
  ] as const)('is made once by 50 simultaneous calls of %s and %s', async (first, second) => {
    const owner = await aDuckling()
    const codes = await authorize()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => decide(index % 2 ? first : second, owner, codes)),
    )
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49)
    expect((await poll(codes)).status).toBe(won[0]?.body.status === 'approved' ? 200 : 409)
  })

  it('is made by one of 10 accounts that decide simultaneously', async () => {
    const owners = await Promise.all(Array.from({ length: 10 }, () => aDuckling()))
    const codes = await authorize()
    const answers = await Promise.all(owners.map((owner) => decide('approve', owner, codes)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)])
    const { body } = await poll(codes)
    const { duckling_id } = await ok('GET /beak/profile', { token: body.token })
    expect(duckling_id).toBe(owners[answers.findIndex(({ status }) => status === 200)]?.id)
  })

  it('of another account looks like an unknown code', async () => {
    const [owner, stranger] = [await aDuckling(), await aDuckling()]
    const codes = await approved(owner)
    expect(outcome(await decide('deny', stranger, codes))).toEqual([404, 'E4005', undefined])
    expect(outcome(await decide('deny', owner, codes))).toEqual([409, 'E4008', 'approved'])
  })

  // security: device-1
  it.each(['view', 'approve', 'deny'])('needs a fresh sign-in: %s', async (what) => {
    const owner = await aDuckling()
    const { user_code } = await authorize()
    await age(owner)
    const old = await call(`POST /beak/device/${what}`, { token: owner.token, body: { user_code } })
    expect([outcome(old), old.body.required]).toEqual([[403, 'E4009', undefined], 'fresh_sign_in'])
    const fresh = await anotherSession(owner)
    expect((await call(`POST /beak/device/${what}`, { token: fresh, body: { user_code } })).status).toBe(200)
  })

  it('needs the passkey of an account that has one', async () => {
    const owner = await aDuckling()
    await aPasskey(owner)
    const fresh = await anotherSession(owner)
    const refused = await decide('approve', { token: fresh }, await authorize())
    expect([refused.status, refused.body.required]).toEqual([403, 'passkey'])
  })
})

describe('a user code', () => {
  it('is accepted in lower case, with spaces and without the hyphen', async () => {
    const { token } = await aDuckling()
    const { user_code } = await authorize()
    expect(user_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    for (const typed of [
      user_code.toLowerCase(),
      user_code.replace('-', ''),
      ` ${user_code.replace('-', ' ')} `,
    ])
      expect((await ok('POST /beak/device/view', { token, body: { user_code: typed } })).user_code).toBe(
        user_code,
      )
    for (const typed of ['', 'AEIO-UAEI', user_code.slice(1), `${user_code}B`])
      expect((await call('POST /beak/device/view', { token, body: { user_code: typed } })).status).toBe(400)
  })

  // security: device-5
  it('is refused after 100 codes of one account in a day, also the right one', async () => {
    const owner = await aDuckling()
    const wrong = () =>
      call('POST /beak/device/view', { token: owner.token, body: { user_code: 'BBBB-BBBB' } })
    const answers = await Promise.all(Array.from({ length: 110 }, wrong))
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(100)
    const right = await decide('approve', owner, await authorize())
    expect(outcome(right)).toEqual([429, 'E4004', undefined])
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  // security: device-9
  it('is not stored, nor is the device code', async () => {
    const codes = await authorize(`canary ${randomBytes(4).toString('hex')}`)
    const row = await db().deviceRequest.findUniqueOrThrow({ where: { id: idOf(codes) } })
    const stored = Object.values(row).map((value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value),
    )
    const code = codes.user_code.replace('-', '')
    for (const secret of [code, codes.user_code, codes.device_code.slice(30)])
      expect(stored.filter((value) => value.includes(secret))).toEqual([])
  })

  it('is deleted after it expired', async () => {
    const codes = await authorize()
    await expire(codes)
    await purge(readClock())
    expect(await db().deviceRequest.count({ where: { id: idOf(codes) } })).toBe(0)
  })
})

describe('400', () => {
  // security: device-2
  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['too long', 'x'.repeat(65)],
    ['with a line break', 'a\nb'],
    ['with hidden characters', 'a\u202eb'],
    ['with an invisible joiner', 'lap\u200dtop'],
    ['with letters of two alphabets', 'lаptop'],
    ['with a reserved word', 'Beak Support'],
    ['with a reserved word after the start of the command line', 'beak on Support'],
    ['like a session of a browser', 'Chrome on your Mac (this device)'],
    ['like the current session', 'beak on this device'],
  ])('rejects a client name that is %s', async (_, client_name) => {
    const { status, body } = await call('POST /beak/device/authorize', { body: { client_name } })
    expect([status, body.errors?.map(({ field }: { field: string }) => field)]).toEqual([
      400,
      ['client_name'],
    ])
  })
})
