import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { changeName, findNameChange, takeBackNames } from '@/lib/domain/identity/change-name'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { sentTo } from '@/lib/factories/outbox'
import { anotherSession } from '@/lib/fixtures/accounts'
import { day, secondsAfter } from '@/lib/kernel/runtime/clock'

type Token = Pick<ADuckling, 'token'>

const change = ({ token }: Token, body: unknown) => call('POST /beak/name-change', { token, body })
const view = async ({ token }: Token) => (await call('GET /beak/name-change', { token })).body.change
const takeBack = ({ token }: Token, changed_at: string) =>
  call('POST /beak/name-change/undo', { token, body: { changed_at } })

describe('200', () => {
  // security: site-10
  it('restores the names before the change, records and mails both sides, and shows it to other sessions', async () => {
    const owner = await aDuckling()
    expect(await view(owner)).toBeNull()
    await change(owner, { new_display_name: 'Mallory', full_name: 'Mallory Thief' })
    const changed = await view(owner)
    expect(changed).toMatchObject({ display_name: owner.displayName, full_name: null })
    expect(Date.parse(changed.undo_until) - Date.parse(changed.changed_at)).toBe(7 * day * 1000)
    const other = { token: await anotherSession(owner) }
    const { recent_changes } = (await call('GET /beak/profile/overview', other)).body
    const sides = `${owner.displayName} → Mallory, – → Mallory Thief`
    expect(recent_changes).toMatchObject([{ change: 'name_changed', name: sides }])
    const { status, body } = await takeBack(other, changed.changed_at)
    expect([status, body.display_name, body.full_name]).toEqual([200, owner.displayName, null])
    expect(await view(owner)).toBeNull()
    const events = await db().auditEvent.findMany({
      where: { ducklingId: owner.id, action: 'duckling.renamed', outcome: 'success' },
      orderBy: { seq: 'asc' },
    })
    expect(events.slice(2).map(({ metadata }) => metadata)).toEqual([
      { from: 'Mallory', to: owner.displayName },
      { field: 'full_name', from: 'Mallory Thief', to: null },
    ])
    const mail = (await sentTo(owner.email)).find(({ kind }) => kind === 'sensitive_change')
    expect(mail?.text).toContain(`"${owner.displayName}" → "Mallory", "–" → "Mallory Thief"`)
  })

  // security: site-10
  it('neither needs nor moves the time of the next change, so that nobody gets a change more', async () => {
    const owner = await aDuckling()
    const { next_name_change_at: next } = (await change(owner, { new_display_name: 'Mallard' })).body
    const restored = await takeBack(owner, (await view(owner)).changed_at)
    expect(restored.body.next_name_change_at).toBe(next)
    expect((await change(owner, { new_display_name: 'Teal' })).status).toBe(429)
    expect(await view(owner)).toBeNull()
  })

  it('makes the first full name free once only', async () => {
    const owner = await aDuckling()
    await change(owner, { full_name: 'Anna Weber' })
    await takeBack(owner, (await view(owner)).changed_at)
    const again = await change(owner, { full_name: 'Berta Weber' })
    expect([again.status, again.body.next_name_change_at]).toEqual([200, expect.any(String)])
    await takeBack(owner, (await view(owner)).changed_at)
    expect((await change(owner, { full_name: 'Clara Weber' })).status).toBe(429)
  })

  it('takes back the latest change first, and then the one before', async () => {
    const owner = await aDuckling()
    await change(owner, { new_display_name: 'Mallard' })
    const first = await view(owner)
    await change(owner, { full_name: 'Anna Weber' })
    expect((await takeBack(owner, first.changed_at)).status).toBe(409)
    const second = await takeBack(owner, (await view(owner)).changed_at)
    expect(second.body).toMatchObject({ display_name: 'Mallard', full_name: null })
    expect((await takeBack(owner, first.changed_at)).body.display_name).toBe(owner.displayName)
  })

  // security: site-10
  it('succeeds once in 50 simultaneous calls, and keeps the names of each time for receipts', async () => {
    const owner = await aDuckling()
    await change(owner, { new_display_name: 'Mallard' })
    const { changed_at } = await view(owner)
    const answers = await Promise.all(Array.from({ length: 50 }, () => takeBack(owner, changed_at)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.reason === 'no_name_to_take_back')).toHaveLength(49)
    const former = await db().formerName.findMany({
      where: { ducklingId: owner.id },
      orderBy: { until: 'asc' },
    })
    expect(former.map(({ displayName }) => displayName)).toEqual([owner.displayName, 'Mallard'])
  })
})

describe('409', () => {
  it('refuses a time at which no name changed, and the change of another account', async () => {
    const [owner, other] = [await aDuckling(), await aDuckling()]
    await change(other, { new_display_name: 'Mallard' })
    for (const at of [new Date(0).toISOString(), (await view(other)).changed_at])
      expect((await takeBack(owner, at)).body).toMatchObject({
        code: 'E4008',
        reason: 'no_name_to_take_back',
      })
  })

  it('refuses after a week', async () => {
    const owner = await aDuckling()
    const context = await owner.context()
    await changeName(context, { displayName: 'Mallard' })
    const [{ until } = { until: context.now }] = await db().formerName.findMany({
      where: { ducklingId: owner.id },
    })
    const late = { ...context, now: secondsAfter(until, 7 * day) }
    expect(await findNameChange(late)).toEqual({ change: null })
    await expect(takeBackNames(late, until)).rejects.toMatchObject({ failure: 'no_name_to_take_back' })
    const justBefore = { ...context, now: new Date(late.now.getTime() - 1) }
    expect((await takeBackNames(justBefore, until)).display_name).toBe(owner.displayName)
  })
})
