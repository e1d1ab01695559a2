import { beforeEach, describe, expect, it } from 'vitest'
import { transaction } from '@/lib/db/transaction'
import { blockDuckling } from '@/lib/domain/pecks/blocks/block'
import { rejectPeck } from '@/lib/domain/pecks/decide/decline'
import { findPeck } from '@/lib/domain/pecks/rows'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { aPeck } from '@/lib/factories/pecks'
import { fail } from '@/lib/kernel/request/failures'
import { announce, watch, watchers } from './signals'

let asker: ADuckling
let target: ADuckling
beforeEach(async () => {
  asker = await aDuckling()
  target = await aDuckling()
})

const never = new AbortController().signal

/** Tells whether there was a change since the last call. */
const hasChanged = (watched: ReturnType<typeof watch>) => watched.next(50, never)

describe('a change of a peck', () => {
  it('wakes requests that wait for the peck, its asker or its target', async () => {
    const { peck_id } = await aPeck(asker, target)
    const watches = [peck_id, asker.id, target.id].map((id) => watch(id))
    const woken = Promise.all(watches.map((each) => each.next(60_000, never)))
    await rejectPeck(await target.context(), peck_id, 'No')
    await woken
    for (const each of watches) each.stop()
    expect([peck_id, asker.id, target.id].map(watchers)).toEqual([0, 0, 0])
  })

  it('is reported once to a watch that was not waiting at that moment', async () => {
    const watched = watch(target.id)
    await aPeck(asker, target)
    expect(await hasChanged(watched)).toBe(true)
    expect(await hasChanged(watched)).toBe(false)
    watched.stop()
  })

  it('does not wake a target that has blocked the asker', async () => {
    await blockDuckling(await target.context(), asker.id)
    const watches = [watch(asker.id), watch(target.id)] as const
    await aPeck(asker, target)
    expect(await hasChanged(watches[0])).toBe(true)
    expect(await hasChanged(watches[1])).toBe(false)
    for (const each of watches) each.stop()
  })

  it('wakes no request when it is rolled back', async () => {
    const { peck_id } = await aPeck(asker, target)
    const peck = await findPeck(peck_id)
    if (!peck) throw new Error('the peck is gone')
    const watched = watch(peck_id)
    const undone = transaction(async (tx) => {
      announce(tx, peck)
      throw fail('peck_not_found')
    })
    await expect(undone).rejects.toMatchObject({ failure: 'peck_not_found' })
    expect(await hasChanged(watched)).toBe(false)
    watched.stop()
  })
})
