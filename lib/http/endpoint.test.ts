/** How answers are stored and replayed. app/beak/_api/idempotency.test.ts calls every operation that accepts a key. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { db } from '@/lib/db/client'
import { onCommit, transaction } from '@/lib/db/transaction'
import { startInstance } from '@/lib/fixtures/bundle'
import { throughProxy } from '@/lib/fixtures/database-proxy'
import { rotateTestSecret } from '@/lib/fixtures/secrets'
import { describeOnPostgres } from '@/lib/fixtures/source-files'
import { type FailureName, fail } from '@/lib/kernel/request/failures'
import { readClock } from '@/lib/kernel/runtime/clock'
import { endpoint, readIdempotencyKey } from './endpoint'

type Result = { text: string }
type Handle = (input: Result) => Promise<Result>

/** Returns an operation that runs `handle`. */
function operation(handle: Handle) {
  return endpoint({
    operationId: 'test',
    summary: 'Test',
    auth: 'none',
    limit: null,
    idempotencyKey: true,
    body: z.strictObject({ text: z.string().default('quack') }),
    response: z.object({ text: z.string() }),
    handle: (_context, { body }) => handle(body),
  })
}

async function send(to: ReturnType<typeof operation>, key: string, body: string = '{}') {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key }
  const answer = await to(new Request('http://localhost/test', { method: 'POST', headers, body }))
  return {
    status: answer.status,
    replayed: answer.headers.get('idempotency-replayed') === 'true',
    body: JSON.parse(await answer.text()),
  }
}

/** Inserts a row with the name, as the change of a command. */
const change = (name: string, result: Result = { text: 'changed' }) =>
  transaction(async (tx) => {
    await tx.run`INSERT INTO "MetricDelta" ("name", "delta") VALUES (${name}, 1)`
    return result
  })
const changesOf = (name: string) => db().metricDelta.count({ where: { name } })
const expireClaims = () => db().idempotencyKey.updateMany({ data: { expiresAt: readClock() } })

describe('a key', () => {
  it.each([
    ['a', 'a'],
    ['"a"', 'a'],
    ['"a\\"b\\\\c"', 'a"b\\c'],
    ['a"b', 'a"b'],
    ['8e03978e-40d5-43dd-bc93-6894a57f9324', '8e03978e-40d5-43dd-bc93-6894a57f9324'],
    ['~'.repeat(255), '~'.repeat(255)],
    [`"${'\\"'.repeat(255)}"`, '"'.repeat(255)],
  ])('may be bare or quoted: %s', (given, key) => {
    expect(readIdempotencyKey({ 'idempotency-key': given })).toBe(key)
  })

  it.each([
    '',
    ' ',
    'a b',
    'ä',
    'a\u007f',
    'x'.repeat(256),
    '"',
    '"a',
    '"a"b',
    '"a";b',
    '""',
    '"a\\b"',
    '"a", "a"',
  ])('is rejected when it is %j', (given) => {
    expect(() => readIdempotencyKey({ 'idempotency-key': given })).toThrow('The request is not valid.')
  })

  it('is not needed', () => {
    expect(readIdempotencyKey({})).toBeNull()
  })

  it('counts the same bare and quoted, with a body in another order and form', async () => {
    const name = randomUUID()
    const counting = operation(() => change(name))
    await send(counting, name, '{"text":"quack"}')
    expect(await send(counting, `"${name}"`, '{ "text" : "qu\\u0061ck" }')).toMatchObject({ replayed: true })
    expect(await send(counting, name, '{}')).toMatchObject({ replayed: true })
    expect((await send(counting, name, '{"text":"Quack"}')).status).toBe(422)
    expect(await changesOf(name)).toBe(1)
  })
})

