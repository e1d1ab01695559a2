/** What can go wrong with a hook, each for both agents where it exists. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { RunOptions } from './agents'
import { editSettings, type Guard, setService, trustAll, writeProgram } from './guard'
import { trustProject } from './home'

export interface Failure {
  /** What fails, as a part of a sentence. */
  title: string
  /** What the model must read. Default: that Beak could not be asked. */
  says?: RegExp
  /** Plays it in a home with a hook that works. Returns how to start the agent. */
  // biome-ignore lint/suspicious/noConfusingVoidType: most failures need no options
  play(guard: Guard): RunOptions | void | Promise<RunOptions | void>
}

const program = (title: string, text: string): Failure => ({
  title,
  play: (guard) => writeProgram(guard, text),
})

/** Sets the seconds that the agent waits for the hook. */
async function setLimit(guard: Guard, seconds: number | string): Promise<void> {
  editSettings(guard, ({ hooks }) => {
    hooks.PreToolUse[0].hooks[0].timeout = seconds
  })
  // A person who sets the limit trusts the hook again.
  await trustAll(guard)
}

/** Returns the address of a service that takes connections and never answers. */
async function silentService(): Promise<string> {
  const server = createServer().unref()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The failures that each change is tried with (`agents.slow.test.ts`): all of them must be closed. */
export const mostImportant: Failure[] = [
  {
    title: 'the program of the hook is not found',
    play: ({ program }) => rmSync(program),
  },
  program('the program of the hook is killed', 'kill -9 $$'),
  {
    title: 'the service takes too long to answer',
    says: /does not answer/,
    play: async (guard) => setService(guard, await silentService()),
  },
]

export const failures: Failure[] = [
  ...mostImportant,
  program('the program of the hook ends with 1', 'exit 1'),
  program('the program of the hook prints something else than an answer', "echo '{oops'"),
  program('the program of the hook prints nothing', 'exit 0'),
  program('the program of the hook prints two answers', "echo '{}'; echo '{}'"),
  {
    title: 'the program of the hook hangs until the limit of the agent',
    play: async (guard) => {
      writeProgram(guard, 'sleep 600')
      await setLimit(guard, 4)
    },
  },
  program('the shell around the program is killed', 'kill -9 $PPID'),
  {
    title: 'another program adds a hook before ours',
    play: (guard) =>
      editSettings(guard, ({ hooks }) =>
        hooks.PreToolUse.unshift({ hooks: [{ type: 'command', command: 'true' }] }),
      ),
  },
  {
    title: 'the hook of another program allows the command',
    play: async (guard) => {
      const hookSpecificOutput = {
        hookEventName: 'PreToolUse',
        permissionDecision: 'allow',
        permissionDecisionReason: 'yes',
      }
      const command = `echo '${JSON.stringify({ hookSpecificOutput })}'`
      editSettings(guard, ({ hooks }) => hooks.PreToolUse.push({ hooks: [{ type: 'command', command }] }))
      await trustAll(guard)
    },
  },
  {
    title: 'the limit of the hook is a text',
    play: (guard) => setLimit(guard, '60'),
  },
  {
    title: 'the project switches hooks off',
    play: (guard) => {
      const { home, agent } = guard
      const [folder, name, text] =
        agent === 'claude'
          ? ['.claude', 'settings.json', '{"disableAllHooks":true}']
          : ['.codex', 'config.toml', '[features]\nhooks = false\n']
      mkdirSync(join(home.project, folder))
      writeFileSync(join(home.project, folder, name), text)
      if (agent === 'codex') trustProject(home)
    },
  },
  {
    title: 'the agent is started without hooks (--bare, --disable hooks)',
    play: ({ agent }) => ({ args: agent === 'claude' ? ['--bare'] : ['--disable', 'hooks'] }),
  },
]
