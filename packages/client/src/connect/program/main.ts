/**
 * The program of the hooks that `beak connect` installs: one file, without packages beside it. `hook` answers an event of a coding agent, `helper`
 * answers for harmless calls faster, `mcp` brings the MCP server of the service to the coding agent.
 */
import { fileURLToPath } from 'node:url'
import { type EventName, eventsOf } from '../launcher'
import { layoutAround, type ToolName, toolNames } from '../layout'

const [command, tool, event] = process.argv.slice(2)
const path = fileURLToPath(import.meta.url)
const layout = layoutAround(path)

/** The exit code that blocks the call, together with a sentence on standard error. */
const blocked = 2
process.exitCode = blocked

const isTool = (name: string | undefined): name is ToolName => toolNames.some((known) => known === name)
const isEvent = (name: string | undefined): name is EventName =>
  eventsOf.claude.some((known) => known === name)

async function run(): Promise<void> {
  if (command === 'hook' && isTool(tool) && isEvent(event)) {
    const { answerEvent } = await import('./hook')
    const answer = await answerEvent(layout, path, tool, event)
    return void process.stdout.write(`${answer}\n`, () => process.exit(0))
  }
  if (command === 'helper') return (await import('./helper')).runHelper(layout, path)
  if (command === 'heartbeat' && isTool(tool)) {
    const { sendHeartbeat } = await import('../heartbeat')
    return sendHeartbeat(
      layout,
      tool,
      event === undefined ? { event: 'unguarded' } : { event: 'session', session: event },
    )
  }
  if (command === 'mcp' && isTool(tool)) return (await import('./bridge')).runBridge(layout, tool)
  throw new Error('This program is started by "beak connect".')
}

run().catch((error: unknown) => {
  process.stderr.write(`Beak could not be asked: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(blocked)
})
