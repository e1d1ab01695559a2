/**
 * The main job on the running server. When the server is killed, it keeps every acknowledged change. Under overload, it answers every
 * request.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verifyAudit } from '@beak/proofs/audit/verify'
import { History, impossibleHistories, read } from '@/lab/faults/history'
import { peckModel } from '@/lab/faults/races'
import { freePort } from '@/scripts/servers/free-port.mjs'
import { expect, test } from './own-server'
import { aBondedAgent, aPerson } from './people'
import { eventually, newDataDir, type RunningServer, send } from './server'

interface Acknowledged {
  asked: Set<string>
  consumed: Set<string>
  history: History
}

/** Sends a call and records it. Throws when the answer is not a success, and when there is none because the server is gone. */
async function recorded(
  history: History,
  call: { object: string; action: string },
  run: () => ReturnType<typeof send>,
) {
  let body: Awaited<ReturnType<typeof send>>['body'] | null = null
  await history.record(call, run, (answer) => {
    if (answer.status !== 200) throw new Error(`${call.action}: ${JSON.stringify(answer.body)}`)
    body = answer.body
    return { outcome: 'done', seen: `${body.status} ${body.uses}` }
  })
  if (body === null) throw new Error('the server is gone')
  return body
}

/** Requests, approves and consumes until the server stops. Records each change as soon as it is acknowledged. */
async function work(
  server: RunningServer,
  person: { id: string; token: string },
  key: string,
  worker: string,
  noted: Acknowledged,
) {
  for (let turn = 0; turn < 500; turn++) {
    const asked = await send(server, 'POST /beak/peck/request', {
      key,
      body: { target_duckling_id: person.id, action: `do:worker-${worker}-${turn}`, scope: 'limited' },
    })
    if (asked.status !== 200) throw new Error(`asking: ${JSON.stringify(asked.body)}`)
    const { peck_id } = asked.body
    noted.asked.add(peck_id)
    const sendRecorded = (action: string, line: string, options: Parameters<typeof send>[2]) =>
      recorded(noted.history, { object: peck_id, action }, () => send(server, line, options))
    await sendRecorded('approve', 'POST /beak/peck/approve', { token: person.token, body: { peck_id } })
    const { grant_token } = await sendRecorded(read, `GET /beak/peck/status?peck_id=${peck_id}`, { key })
    await sendRecorded('use', 'POST /beak/peck/consume', { body: { grant_token } })
    noted.consumed.add(peck_id)
  }
}

async function aReceiver(): Promise<{
  url: string
  seen: Map<string, { type: string; peck: string }>
  server: Server
}> {
  const seen = new Map<string, { type: string; peck: string }>()
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const { type, data } = JSON.parse(body)
    seen.set(String(request.headers['webhook-id']), { type, peck: data.peck_id })
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, seen, server }
}

test.describe('SIGKILL in the middle of the main job', () => {
  // security: host-9
  test('keeps every acknowledged change, leaves every log complete, and still sends every webhook', async ({
    start,
  }) => {
    test.setTimeout(120_000)
    const options = {
      dataDir: newDataDir(),
      port: await freePort(),
      env: { WEBHOOK_ALLOW_PRIVATE: 'true', LOG_LEVEL: 'error' },
    }
    const receiver = await aReceiver()
    let server = await start(options)
    const person = await aPerson(server, 'Mallard')
    const { key } = await aBondedAgent(server, person)
    await send(server, 'POST /beak/webhook/create', {
      token: person.token,
      body: { url: receiver.url, kinds: ['peck.consumed'] },
    })
    const history = new History()
    const noted: Acknowledged = { asked: new Set(), consumed: new Set(), history }
    const faults: string[] = []
    const workers = ['a', 'b', 'c', 'd', 'e', 'f'].map((worker) =>
      work(server, person, key, worker, noted).catch(
        (error: Error) =>
          void (/^(asking|approve|read|use):/.test(error.message) && faults.push(error.message)),
      ),
    )
    await eventually(() => (noted.consumed.size >= 20 ? true : null))
    await server.stop('SIGKILL')
    await Promise.all(workers)
    expect(faults).toEqual([])

    server = await start(options)
    for (const peck_id of noted.asked) {
      const body = await recorded(history, { object: peck_id, action: read }, () =>
        send(server, `GET /beak/peck/status?peck_id=${peck_id}`, { token: person.token }),
      )
      // A decided peck has a time of decision, a pending one has none.
      expect([body.status === 'pending', body.decided_at === null]).toEqual(
        body.status === 'pending' ? [true, true] : [false, false],
      )
    }
    // What was acknowledged is there, and what was not may be there: once.
    expect(impossibleHistories(peckModel, history.calls)).toEqual([])
    const { body: exported } = await send(server, 'GET /beak/account/export', { token: person.token })
    expect((await verifyAudit(exported)).faults).toEqual([])
    const consumed = exported.audit.events.filter(
      (event: { action: string; outcome: string }) =>
        event.action === 'peck.consumed' && event.outcome === 'success',
    )
    expect(consumed.length).toBeGreaterThanOrEqual(noted.consumed.size)
    await eventually(() => {
      const delivered = new Set([...receiver.seen.values()].map(({ peck }) => peck))
      return [...noted.consumed].every((peck) => delivered.has(peck)) ? true : null
    })
    // Each event has one message, even when it was delivered several times.
    expect(new Set([...receiver.seen.values()].map(({ peck }) => peck)).size).toBe(receiver.seen.size)
    await server.stop()
    receiver.server.close()
  })
})

test.describe('overload', () => {
  test('answers 300 simultaneous mixed requests without a server error', async ({ start }) => {
    test.setTimeout(120_000)
    const server = await start({ env: { LOG_LEVEL: 'error' } })
    const person = await aPerson(server, 'Teal')
    const { key } = await aBondedAgent(server, person)
    const kinds = [
      (index: number) =>
        send(server, 'POST /beak/signup', {
          body: { email: `crowd${index}@example.com`, display_name: 'Crowd' },
        }),
      (index: number) =>
        send(server, 'POST /beak/peck/request', {
          key,
          body: { target_duckling_id: person.id, action: `do:job-${index}`, scope: 'limited' },
        }),
      () => send(server, 'GET /beak/profile', { token: person.token }),
      () => send(server, 'GET /beak/peck/history', { token: person.token }),
      (index: number) =>
        send(server, 'POST /beak/signin', { body: { email: `nobody${index}@example.com`, otp: '123456' } }),
      () => send(server, 'GET /beak/audit', { token: person.token }),
    ]
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, index) => kinds[index % kinds.length]?.(index)),
    )
    const statuses = answers.map((answer) => answer?.status ?? 0)
    expect(statuses.filter((status) => ![200, 401, 429].includes(status))).toEqual([])
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(200)
    expect((await send(server, 'GET /readyz')).status).toBe(200)
    await server.stop()
  })
})
