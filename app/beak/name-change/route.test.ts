import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { changeName } from '@/lib/domain/identity/change-name'
import { aDuckling } from '@/lib/factories/ducklings'
import { day, secondsAfter } from '@/lib/kernel/clock'

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
    await changeName(context, 'Mallard')
    const end = secondsAfter(context.now, 30 * day)
    const justBefore = new Date(end.getTime() - 1)
    await expect(changeName({ ...context, now: justBefore }, 'Teal')).rejects.toMatchObject({
      failure: 'name_change_throttled',
    })
    expect(await changeName({ ...context, now: end }, 'Teal')).toMatchObject({ display_name: 'Teal' })
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
