/** The process killed under load. */
import { freePort } from '@/scripts/servers/free-port.mjs'
import { codeIn, outboxOf } from './outbox'
import { expect, test } from './own-server'
import { eventually, newDataDir, send } from './server'

const person = (name: string) => ({ email: `${name}@example.com`, display_name: 'Mallard' })

test.describe('SIGKILL under load', () => {
  // security: host-9, check-48
  test('keeps every acknowledged change, leaves no partial change, and still sends every message', async ({
    start,
  }) => {
    test.setTimeout(120_000)
    const dataDir = newDataDir()
    const port = await freePort()
    const acknowledged = new Map<string, { token: string; id: string }>()
    for (const round of [1, 2]) {
      const server = await start({ dataDir, port })
      let running = true
      const load = Array.from({ length: 8 }, async (_, client) => {
        for (let index = 0; running && index < 200; index++) {
          const name = `r${round}-${client}-${index}`
          try {
            const { status, body } = await send(server, 'POST /beak/signup', { body: person(name) })
            if (status === 200) acknowledged.set(name, { token: body.token, id: body.duckling_id })
          } catch {
            return
          }
        }
      })
      await eventually(() => (acknowledged.size >= round * 25 ? true : null))
      running = false
      await server.stop('SIGKILL')
      await Promise.all(load)
    }

    const server = await start({ dataDir, port })
    for (const [name, { token, id }] of acknowledged) {
      const profile = await send(server, 'GET /beak/profile', { token })
      expect([name, profile.status, profile.body.duckling_id]).toEqual([name, 200, id])
      const { body: audit } = await send(server, 'GET /beak/audit', { token })
      const actions = audit.items.map((event: { action: string }) => event.action)
      expect(actions).toContain('duckling.registered')
      expect(actions).toContain('session.started')
    }
    // The server now sends the codes of the last sign-ups. A message may be sent twice, but must be sent.
    await eventually(() => {
      const mailed = new Set(outboxOf(server).map(({ to }) => to))
      return [...acknowledged.keys()].every((name) => mailed.has(person(name).email)) ? true : null
    })
    const [name = ''] = [...acknowledged.keys()].at(-1)?.split(' ') ?? []
    const verified = await send(server, 'POST /beak/verify-email', {
      token: acknowledged.get(name)?.token ?? '',
      body: { otp: await codeIn(server, person(name).email) },
    })
    expect(verified.status).toBe(200)
    await server.stop()
  })
})
