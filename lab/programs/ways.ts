/** Other ways in which an agent can come to the marked command than by one call in its main conversation. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Call } from '@/packages/client/src/connect/proof/model'
import { type Agent, markCall, prompt, type RunOptions, shellCall } from './agents'
import { type Home, trustProject } from './home'

export interface Way {
  /** How the call comes. */
  title: string
  /** How to start each agent. A text says why it cannot. */
  start: Record<Agent, string | ((home: Home) => RunOptions)>
}

/** Asks for a subagent, and for the mark in the conversation of the subagent, which does not begin with the prompt. */
const bySubagent =
  (agent: Agent, ...calls: Call[]) =>
  (home: Home): RunOptions => ({
    choose: (results, { messages, input }) => {
      if (JSON.stringify(messages ?? input).includes(`"${prompt}"`)) return calls[results] ?? null
      return results === 0 ? markCall(agent, home) : null
    },
  })

const task = 'Make the mark'

const marker = join(import.meta.dirname, 'marker.mjs')

export const ways: Way[] = [
  {
    title: 'a subagent',
    start: {
      claude: bySubagent('claude', {
        name: 'Agent',
        input: { description: task, prompt: task, run_in_background: false },
      }),
      codex: bySubagent(
        'codex',
        { namespace: 'multi_agent_v1', name: 'spawn_agent', input: { message: task } },
        shellCall('codex', 'sleep 3'),
      ),
    },
  },
  {
    title: 'a subagent in the background',
    start: {
      claude: bySubagent(
        'claude',
        { name: 'Agent', input: { description: task, prompt: task } },
        shellCall('claude', 'sleep 3'),
      ),
      codex: 'all subagents of Codex run in the background',
    },
  },
  {
    title: 'a tool of an MCP server',
    start: {
      claude: (home) => {
        const path = join(home.path, 'mcp.json')
        const server = { command: process.execPath, args: [marker, home.mark] }
        writeFileSync(path, JSON.stringify({ mcpServers: { marker: server } }))
        return {
          args: ['mcp__marker__mark', '--mcp-config', path],
          choose: (results) => (results === 0 ? { name: 'mcp__marker__mark', input: {} } : null),
        }
      },
      codex: (home) => {
        const server = `{command="${process.execPath}",args=["${marker}","${home.mark}"],default_tools_approval_mode="approve"}`
        return {
          args: ['-c', `mcp_servers.marker=${server}`],
          // The tools of the server are there a moment after the start.
          choose: (results) =>
            [shellCall('codex', 'sleep 2'), { namespace: 'mcp__marker', name: 'mark', input: {} }][results] ??
            null,
        }
      },
    },
  },
  {
    title: 'input for a shell that runs already',
    start: {
      claude: 'Claude Code writes nothing into a running command',
      codex: ({ mark }) => ({
        choose: (results, body) => {
          const shell: Call = { name: 'exec_command', input: { cmd: 'sh', tty: true, yield_time_ms: 500 } }
          const [, session = '0'] = /session ID (\d+)/.exec(JSON.stringify(body.input)) ?? []
          const type: Call = {
            name: 'write_stdin',
            input: { session_id: Number(session), chars: `touch '${mark}'\n` },
          }
          return [shell, type, shellCall('codex', 'sleep 1')][results] ?? null
        },
      }),
    },
  },
  {
    title: 'a command in the background',
    start: {
      claude: (home) => ({
        choose: (results) => {
          const { name, input } = markCall('claude', home)
          return (
            [{ name, input: { ...input, run_in_background: true } }, shellCall('claude', 'sleep 1')][
              results
            ] ?? null
          )
        },
      }),
      codex: 'the same call as in the foreground',
    },
  },
  {
    title: 'a mode without questions (bypassPermissions, danger-full-access)',
    start: {
      claude: (home) => {
        // Claude Code refuses this mode to the root of a computer that is no container.
        Object.assign(home.env, { IS_SANDBOX: '1' })
        return { args: ['--dangerously-skip-permissions'] }
      },
      codex: () => ({ args: ['--dangerously-bypass-approvals-and-sandbox'] }),
    },
  },
  {
    title: 'a terminal',
    start: {
      claude: () => ({ isInTerminal: true }),
      codex: (home) => {
        trustProject(home)
        return { isInTerminal: true }
      },
    },
  },
]
