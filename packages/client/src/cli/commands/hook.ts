import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { answerHook } from '../../hook/hook'
import { readRules } from '../../hook/rules'
import { hookSettings } from '../../hook/settings'
import { command } from '../command'
import { secondsOf } from '../duration'
import { usageFault } from '../exit'
import { jsonText } from '../output'

/** Both coding agents wait ten minutes unless their settings say otherwise. */
const usualLimit = 600

/** Timers of Node.js cannot be much longer than three weeks. */
const longestLimit = 7 * 86_400

export const hook = command({
  name: 'hook',
  summary: 'Ask before a command of a coding agent, as its hook for PreToolUse.',
  details:
    'Reads the event from standard input and prints the decision. Needs BEAK_KEY. The rules are in hook.json beside the stored sessions, where the coding agent does not write. With --print, it prints the settings of the coding agent that start it.',
  args: [{ name: 'agent', choices: ['claude', 'codex'], summary: 'The coding agent that starts the hook.' }],
  options: {
    rules: { type: 'string', value: 'file', summary: 'The rules.' },
    limit: {
      type: 'string',
      value: 'seconds',
      summary:
        'The timeout of the hook in the settings of the coding agent (default 600). The hook ends ten seconds earlier.',
    },
    print: { type: 'boolean', summary: 'Print the settings for the coding agent.' },
  },
  async run({ options, args: [agent], session }) {
    if (agent !== 'claude' && agent !== 'codex') throw usageFault('The coding agent is claude or codex.')
    if (options.print) {
      const program = { node: process.execPath, program: realpathSync(process.argv[1] ?? '') }
      return session.output.print(`${jsonText(hookSettings(agent, program))}\n`)
    }
    const limit = secondsOf('limit', options.limit) ?? usualLimit
    if (limit > longestLimit) throw usageFault('--limit is at most 7d.')
    const path = options.rules ?? join(dirname(session.credentialsPath), 'hook.json')
    const load = async () => ({ rules: await readRules(path), beak: () => session.beak('requestPeck') })
    const readText = () => text(process.stdin)
    // The coding agent has been waiting since it started this process.
    const left = limit - process.uptime()
    session.output.print(
      `${await answerHook(agent, readText, load, { limit: left, signal: session.signal })}\n`,
    )
  },
})
