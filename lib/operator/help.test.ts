import { describe, expect, it } from 'vitest'
import { commands } from './commands'
import { helpFor } from './help'

describe('the help', () => {
  it('names every command with its arguments and one sentence', () => {
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
    // So that nobody changes something who only wants to read about it.
    for (const word of ['--help', '-h']) expect(helpFor([command.name, word])).toBe(help)
  })

  it('refuses to explain a command that does not exist', () => {
    expect(() => helpFor(['help', 'constructor'])).toThrow('There is no command constructor.')
  })

  it('is not shown for a command line that asks for work', () => {
    expect(helpFor(['rotate-keys'])).toBeNull()
    expect(helpFor(['unknown'])).toBeNull()
  })
})
