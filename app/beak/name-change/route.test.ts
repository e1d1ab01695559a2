import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { changeName } from '@/lib/domain/identity/change-name'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { day, secondsAfter } from '@/lib/kernel/runtime/clock'

const change = ({ token }: ADuckling, body: unknown) => call('POST /beak/name-change', { token, body })
const renames = ({ id }: ADuckling) =>
  db().auditEvent.findMany({
    where: { ducklingId: id, action: 'duckling.renamed', outcome: 'success' },
    orderBy: { seq: 'asc' },
  })

describe('200', () => {
  it('changes the name, returns when it may change again, and records both names', async () => {
    const { id, token, displayName } = await aDuckling()
    const { status, body } = await call('POST /beak/name-change', {
      token,
      body: { new_display_name: 'Mallard' },
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ duckling_id: id, display_name: 'Mallard' })
    const wait = new Date(body.next_name_change_at).getTime() - Date.now()
    expect(Math.round(wait / 1000 / 60)).toBe(30 * 24 * 60)
    const events = await db().auditEvent.findMany({ where: { ducklingId: id, action: 'duckling.renamed' } })
    expect(events).toMatchObject([{ outcome: 'success', metadata: { from: displayName, to: 'Mallard' } }])
  })

  it('allows another change after exactly 30 days', async () => {
    const duckling = await aDuckling()
    const context = await duckling.context()
    await changeName(context, { displayName: 'Mallard' })
    const end = secondsAfter(context.now, 30 * day)
    const justBefore = new Date(end.getTime() - 1)
    await expect(changeName({ ...context, now: justBefore }, { displayName: 'Teal' })).rejects.toMatchObject({
      failure: 'name_change_throttled',
    })
    expect(await changeName({ ...context, now: end }, { displayName: 'Teal' })).toMatchObject({
      display_name: 'Teal',
    })
  })

  it('does not count a change to the current name', async () => {
    const { token, displayName } = await aDuckling()
    const same = await call('POST /beak/name-change', { token, body: { new_display_name: displayName } })
    expect(same.body).toMatchObject({ display_name: displayName, next_name_change_at: null })
    expect((await call('POST /beak/name-change', { token, body: { new_display_name: 'Teal' } })).status).toBe(
      200,
    )
  })
})

describe('a full name', () => {
  it('is free the first time, also within the 30 days, and then shares the clock of the display name', async () => {
    const duckling = await aDuckling()
    const { body: free } = await change(duckling, { full_name: 'Anna Weber' })
    expect(free).toMatchObject({ full_name: 'Anna Weber', next_name_change_at: null })
    const { body: changed } = await change(duckling, { full_name: '李雷' })
    expect(changed).toMatchObject({
      full_name: '李雷',
      display_name: duckling.displayName,
      next_name_change_at: expect.any(String),
    })
    for (const names of [{ full_name: 'Anna Weber' }, { new_display_name: 'Teal' }, { full_name: null }])
      expect((await change(duckling, names)).body.code).toBe('E4004')
    expect((await renames(duckling)).map(({ metadata }) => metadata)).toEqual([
      { field: 'full_name', from: null, to: 'Anna Weber' },
      { field: 'full_name', from: 'Anna Weber', to: '李雷' },
    ])
    const other = await aDuckling()
    await change(other, { new_display_name: 'Mallard' })
    expect((await change(other, { full_name: 'محمد' })).body).toMatchObject({ full_name: 'محمد' })
  })

  it('changes together with the display name as one change', async () => {
    const duckling = await aDuckling()
    const names = { display_name: 'Teal', full_name: 'Anna Weber' }
    const { body } = await change(duckling, { new_display_name: 'Teal', full_name: 'Anna Weber' })
    expect(body).toMatchObject({ ...names, next_name_change_at: expect.any(String) })
    expect(await renames(duckling)).toHaveLength(2)
  })

  // security: asker-22
  it('can be removed, which counts as a change, and is not free again afterwards', async () => {
    const duckling = await aDuckling()
    const context = await duckling.context()
    await changeName(context, { fullName: 'Anna Weber' })
    expect(await changeName(context, { fullName: null })).toMatchObject({
      full_name: null,
      next_name_change_at: expect.any(Date),
    })
    await expect(changeName(context, { fullName: 'Berta Weber' })).rejects.toMatchObject({
      failure: 'name_change_throttled',
    })
    const later = { ...context, now: secondsAfter(context.now, 30 * day) }
    expect((await changeName(later, { fullName: 'Berta Weber' })).next_name_change_at).not.toBeNull()
  })

  // security: asker-22
  it('is set free once by 50 simultaneous calls within the 30 days', async () => {
    const duckling = await aDuckling()
    await change(duckling, { new_display_name: 'Mallard' })
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => change(duckling, { full_name: `Anna ${index}` })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(49)
    expect(await renames(duckling)).toHaveLength(2)
  })

  // security: asker-21
  it.each(['Beak Support', 'Веак', 'Anna\u202eWeber', '<b>Anna</b>', 'Wеber', 'a'.repeat(41), '', 7])(
    'is rejected as %j, and a body without a name too',
    async (name) => {
      const duckling = await aDuckling()
      const { status, body } = await change(duckling, { full_name: name })
      expect([status, body.errors[0].field]).toEqual([400, 'full_name'])
      expect((await change(duckling, {})).body.errors[0].field).toBe('new_display_name')
      expect(await renames(duckling)).toEqual([])
    },
  )
})

