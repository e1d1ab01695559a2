import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { database, db } from '@/lib/db/client'
import { mayEndWork, watchClock } from '@/lib/db/service-clock'
import { setMachineClock } from '@/lib/fixtures/machine-clock.mjs'
import { appendNow } from '@/lib/fixtures/tlog'
import { deleteWaitingWebhooks } from '@/lib/fixtures/webhooks'
import { startEngine } from '@/lib/infrastructure/worker/engine'
import { hasStopped, stepSeconds } from '@/lib/infrastructure/worker/renew'
import { ignoreMeasurements, minute, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { forget } from '@/lib/kernel/runtime/singleton'
import { startWorker } from '@/lib/worker/start'

beforeEach(async () => {
  await deleteWaitingWebhooks()
  await db().outbox.deleteMany()
  await appendNow()
  forget('cached.readiness.late')
})

const row = (kind: string, seconds: number) => {
  const at = secondsAfter(readClock(), seconds)
  return { kind, payload: {}, dueAt: at, createdAt: at }
}

it('names the queues that are late, and stays ready', async () => {
  const { status, body } = await call('GET /readyz')
  expect([status, body]).toEqual([200, { status: 'ready', late_queues: [] }])
  await db().outbox.createMany({
    data: [
      // A dead mail server: the next attempt is in an hour.
      { ...row('notice', 60 * minute), attempts: 4, lateAt: secondsAfter(readClock(), -1) },
      row('text', -6 * minute),
      row('webhook', -60 * minute),
    ],
  })
  forget('cached.readiness.late')
  expect(await call('GET /readyz')).toMatchObject({
    status: 200,
    body: { status: 'ready', late_queues: ['mail', 'text'] },
  })
})

it('is unready when the worker of this process has stopped, and everything else goes on', async () => {
  const worker = await startWorker()
  onTestFinished(() => {
    forget('worker')
    forget('worker.liveness')
  })
  expect((await call('GET /readyz')).status).toBe(200)
  await worker.stop()
  const { status, body, headers } = await call('GET /readyz')
  expect([status, body.code, body.reason]).toEqual([503, 'E5002', 'worker_stopped'])
  expect(body.action).toBe('Send requests to another instance, and restart this one.')
  expect(headers.get('retry-after')).toBe('2')
  expect((await call('GET /beak/')).status).toBe(200)
  expect((await call('GET /healthz')).status).toBe(200)
})

it('takes a worker that has claimed nothing for a minute for stopped, but no chore that takes long', async () => {
  let release = () => {}
  const hanging = new Promise<void>((resolve) => {
    release = resolve
  })
  const chore = { name: 'a long chore', everySeconds: 60, run: () => hanging }
  const claim = () => hanging.then(() => [])
  const plan = { jobs: {}, pools: [], chores: [], restore: async () => undefined }
  const engines = [await startEngine({ ...plan, chores: [chore] })]
  onTestFinished(async () => {
    setMachineClock(0)
    release()
    await Promise.all(engines.map((engine) => engine.stop()))
    forget('worker.liveness')
  })
  const later = secondsAfter(readClock(), 2 * minute)
  expect(hasStopped(later)).toBe(false)
  expect(Object.fromEntries(stepSeconds(later))['a long chore']).toBeCloseTo(2 * minute, -1)

  const pool = { name: 'a pool', kinds: ['text' as const], places: 1, claim }
  engines.push(await startEngine({ ...plan, pools: [pool] }))
  expect(hasStopped(readClock())).toBe(false)
  expect(hasStopped(later)).toBe(true)
  // The claim has run for a moment, whatever the clock of the machine says meanwhile.
  setMachineClock(25 * 3600)
  expect(hasStopped(readClock())).toBe(false)
})

it('stays ready while the clock is in doubt', async () => {
  onTestFinished(() => {
    setMachineClock(0)
    ignoreMeasurements(true)
    forget('clock.watch')
  })
  ignoreMeasurements(false)
  await watchClock({ embedded: null, tx: db() })
  setMachineClock(400 * 86_400)
  expect(mayEndWork(database())).toBe(false)
  expect((await call('GET /readyz')).status).toBe(200)
})
