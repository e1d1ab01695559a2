import { createInterface } from 'node:readline/promises'
import { stripVTControlCharacters } from 'node:util'
import {
  type ConnectOptions,
  type ConnectResult,
  connectTool,
  type Plan,
  planTool,
} from '../../connect/connect-tool'
import { addressOfPackage, findTool } from '../../connect/find'
import { configFolder, layoutIn, toolNames, toolTitles } from '../../connect/layout'
import { startLocal } from '../../connect/local'
import { diffText } from '../../connect/settings'
import { type Mode, modes, outages } from '../../connect/state'
import { command } from '../command'
import { Exit, exitCodes, usageFault } from '../exit'
import { Session } from '../session'

export const connect = command({
  name: 'connect',
  summary: 'Make Claude Code and Codex ask you before they push, delete, publish or spend.',
  details: `A seat belt, not a sandbox: any program that runs as you can switch it off (settings, this program, files that a build runs).
Shows each change of a settings file and asks once. You allow the agent in your browser. What stays on this computer can only ask: it decides nothing.
Proves at the end with one test call through the real program that the hook decides. "beak disconnect" takes everything back.`,
  args: [
    {
      name: 'tool',
      summary: 'What to connect. Default: all that are installed.',
      optional: true,
      rest: true,
    },
  ],
  options: {
    mode: {
      type: 'string',
      value: 'mode',
      choices: modes,
      summary:
        'watch: asks nothing and notes what it would ask. guard (default): asks when it matters, here and on your phone. strict: asks about everything but reading and known harmless commands, and only an answer in Beak counts.',
    },
    'on-outage': {
      type: 'string',
      value: 'way',
      choices: outages,
      summary:
        'What happens while the service does not answer. Default: refuse. ask-in-terminal: the dialog of Claude Code asks, where it has one.',
    },
    local: { type: 'boolean', summary: 'Start a service on this computer, from the source in this folder.' },
    'no-browser': { type: 'boolean', summary: 'Allow the agents from another device.' },
    'dry-run': { type: 'boolean', summary: 'Show the changes and make none.' },
    yes: { type: 'boolean', summary: 'Ask no question in the terminal.' },
  },
  suggest: (given) => toolNames.filter((name) => !given.includes(name)),
  async run({ options, args, session }) {
    if (process.platform === 'win32')
      throw usageFault('"beak connect" does not work on Windows yet.', 'Use it inside of WSL.')
    for (const word of args)
      if (!toolNames.some((name) => name === word))
        throw usageFault(
          `"${stripVTControlCharacters(word)}" is not a coding agent that Beak knows.`,
          `It knows: ${toolNames.join(', ')}.`,
        )
    const { output, env } = session
    const layout = layoutIn(configFolder(env))
    const wanted = toolNames.filter((name) => args.length === 0 || args.includes(name))
    const found = await Promise.all(
      wanted.map(async (tool) => ({ tool, installed: await findTool(tool, env) })),
    )
    const missing = found.filter(({ installed }) => installed === null)
    if (missing.some(({ tool }) => args.includes(tool)) || missing.length === found.length)
      throw usageFault(
        `${missing.map(({ tool }) => toolTitles[tool]).join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not in the search path (PATH).`,
        'Install it first, or start this command where it works.',
      )
    const url = options.local ? await startLocal(session) : await addressOf(session)
    const service = new Session(env, output, url, session.signal, session.allowTest)
    const wishes: ConnectOptions = {
      mode: options.mode as Mode | undefined,
      onOutage: options['on-outage'] as (typeof outages)[number] | undefined,
      isWithoutBrowser: options['no-browser'] || Boolean(env.SSH_CONNECTION),
    }
    const plans: (Plan | ConnectResult)[] = []
    for (const { tool, installed } of found)
      if (installed !== null) plans.push(await planTool(env, layout, { tool, installed, url }, wishes))
    for (const plan of plans)
      if ('edits' in plan) for (const edit of plan.edits) output.note(`${diffText(edit)}\n`)
    const isUnchanged = plans.every((plan) => !('edits' in plan) || plan.isSame)
    if (!(options['dry-run'] || isUnchanged)) await confirm(options.yes, session)
    const results: ConnectResult[] = []
    for (const plan of plans)
      if (!('edits' in plan)) results.push(plan)
      else if (options['dry-run']) results.push(resultOfDryRun(plan))
      else results.push(await connectTool(service, layout, plan, wishes))
    output.result({ service: url, tools: results }, () =>
      results
        .map(({ title, lines }) =>
          [output.paint('bold', title), ...lines.map((line) => `  ${line}`)].join('\n'),
        )
        .join('\n'),
    )
    if (results.some(({ result }) => result === 'open' || result === 'failed' || result === 'left alone'))
      throw new Exit(exitCodes.refused, 'Not everything is connected.', 'The lines above say why.')
  },
})

const resultOfDryRun = ({ tool, title, isSame }: Plan): ConnectResult => ({
  tool,
  result: 'planned',
  title,
  lines: [isSame ? 'Nothing to change.' : 'Nothing was changed (--dry-run).'],
})

/** Returns the address of the service: as every command, or that from which `npx` took this package. */
async function addressOf(session: Session): Promise<string> {
  return (await session.findUrl()) ?? (await addressOfPackage(process.argv[1] ?? '')) ?? (await session.url())
}

async function confirm(isYes: boolean, session: Session): Promise<void> {
  if (isYes) return
  if (!process.stdin.isTTY)
    throw usageFault('This command needs a terminal to confirm the changes.', 'Repeat it with --yes.')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question('Make these changes? [Y/n] ', { signal: session.signal })
  terminal.close()
  if (!/^(?:y|yes|)$/i.test(answer.trim())) throw new Exit(exitCodes.refused, 'Nothing was changed.')
}
