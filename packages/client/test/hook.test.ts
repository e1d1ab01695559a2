/** The hook of coding agents, as a process of its own, on a real service. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import numbers from '../../contract/numbers.json'
import { answerHook, type CodingAgent } from '../src/hook/hook'
import { findRule, parseRules, readRules } from '../src/hook/rules'
import { hookCommand, hookSettings } from '../src/hook/settings'
import { type People, somePeople } from './adapters/people'
import { aTerminal, program } from './beak-process'
import { startFaultServer } from './fault-server'
import { startService } from './service'

interface Calls {
  /** Ways to write `git push`. */
  spellings: string[]
  /** Tool, input and folder of calls that can switch a hook off. */
  settings: [string, Record<string, unknown>, string?][]
  others: [string, Record<string, unknown>][]
}

/** The Python client reads these calls in the same way. */
const calls: Calls = JSON.parse(readFileSync('packages/contract/tool-calls.json', 'utf8'))

const url = startService()
const faults = startFaultServer(url)
const folder = mkdtempSync(join(tmpdir(), 'beak-hook-'))
const path = join(folder, 'hook.json')
let people: People

afterAll(() => rmSync(folder, { recursive: true }))

beforeEach(async () => {
  people = await somePeople(url())
  writeRules({})
})

/** Writes rules that ask before `git push`, `npm publish` and mails. */
function writeRules(changes: object): void {
  const rules = [
    { command: '\\bgit push\\b', action: 'run:git-push' },
    { command: '\\bnpm publish\\b', action: 'run:npm-publish', scope: 'timed', covers: 'rule' },
    { tool: '^mcp__mail__', action: 'send:email' },
  ]
  writeFileSync(path, JSON.stringify({ target: people.target, rules, ...changes }))
}

/** The event of a command, with the fields that Claude Code and Codex send. */
const event = (command: string, changes: object = {}) => ({
  session_id: 'abc123',
  transcript_path: '/tmp/transcript.jsonl',
  cwd: '/home/me/project',
  permission_mode: 'default',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command, description: 'Publish the work' },
  tool_use_id: 'toolu_01',
  ...changes,
})

interface Decision {
  permissionDecision: 'allow' | 'deny'
  permissionDecisionReason: string
}

/** Returns the decision, or null when the hook says nothing. */
async function decide(
  given: unknown,
  agent: CodingAgent = 'claude',
  beak = people.beak,
  limit = 600,
): Promise<Decision | null> {
  const answer = await answerHook(
    agent,
    async () => (typeof given === 'string' ? given : JSON.stringify(given)),
    async () => ({
      rules: await readRules(path),
      beak: async () => beak,
    }),
    { limit },
  )
  if (answer === '{}') return null
  const { hookSpecificOutput } = JSON.parse(answer)
  expect(hookSpecificOutput.hookEventName).toBe('PreToolUse')
  return hookSpecificOutput
}

