import { describe, expect, it } from 'vitest'
import { cached } from './cached'
import { TookTooLong, within } from './within'

describe('cached', () => {
  const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000)
  const aName = () => `test ${Math.random()}`

  it('reads anew when the value is that old, and not before', async () => {
    const name = aName()
    let reads = 0
    const ask = (seconds: number) => cached(name, 5, at(seconds), async () => ++reads)
    expect([await ask(0), await ask(4.999), await ask(5), await ask(9)]).toEqual([1, 1, 2, 2])
  })

  it('lets simultaneous askers share one reading', async () => {
    const name = aName()
    let reads = 0
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => cached(name, 5, at(0), async () => ++reads)),
    )
    expect([...new Set(answers), reads]).toEqual([1, 1])
  })

  it('keeps no failure: the next asker reads again', async () => {
    const name = aName()
    await expect(cached(name, 5, at(0), () => Promise.reject(new Error('away')))).rejects.toThrow('away')
    expect(await cached(name, 5, at(0), async () => 'back')).toBe('back')
  })
})

describe('within', () => {
  it('gives the outcome of what finishes in time', async () => {
    expect(await within(1, Promise.resolve('done'))).toBe('done')
    await expect(within(1, Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  })

  it('does not wait for what never does', async () => {
    await expect(within(0.01, new Promise(() => undefined))).rejects.toBeInstanceOf(TookTooLong)
  })
})
