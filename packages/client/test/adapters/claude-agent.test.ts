/** The functions for the Claude Agent SDK, called as its types say (version 0.3.330), on a real service. */

import { Beak } from '@beak/client'
import { canUseTool, preToolUse } from '@beak/client/adapters/claude-agent'
import { beforeEach, describe, expect, it } from 'vitest'
import { startFaultServer } from '../fault-server'
import { startService } from '../service'
import { type People, somePeople } from './people'

const url = startService()
const faults = startFaultServer(url)
let people: People

beforeEach(async () => {
  people = await somePeople(url())
})

const rules = () => ({
  target: people.target,
  rules: [{ command: '\\bgit push\\b', action: 'run:git-push' }],
})
const call = { command: 'git push origin main', description: 'Publish the work' }
const signal = () => ({ signal: new AbortController().signal })

describe('canUseTool', () => {
  const ask = (input: Record<string, unknown> = call, beak = people.beak) =>
    canUseTool(beak, rules(), { cwd: '/home/me' })('Bash', input, signal())

  it('allows a tool with exactly the approved input, even when the input changes during the wait', async () => {
    const input = { ...call }
    const approved = people.approve()
    const asking = ask(input)
    input.command = 'git push --force'
    const [result, peck] = await Promise.all([asking, approved])
    expect(result).toEqual({ behavior: 'allow', updatedInput: call })
    expect(peck.params).toEqual({ tool: 'Bash', command: call.command, cwd: '/home/me' })
  })

  it('tells the model not to reach the same effect in another way after a rejection', async () => {
    const [result] = await Promise.all([ask(), people.reject('Not today.')])
    expect(result).toEqual({
      behavior: 'deny',
      message: `${people.name} rejected this. Reason: Not today. Do not try to reach the same effect in another way. Tell the user, and ask what to do instead.`,
    })
  })

  it('says that nobody answered, and finds the same request and its later permission in a new process', async () => {
    const asked = (description: string) =>
      canUseTool(people.beak, { ...rules(), wait: 0 }, { cwd: '/home/me' })(
        'Bash',
        { ...call, description },
        signal(),
      )
    const first = await asked('Publish the work')
    const [id = ''] = /PECK-\w+/.exec(JSON.stringify(first)) ?? []
    expect(first).toMatchObject({
      behavior: 'deny',
      message: expect.stringContaining(`This is not a refusal: request ${id} still waits.`),
    })
    expect(JSON.stringify(await asked('Try again'))).toContain(id)
    expect((await people.approve()).peck_id).toBe(id)
    expect(await asked('Now')).toMatchObject({ behavior: 'allow' })
  })

  it('denies a tool that no rule concerns', async () => {
    expect(await ask({ command: 'ls' })).toEqual({
      behavior: 'deny',
      message: 'No rule of Beak allows Bash.',
    })
  })

  it('denies when Beak cannot be reached, when the input is not JSON, and when the SDK gives up', async () => {
    const beak = new Beak({ url: faults.run('cut').url, key: people.key, retries: 0 })
    expect(await ask(call, beak)).toMatchObject({ behavior: 'deny' })
    for (const wrong of [() => 1, new Date(0), 1n])
      expect(await ask({ ...call, wrong })).toMatchObject({ behavior: 'deny' })
    const aborted = { signal: AbortSignal.abort() }
    expect(await canUseTool(people.beak, rules())('Bash', call, aborted)).toMatchObject({ behavior: 'deny' })
  })
})

describe('preToolUse', () => {
  const event = (command: string) => ({
    session_id: 'abc',
    transcript_path: '/tmp/t.jsonl',
    cwd: '/home/me',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { ...call, command },
    tool_use_id: 'toolu_1',
  })
  const ask = (given: object) => preToolUse(people.beak, rules())(given, 'toolu_1', signal())

  it('allows an approved call, and says nothing about a call that no rule concerns', async () => {
    const [output, peck] = await Promise.all([ask(event('git push')), people.approve()])
    expect(output).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'allow',
        permissionDecisionReason: `Approved with Beak: ${peck.peck_id}.`,
      },
    })
    expect(await ask(event('ls'))).toEqual({})
  })

  it.each([
    {},
    { hook_event_name: 'PostToolUse' },
    { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: 'git push', cwd: '/' },
  ])('denies %j, which is no event of this kind', async (wrong) => {
    expect((await ask(wrong)).hookSpecificOutput?.permissionDecision).toBe('deny')
  })
})

it('throws for invalid rules before anything runs', () => {
  const wrong = { target: people.target, rules: [{ command: '(', action: 'run:git-push' }] }
  expect(() => canUseTool(people.beak, wrong)).toThrow('is not a regular expression')
  expect(() => preToolUse(people.beak, wrong)).toThrow('is not a regular expression')
})
