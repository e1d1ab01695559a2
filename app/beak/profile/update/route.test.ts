import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { verifyEmail } from '@/lib/domain/identity/verify-email'
import { aDuckling } from '@/lib/factories/ducklings'
import { codeFor } from '@/lib/factories/outbox'

const update = (token: string, body: unknown) => call('POST /beak/profile/update', { token, body })
const isListed = async (id: string) => (await db().duckling.findUniqueOrThrow({ where: { id } })).listed

describe('200', () => {
  it('changes the given fields and keeps the others', async () => {
    const { id, token, email } = await aDuckling()
    const { body: before } = await call('GET /beak/profile', { token })
    const change = {
      display_name: 'Mallard',
      bio: '  Dabbles.\nDives <b>too</b>. ',
      directory_visible: false,
      require_passkey_for_pecks: true,
      min_peck_tier: 'T2',
      builder: true,
    }
    const { status, body } = await update(token, change)
    expect(status).toBe(200)
    expect(body).toEqual({
      ...before,
      ...change,
      bio: 'Dabbles.\nDives <b>too</b>.',
      next_name_change_at: expect.any(String),
    })
    expect(body).toMatchObject({ duckling_id: id, email })
    expect((await call('GET /beak/profile', { token })).body).toEqual(body)
    expect((await update(token, { bio: null })).body).toEqual({ ...body, bio: null })
    const events = await db().auditEvent.findMany({
      where: { ducklingId: id, action: { in: ['duckling.updated', 'duckling.renamed'] } },
      orderBy: { seq: 'asc' },
    })
    expect(events.map(({ action, metadata }) => [action, metadata])).toEqual([
      ['duckling.renamed', { from: before.display_name, to: 'Mallard' }],
      [
        'duckling.updated',
        { fields: ['bio', 'builder', 'directory_visible', 'min_peck_tier', 'require_passkey_for_pecks'] },
      ],
      ['duckling.updated', { fields: ['bio'] }],
    ])
  })

  it('returns the unchanged profile and records nothing when no fields are given', async () => {
    const { id, token } = await aDuckling()
    const { body: before } = await call('GET /beak/profile', { token })
    expect((await update(token, {})).body).toEqual(before)
    expect((await call('POST /beak/profile/update', { token })).body).toEqual(before)
    expect(await db().auditEvent.count({ where: { ducklingId: id, action: 'duckling.updated' } })).toBe(0)
  })

  it('accepts the current names among other fields within the 30 days', async () => {
    const { token } = await aDuckling()
    const names = { display_name: 'Mallard', full_name: 'Anna Weber' }
    await update(token, names)
    const { status, body } = await update(token, { ...names, bio: 'Still here' })
    expect([status, body.bio]).toEqual([200, 'Still here'])
    expect((await update(token, { full_name: null, bio: 'Gone' })).status).toBe(429)
    expect((await call('GET /beak/profile', { token })).body).toMatchObject({ ...names, bio: 'Still here' })
  })

  it('keeps the switch “I build or host” for its owner only, and it permits nothing', async () => {
    const { token } = await aDuckling()
    const { body: before } = await call('GET /beak/profile', { token })
    expect(before.builder).toBe(false)
    expect((await update(token, { builder: true })).body).toEqual({ ...before, builder: true })
    const { items } = (await call('GET /beak/spaceducks', { token: (await aDuckling()).token })).body
    expect(items.length).toBeGreaterThan(0)
    expect(JSON.stringify(items)).not.toContain('builder')
  })

  it('accepts a bio of 280 characters, and stores an empty bio as null', async () => {
    const { token } = await aDuckling()
    expect((await update(token, { bio: 'é'.repeat(280) })).body.bio).toBe('é'.repeat(280))
    expect((await update(token, { bio: '   ' })).body.bio).toBeNull()
  })

  it('updates the directory listing before and after the address is verified', async () => {
    const { id, token } = await aDuckling()
    expect(await isListed(id)).toBe(true)
    await update(token, { directory_visible: false })
    expect(await isListed(id)).toBe(false)
    await update(token, { directory_visible: true })
    expect(await isListed(id)).toBe(true)
    const unverified = await aDuckling({ tier: 'T0' })
    await update(unverified.token, { directory_visible: true })
    expect(await isListed(unverified.id)).toBe(false)
    await update(unverified.token, { directory_visible: false })
    await verifyEmail(await unverified.context(), await codeFor(unverified.email))
    expect(await isListed(unverified.id)).toBe(false)
  })
})

describe('400', () => {
  it.each([
    ['trust_tier', 'T3'],
    ['duckling_id', 'DUCK-00000000000000000000000000'],
    ['cert_id', 'CERT-00000000000000000000000000'],
    ['cert_status', 'active'],
    ['email', 'a@example.com'],
    ['email_verified', true],
    ['phone_verified', true],
    ['egg_count', 100],
    ['referral_code', 'MINE'],
    ['role', 'admin'],
    ['created_at', '2020-01-01T00:00:00.000Z'],
    ['next_name_change_at', null],
    ['listed', true],
    ['trustTier', 'T3'],
  ])('rejects the field %s and changes nothing', async (field, value) => {
    const { token } = await aDuckling()
    const { body: before } = await call('GET /beak/profile', { token })
    const { status, body } = await update(token, { bio: 'new', [field]: value })
    expect([status, body.errors]).toEqual([
      400,
      [{ field, message: expect.stringMatching(/^is not a known field/) }],
    ])
    expect((await call('GET /beak/profile', { token })).body).toEqual(before)
  })

  it.each([
    '{"__proto__":{"trust_tier":"T3"}}',
    '{"constructor":{"prototype":{"x":1}}}',
    '{"bio":"a","bio":"b"}',
  ])('rejects %s', async (raw) => {
    const { token } = await aDuckling()
    expect((await call('POST /beak/profile/update', { token, raw })).status).toBe(400)
    expect(({} as { x?: number }).x).toBeUndefined()
  })

  it.each([
    { bio: 'b'.repeat(281) },
    { bio: 'bell\u0007' },
    { bio: 7 },
    { display_name: null },
    { display_name: 'no' },
    { display_name: 'SystemDuck' },
    { directory_visible: 'true' },
    { directory_visible: null },
    { require_passkey_for_pecks: 1 },
    { min_peck_tier: 'T4' },
    { min_peck_tier: ['T1'] },
  ])('rejects %j', async (body) => {
    const { token } = await aDuckling()
    const answer = await update(token, body)
    expect([answer.status, answer.body.code]).toEqual([400, 'E4000'])
    expect(answer.body.errors[0].field).toBe(Object.keys(body)[0])
  })
})

describe('429', () => {
  it('rejects another name within 30 days and changes no other field', async () => {
    const { id, token } = await aDuckling()
    await update(token, { display_name: 'Mallard' })
    const { status, body } = await update(token, { display_name: 'mallard', bio: 'new' })
    expect([status, body.code]).toEqual([429, 'E4004'])
    expect(body.next_allowed_at).toEqual(expect.any(String))
    expect((await call('GET /beak/profile', { token })).body).toMatchObject({
      display_name: 'Mallard',
      bio: null,
    })
    const denied = { ducklingId: id, action: 'duckling.updated', outcome: 'denied' }
    expect(await db().auditEvent.count({ where: denied })).toBe(1)
  })

  // security: check-44
  it('lets one of 10 simultaneous changes of the name succeed', async () => {
    const { token } = await aDuckling()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => update(token, { display_name: `Racer${index}` })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(429)])
  })
})
