/** The real coding agents do what a person decided on a real service. */
import { describe, it } from 'vitest'
import { type Agent, agents, runAgent } from '@/lab/programs/agents'
import { guard, setService } from '@/lab/programs/guard'
import { makeHome } from '@/lab/programs/home'
import { installProgram } from '@/lab/programs/install'
import { somePeople } from '../adapters/people'
import { hasScript } from '../beak-process'
import { startService } from '../service'

/** Why the agents cannot be tried on this machine, or null. */
const missing = await Promise.all(agents.map(installProgram)).then(
  () => null,
  (error: Error) => error.message,
)
if (missing !== null) process.stderr.write(`${missing}\n`)

const url = startService()
const timeout = 100_000

/** Connects an agent of a new person. */
async function connected(agent: Agent, home: ReturnType<typeof makeHome>) {
  const people = await somePeople(url())
  await setService(await guard(agent, home), url(), people)
  return people
}

describe.skipIf(missing !== null).each(agents)(
  '%s (needs the npm packages of Claude Code and Codex)',
  (agent) => {
    it('runs a command that the person approved, and spends the permission', { timeout }, async ({
      expect,
    }) => {
      using home = makeHome()
      const people = await connected(agent, home)
      const [{ ran, output }, { peck_id }] = await Promise.all([runAgent(agent, home), people.approve()])
      expect(ran, output).toBe(true)
      expect(await people.person.getPeck({ peck_id })).toMatchObject({ grant_status: 'consumed' })
      expect((await people.person.listAgents({})).items).toMatchObject([
        { guard: { tool: agent, mode: 'guard' } },
      ])
    })

    it('tells the model why the person rejected it', { timeout }, async ({ expect }) => {
      using home = makeHome()
      const people = await connected(agent, home)
      const [{ ran, results, output }] = await Promise.all([
        runAgent(agent, home),
        people.reject('after the release'),
      ])
      expect({ ran, results }, output).toEqual({
        ran: false,
        results: [expect.stringContaining('after the release')],
      })
    })
  },
)

describe.skipIf(missing !== null || !hasScript)(
  'claude in a terminal (needs the npm packages of Claude Code and Codex, and script of util-linux)',
  () => {
    it('runs a command that the person approved elsewhere, beside its dialog', { timeout }, async ({
      expect,
    }) => {
      using home = makeHome()
      const people = await connected('claude', home)
      const [{ ran, output }] = await Promise.all([
        runAgent('claude', home, { isInTerminal: true }),
        people.approve(),
      ])
      expect(ran, output).toBe(true)
    })

    it('withdraws the request when the person approves in the terminal', { timeout }, async ({ expect }) => {
      using home = makeHome()
      const people = await connected('claude', home)
      const pecks = async () => (await people.person.listPecks({})).items
      const answered = expect.poll(pecks, { timeout: 60_000 }).toMatchObject([{ status: 'pending' }])
      // The first choice of the dialog is "Yes".
      const typed = answered.then(() => '\r')
      const until = answered.then(() => expect.poll(pecks).toMatchObject([{ status: 'cancelled' }]))
      const [{ ran, output }] = await Promise.all([
        runAgent('claude', home, { isInTerminal: true, typed, until }),
        until,
      ])
      expect(ran, output).toBe(true)
    })
  },
)
