/** What a connected program may do: what the person ticked, and nothing else. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { serve } from '@/app/beak/_api/serve'
import { table } from '@/app/beak/_api/table'
import { answerMcp } from '@/app/mcp/_server/answer'
import { db } from '@/lib/db/client'
import { scopes } from '@/lib/domain/oauth/scopes'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { callTool, connected, type Doors, openDoors } from '@/lib/fixtures/programs'
import { answerOAuth } from './_server/listener'

let doors: Doors
beforeAll(async () => {
  doors = await openDoors({ answerOAuth, answerMcp, answerApi: serve(table), call })
})
afterAll(() => doors.close())

const optional = scopes.filter((scope) => scope !== 'ask')
/** Every combination of ticks. */
const combinations = Array.from({ length: 2 ** optional.length }, (_, bits) =>
  optional.filter((_scope, index) => (bits >> index) & 1),
)
const capabilities = {
  ask: ['request:peck', 'read:peck'],
  'ask:others': [],
  profile: ['read:profile', 'read:cert'],
  activity: ['read:audit'],
}

/** Expects that an access token does what these scopes say, and nothing else. */
async function expectOnly(access: string, owner: ADuckling, ticked: readonly string[]) {
  const other = await aDuckling()
  const may = ['ask', ...optional.filter((scope) => ticked.includes(scope))] as (typeof scopes)[number][]
  const self = await callTool(doors, access)
  expect(self.result.capabilities).toEqual(may.flatMap((scope) => capabilities[scope]))
  expect(self.result.asks_others).toBe(ticked.includes('ask:others'))
  const ask = (target?: string) =>
    callTool(doors, access, 'ask_permission', { action: 'send:mail', scope: 'limited', target })
  expect((await ask()).result.target_duckling_id).toBe(owner.id)
  expect((await ask(other.id)).isError ?? false).toBe(!ticked.includes('ask:others'))
  const asked = await db().peck.count({ where: { targetDucklingId: other.id } })
  expect(asked).toBe(ticked.includes('ask:others') ? 1 : 0)
}

describe('a connected program', () => {
  // security: agent-11
  it.each(combinations.map((ticked) => [ticked.join(' ') || 'nothing', ticked]))(
    'that asked for all does only what was ticked: %s',
    async (_title, ticked) => {
      const owner = await aDuckling()
      const { access, tokens } = await connected(doors, owner, {
        asks: { scope: scopes.join(' ') },
        answers: { scopes: ticked },
      })
      expect(tokens.scope).toBe(scopes.filter((scope) => ['ask', ...ticked].includes(scope)).join(' '))
      await expectOnly(access, owner, ticked as string[])
    },
  )

  it.each(combinations.map((asked) => [asked.join(' ') || 'nothing', asked]))(
    'gets no more than it asked for, when all is ticked: %s',
    async (_title, asked) => {
      const owner = await aDuckling()
      const { access } = await connected(doors, owner, {
        asks: { scope: ['ask', ...asked].join(' ') },
        answers: { scopes: [...scopes] },
      })
      await expectOnly(access, owner, asked as string[])
    },
  )

  it('that connects again may do what was ticked now, not what was ticked before', async () => {
    const owner = await aDuckling()
    const all = { asks: { scope: scopes.join(' ') } }
    const { program } = await connected(doors, owner, { ...all, answers: { scopes: [...scopes] } })
    const { access } = await connected(doors, owner, { ...all, program, answers: { scopes: ['ask'] } })
    await expectOnly(access, owner, [])
  })
})
