import { describe, expect, it } from 'vitest'
import type { LogEntry } from '../../src/connect/log'
import { summaryOf } from '../../src/connect/report'
import { aTerminal } from '../beak-process'

const terminal = aTerminal({ PATH: '/nowhere' })

describe('beak connect', () => {
  it.each([
    [['connect', 'otter'], 2, /"otter" is not a coding agent that Beak knows/],
    [['connect', 'claude'], 2, /Claude Code is not in the search path/],
    [['connect'], 2, /Claude Code and Codex are not in the search path/],
    [['connect', '--mode', 'loud'], 2, /--mode must be one of: watch, guard, strict/],
    [['connect', 'status'], 4, /Nothing is connected on this computer/],
  ] as const)('refuses %j with exit code %s and says why', async (words, code, says) => {
    const ended = await terminal.run([...words])
    expect(ended).toMatchObject({ code, stdout: '' })
    expect(ended.stderr).toMatch(says)
  })

  it('has nothing to report and nothing to take back before it was used', async () => {
    expect(await terminal.json(['connect', 'report'])).toMatchObject({ watched: 0, groups: [] })
    expect(await terminal.json(['disconnect'])).toEqual({ tools: [] })
  })
})

describe('the report of the mode watch', () => {
  const entry = (action: string, what: string): LogEntry => ({
    at: '2026-11-30T10:00:00Z',
    tool: 'claude',
    kind: 'watched',
    action,
    what,
    reasons: ['It pushes.'],
    folder: '/home/ada/otter',
  })

  it('counts the calls by what they do, and proposes rules for what comes often', () => {
    const entries = [
      ...Array.from({ length: 4 }, (_, index) => entry('git:push', `git push origin feature/${index}`)),
      ...Array.from({ length: 5 }, () => entry('run:commands', 'a && b')),
      { ...entry('git:push', 'git push'), kind: 'outage' as const },
    ]
    expect(summaryOf(entries)).toMatchObject({
      watched: 9,
      outages: ['git push'],
      groups: [
        { action: 'run:commands', count: 5, examples: ['a && b'] },
        { action: 'git:push', count: 4 },
      ],
      // A line of several commands is another one each time.
      proposals: ['git:push in /home/ada/otter: 4 times so far'],
    })
  })
})
