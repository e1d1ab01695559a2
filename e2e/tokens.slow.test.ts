/** Tokens of connected programs and of sites, on two processes, and when a process is killed between the code and its tokens. */
import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import {
  allow,
  allowed,
  aProgram,
  begin,
  callTool,
  connected,
  type Doors,
  exchange,
  fetchFrom,
  goBack,
  refresh,
} from '@/lib/fixtures/programs'
import { aSite, signedIn, userinfo } from '@/lib/fixtures/sites'
import { freePort } from '@/scripts/servers/free-port.mjs'
import { expect, test } from './own-server'
import { aPerson } from './people'
import { newDataDir, type Server, send } from './server'

/** A running server, as the helpers of programs use it. */
const doorsOf = (server: Server): Doors => ({
  origin: server.url,
  fetch: fetchFrom(server.url),
  call: (line, options) => send(server, line, options) as ReturnType<Doors['call']>,
  close: async () => undefined,
})

test('a process that is killed between codes and tokens leaves nothing that cannot be connected again', async ({
  start,
}) => {
  const options = { dataDir: newDataDir(), port: await freePort(), env: { LOG_LEVEL: 'error' } }
  let server = await start(options)
  const person = await aPerson(server, 'Mallard')
  let doors = doorsOf(server)
  const waiting = []
  for (let index = 0; index < 12; index++)
    waiting.push(await allowed(doors, person, { answers: { agent_name: `Otter ${index}` } }))
  const answers: { index: number; access: string }[] = []
  let isDead = false
  const exchanges = waiting.map(async ({ begun, code }, index) => {
    const answer = await exchange(doors, begun, code).catch(() => null)
    if (answer?.status === 200) answers.push({ index, access: answer.body.access_token })
    if (!isDead && answers.length > 0) {
      isDead = true
      await server.stop('SIGKILL')
    }
  })
  await Promise.all(exchanges)
  expect(answers.length).toBeGreaterThan(0)

  server = await start(options)
  doors = doorsOf(server)
  // What was answered counts.
  for (const { access } of answers) expect((await callTool(doors, access)).status).toBe(200)
  const rest = waiting.filter((_, index) => !answers.some((answer) => answer.index === index))
  for (const { begun, code, program } of rest) {
    const again = await exchange(doors, begun, code)
    if (again.status === 200) {
      expect((await callTool(doors, again.body.access_token)).status).toBe(200)
      continue
    }
    expect([again.status, again.body.error]).toEqual([400, 'invalid_grant'])
    const { access } = await connected(doors, person, { program })
    expect((await callTool(doors, access)).status).toBe(200)
  }
  const { items } = (await send(server, 'GET /beak/agent/list', { token: person.token })).body
  expect(items).toHaveLength(waiting.length)
})

const url = process.env.TEST_DATABASE_URL ?? ''

test('two processes give the same refresh token the same successor, and know each other’s codes and sign-ins', async ({
  start,
}) => {
  test.skip(url === '', 'needs TEST_DATABASE_URL')
  const name = `beak_e2e_${randomBytes(4).toString('hex')}`
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`CREATE DATABASE ${name}`)
  await client.end()
  const env = {
    BEAK_SECRET: 'a secret of more than 32 bytes for this test',
    DATABASE_URL: Object.assign(new URL(url), { pathname: `/${name}` }).href,
    BASE_URL: 'http://localhost:3999',
    LOG_LEVEL: 'error',
  }
  const servers = [await start({ env }), await start({ env })]
  const [first, second] = servers.map(doorsOf) as [Doors, Doors]
  const person = await aPerson(servers[0] as Server, 'Mallard')
  const program = await aProgram(first)
  const begun = await begin(second, program)
  const { body } = await allow(first, begun, person)
  const code = (await goBack(second, begun, body.continue)).get('code') ?? ''
  const tokens = await exchange(first, begun, code)
  const uses = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      refresh(index % 2 === 0 ? first : second, program, tokens.body.refresh_token),
    ),
  )
  const successors = new Set(uses.map(({ body: { refresh_token: token } }) => token))
  expect(uses.map(({ status }) => status)).toEqual(uses.map(() => 200))
  expect(successors.size).toBe(1)
  for (const { body: used } of uses) expect((await callTool(second, used.access_token)).status).toBe(200)

  const site = await aSite(second, person)
  const { access } = await signedIn(first, site, person)
  expect((await userinfo(second, access)).status).toBe(200)
  await send(servers[1] as Server, 'POST /beak/signout', { token: person.token })
  expect((await userinfo(first, access)).status).toBe(401)
})
