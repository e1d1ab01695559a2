import { createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { describeWithRedis, redisUrl } from '@/lib/fixtures/source-files'
import { config, useConfig as replaceConfig } from '@/lib/kernel/config'
import { forget } from '@/lib/kernel/runtime/singleton'
import { connectRedis, type RedisScripts, SwitchedOffError } from './redis'

const configured = config()
const ends: (() => void)[] = []
afterEach(() => {
  vi.useRealTimers()
  for (const end of ends.splice(0)) end()
  replaceConfig(configured)
  forget('redis')
})

function connectTo(url: string): RedisScripts {
  forget('redis')
  replaceConfig({ redis: { url } })
  const redis = connectRedis()
  if (redis === null) throw new Error('no Redis')
  ends.push(() => redis.close())
  return redis
}

/** Returns the address of a server that accepts connections and never answers. */
async function aMuteServer(): Promise<string> {
  const sockets: Socket[] = []
  const server = createServer((socket) => void sockets.push(socket.on('error', () => undefined)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(
    () => {
      for (const socket of sockets) socket.destroy()
    },
    () => void server.close(),
  )
  return `redis://127.0.0.1:${(server.address() as { port: number }).port}`
}

const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => 'it answered',
    (error: Error) =>
      error instanceof SwitchedOffError ? 'nothing was sent' : `${error.name}: ${error.message}`,
  )

describe('a Redis that hangs', () => {
  it('gets nothing more after three calls without an answer, and one call again five seconds later', async () => {
    const redis = connectTo(await aMuteServer())
    const ask = () => errorOf(redis.eval('return 1', [], []))
    vi.useFakeTimers({ toFake: ['performance'] })
    for (let turn = 0; turn < 3; turn++) expect(await ask()).not.toBe('nothing was sent')
    const later = await Promise.all(Array.from({ length: 50 }, ask))
    expect(new Set(later)).toEqual(new Set(['nothing was sent']))
    vi.advanceTimersByTime(6_000)
    const again = await Promise.all([ask(), ask(), ask()])
    expect(again.filter((name) => name === 'nothing was sent')).toHaveLength(2)
    expect(await ask()).toBe('nothing was sent')
  }, 20_000)
})

describeWithRedis('a Redis that answers with errors', () => {
  it('is asked each time: an error of a script is an answer', async () => {
    const redis = connectTo(redisUrl ?? '')
    for (let turn = 0; turn < 10; turn++)
      expect(await errorOf(redis.eval(`return redis.error_reply("it failed")`, [], []))).toContain(
        'it failed',
      )
  })
})
