#!/usr/bin/env node
/**
 * The command that coding agents start before a tool call: `beak-hook claude` or `beak-hook codex`, with the event on the standard input.
 * `BEAK_URL` and `BEAK_KEY` name the service and the key of the agent.
 */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { Beak } from '../beak'
import { answerHook } from './hook'
import { readRules } from './rules'

/** Exit code that makes both agents refuse the call, with the standard error as the reason. */
const blocking = 2

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { rules: { type: 'string' } },
    allowPositionals: true,
  })
  const [agent] = positionals
  if (agent !== 'claude' && agent !== 'codex')
    throw new Error('Usage: beak-hook claude|codex [--rules <file>]')
  const path = values.rules ?? defaultRulesPath(process.env)
  const answer = await answerHook(agent, await text(process.stdin), async () => ({
    rules: await readRules(path),
    beak: () => clientOf(process.env),
  }))
  if (answer !== '') process.stdout.write(`${answer}\n`)
}

function clientOf({ BEAK_URL: url, BEAK_KEY: key }: NodeJS.ProcessEnv): Beak {
  if (!url || !key) throw new Error('Set BEAK_URL and BEAK_KEY for the hook.')
  return new Beak({ url, key })
}

/** The rules are outside of the project, where the coding agent does not write. */
const defaultRulesPath = (env: NodeJS.ProcessEnv) =>
  join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'beak', 'hook.json')

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = blocking
})
