/** The programs of others, and how a person connects each. */
import type { Home } from '../home'
import type { ProgramName } from '../install'
import { run, start } from './terminal'
import { allow, type World } from './world'

interface Visit {
  world: World
  home: Home
  /** The words that start the program. */
  command: string[]
}

interface Stock {
  name: ProgramName
  title: string
  /** The commands of the person. */
  way: string
  /** Returns what happened, as a sentence for the table. */
  connect(visit: Visit): Promise<string>
}

/** Starts a command that opens the browser, allows it there, and waits for the end of the command. Returns what it printed. */
async function allowed({ world, home, command }: Visit, words: string[]): Promise<string> {
  const running = start(home, [...command, ...words])
  const timer = setTimeout(running.kill, 90_000)
  try {
    await allow(world, home, running.printed)
    const code = await running.ended
    if (code !== 0) throw new Error(`ended with ${code}: ${running.printed()}`)
    return running.printed()
  } finally {
    clearTimeout(timer)
    running.kill()
  }
}

function expectText(text: string, expected: RegExp): void {
  if (!expected.test(text)) throw new Error(`did not print ${expected}: ${text}`)
}

export const programs: Stock[] = [
  {
    name: 'claude',
    title: 'Claude Code',
    way: '`claude mcp add --transport http`, `claude mcp login`',
    async connect(visit) {
      const { world, home, command } = visit
      await run(home, [...command, 'mcp', 'add', '--transport', 'http', 'beak', world.mcp])
      await allowed(visit, ['mcp', 'login', 'beak'])
      expectText(await run(home, [...command, 'mcp', 'list']), /Connected/)
      return 'registered, allowed; `claude mcp list` says connected'
    },
  },
  {
    name: 'codex',
    title: 'Codex',
    way: '`codex mcp add --url … --oauth-client-registration dcr`',
    async connect(visit) {
      const { world, home, command } = visit
      const words = ['mcp', 'add', 'beak', '--url', world.mcp, '--oauth-client-registration', 'dcr']
      expectText(await allowed(visit, words), /Successfully logged in/)
      expectText(await run(home, [...command, 'mcp', 'list']), /OAuth/)
      return 'registered, allowed, logged in; it lists tools only for a model'
    },
  },
  {
    name: 'inspector',
    title: 'MCP Inspector',
    way: '`mcp-inspector --cli <address> --method tools/list`',
    async connect(visit) {
      expectText(await allowed(visit, ['--cli', visit.world.mcp, '--method', 'tools/list']), /ask_permission/)
      return 'registered, allowed; lists the tools'
    },
  },
]
