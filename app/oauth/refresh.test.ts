/** Refresh tokens: they rotate, and a late second use ends the connection. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { db } from '@/lib/db/client'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { aProgram, callTool, connected, type Doors, refresh } from '@/lib/fixtures/programs'
import { day } from '@/lib/kernel/runtime/clock'
import { openOwnDoors } from './open-doors'

let doors: Doors
beforeAll(async () => {
  doors = await openOwnDoors()
})
afterAll(() => doors.close())

let program: Awaited<ReturnType<typeof connected>>
let owner: ADuckling
beforeEach(async () => {
  owner = await aDuckling()
  program = await connected(doors, owner)
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => void vi.useRealTimers())

const pass = (seconds: number) => void vi.setSystemTime(Date.now() + seconds * 1000)
const use = (token = program.refresh) => refresh(doors, program.program, token)
const works = async (access: string) => (await callTool(doors, access)).status === 200

it('gives the same successor to uses one after another within 30 seconds', async () => {
  const first = await use()
  pass(29)
  const second = await use()
  expect(second.body.refresh_token).toBe(first.body.refresh_token)
  expect(first.body.refresh_token).not.toBe(program.refresh)
  for (const { body } of [first, second]) expect(await works(body.access_token)).toBe(true)
})

it('gives the same successor to 20 uses at once', async () => {
  const replies = await Promise.all(Array.from({ length: 20 }, () => use()))
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
  expect(new Set(replies.map(({ body }) => body.refresh_token)).size).toBe(1)
})

it('counts the 30 seconds from the first use', async () => {
  await use()
  pass(20)
  expect((await use()).status).toBe(200)
  pass(11)
  expect((await use()).body.error).toBe('invalid_grant')
})

it('ends the connection at a later second use, with every token', async () => {
  const next = await use()
  pass(31)
  const last = await use(next.body.refresh_token)
  expect(await works(last.body.access_token)).toBe(true)
  expect((await use()).body.error).toBe('invalid_grant')
  for (const { body } of [next, last]) {
    expect(await works(body.access_token)).toBe(false)
    expect((await use(body.refresh_token)).body.error).toBe('invalid_grant')
  }
  const events = await db().auditEvent.findMany({
    where: { action: 'agent.disconnected', ducklingId: owner.id },
  })
  expect(events).toMatchObject([{ actorType: 'system', metadata: { reason: 'token_reused' } }])
})

it('does not make a used successor unused', async () => {
  const next = await use()
  const last = await use(next.body.refresh_token)
  expect((await use()).body.refresh_token).toBe(next.body.refresh_token)
  pass(31)
  expect((await use(next.body.refresh_token)).body.error).toBe('invalid_grant')
  expect(await works(last.body.access_token)).toBe(false)
})

it('gives nothing to another program, and loses nothing by it', async () => {
  const { refresh: token } = program
  const { status, body } = await refresh(doors, await aProgram(doors), token)
  expect([status, body.error]).toEqual([400, 'invalid_grant'])
  expect((await use()).status).toBe(200)
})

it('lasts 30 days from the last use, and 90 days from the consent', async () => {
  let token = program.refresh
  for (let month = 0; month < 3; month++) {
    pass(29 * day)
    const { status, body } = await use(token)
    expect(status).toBe(200)
    token = body.refresh_token
  }
  pass(2.9 * day)
  const { body } = await use(token)
  expect(await works(body.access_token)).toBe(true)
  pass(0.2 * day)
  expect((await use(body.refresh_token)).body.error).toBe('invalid_grant')
  expect(await works(body.access_token)).toBe(false)
})

it('ends 30 days after its last use', async () => {
  pass(30 * day + 1)
  expect((await use()).body.error).toBe('invalid_grant')
})
