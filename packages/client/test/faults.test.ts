/** What calls do when the service refuses, answers nonsense or does not answer. */
import { Beak, BeakAnswerError, BeakConnectionError, BeakError, BeakTimeoutError } from '@beak/client'
import { describe, expect, it } from 'vitest'
import { errorCodes } from '@/lib/kernel/request/failures'
import { freePort } from '@/scripts/servers/free-port.mjs'
import { startFaultServer } from './fault-server'

const faults = startFaultServer()
/** Repetitions without a wait that a test would notice. */
const quick = { maxRetryDelay: 10 }

/** Returns the error that a call rejects with. */
const errorOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => null,
    (error: unknown) => error,
  )

describe('a refusal', () => {
  it.each(Object.entries(errorCodes))(
    'with %s is a BeakError with its code and status',
    async (code, { status }) => {
      const run = faults.run(`error-${code}`)
      const error = await errorOf(new Beak({ url: run.url, retries: 0 }).getMetrics())
      expect(error).toBeInstanceOf(BeakError)
      expect(error).toMatchObject({
        name: 'BeakError',
        code,
        status,
        message:
          code === 'E4000'
            ? `This is the fault ${code}: email must be an email address.`
            : `This is the fault ${code}.`,
        action: 'Nothing: this is a test.',
        requestId: `fault-${code}`,
        retryAfter: [429, 503].includes(status) ? 1 : null,
      })
    },
  )

  it('names the fields that are wrong', async () => {
    const error = await errorOf(new Beak({ url: faults.run('error-E4000').url }).getMetrics())
    expect(error).toMatchObject({ errors: [{ field: 'email', message: 'must be an email address' }] })
  })

  it('has the members of its code in problem', async () => {
    const error = await errorOf(new Beak({ url: faults.run('error-E4002').url }).getMetrics())
    expect(error).toMatchObject({
      reason: 'tier_too_low',
      errors: [],
      problem: { required_tier: 'T1', current_tier: 'T0' },
    })
  })
})

describe('a GET', () => {
  it.each(['cut', 'truncated', 'bad-gateway'])('is repeated after %s', async (fault) => {
    const run = faults.run(fault, 2)
    await expect(new Beak({ url: run.url, ...quick }).getMetrics()).resolves.toMatchObject({ method: 'GET' })
    expect(await run.requests()).toHaveLength(3)
  })

  it.each(['silent', 'dripping'])(
    'is repeated when an attempt is %s for longer than the timeout',
    async (fault) => {
      const run = faults.run(fault, 1)
      const beak = new Beak({ url: run.url, timeout: 300, ...quick })
      await expect(beak.getMetrics()).resolves.toMatchObject({ method: 'GET' })
    },
  )

  it.each(['error-E4004', 'error-E5002', 'running'])(
    'is repeated after %s, not before Retry-After',
    async (fault) => {
      const run = faults.run(fault, 1)
      await expect(new Beak({ url: run.url }).getMetrics()).resolves.toMatchObject({ method: 'GET' })
      const [first, second] = await run.requests()
      expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1000)
    },
  )

  it('fails with the last error after the repetitions', async () => {
    const run = faults.run('cut')
    const error = await errorOf(new Beak({ url: run.url, retries: 3, ...quick }).getMetrics())
    expect(error).toBeInstanceOf(BeakConnectionError)
    expect(await run.requests()).toHaveLength(4)
  })

  it('takes the number of repetitions of the call before that of the client', async () => {
    const run = faults.run('cut')
    await errorOf(new Beak({ url: run.url, retries: 3, ...quick }).getMetrics({ retries: 1 }))
    expect(await run.requests()).toHaveLength(2)
  })

  it('fails at once when Retry-After is longer than maxRetryDelay', async () => {
    const run = faults.run('wait-long')
    const error = await errorOf(new Beak({ url: run.url }).getMetrics())
    expect(error).toMatchObject({ code: 'E4004', retryAfter: 3600 })
    expect(await run.requests()).toHaveLength(1)
  })

  const final = ['error-E4000', 'error-E4001', 'error-E4008', 'error-E5001', 'html-error', 'broken-json']
  it.each(final)('is not repeated after %s', async (fault) => {
    const run = faults.run(fault)
    await errorOf(new Beak({ url: run.url, ...quick }).getMetrics())
    expect(await run.requests()).toHaveLength(1)
  })
})

