import { expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { aDuckling } from '@/lib/factories/ducklings'
import { secondsAfter } from '@/lib/kernel/clock'
import { newId } from '@/lib/kernel/ids'
import { lastSeen, recordSeen, writeSeen } from './seen'

const start = new Date('2026-11-27T12:00:00.000Z')
const after = (seconds: number) => secondsAfter(start, seconds)

it('the last use of a session is written at once, and later ones once a minute', async () => {
  const { sessionId } = (await (await aDuckling()).context()).caller
  const stored = async () => (await db().session.findUniqueOrThrow({ where: { id: sessionId } })).lastSeenAt
  recordSeen('session', sessionId, start)
  await writeSeen(after(3))
  expect(await stored()).toEqual(start)
  recordSeen('session', sessionId, after(10))
  await writeSeen(after(59))
  expect([await stored(), lastSeen('session', sessionId, start)]).toEqual([start, after(10)])
  await writeSeen(after(60))
  expect(await stored()).toEqual(after(10))
})

it('a use leaves the memory when it is written and none followed for a minute', async () => {
  const id = newId('session', start)
  recordSeen('session', id, start)
  await writeSeen(start)
  await writeSeen(after(59))
  expect(lastSeen('session', id, null)).toEqual(start)
  await writeSeen(after(60))
  expect(lastSeen('session', id, null)).toBeNull()
})

it('a use does not replace a later one that another instance has stored', async () => {
  const { sessionId } = (await (await aDuckling()).context()).caller
  await db().session.update({ where: { id: sessionId }, data: { lastSeenAt: after(50) } })
  recordSeen('session', sessionId, after(10))
  await writeSeen(after(60))
  expect((await db().session.findUniqueOrThrow({ where: { id: sessionId } })).lastSeenAt).toEqual(after(50))
})