describe('answerHook', () => {
  it('allows a command after the approval, once', async () => {
    const [decision, peck] = await Promise.all([decide(event('git push origin main')), people.approve()])
    expect(decision).toMatchObject({
      permissionDecision: 'allow',
      permissionDecisionReason: `Approved with Beak: ${peck.peck_id}.`,
    })
    expect(peck).toMatchObject({
      action: 'run:git-push',
      message: 'Publish the work',
      params: { tool: 'Bash', command: 'git push origin main', cwd: '/home/me/project' },
    })
    expect(await people.person.getPeck({ peck_id: peck.peck_id })).toMatchObject({ grant_status: 'consumed' })
  })

  it('denies a call with a number that JSON does not keep, and asks nobody', async () => {
    const written = JSON.stringify(event('git push', { tool_input: { command: 'git push', ids: ['N'] } }))
    for (const { text } of numbers.filter(({ accepted }) => !accepted))
      expect([text, await decide(written.replace('"N"', text))]).toMatchObject([
        text,
        {
          permissionDecision: 'deny',
          permissionDecisionReason: expect.stringContaining('tool_input.ids.0 must be a string'),
        },
      ])
    expect((await people.person.listPecks({})).items).toEqual([])
  })

  it('leaves a call with such a number alone when no rule concerns it', async () => {
    const written = JSON.stringify(event('git status', { tool_input: { command: 'git status', id: 'N' } }))
    expect(await decide(written.replace('"N"', '9007199254740993'))).toBeNull()
  })

  it('denies a rejected command with the reason of the person', async () => {
    const [decision] = await Promise.all([decide(event('git push')), people.reject('Wait for the review.')])
    expect(decision).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining('Wait for the review.'),
    })
  })

  it('says nothing about a command that no rule concerns', async () => {
    expect(await decide(event('git status'))).toBeNull()
    expect((await people.person.listPecks({})).items).toEqual([])
  })

  it('says nothing to Codex after the approval, because Codex has no plain allow', async () => {
    const [decision] = await Promise.all([decide(event('git push'), 'codex'), people.approve()])
    expect(decision).toBeNull()
    const [refusal] = await Promise.all([decide(event('git push'), 'codex'), people.reject('No')])
    expect(refusal).toMatchObject({ permissionDecision: 'deny' })
  })

  it('denies an undecided command after the wait, and allows it once it was approved', async () => {
    writeRules({ wait: 0 })
    expect(await decide(event('git push'))).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining('exactly the same input'),
    })
    await people.approve()
    // The agent describes the same command in other words.
    const again = event('git push', { tool_input: { command: 'git push', description: 'Push again' } })
    expect(await decide(again)).toMatchObject({ permissionDecision: 'allow' })
  })

  it('asks once for all commands of a rule in one folder', async () => {
    const [first, peck] = await Promise.all([decide(event('npm publish')), people.approve()])
    expect(first).toMatchObject({ permissionDecision: 'allow' })
    expect(peck.params).toEqual({ commands_matching: '\\bnpm publish\\b', cwd: '/home/me/project' })
    expect(await decide(event('npm publish --tag next'))).toMatchObject({ permissionDecision: 'allow' })
    expect((await people.person.listPecks({})).items).toHaveLength(1)
  })

  // security: agent-25
  it.each([
    ['outside of the sandbox', 'Bash', { dangerouslyDisableSandbox: true }],
    ['with more rights', 'shell', { with_escalated_permissions: true }],
    ['in another folder', 'exec_command', { workdir: '/srv/production' }],
    ['with another target', 'mcp__ops__run', { environment: 'production', force: true }],
    ['with a description that is content', 'mcp__ops__run', { description: 'Everything' }],
  ])('asks again for the same command %s', async (_, tool_name, change) => {
    const call = (more: object) =>
      event('', { tool_name, tool_input: { command: 'git push', environment: 'staging', ...more } })
    await Promise.all([decide(call({})), people.approve()])
    const [, peck] = await Promise.all([decide(call(change)), people.approve()])
    expect(peck.params).toEqual({
      tool: tool_name,
      command: 'git push',
      cwd: '/home/me/project',
      input: { environment: 'staging', ...change },
    })
  })

  // security: agent-25
  it('asks before a command whose words are in a list', async () => {
    const command = ['bash', '-lc', 'git push --force']
    const call = event('', { tool_name: 'shell', tool_input: { command, justification: 'Publish' } })
    const [, peck] = await Promise.all([decide(call), people.approve()])
    expect(peck.params).toEqual({ tool: 'shell', command, cwd: '/home/me/project' })
  })

  it('asks about other tools with their input', async () => {
    const call = event('', { tool_name: 'mcp__mail__send', tool_input: { to: 'a@example.com' } })
    const [, peck] = await Promise.all([decide(call), people.approve()])
    expect(peck.params).toEqual({
      tool: 'mcp__mail__send',
      input: { to: 'a@example.com' },
      cwd: '/home/me/project',
    })
  })

  // security: agent-23
  it('ends ten seconds before the coding agent does, also while it reads', async () => {
    const rules = async () => ({ rules: await readRules(path), beak: async () => people.beak })
    const late = await answerHook('codex', () => new Promise(() => {}), rules, { limit: 10.05 })
    expect(JSON.parse(late).hookSpecificOutput).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining('no answer'),
    })
    // The rules allow 540 seconds. The coding agent waits for 15.
    expect(await decide(event('git push'), 'codex', people.beak, 15)).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining('exactly the same input'),
    })
  })

  it('reads an event and rules that begin with a byte order mark', async () => {
    writeFileSync(path, `\uFEFF${readFileSync(path, 'utf8')}`)
    expect(await decide(`\uFEFF${JSON.stringify(event('git status'))}`)).toBeNull()
  })

  it.each(['', 'no json', '[]', JSON.stringify({ hook_event_name: 'PreToolUse' })])(
    'denies when the event is %j',
    async (given) => {
      expect(await decide(given)).toMatchObject({ permissionDecision: 'deny' })
    },
  )

  it.each([
    ['no JSON', '{'],
    ['an unknown member', JSON.stringify({ target: 'DUCK-1', rules: [], allow: true })],
    ['an invalid pattern', JSON.stringify({ target: 'DUCK-1', rules: [{ command: '(', action: 'a:b' }] })],
    ['a rule for nothing', JSON.stringify({ target: 'DUCK-1', rules: [{ action: 'a:b' }] })],
    [
      'a rule for words that a person answers, which gives no permission',
      JSON.stringify({ target: 'DUCK-1', rules: [{ command: 'git', action: 'ask:favour' }] }),
    ],
  ])('denies every command when the rules are %s', async (_, rules) => {
    writeFileSync(path, rules)
    expect(await decide(event('git status'))).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining('hook.json'),
    })
  })

  // security: agent-23
  it('denies when Beak cannot be reached', async () => {
    const beak = people.beak.with({ url: faults.run('cut').url, retries: 0 })
    expect(await decide(event('git push'), 'claude', beak)).toMatchObject({ permissionDecision: 'deny' })
  })

  it('shows the description of the agent as far as it fits', async () => {
    const input = { command: 'git push', description: `a\nb ${'🦆'.repeat(200)}` }
    const [, peck] = await Promise.all([decide(event('', { tool_input: input })), people.approve()])
    expect(peck.message).toBe(`a b ${'🦆'.repeat(138)}`)
  })

  it('denies a command that is too long to be asked about', async () => {
    expect(await decide(event(`git push ${'x'.repeat(5000)}`))).toMatchObject({ permissionDecision: 'deny' })
  })
})

