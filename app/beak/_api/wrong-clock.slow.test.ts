/** Three machines on one PostgreSQL, each with an API and a worker of its own. The clock of one is 400 days ahead, that of another jumps both ways. */
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { db } from '@/lib/db/client'
import { aDuckling } from '@/lib/factories/ducklings'
import { startInstance } from '@/lib/fixtures/bundle'
import { describeOnPostgres } from '@/lib/fixtures/source-files'
import { config } from '@/lib/kernel/config'
import { day, hour, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'

const preload = join(process.cwd(), 'lib/fixtures/machine-clock.mjs')
const library = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find((path) => existsSync(path))

/** Returns the environment of a program whose wall clock is off as a file says: with Debian's faketime, or without it for JavaScript alone. */
const wrongClock = (file: string): Record<string, string> =>
  library === undefined
    ? { NODE_OPTIONS: `--import ${preload}`, WRONG_CLOCK: file }
    : {
        LD_PRELOAD: library,
        FAKETIME_TIMESTAMP_FILE: file,
        FAKETIME_NO_CACHE: '1',
        // Node ends when the steady clock goes back, which no machine does.
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        DONT_FAKE_MONOTONIC: '1',
      }

/** The line with the port. Warnings about the clock come before. */
const portIn = /^\d+$/m

interface Machine {
  setClock(seconds: number): void
  /** Waits until the worker has logged a line with this text since the clock was set. */
  logged(text: string): Promise<void>
  /** Calls the API. Throws unless it answers 200. */
  send(line: string, token: string | null, body?: object): Promise<Record<string, unknown>>
}

/** Starts the API and the worker of a machine, whose clock is off by so many seconds. */
async function startMachine(seconds: number): Promise<Machine> {
  const file = join(mkdtempSync(join(tmpdir(), 'beak-clock-')), 'seconds')
  const setFile = (to: number) => writeFileSync(file, `${to < 0 ? '' : '+'}${to}s\n`)
  setFile(seconds)
  const env = {
    ...wrongClock(file),
    LOG_LEVEL: 'warn',
    // The tests read the mails of all workers.
    DATA_DIR: config().dataDir,
  }
  const [api, worker] = ['app/beak/_api/instance.ts', 'lib/fixtures/outbox-worker.ts'].map((program) => {
    const { child } = startInstance(program, env)
    onTestFinished(() => void child.kill('SIGKILL'))
    return child
  })
  if (api === undefined || worker === undefined) throw new Error('no programs')
  const printed = { api: '', worker: '' }
  api.stdout.on('data', (chunk: Buffer) => {
    printed.api += chunk
  })
  worker.stdout.on('data', (chunk: Buffer) => {
    printed.worker += chunk
  })
  const until = (look: () => boolean) => expect.poll(look, { timeout: 60_000 }).toBe(true)
  await until(() => printed.worker.includes('started') && portIn.test(printed.api))
  const port = portIn.exec(printed.api)?.[0]
  return {
    setClock: (to) => {
      printed.worker = ''
      setFile(to)
    },
    logged: (text) => until(() => printed.worker.includes(text)),
    send: async (line, token, body) => {
      const [method = 'GET', path = '/'] = line.split(' ')
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: {
          ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      if (!answer.ok) throw new Error(`${line} answered ${answer.status}: ${await answer.text()}`)
      return answer.json()
    },
  }
}

interface Asked {
  token: string
  peck_id: string
  created_at: string
  expires_at: string
}

/** Says when a time lies, in seconds from now. */
const fromNow = (time: string) => (Date.parse(time) - readClock().getTime()) / 1000
const tolerated = 120

describeOnPostgres('three machines, of which one is 400 days ahead and one jumps', () => {
  it('end nothing early, let nothing live longer, and date nothing in the future', async () => {
    const [right, ahead, jumping] = await Promise.all([0, 400 * day, 0].map(startMachine))
    if (!right || !ahead || !jumping) throw new Error('no machines')
    await ahead.logged('ahead of the clock of the database')
    const target = await aDuckling()
    /** Somebody new asks for an hour: few requests of one asker may wait. */
    const ask = async (machine: Machine) => {
      const { token } = await aDuckling()
      const body = {
        target_duckling_id: target.id,
        action: 'read:profile',
        scope: 'limited',
        expires_in: hour,
      }
      return { token, ...(await machine.send('POST /beak/peck/request', token, body)) } as Asked
    }
    const waiting = [await ask(right), await ask(ahead), await ask(jumping)]
    for (const seconds of [25 * hour, -25 * hour, 400 * day, 0]) {
      jumping.setClock(seconds)
      const made = [await ask(jumping), await ask(ahead)]
      await jumping.logged('Two measurements of the clock of the database differ')
      for (const { created_at, expires_at } of made) {
        expect(Math.abs(fromNow(created_at))).toBeLessThan(tolerated)
        expect(Math.abs(fromNow(expires_at) - hour)).toBeLessThan(tolerated)
      }
      waiting.push(...made)
      // What is over is ended meanwhile, by a machine whose clock has not jumped.
      const over = await ask(jumping)
      await db().peck.update({
        where: { id: over.peck_id },
        data: { expiresAt: secondsAfter(readClock(), -1) },
      })
      const stateOf = async (id: string) => (await db().peck.findUniqueOrThrow({ where: { id } })).status
      await expect.poll(() => stateOf(over.peck_id), { timeout: 60_000 }).toBe('expired')
      const approval = { peck_id: over.peck_id }
      for (const machine of [right, ahead, jumping])
        await expect(machine.send('POST /beak/peck/approve', target.token, approval)).rejects.toThrow(
          'answered 409',
        )
      for (const { peck_id } of waiting) expect(await stateOf(peck_id)).toBe('pending')
    }
    // What one machine allows, the others use once.
    for (const [index, { peck_id, token }] of waiting.entries()) {
      const [one = right, other = right] = index % 2 === 0 ? [jumping, ahead] : [ahead, right]
      await one.send('POST /beak/peck/approve', target.token, { peck_id })
      const { grant_token } = await other.send(`GET /beak/peck/status?peck_id=${peck_id}`, token)
      await other.send('POST /beak/peck/consume', null, { grant_token })
      await expect(one.send('POST /beak/peck/consume', null, { grant_token })).rejects.toThrow('answered 409')
    }
    const [events] = await db().rows<{ future: number; past: number }>`
      SELECT count(*) FILTER (WHERE "occurredAt" > clock_timestamp())::int AS "future",
        count(*) FILTER (WHERE "occurredAt" < clock_timestamp() - interval '1 hour')::int AS "past" FROM "AuditEvent"`
    expect(events).toEqual({ future: 0, past: 0 })
  }, 300_000)
})
