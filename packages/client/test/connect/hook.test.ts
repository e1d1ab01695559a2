/** The hooks that `beak connect` installs, as processes, on a real service. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readEntries } from '../../src/connect/log'
import { askPerson } from '../../src/connect/program/ask'
import { readCall } from '../../src/connect/program/event'
import { callOf, judgeCall } from '../../src/connect/program/judge-call'
import { readState, storeCredential } from '../../src/connect/state'
import { type People, somePeople } from '../adapters/people'
import { startService } from '../service'
import { aComputer, type Computer, callEvent, decisionIn, inTerminal, removeComputers } from './connected'

const url = startService()
let people: People
let computer: Computer
beforeEach(async () => {
  people = await somePeople(url())
  computer = await aComputer(url(), people)
})

afterEach(removeComputers)

const push = 'git push origin main'
const pending = async () => (await people.person.listPecks({ status: 'pending' })).items

describe('a call that is harmless', () => {
  it.each(['claude', 'codex'] as const)('is left to %s, and nobody is asked', async (tool) => {
    const { ended } = computer.run(tool, 'PreToolUse', callEvent(computer, 'git status && ls'))
    expect(decisionIn(await ended)).toBeNull()
    expect((await people.person.listPecks({})).items).toEqual([])
  })
})

describe('a call that matters', () => {
  it('runs exactly as it was approved, once', async () => {
    const event = callEvent(computer, push)
    const { ended } = computer.run('claude', 'PreToolUse', event)
    const peck = await people.approve()
    expect(peck).toMatchObject({
      action: 'git:push',
      message: 'Publish the work',
      params: { line: push, branch: 'main', repository: 'github.com/ada/otter', force: false },
    })
    expect(decisionIn(await ended)).toEqual({
      behavior: 'allow',
      reason: `Approved with Beak: ${peck.peck_id}.`,
      input: event.tool_input,
    })
    expect(await people.person.getPeck({ peck_id: peck.peck_id })).toMatchObject({ grant_status: 'consumed' })
  })

  it('leaves an approved call to the rules of Codex, and answers its second question about it', async () => {
    const event = callEvent(computer, push, { tool_input: { command: push } })
    const { ended } = computer.run('codex', 'PreToolUse', event)
    await people.approve()
    expect(decisionIn(await ended)).toBeNull()
    const dialog = {
      ...event,
      hook_event_name: 'PermissionRequest',
      tool_input: { command: push, description: 'why' },
    }
    expect(decisionIn(await computer.run('codex', 'PermissionRequest', dialog).ended)).toMatchObject({
      behavior: 'allow',
    })
    // The next question is about another call.
    const again = computer.run('codex', 'PermissionRequest', dialog)
    await people.reject('not twice')
    expect(decisionIn(await again.ended)).toMatchObject({ behavior: 'deny' })
    expect((await people.person.listPecks({})).items).toHaveLength(2)
  })

  it('does not run after a rejection, whose reason the model gets', async () => {
    const { ended } = computer.run('codex', 'PreToolUse', callEvent(computer, push))
    await people.reject('after the release')
    expect(decisionIn(await ended)).toMatchObject({
      behavior: 'deny',
      reason: expect.stringContaining('after the release'),
    })
  })

  it('finds its request again after the hook was killed', async () => {
    const event = callEvent(computer, push)
    const first = computer.run('claude', 'PreToolUse', event)
    await expect.poll(pending, { timeout: 20_000 }).toHaveLength(1)
    first.kill()
    await first.ended
    const { peck_id } = await people.approve()
    expect(decisionIn(await computer.run('claude', 'PreToolUse', event).ended)).toMatchObject({
      behavior: 'allow',
      reason: expect.stringContaining(peck_id),
    })
    expect((await people.person.listPecks({})).items).toHaveLength(1)
  })

  it('names the parts that matter of a longer line', async () => {
    const command = 'npm test && git push --force origin main'
    const { ended } = computer.run('claude', 'PreToolUse', callEvent(computer, command))
    expect(await people.approve()).toMatchObject({
      params: { command, dangerous_parts: ['git push --force origin main'] },
    })
    expect(decisionIn(await ended)).toMatchObject({ behavior: 'allow' })
  })

  it('is one request when several hooks see it, and another when it comes again', async () => {
    const event = callEvent(computer, push)
    const seen = [1, 2, 3].map(() => computer.run('claude', 'PreToolUse', event))
    await people.approve()
    for (const { ended } of seen) expect(decisionIn(await ended)).toMatchObject({ behavior: 'allow' })
    expect((await people.person.listPecks({})).items).toHaveLength(1)
    const again = computer.run('claude', 'PreToolUse', { ...event, tool_use_id: 'toolu_02' })
    await people.reject('once was enough')
    expect(decisionIn(await again.ended)).toMatchObject({ behavior: 'deny' })
  })

  it('never sends a secret, and tells calls apart that differ in one alone', async () => {
    const command = (password: string) => `curl -X DELETE -u admin:${password} https://shop.example/orders`
    const calls = ['hunter2-Zq81x', 'other4-Lm92y'].map((password, index) =>
      computer.run(
        'claude',
        'PreToolUse',
        callEvent(computer, command(password), { tool_use_id: `toolu_${index}` }),
      ),
    )
    await expect.poll(pending, { timeout: 20_000 }).toHaveLength(2)
    expect(JSON.stringify(await pending())).not.toMatch(/hunter2|other4/)
    await people.reject('no')
    await people.reject('no')
    for (const { ended } of calls) expect(decisionIn(await ended)).toMatchObject({ behavior: 'deny' })
  })

  it('is refused when the service does not answer, with how to go on', async () => {
    await computer.change('claude', { url: 'http://127.0.0.1:9' })
    await storeCredential(computer.layout, 'claude', { url: 'http://127.0.0.1:9', key: people.key })
    for (const on_outage of ['refuse', 'ask-in-terminal'] as const) {
      await computer.change('claude', { on_outage })
      const { ended } = computer.run('claude', 'PreToolUse', callEvent(computer, push))
      expect(decisionIn(await ended)).toMatchObject({
        behavior: 'deny',
        reason: expect.stringContaining('does not answer'),
      })
    }
  })

  it.each([['an unknown credential', { key: 'beak_AGT-0_0' }]])(
    'is refused with %s',
    async (_, credential) => {
      await storeCredential(computer.layout, 'claude', { url: url(), ...credential })
      const { ended } = computer.run('claude', 'PreToolUse', callEvent(computer, push))
      expect(decisionIn(await ended)).toMatchObject({ behavior: 'deny' })
    },
  )

  it.each([
    ['is not JSON', 'garbage'],
    ['has no tool', '{"session_id":"s","cwd":"/"}'],
    ['is empty', ''],
  ])('is refused when its event %s', async (_, input) => {
    expect(decisionIn(await computer.run('claude', 'PreToolUse', input).ended)).toMatchObject({
      behavior: 'deny',
    })
  })

  it('is refused when the state of the connection is gone or broken', async () => {
    for (const change of [
      () => rmSync(computer.layout.state),
      () => writeFileSync(computer.layout.state, '{'),
    ]) {
      change()
      const { code, stdout } = await computer.run('claude', 'PreToolUse', callEvent(computer, push)).ended
      expect(code === 2 || stdout.includes('"deny"')).toBe(true)
    }
  })
})

describe('a question that nobody has answered', () => {
  it('is no refusal: the model reads that with the id, and the same call finds the answer later', async () => {
    const event = callEvent(computer, push)
    const call = readCall(JSON.stringify(event))
    const judgement = await judgeCall(computer.layout, callOf('claude', call))
    const connected = (await readState(computer.layout)).tools.claude
    if (!judgement.ask || connected === undefined) throw new Error('the push is not asked about')
    const options = { event: 'PreToolUse', wait: 1 } as const
    const first = await askPerson(computer.layout, 'claude', connected, judgement, call, options)
    const [asked] = await pending()
    expect(first).toMatchObject({
      decision: 'deny',
      reason: expect.stringMatching(/^Unanswered: .* This is not a refusal/),
    })
    expect(first).toMatchObject({ reason: expect.stringContaining(asked?.peck_id ?? '?') })
    await people.approve()
    const later = computer.run('claude', 'PreToolUse', { ...event, tool_use_id: 'toolu_02' })
    expect(decisionIn(await later.ended)).toMatchObject({
      behavior: 'allow',
      reason: expect.stringContaining(asked?.peck_id ?? '?'),
    })
  })
})

describe('beside the dialog of Claude Code', () => {
  const dialog = () => ({
    ...callEvent(computer, push),
    hook_event_name: 'PermissionRequest',
    tool_use_id: undefined,
  })

  it('shows the dialog, and the phone may answer first', async () => {
    const shown = computer.run('claude', 'PreToolUse', callEvent(computer, push), inTerminal)
    expect(decisionIn(await shown.ended)).toMatchObject({ behavior: 'ask' })
    expect(await pending()).toEqual([])
    const { ended } = computer.run('claude', 'PermissionRequest', dialog(), inTerminal)
    await people.approve()
    expect(decisionIn(await ended)).toMatchObject({
      behavior: 'allow',
      input: callEvent(computer, push).tool_input,
    })
  })

  it.each([
    [
      'the call has run',
      () => ({ ...callEvent(computer, push), hook_event_name: 'PostToolUse' }),
      'PostToolUse',
    ],
    ['the person wrote something else', () => ({ session_id: 'session-1', cwd: '/' }), 'UserPromptSubmit'],
    ['the session has ended', () => ({ session_id: 'session-1', cwd: '/' }), 'SessionEnd'],
  ] as const)('withdraws the request when %s', async (_, later, event) => {
    const { ended } = computer.run('claude', 'PermissionRequest', dialog(), inTerminal)
    await expect.poll(pending, { timeout: 20_000 }).toHaveLength(1)
    expect((await computer.run('claude', event, later(), inTerminal).ended).code).toBe(0)
    expect(decisionIn(await ended)).toMatchObject({ behavior: 'deny' })
    expect(await pending()).toEqual([])
  })

  it('keeps the request while another session goes on', async () => {
    const { ended } = computer.run('claude', 'PermissionRequest', dialog(), inTerminal)
    await expect.poll(pending, { timeout: 20_000 }).toHaveLength(1)
    await computer.run('claude', 'Stop', { session_id: 'session-2', cwd: '/' }, inTerminal).ended
    expect(await pending()).toHaveLength(1)
    await people.approve()
    expect(decisionIn(await ended)).toMatchObject({ behavior: 'allow' })
  })

  it('does not let the terminal decide in the mode strict', async () => {
    await computer.change('claude', { mode: 'strict' })
    expect(
      decisionIn(await computer.run('claude', 'PreToolUse', callEvent(computer, 'git status')).ended),
    ).toBeNull()
    const edit = {
      tool_name: 'Write',
      tool_input: { file_path: join(computer.project, 'a.ts'), content: 'a' },
    }
    const written = computer.run('claude', 'PreToolUse', callEvent(computer, '', edit), inTerminal)
    await people.approve()
    expect(decisionIn(await written.ended)).toMatchObject({ behavior: 'allow', input: edit.tool_input })
    const { ended } = computer.run('claude', 'PreToolUse', callEvent(computer, push), inTerminal)
    await people.reject('no')
    expect(decisionIn(await ended)).toMatchObject({ behavior: 'deny' })
  })

  it('asks in the terminal during an outage when the person wanted that, and notes it', async () => {
    const away = 'http://127.0.0.1:9'
    await computer.change('claude', { url: away, on_outage: 'ask-in-terminal' })
    await storeCredential(computer.layout, 'claude', { url: away, key: people.key })
    const { ended } = computer.run('claude', 'PermissionRequest', dialog(), inTerminal)
    expect(decisionIn(await ended)).toBeNull()
    expect(await readEntries(computer.layout)).toMatchObject([{ kind: 'outage', action: 'git:push' }])
  })
})

describe('a build that the person approved in the terminal', () => {
  it('is not asked about again until its files change', async () => {
    const file = join(computer.project, 'package.json')
    const event = callEvent(computer, 'npm test')
    writeFileSync(file, '{}')
    expect(decisionIn(await computer.run('claude', 'PreToolUse', event, inTerminal).ended)).toBeNull()
    writeFileSync(file, '{"scripts":{"test":"vitest"}}')
    expect(decisionIn(await computer.run('claude', 'PreToolUse', event, inTerminal).ended)).toMatchObject({
      behavior: 'ask',
    })
    const dialog = computer.run(
      'claude',
      'PermissionRequest',
      { ...event, tool_use_id: undefined },
      inTerminal,
    )
    await expect.poll(pending, { timeout: 20_000 }).toHaveLength(1)
    await computer.run('claude', 'PostToolUse', event, inTerminal).ended
    await dialog.ended
    expect(decisionIn(await computer.run('claude', 'PreToolUse', event, inTerminal).ended)).toBeNull()
    writeFileSync(file, '{"scripts":{"test":"rm -rf ."}}')
    expect(decisionIn(await computer.run('claude', 'PreToolUse', event, inTerminal).ended)).toMatchObject({
      behavior: 'ask',
    })
  })
})

describe('the mode watch', () => {
  it('asks nobody, and notes what it would have asked', async () => {
    await computer.change('claude', { mode: 'watch' })
    for (const command of [push, 'git status', push])
      expect(
        decisionIn(await computer.run('claude', 'PreToolUse', callEvent(computer, command)).ended),
      ).toBeNull()
    expect((await people.person.listPecks({})).items).toEqual([])
    expect(await readEntries(computer.layout)).toMatchObject([
      { kind: 'watched', action: 'git:push', what: push },
      { kind: 'watched', what: push },
    ])
  })
})

describe('a build', () => {
  it('is asked about once after a file that defines it has changed', async () => {
    const file = join(computer.project, 'package.json')
    const test = () => computer.run('claude', 'PreToolUse', callEvent(computer, 'npm test'))
    writeFileSync(file, '{"scripts":{"test":"vitest"}}')
    expect(decisionIn(await test().ended)).toBeNull()
    writeFileSync(file, '{"scripts":{"test":"rm -rf ~"}}')
    const asked = test()
    await people.approve()
    expect(decisionIn(await asked.ended)).toMatchObject({ behavior: 'allow' })
    expect(decisionIn(await test().ended)).toBeNull()
  })

  it('is asked about when the file that defines it is new', async () => {
    expect(decisionIn(await computer.run('claude', 'PreToolUse', callEvent(computer, 'ls')).ended)).toBeNull()
    writeFileSync(join(computer.project, 'Makefile'), 'test:\n\trm -rf ~\n')
    const asked = computer.run('claude', 'PreToolUse', callEvent(computer, 'make test'))
    await people.reject('no')
    expect(decisionIn(await asked.ended)).toMatchObject({ behavior: 'deny' })
  })
})

describe('settings that switch the hooks off', () => {
  it('are an alarm for the person, once', async () => {
    await computer.run('claude', 'SessionStart', { session_id: 'session-1', cwd: computer.project }).ended
    await expect.poll(() => existsSync(computer.layout.proof), { timeout: 20_000 }).toBe(true)
    expect(decisionIn(await computer.run('claude', 'PreToolUse', callEvent(computer, 'ls')).ended)).toBeNull()
    const guard = async () => (await people.person.listAgents({})).items[0]?.guard
    expect(await guard()).toMatchObject({ tool: 'claude', mode: 'guard', alarm: null })
    mkdirSync(join(computer.project, '.claude'))
    writeFileSync(join(computer.project, '.claude', 'settings.json'), '{"disableAllHooks":true}')
    // The next call looks at the settings of its folder again.
    await computer.run('claude', 'PreToolUse', callEvent(computer, 'ls')).ended
    await expect.poll(guard, { timeout: 20_000 }).toMatchObject({ alarm: { cause: 'unguarded' } })
  })
})