describe('findRule', () => {
  const rules = parseRules(
    { target: 'DUCK-1', rules: [{ command: '\\bgit push\\b', action: 'run:git-push', covers: 'rule' }] },
    'The rules',
  )
  const actionOf = (tool: string, input: Record<string, unknown>, cwd = '/home/me/project') =>
    findRule({ ...rules, path: '/home/me/.config/beak/own.json' }, { tool, input, cwd })?.action ?? null

  // security: agent-24
  it.each(calls.spellings)('finds the command written as %j', (command) => {
    expect(actionOf('Bash', { command })).toBe('run:git-push')
  })

  // Also when a rule covers the command: its permission must not be good for this.
  // security: agent-24
  it.each(calls.settings)(
    'asks before %s with %j changes the settings of a coding agent',
    (tool, input, cwd) => {
      expect(actionOf(tool, input, cwd)).toBe('change:agent-settings')
    },
  )

  // security: agent-24
  it('asks before a call writes the file with its rules', () => {
    const ofRules = (input: Record<string, unknown>, cwd?: string) => actionOf('Write', input, cwd)
    expect(ofRules({ file_path: '/home/me/.config/beak/own.json' })).toBe('change:agent-settings')
    expect(ofRules({ file_path: 'own.json' }, '/home/me/.config/beak')).toBe('change:agent-settings')
  })

  it.each(calls.others)('asks nothing before %s with %j', (tool, input) => {
    expect(actionOf(tool, input)).toBeNull()
  })
})

