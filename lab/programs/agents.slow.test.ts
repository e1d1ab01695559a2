/** The real coding agents do not run a command when a hook of `beak connect` fails. */
import { describe, it } from 'vitest'
import { agents, runAgent } from './agents'
import { mostImportant } from './failures'
import { guard } from './guard'
import { makeHome } from './home'
import { installProgram } from './install'

/** Why the agents cannot be tried on this machine, or null. */
const missing = await Promise.all(agents.map(installProgram)).then(
  () => null,
  (error: Error) => error.message,
)
if (missing !== null) process.stderr.write(`${missing}\n`)

/** The service that is too slow needs 100 s of waiting, which the others use. */
const timeout = 170_000

describe.skipIf(missing !== null).concurrent.each(agents)(
  '%s (needs the npm packages of Claude Code and Codex)',
  (agent) => {
    it('runs the marked command without a hook', { timeout }, async ({ expect }) => {
      using home = makeHome()
      expect(await runAgent(agent, home)).toMatchObject({ ran: true, isLate: false })
    })

    for (const { title, says = /Beak could not be asked/, play } of mostImportant)
      it(`does not run a command when ${title}`, { timeout }, async ({ expect }) => {
        using home = makeHome()
        const options = await play(await guard(agent, home))
        const { ran, results, output, isLate } = await runAgent(agent, home, options ?? {})
        expect({ ran, isLate }, output).toEqual({ ran: false, isLate: false })
        // The agent did not stop for another reason.
        expect(results, output).toEqual([expect.stringMatching(says)])
      })
  },
)
