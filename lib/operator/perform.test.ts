import { describe, expect, it } from 'vitest'
import { commands } from './commands'
import { helpFor } from './perform'

describe('helpFor', () => {
  it('lists every command with its arguments and one sentence', () => {
    const help = helpFor([]) ?? ''
    for (const line of [['help'], ['--help'], ['-h']]) expect(helpFor(line)).toBe(help)
    for (const { name, forms } of commands)
      for (const { args, summary } of forms) {
        expect(help).toContain(`\n  ${`${name} ${args}`.trimEnd()}\n      ${summary.replaceAll('`', '')}\n`)
        expect(summary).toMatch(/^[A-Z][^.]*\.$/)
      }
  })

  it.each(commands.map((command) => [command]))('explains $name', (command) => {
    const help = helpFor(['help', command.name]) ?? ''
    expect(help).toContain(command.details)
    expect(help).toContain(`Usage: npm run operator -- ${command.name}`)
    // With --help, a command must never run.
    for (const word of ['--help', '-h']) expect(helpFor([command.name, word])).toBe(help)
  })

  it('throws for an unknown command', () => {
    expect(() => helpFor(['help', 'constructor'])).toThrow('There is no command constructor.')
  })

  it('returns null for a command line that does not ask for help', () => {
    expect(helpFor(['rotate-keys'])).toBeNull()
    expect(helpFor(['unknown'])).toBeNull()
  })
})
