import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { answerHook } from '../../hook/hook'
import { readRules } from '../../hook/rules'
import { command } from '../command'
import { usageFault } from '../exit'

export const hook = command({
  name: 'hook',
  summary: 'Ask before a command of a coding agent, as its hook for PreToolUse.',
  details:
    'Reads the event from standard input and prints the decision. Needs BEAK_KEY. The rules are in hook.json beside the stored sessions, where the coding agent does not write.',
  args: [{ name: 'agent', choices: ['claude', 'codex'], summary: 'The coding agent that starts the hook.' }],
  options: { rules: { type: 'string', value: 'file', summary: 'The rules.' } },
  async run({ options, args: [agent], session }) {
    if (agent !== 'claude' && agent !== 'codex') throw usageFault('The coding agent is claude or codex.')
    const path = options.rules ?? join(dirname(session.credentialsPath), 'hook.json')
    const load = async () => ({ rules: await readRules(path), beak: () => session.beak('requestPeck') })
    const answer = await answerHook(agent, await text(process.stdin), load, session.signal)
    if (answer !== '') session.output.print(`${answer}\n`)
  },
})