describe('a POST without an idempotency key', () => {
  it.each(['cut', 'truncated', 'error-E4004', 'error-E5002', 'bad-gateway'])(
    'is not repeated after %s',
    async (fault) => {
      const run = faults.run(fault, 1)
      const call = new Beak({ url: run.url }).verifySsoToken({ token: 'SSO-1' })
      expect(await errorOf(call)).toBeInstanceOf(Error)
      expect(await run.requests()).toHaveLength(1)
    },
  )
})

describe('an answer that is not from Beak', () => {
  it.each([
    ['broken-json', 200],
    ['list', 200],
    ['empty', 200],
    ['html', 200],
    ['html-error', 500],
    ['strange-problem', 418],
  ])('is a BeakAnswerError: %s', async (fault, status) => {
    const error = await errorOf(new Beak({ url: faults.run(fault).url }).getMetrics())
    expect(error).toBeInstanceOf(BeakAnswerError)
    expect(error).toMatchObject({ status })
  })
})

describe('a connection', () => {
  it('that cannot be opened is a BeakConnectionError with its cause', async () => {
    const beak = new Beak({ url: `http://127.0.0.1:${await freePort()}`, ...quick })
    const error = await errorOf(beak.getMetrics())
    expect(error).toBeInstanceOf(BeakConnectionError)
    expect(error).not.toBeInstanceOf(BeakTimeoutError)
    expect(error).toHaveProperty('cause')
  })

  it.each(['silent', 'dripping'])('that is %s ends with a BeakTimeoutError', async (fault) => {
    const beak = new Beak({ url: faults.run(fault).url, retries: 0 })
    expect(await errorOf(beak.getMetrics({ timeout: 100 }))).toBeInstanceOf(BeakTimeoutError)
  })

  it('may be silent in a long poll for as long as the poll waits', async () => {
    const beak = new Beak({ url: faults.run('delay-600').url, timeout: 300, retries: 0 })
    expect(await errorOf(beak.getPeck({ peck_id: 'PECK-1', wait: 1 }))).toBeNull()
    expect(await errorOf(beak.getPeck({ peck_id: 'PECK-1' }))).toBeInstanceOf(BeakTimeoutError)
  })

  it('never follows a redirect with its credentials', async () => {
    const beak = new Beak({ url: faults.run('redirect').url, key: 'beak_secret', retries: 0 })
    expect(await errorOf(beak.getProfile())).toBeInstanceOf(BeakConnectionError)
    expect(await faults.requestsOf('stolen')).toEqual([])
  })
})

describe('the signal of a call', () => {
  it('ends a request with its reason', async () => {
    const reason = new Error('no longer needed')
    const controller = new AbortController()
    const run = faults.run('silent')
    const call = new Beak({ url: run.url }).getMetrics({ signal: controller.signal })
    await expect.poll(run.requests).toHaveLength(1)
    controller.abort(reason)
    expect(await errorOf(call)).toBe(reason)
  })

  it('ends the wait before a repetition', async () => {
    const reason = new Error('no longer needed')
    const controller = new AbortController()
    const run = faults.run('error-E5002')
    const call = new Beak({ url: run.url }).getMetrics({ signal: controller.signal })
    await expect.poll(run.requests).toHaveLength(1)
    controller.abort(reason)
    expect(await errorOf(call)).toBe(reason)
    expect(await run.requests()).toHaveLength(1)
  })

  it('that has already aborted sends nothing', async () => {
    const run = faults.run('none')
    const call = new Beak({ url: run.url }).getMetrics({ signal: AbortSignal.abort(new Error('too late')) })
    expect(await errorOf(call)).toMatchObject({ message: 'too late' })
    expect(await run.requests()).toEqual([])
  })
})
