#!/usr/bin/env node
/** The command line `beak`. */
import { Exit, exitCodes } from './exit'
import { runCommandLine } from './run'

const interruption = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.on(name, () => {
    // The second time, a command that does not end by itself is killed.
    if (interruption.signal.aborted) process.exit(exitCodes.interrupted)
    interruption.abort(new Exit(exitCodes.interrupted, 'Interrupted.'))
  })
// A coding agent runs its command when the hook ends with anything but 2 and a sentence, even when it ends without a word.
const isHook = process.argv[2] === 'hook'
process.exitCode = isHook ? exitCodes.usage : exitCodes.fault

// The reader may go away early: beak peck list | head.
process.stdout.on('error', () => process.exit(isHook ? exitCodes.usage : exitCodes.ok))

runCommandLine(process.argv.slice(2), process.env, interruption.signal).then((code) => {
  process.exitCode = code
  // An input that stays open must not keep the hook, whose answer is written.
  if (isHook) process.stdout.write('', () => process.exit(code === exitCodes.ok ? code : exitCodes.usage))
})
