/** The stream of pecks, on a real service and over broken connections. */
import { Beak, type PeckEvent } from '@beak/client'
import { beforeEach, describe, expect, it } from 'vitest'
import { slotsInUse } from '@/lib/domain/pecks/follow/connection-slots'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { aPeck } from '@/lib/factories/pecks'
import { startFaultServer } from './fault-server'
import { startService } from './service'

const url = startService()
const faults = startFaultServer(url)
let person: ADuckling
let beak: Beak

beforeEach(async () => {
  person = await aDuckling()
  beak = new Beak({ url: url(), token: person.token, maxRetryDelay: 2_000 })
})

/** Returns the next event of a stream. */
async function next(stream: AsyncGenerator<PeckEvent>): Promise<PeckEvent> {
  const { value, done } = await stream.next()
  if (done) throw new Error('the stream ended')
  return value
}

describe('streamPecks', () => {
  it('yields ready, then each peck that changes', async () => {
    const stream = beak.streamPecks()
    expect(await next(stream)).toEqual({ type: 'ready' })
    const { peck_id } = await aPeck(await aDuckling(), person)
    expect(await next(stream)).toMatchObject({ type: 'peck', peck: { peck_id, status: 'pending' } })
    await beak.rejectPeck({ peck_id, reason: 'No' })
    expect(await next(stream)).toMatchObject({ type: 'peck', peck: { peck_id, status: 'rejected' } })
    await stream.return()
  })

  it('names what ended a permission', async () => {
    const { peck_id } = await aPeck(await aDuckling(), person)
    await beak.approvePeck({ peck_id })
    const stream = beak.streamPecks()
    expect(await next(stream)).toEqual({ type: 'ready' })
    const { superseded_by = '' } = await beak.undoDecision({ peck_id })
    const causes: Record<string, string | undefined> = {}
    for (const _ of [peck_id, superseded_by]) {
      const event = await next(stream)
      if (event.type === 'peck') causes[event.peck.peck_id] = event.peck.cause
    }
    expect(causes).toEqual({ [peck_id]: 'undone', [superseded_by]: undefined })
    await stream.return()
  })

  it('yields blocks, and the pecks that unblocking brings back', async () => {
    const asker = await aDuckling()
    const { peck_id } = await aPeck(asker, person)
    const stream = beak.streamPecks()
    expect(await next(stream)).toEqual({ type: 'ready' })
    await beak.blockDuckling({ duckling_id: asker.id })
    expect(await next(stream)).toEqual({ type: 'peck_block', duckling_id: asker.id, blocked: true })
    await beak.unblockDuckling({ duckling_id: asker.id })
    expect(await next(stream)).toMatchObject({ type: 'peck', peck: { peck_id, status: 'pending' } })
    expect(await next(stream)).toEqual({ type: 'peck_block', duckling_id: asker.id, blocked: false })
    await stream.return()
  })

  it('closes the connection when the loop ends', async () => {
    for await (const event of beak.streamPecks()) {
      expect(event).toEqual({ type: 'ready' })
      expect(slotsInUse(person.id)).toBe(1)
      break
    }
    await expect.poll(() => slotsInUse(person.id)).toBe(0)
  })

  it.each(['cut-stream', 'cut', 'bad-gateway', 'error-E5002'])('connects again after %s', async (fault) => {
    const stream = beak.with({ url: faults.run(fault, 1).url }).streamPecks()
    if (fault === 'cut-stream') expect(await next(stream)).toEqual({ type: 'ready' })
    expect(await next(stream)).toEqual({ type: 'ready' })
    const { peck_id } = await aPeck(await aDuckling(), person)
    expect(await next(stream)).toMatchObject({ type: 'peck', peck: { peck_id } })
    await stream.return()
  })

  it('throws E4006 when the session has ended', async () => {
    const stream = beak.streamPecks()
    await next(stream)
    const ended = next(stream)
    await beak.signOut()
    await expect(ended).rejects.toMatchObject({ name: 'BeakError', code: 'E4006' })
  })

  it('throws the reason of the signal', async () => {
    const controller = new AbortController()
    const stream = beak.streamPecks({ signal: controller.signal })
    await next(stream)
    const ended = next(stream)
    controller.abort(new Error('enough'))
    await expect(ended).rejects.toThrow('enough')
    await expect.poll(() => slotsInUse(person.id)).toBe(0)
  })

  it('throws when the address answers with something else', async () => {
    const stream = beak.with({ url: faults.run('html').url }).streamPecks()
    await expect(next(stream)).rejects.toMatchObject({ name: 'BeakAnswerError', status: 200 })
  })
})
