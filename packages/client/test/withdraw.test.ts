/** Requests that nobody waits for any more are withdrawn: after an abort, a failed call, and the end of the process. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Beak, type Fetch } from '@beak/client'
import { runWithPermission } from '@beak/client/adapters/guard'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { bundleOf } from '@/lib/fixtures/bundle'
import { startService } from './service'

const url = startService()
let target: ADuckling
let person: Beak
let asker: Beak
let key: string

beforeEach(async () => {
  target = await aDuckling()
  key = (await anAgent(await aDuckling())).beakKey
  person = new Beak({ url: url(), token: target.token })
  asker = new Beak({ url: url(), key })
})

const question = () => ({ target: target.id, action: 'send:mail', params: { number: 1 } })
const received = async () => (await person.listPecks({ direction: 'received' })).items
const statuses = async () => (await received()).map(({ status }) => status)
const isWaiting = () => expect.poll(statuses).toContain('pending')
const listeners = () => ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => process.listenerCount(signal))

describe('an abort', () => {
  it('withdraws the request before the call rejects, and leaves no listener behind', async () => {
    const before = listeners()
    const abort = new AbortController()
    const asking = asker.requestPermission(question(), { signal: abort.signal })
    await isWaiting()
    expect(listeners()).toEqual(before.map((count) => count + 1))
    abort.abort(new Error('no longer wanted'))
    await expect(asking).rejects.toThrow('no longer wanted')
    expect(await statuses()).toEqual(['cancelled'])
    expect(listeners()).toEqual(before)
  })

  it('withdraws the request that was on its way', async () => {
    const abort = new AbortController()
    const slow = new Beak({
      url: url(),
      key,
      fetch: async (address, init) => {
        const answer = await fetch(address, init)
        if (address.endsWith('/peck/request')) abort.abort()
        return answer
      },
    })
    await expect(slow.requestPermission(question(), { signal: abort.signal })).rejects.toThrow(/abort/i)
    expect(await statuses()).toEqual(['cancelled'])
  })

  it('asks nothing when the signal has aborted before', async () => {
    await expect(asker.requestPermission(question(), { signal: AbortSignal.abort() })).rejects.toThrow()
    expect(await statuses()).toEqual([])
  })

  it('withdraws the request of a guard, whose function does not run', async () => {
    const abort = new AbortController()
    const options = { beak: asker, target: target.id, action: 'send:mail' }
    let runs = 0
    const guarded = runWithPermission(options, { number: 1 }, () => runs++, abort.signal)
    await isWaiting()
    abort.abort()
    await expect(guarded).rejects.toThrow(/abort/i)
    expect([await statuses(), runs]).toEqual([['cancelled'], 0])
  })

  it('keeps the request with keep or a key of the caller, and while another call waits for it', async () => {
    for (const options of [{ keep: true }, { idempotencyKey: 'job-1' }]) {
      const abort = new AbortController()
      const asking = asker.requestPermission(question(), { ...options, signal: abort.signal })
      await isWaiting()
      abort.abort()
      await expect(asking).rejects.toThrow(/abort/i)
      expect(await statuses()).toEqual(['pending'])
    }
  })

  it('keeps the request while another call waits for the same', async () => {
    const [first, second] = [new AbortController(), new AbortController()]
    let polls = 0
    const counting: Fetch = (address, init) => {
      if (address.includes('/peck/status')) polls++
      return fetch(address, init)
    }
    const counted = new Beak({ url: url(), key, fetch: counting })
    const waits = [first, second].map(({ signal }) => counted.requestPermission(question(), { signal }))
    await expect.poll(() => polls).toBe(2)
    const ended = Promise.allSettled(waits)
    first.abort()
    await expect(waits[0]).rejects.toThrow(/abort/i)
    expect(await statuses()).toEqual(['pending'])
    second.abort()
    await ended
    expect(await statuses()).toEqual(['cancelled'])
  })

  it('does not take back what was approved before', async () => {
    const abort = new AbortController()
    const late = new Beak({
      url: url(),
      key,
      fetch: async (address, init) => {
        if (!address.includes('/peck/status')) return fetch(address, init)
        const [{ peck_id } = { peck_id: '' }] = await received()
        await person.approvePeck({ peck_id })
        abort.abort()
        return fetch(address, init)
      },
    })
    await expect(late.requestPermission(question(), { signal: abort.signal })).rejects.toThrow(/abort/i)
    expect((await received()).map(({ grant_status }) => grant_status)).toEqual(['active'])
  })
})

describe('the time to wait', () => {
  const secondsOf = ({ created_at, expires_at }: { created_at: string; expires_at: string }) =>
    (Date.parse(expires_at) - Date.parse(created_at)) / 1000

  it('is also how long the request lasts, at least a minute, unless the caller says otherwise', async () => {
    const cases: [object, object, number][] = [
      [{}, { wait: 0.01 }, 60],
      [{ expires_in: 600 }, { wait: 0.01 }, 600],
      [{}, { wait: 0.01, keep: true }, 86_400],
      [{}, { wait: 0 }, 86_400],
    ]
    for (const [index, [more, options, seconds]] of cases.entries()) {
      const params = { number: index }
      const { refusal, peck } = await asker.requestPermission({ ...question(), params, ...more }, options)
      expect([refusal?.kind, secondsOf(peck)]).toEqual(['pending', seconds])
    }
    const abort = new AbortController()
    const params = { number: 9 }
    const long = asker.requestPermission({ ...question(), params }, { wait: 90.5, signal: abort.signal })
    await expect.poll(async () => (await received()).map(secondsOf)).toContain(91)
    abort.abort()
    await expect(long).rejects.toThrow()
  })

  it('of a guard leaves the request, because the same call finds it again', async () => {
    const options = { beak: asker, target: target.id, action: 'send:mail', wait: 0.01 }
    const call = () => runWithPermission(options, { number: 1 }, () => 'sent')
    expect((await call()).refusal?.refusal).toBe('pending')
    const [peck] = await received()
    expect(peck && [peck.status, secondsOf(peck)]).toEqual(['pending', 86_400])
    await person.approvePeck({ peck_id: peck?.peck_id ?? '' })
    expect(await call()).toMatchObject({ refusal: null, output: 'sent' })
  })
})

/** Returns the address of a proxy to the service that never answers a cancellation. */
async function aSilentProxy(): Promise<string> {
  const proxy = createServer(async (request, response) => {
    if (request.url === '/beak/peck/cancel') return
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const { host: _, connection: __, 'transfer-encoding': ___, ...headers } = request.headers
    const body = parts.length === 0 ? null : Buffer.concat(parts)
    const given = { method: request.method ?? 'GET', headers: headers as Record<string, string>, body }
    const answer = await fetch(`${url()}${request.url}`, given).catch(() => null)
    response.writeHead(answer?.status ?? 502, { 'Content-Type': answer?.headers.get('content-type') ?? '' })
    response.end(await answer?.text())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    proxy.close()
    proxy.closeAllConnections()
  })
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}