describe('an answer', () => {
  // security: backup-3
  it('cannot be read or found in the database without the key of the client', async () => {
    const [key, secret] = [randomUUID(), randomUUID()]
    await send(
      operation(() => change(key, { text: secret })),
      key,
    )
    const rows = await db().rows<{ row: string }>`SELECT to_jsonb(k)::text AS "row" FROM "IdempotencyKey" k`
    const dump = rows.map(({ row }) => row).join('\n')
    for (const value of [key, secret])
      for (const form of [value, Buffer.from(value).toString('hex')]) expect(dump).not.toContain(form)
  })

  // security: secret-3
  it('is replayed during a rotation of the secret, and to instances that have only exchanged the two secrets', async () => {
    const name = randomUUID()
    const counting = operation(() => change(name))
    await send(counting, name)
    const { forgetPrevious } = rotateTestSecret()
    expect(await send(counting, name)).toMatchObject({ status: 200, replayed: true })
    expect((await send(counting, name, '{"text":"other"}')).status).toBe(422)
    expect(await changesOf(name)).toBe(1)
    forgetPrevious()
    expect(await send(counting, name)).toMatchObject({ status: 200, replayed: false })
  })

  it('that is too large is not stored, and its request not carried out again', async () => {
    const name = randomUUID()
    const large = { text: 'x'.repeat(64 * 1024) }
    const counting = operation(() => change(name, large))
    expect(await send(counting, name)).toMatchObject({ status: 200, body: large })
    expect(await send(counting, name)).toMatchObject({ status: 409, body: { code: 'E4008' } })
    expect(await changesOf(name)).toBe(1)
  })

  it.each<FailureName>(['code_paused', 'internal_error', 'unavailable'])(
    'is not stored when it is %s, even when something was changed',
    async (failure) => {
      const name = randomUUID()
      const failing = operation(() =>
        transaction<Result>(async (tx) => {
          await tx.run`INSERT INTO "MetricDelta" ("name", "delta") VALUES (${name}, 1)`
          return fail(failure)
        }),
      )
      await send(failing, name)
      expect((await send(failing, name)).replayed).toBe(false)
      expect(await changesOf(name)).toBe(2)
    },
  )

  it('is stored when the call fails after the commit', async () => {
    const name = randomUUID()
    const failing = operation(() =>
      transaction(async (tx) => {
        await tx.run`INSERT INTO "MetricDelta" ("name", "delta") VALUES (${name}, 1)`
        onCommit(tx, () => {
          throw new Error('after the commit')
        })
        return { text: 'changed' }
      }),
    )
    expect((await send(failing, name)).status).toBe(500)
    expect(await send(failing, name)).toEqual({ status: 200, replayed: true, body: { text: 'changed' } })
    expect(await changesOf(name)).toBe(1)
  })

  it('is required to come from the last transaction', async () => {
    const key = randomUUID()
    const loose = operation(async () => ({ ...(await change(key)) }))
    expect((await send(loose, key)).status).toBe(500)
  })
})

describe('a call that has lost its claim', () => {
  it('cannot commit, so the change is made once', async () => {
    const name = randomUUID()
    let open: () => void = () => undefined
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const slow = send(
      operation(() => gate.then(() => change(name))),
      name,
    )
    await expect
      .poll(
        async () =>
          (
            await send(
              operation(() => change(name)),
              name,
            )
          ).status,
      )
      .toBe(409)
    await expireClaims()
    const second = await send(
      operation(() => change(name, { text: 'second' })),
      name,
    )
    expect(second).toMatchObject({ status: 200, replayed: false })
    open()
    expect(await slow).toMatchObject({ status: 409, body: { code: 'E4008' } })
    expect(
      await send(
        operation(() => change(name)),
        name,
      ),
    ).toMatchObject({ replayed: true, body: second.body })
    expect(await changesOf(name)).toBe(1)
  })
})

describeOnPostgres('a connection that breaks before the commit', () => {
  it('has changed nothing, and the key works again immediately', async () => {
    const name = randomUUID()
    const breaking = operation(() =>
      transaction(async (tx) => {
        await tx.run`INSERT INTO "MetricDelta" ("name", "delta") VALUES (${name}, 1)`
        await tx.run`SELECT pg_terminate_backend(pg_backend_pid())`
        return { text: 'never' }
      }),
    )
    expect((await send(breaking, name)).status).toBe(503)
    expect(await changesOf(name)).toBe(0)
    expect(
      await send(
        operation(() => change(name)),
        name,
      ),
    ).toMatchObject({ status: 200, replayed: false })
  })
})

describeOnPostgres('an answer of the database that is lost', () => {
  // security: host-6
  it('leaves no key claimed, and each change is made once, whichever statement it was', async () => {
    await throughProxy(async (proxy) => {
      for (let statement = 1, isOver = false; !isOver; statement++) {
        const name = randomUUID()
        const once = operation(() => change(name))
        proxy.arm({ statement, when: 'after' })
        const first = await send(once, name)
        const { hasCut } = await proxy.disarm()
        isOver = !hasCut
        expect([statement, first.status]).toEqual([statement, hasCut ? 503 : 200])
        expect([statement, await send(once, name)]).toMatchObject([statement, { status: 200 }])
        expect([statement, await changesOf(name)]).toEqual([statement, 1])
      }
    })
  })
})

describe('a process that is killed before the commit', () => {
  /** Runs the orders in a process with that data folder. Returns what it printed, and the signal that ended it. */
  async function run(orders: string, env: Record<string, string> = {}) {
    const { child, dataDir } = startInstance('lib/fixtures/dying-process.ts', { ORDERS: orders, ...env })
    const [printed, [, signal]] = await Promise.all([text(child.stdout), once(child, 'close')])
    const lines = printed.split('\n').filter((line) => line !== '')
    return { dataDir, signal, answers: lines.map((line) => JSON.parse(line)) }
  }

  it('has changed nothing, and its key works again when the claim has expired', {
    timeout: 60_000,
  }, async () => {
    const key = randomUUID()
    const { dataDir, signal } = await run(`${key}:dies`)
    expect(signal).toBe('SIGKILL')
    const { answers } = await run(`${key},later,${key},${key}`, { DATA_DIR: dataDir })
    expect(answers).toEqual([
      { status: 409, replayed: false, changes: 0 },
      { status: 200, replayed: false, changes: 1 },
      { status: 200, replayed: true, changes: 1 },
    ])
  })
})
