/** Snoozing: only the target knows that the answer comes later. */
import { beforeEach, describe, expect, it } from 'vitest'
import { call, callRaw } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { remindOfPecks } from '@/lib/domain/pecks/mail/remind'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { aPeck } from '@/lib/factories/pecks'
import { hour, secondsAfter } from '@/lib/kernel/runtime/clock'

let operator: ADuckling
let target: ADuckling
let agent: AnAgent
let peckId: string
beforeEach(async () => {
  operator = await aDuckling()
  target = await aDuckling()
  agent = await anAgent(operator)
  peckId = (await aPeck(agent, target)).peck_id
})

const inSeconds = (seconds: number) => secondsAfter(new Date(), seconds).toISOString()
const snooze = (until: unknown = inSeconds(hour), who: object = { token: target.token }) =>
  call('POST /beak/peck/snooze', { ...who, body: { peck_id: peckId, until } })
const inbox = async (list = '') => {
  const { body } = await call(`GET /beak/peck/inbox${list && `?list=${list}`}`, { token: target.token })
  return { ids: body.items.map(({ peck_id }: { peck_id: string }) => peck_id), ...body }
}
const waiting = async () =>
  (await call('GET /beak/profile/overview', { token: target.token })).body.pending_pecks
const seenBy = async (who: object) => (await call(`GET /beak/peck/status?peck_id=${peckId}`, who)).body
const end = (snoozedUntil: Date) => db().peck.update({ where: { id: peckId }, data: { snoozedUntil } })

describe('snooze', () => {
  // security: asker-26
  it('takes the peck out of the inbox and its counts until then, and shows the asker nothing', async () => {
    const before = await seenBy({ key: agent.beakKey })
    const until = inSeconds(hour)
    expect((await snooze(until)).body.snoozed_until).toBe(until)
    const first = await inbox()
    expect([first.ids, first.total, first.snoozed, await waiting()]).toEqual([[], 0, 1, 0])
    const snoozed = await inbox('snoozed')
    expect([snoozed.ids, snoozed.items[0].snoozed_until]).toEqual([[peckId], until])
    expect(await seenBy({ key: agent.beakKey })).toEqual(before)
    expect((await seenBy({ token: operator.token })).snoozed_until).toBeUndefined()
    expect(await db().auditEvent.count({ where: { ducklingId: operator.id, action: 'peck.snoozed' } })).toBe(
      0,
    )
    await end(secondsAfter(new Date(), -1))
    const back = await inbox()
    expect([back.ids, back.snoozed, await waiting(), back.items[0].snoozed_until]).toEqual([
      [peckId],
      0,
      1,
      undefined,
    ])
  })

  it('replaces the time of an earlier call, does nothing for the same time, and wakes the peck with null', async () => {
    const until = inSeconds(hour)
    await snooze(until)
    await snooze(until)
    expect(await db().auditEvent.count({ where: { ducklingId: target.id, action: 'peck.snoozed' } })).toBe(1)
    await snooze(inSeconds(2 * hour))
    expect((await inbox()).snoozed).toBe(1)
    expect((await snooze(null)).body.snoozed_until).toBeUndefined()
    expect((await inbox()).ids).toEqual([peckId])
  })

  it('refuses a time in the past, one after the peck expires, and what is no time', async () => {
    for (const [until, message] of [
      [inSeconds(-1), 'must be later than now, or null'],
      [inSeconds(25 * hour), expect.stringContaining('must be before')],
      ['tomorrow', expect.stringContaining('must be a time')],
    ]) {
      const { status, body } = await snooze(until)
      expect([status, body.errors]).toEqual([400, [{ field: 'until', message }]])
    }
  })

  it('is refused to the asker, and for a decided peck', async () => {
    expect((await snooze(undefined, { token: operator.token })).body.reason).toBe('not_the_target')
    await snooze()
    await call('POST /beak/peck/reject', { token: target.token, body: { peck_id: peckId, reason: 'No' } })
    expect((await snooze()).body.current_status).toBe('rejected')
    expect((await db().peck.findUniqueOrThrow({ where: { id: peckId } })).snoozedUntil).toBeNull()
  })

  it('delays the reminder until the peck is back', async () => {
    const until = secondsAfter(new Date(), 20 * hour)
    await db().peckMail.updateMany({
      where: { peckId },
      data: { stage: 'announced', remindAt: secondsAfter(until, -hour) },
    })
    await snooze(until.toISOString())
    await remindOfPecks(secondsAfter(until, -1))
    expect((await db().peckMail.findUniqueOrThrow({ where: { peckId } })).stage).toBe('announced')
    await remindOfPecks(until)
    expect((await db().peckMail.findUniqueOrThrow({ where: { peckId } })).stage).toBe('remind')
  })

  it('sends the peck to open streams of the target when it comes back', async () => {
    const stream = await callRaw('GET /beak/peck/stream', { token: target.token })
    const reader = stream.body?.getReader()
    const next = async () => new TextDecoder().decode((await reader?.read())?.value)
    expect(await next()).toContain('ready')
    const until = new Date(Date.now() + 400).toISOString()
    const snoozed = next()
    await snooze(until)
    expect(await snoozed).toContain(`"snoozed_until":"${until}"`)
    const back = await next()
    expect([back.includes(peckId), back.includes('snoozed_until')]).toEqual([true, false])
    await reader?.cancel()
  })

  it('is in the export of the target and in no export of the asker', async () => {
    const until = inSeconds(hour)
    await snooze(until)
    const exported = async (token: string) =>
      JSON.stringify((await call('GET /beak/account/export', { token })).body.pecks)
    expect(await exported(target.token)).toContain(`"snoozed_until":"${until}"`)
    expect(await exported(operator.token)).not.toContain('snoozed_until')
  })
})