describe('the printed command line', () => {
  /** Runs the line with a program instead of the hook, as a coding agent does. */
  const runLine = (script: string) => {
    const program = join(folder, "it's a hook")
    writeFileSync(program, script)
    const line = hookCommand('codex', { node: '/bin/sh', program })
    const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', line], { encoding: 'utf8' })
    return { status, stdout, stderr }
  }
  const deny = '{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"a\\nb"}}'

  it.each(['{}', deny])('passes the answer %s on', (answer) => {
    expect(runLine(`cat <<'E'\n${answer}\nE\n`)).toEqual({ status: 0, stdout: `${answer}\n`, stderr: '' })
  })

  // security: agent-23
  it.each([
    ['is killed', 'kill -9 $$'],
    ['fails', 'exit 1'],
    ['blocks without a word', 'exit 2'],
    ['says nothing', ''],
    ['prints half of an answer', `printf %s '{"hookSpecificOutput":{'`],
    ['prints something else', 'echo "{oops}"'],
    ['prints something before the answer', "echo 'a new version is available'; echo '{}'"],
    ['prints an answer and fails', "echo '{}'; exit 70"],
  ])('blocks with 2 and a sentence when the hook %s', (_, script) => {
    const { status, stdout, stderr } = runLine(script)
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain('Beak could not be asked')
  })

  // security: agent-23
  it('blocks with 2 and a sentence when the hook is not there', () => {
    const line = hookCommand('claude', { node: join(folder, 'nothing'), program: join(folder, 'nothing') })
    const { status, stderr } = spawnSync('/bin/sh', ['-c', line], { encoding: 'utf8' })
    expect(status).toBe(2)
    expect(stderr).toContain('Beak could not be asked')
  })

  it('is the one that the README shows', () => {
    const readme = readFileSync('packages/client/README.md', 'utf8')
    const program = { node: '/usr/bin/node', program: '/usr/lib/node_modules/@beak/client/dist/cli/main.js' }
    expect(readme).toContain(JSON.stringify(hookSettings('claude', program), null, 2))
    expect(readme).toContain(JSON.stringify(hookSettings('codex', program), null, 2))
  })
})

describe('beak hook', () => {
  it('prints settings with absolute paths', async () => {
    const { stdout } = await aTerminal().start(['hook', 'claude', '--print']).ended
    const [{ hooks }] = JSON.parse(stdout).hooks.PreToolUse
    expect(hooks).toEqual([
      {
        type: 'command',
        command: hookCommand('claude', { node: process.execPath, program: realpathSync(program) }),
        timeout: 86_400,
        onFailure: 'block',
      },
    ])
  })

  it('ends in time when its input stays open', async () => {
    const hook = aTerminal().start(['hook', 'codex', '--limit', '11'], { input: null })
    const { code, stdout } = await hook.ended
    expect(code).toBe(0)
    expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({ permissionDecision: 'deny' })
  })

  it('reads the event and prints the decision', async () => {
    const terminal = aTerminal({ BEAK_URL: url(), BEAK_KEY: people.key })
    const [ended] = await Promise.all([
      terminal.run(['hook', 'claude', '--rules', path], { input: JSON.stringify(event('git push')) }),
      people.approve(),
    ])
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(ended.stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'allow' } })
  })

  // security: agent-23
  it('denies without rules, and without a key for a command that matches', async () => {
    const terminal = aTerminal({ BEAK_URL: url() })
    const reasonOf = async (args: string[], command: string) => {
      const { stdout } = await terminal.run(['hook', 'codex', ...args], {
        input: JSON.stringify(event(command)),
      })
      const { permissionDecision, permissionDecisionReason } = JSON.parse(stdout).hookSpecificOutput
      expect(permissionDecision).toBe('deny')
      return permissionDecisionReason
    }
    expect(await reasonOf([], 'git status')).toContain(join(terminal.config, 'beak', 'hook.json'))
    expect(await reasonOf(['--rules', path], 'git push')).toContain('not signed in')
  })

  // security: agent-23
  it('denies when it is interrupted', async () => {
    const terminal = aTerminal({ BEAK_URL: url(), BEAK_KEY: people.key })
    const { child, ended } = terminal.start(['hook', 'claude', '--rules', path], {
      input: JSON.stringify(event('git push')),
    })
    await expect
      .poll(async () => (await people.person.listPecks({})).items, { timeout: 20_000 })
      .toHaveLength(1)
    child.kill('SIGTERM')
    expect(JSON.parse((await ended).stdout).hookSpecificOutput).toMatchObject({ permissionDecision: 'deny' })
  })

  it('ends with 2, which blocks, when it is called wrongly', async () => {
    const terminal = aTerminal()
    expect(await terminal.run(['hook', 'emacs'])).toMatchObject({ code: 2, stdout: '' })
    expect(await terminal.run(['hook', 'claude', '--rule', path])).toMatchObject({ code: 2, stdout: '' })
  })
})