describe('the end of the process', () => {
  /** Starts the program that asks, and waits until its request is there. */
  async function started(env: Record<string, string> = {}) {
    const child = spawn(process.execPath, [bundleOf('packages/client/test/asking-program.ts')], {
      env: { NODE_ENV: 'test', BEAK_URL: url(), BEAK_KEY: key, TARGET: target.id, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text
    })
    const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, output }))
    await isWaiting()
    return { child, ended }
  }

  it.each([
    ['SIGINT', {}],
    ['SIGTERM', {}],
    ['SIGTERM', { GUARD: '1' }],
  ] as const)('by %s withdraws the request and ends with this signal (%j)', async (signal, env) => {
    const { child, ended } = await started(env)
    child.kill(signal)
    expect(await ended).toEqual({ code: null, signal, output: '' })
    expect(await statuses()).toEqual(['cancelled'])
  })

  it('leaves the end to the listener of the program', async () => {
    const { child, ended } = await started({ HANDLES: '1' })
    child.kill('SIGTERM')
    expect(await ended).toEqual({ code: 7, signal: null, output: 'listener\nrefusal cancelled\n' })
    expect(await statuses()).toEqual(['cancelled'])
  })

  it('keeps the request with keep', async () => {
    const { child, ended } = await started({ KEEP: '1' })
    child.kill('SIGTERM')
    expect(await ended).toEqual({ code: null, signal: 'SIGTERM', output: '' })
    expect(await statuses()).toEqual(['pending'])
  })

  it('is not delayed for more than two seconds by a service that does not answer', async () => {
    const { child, ended } = await started({ BEAK_URL: await aSilentProxy() })
    const at = performance.now()
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ signal: 'SIGTERM' })
    expect(performance.now() - at).toBeLessThan(10_000)
    expect(await statuses()).toEqual(['pending'])
  })
})
