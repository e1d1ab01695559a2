/** `permission_prompt`: the tool for `--permission-prompt-tool` of Claude Code. It allows only what a person approved, and spends that first. */
import type { CallToolResult } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { slotsInUse } from '@/lib/domain/pecks/follow/connection-slots'
import { expirePecks } from '@/lib/domain/pecks/record'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { day, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { McpListeners } from './_server/client'

const soon = { timeout: 20_000 }
const listeners = new McpListeners()
beforeAll(() => listeners.start())
afterAll(() => listeners.stop())

let person: ADuckling
let agent: AnAgent
let client: Awaited<ReturnType<McpListeners['connect']>>
beforeEach(async () => {
  person = await aDuckling()
  agent = await anAgent(person, { capabilities: ['request:peck', 'read:peck'], asksOthers: false })
  client = await listeners.connect(agent.beakKey, '2025-11-25')
})

const push = { command: 'git push --force', description: 'Publish the branch', timeout: 5000 }

/** Calls the tool as Claude Code does. Returns what it reads: the only text, as JSON. */
async function prompt(input: object = push, tool = 'Bash', signal?: AbortSignal) {
  const args = { tool_name: tool, input, tool_use_id: 'toolu_1' }
  const result = (await client.callTool(
    { name: 'permission_prompt', arguments: args },
    signal === undefined ? {} : { signal },
  )) as CallToolResult
  expect(result.isError ?? false).toBe(false)
  const [block, ...others] = result.content
  expect([others, result.structuredContent]).toEqual([[], undefined])
  return JSON.parse(block?.type === 'text' ? block.text : '') as {
    behavior: 'allow' | 'deny'
    message: string
    updatedInput: unknown
  }
}

const pecks = () => db().peck.findMany({ where: { targetDucklingId: person.id }, orderBy: { id: 'asc' } })
const decide = (how: 'approve' | 'reject', peckId: string, body: object = {}) =>
  call(`POST /beak/peck/${how}`, { token: person.token, body: { peck_id: peckId, ...body } })

/** Calls the tool and waits until the person is asked. */
async function asking(input?: object, tool?: string) {
  const before = (await pecks()).length
  const answer = prompt(input, tool)
  await expect.poll(async () => (await pecks()).length, soon).toBe(before + 1)
  const id = (await pecks()).at(-1)?.id ?? ''
  return { answer, id }
}

/** Calls the tool, and ends the call while the person has not answered. */
async function givenUp(input: object = push) {
  const end = new AbortController()
  const answer = prompt(input, 'Bash', end.signal)
  await expect.poll(() => slotsInUse(person.id), soon).toBe(1)
  end.abort()
  await expect(answer).rejects.toThrow()
  await expect.poll(() => slotsInUse(person.id), soon).toBe(0)
  return (await pecks()).at(-1)?.id ?? ''
}

it('allows exactly the approved input, and spends the permission before', async () => {
  const { answer, id } = await asking()
  await decide('approve', id)
  expect(await answer).toEqual({
    behavior: 'allow',
    updatedInput: { command: 'git push --force', timeout: 5000 },
  })
  const { body } = await call(`GET /beak/peck/status?peck_id=${id}`, { token: person.token })
  expect(body).toMatchObject({
    grant_status: 'consumed',
    uses: 1,
    action: 'run:command',
    params: { tool: 'Bash', command: 'git push --force', input: { timeout: 5000 } },
    message: 'Publish the branch',
  })
  // The permission was for one use.
  const next = await asking()
  await decide('reject', next.id, { reason: 'No.' })
  expect((await next.answer).behavior).toBe('deny')
})

it('denies with the reason after a rejection', async () => {
  const { answer, id } = await asking()
  await decide('reject', id, { reason: 'Not on Friday.' })
  const { behavior, message } = await answer
  expect(behavior).toBe('deny')
  expect(message).toContain(id)
  expect(message).toContain('Reason: Not on Friday.')
})

it('names what the person would approve', async () => {
  const { answer, id } = await asking()
  await decide('reject', id, { reason: 'Too long.', would_approve: { grant_expires_in: 600 } })
  expect((await answer).message).toContain('would approve: for 600 seconds.')
})

it('finds the same request when the same call comes again, in other words and after a lost connection', async () => {
  const id = await givenUp()
  const again = prompt({ ...push, description: 'Force the branch' })
  await expect.poll(() => slotsInUse(person.id), soon).toBe(1)
  expect(await pecks()).toHaveLength(1)
  await decide('approve', id)
  expect((await again).behavior).toBe('allow')
})

it('finds and spends a permission that the person gave when nobody waited', async () => {
  await decide('approve', await givenUp())
  expect((await prompt()).behavior).toBe('allow')
  expect(await pecks()).toHaveLength(1)
})

it.each([
  [{ ...push, command: 'git push --force --all' }],
  [{ ...push, timeout: 6000 }],
  [{ command: 'git push --force' }],
  [{}],
])('takes a permission not for %o', async (input) => {
  await decide('approve', await givenUp())
  const { answer, id } = await asking(input)
  await decide('reject', id, { reason: 'No.' })
  expect((await answer).behavior).toBe('deny')
})

it('allows one of two calls at once with one permission', async () => {
  await decide('approve', await givenUp())
  const first = prompt()
  const second = prompt()
  const winner = await Promise.race([first, second])
  expect(winner.behavior).toBe('allow')
  await expect.poll(async () => (await pecks()).length, soon).toBe(2)
  await decide('reject', (await pecks()).at(-1)?.id ?? '', { reason: 'No.' })
  expect([(await first).behavior, (await second).behavior].sort()).toEqual(['allow', 'deny'])
})

it('says that nobody answered, and not that somebody refused, when the request expires', async () => {
  const { answer } = await asking()
  await expect.poll(() => slotsInUse(person.id), soon).toBe(1)
  await expirePecks(secondsAfter(readClock(), 2 * day))
  const { behavior, message } = await answer
  expect(behavior).toBe('deny')
  expect(message).toMatch(/Nobody answered request PECK-\w+ before it expired.* not a refusal/)
})

it('denies without asking when the person could not see the whole input', async () => {
  const { behavior, message } = await prompt({ file_path: '/home/ada/x', content: 'a'.repeat(5000) }, 'Write')
  expect([behavior, message.includes('4 KiB')]).toEqual(['deny', true])
  expect(await pecks()).toEqual([])
})

it.each([
  [
    'Edit',
    { file_path: '/a', old_string: 'x', new_string: 'y' },
    'edit:file',
    { path: '/a', input: { old_string: 'x', new_string: 'y' } },
  ],
  ['mcp__shop__pay', { amount: 5 }, 'use:tool', { input: { amount: 5 } }],
  ['Bash', { script: 'rm' }, 'use:tool', { input: { script: 'rm' } }],
])('asks for %s with an action that rules can name', async (tool, input, action, params) => {
  const { answer, id } = await asking(input, tool)
  const { body } = await call(`GET /beak/peck/status?peck_id=${id}`, { token: person.token })
  expect(body).toMatchObject({ action, params: { tool, ...params } })
  await decide('approve', id)
  expect(await answer).toEqual({ behavior: 'allow', updatedInput: input })
})

it('denies with the text of the API when it refuses the request', async () => {
  await call('POST /beak/agent/suspend', { token: person.token, body: { agent_id: agent.agentId } })
  const { behavior, message } = await prompt()
  expect([behavior, message.startsWith('Nothing was done. E4007')]).toEqual(['deny', true])
})
