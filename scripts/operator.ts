/** `npm run operator -- <command>`: what only the operator of the service may do. No credential can reach it from outside. */
import { runCommandLine } from '@/lib/operator/perform'

const exit = await runCommandLine(process.argv.slice(2), {
  out: (line) => process.stdout.write(`${line}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
})
process.exit(exit)