describe('400', () => {
  it.each([
    'ab',
    'a'.repeat(33),
    'with space',
    'Аlice',
    'zero​width',
    'Admin1',
    'OFFICIALduck',
    '',
    null,
    7,
    ['Teal'],
  ])('rejects the name %j', async (name) => {
    const { token, displayName } = await aDuckling()
    const { status, body } = await call('POST /beak/name-change', {
      token,
      body: { new_display_name: name },
    })
    expect([status, body.code, body.errors[0].field]).toEqual([400, 'E4000', 'new_display_name'])
    expect((await call('GET /beak/profile', { token })).body.display_name).toBe(displayName)
  })
})

describe('429', () => {
  it('rejects a second change, even of the case only, returns when it is allowed, and records the attempt', async () => {
    const { id, token } = await aDuckling()
    await call('POST /beak/name-change', { token, body: { new_display_name: 'Mallard' } })
    for (const name of ['Teal', 'MALLARD']) {
      const { status, body, headers } = await call('POST /beak/name-change', {
        token,
        body: { new_display_name: name },
      })
      expect([status, body.code]).toEqual([429, 'E4004'])
      expect(body.retry_after).toBeGreaterThan(29 * day)
      expect(headers.get('retry-after')).toBe(String(body.retry_after))
      expect(body.next_allowed_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    }
    const denied = { ducklingId: id, action: 'duckling.renamed', outcome: 'denied' }
    expect(await db().auditEvent.count({ where: denied })).toBe(2)
  })

  it.each([
    ['different names', (index: number) => `Racer${index}`],
    ['the same name', () => 'Racer'],
  ])('lets one of 50 simultaneous changes to %s succeed', async (_, nameOf) => {
    const { id, token } = await aDuckling()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        call('POST /beak/name-change', { token, body: { new_display_name: nameOf(index) } }),
      ),
    )
    const winners = answers.filter(({ status }) => status === 200)
    expect(winners).toHaveLength(1)
    expect(answers.filter(({ status, body }) => status === 429 && body.next_allowed_at)).toHaveLength(49)
    const { displayName } = await db().duckling.findUniqueOrThrow({ where: { id } })
    expect(displayName).toBe(winners[0]?.body.display_name)
  })

  // security: check-44
  it('shares its 30 days with POST /beak/profile/update in both directions', async () => {
    const first = await aDuckling()
    await call('POST /beak/profile/update', { token: first.token, body: { display_name: 'Mallard' } })
    const again = await call('POST /beak/name-change', {
      token: first.token,
      body: { new_display_name: 'Teal' },
    })
    expect(again.status).toBe(429)
    const second = await aDuckling()
    await call('POST /beak/name-change', { token: second.token, body: { new_display_name: 'Mallard' } })
    const other = await call('POST /beak/profile/update', {
      token: second.token,
      body: { display_name: 'Teal' },
    })
    expect(other.status).toBe(429)
  })
})
