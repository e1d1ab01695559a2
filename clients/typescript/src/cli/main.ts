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
// The reader may go away early: beak peck list | head.
process.stdout.on('error', () => process.exit(exitCodes.ok))

runCommandLine(process.argv.slice(2), process.env, interruption.signal).then((code) => {
  process.exitCode = code
})
