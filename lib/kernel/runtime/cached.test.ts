import { describe, expect, it } from 'vitest'
import { cached } from './cached'
import { TimedOut, withTimeout } from './timeout'

describe('cached', () => {
  const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000)
  const aName = () => `test ${Math.random()}`

  it('reads the value again only after it expires', async () => {
    const name = aName()
    let reads = 0
    const ask = (seconds: number) => cached(name, 5, at(seconds), async () => ++reads)
    expect([await ask(0), await ask(4.999), await ask(5), await ask(9)]).toEqual([1, 1, 2, 2])
  })

  it('shares one read between simultaneous callers', async () => {
    const name = aName()
    let reads = 0
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => cached(name, 5, at(0), async () => ++reads)),
    )
    expect([...new Set(answers), reads]).toEqual([1, 1])
  })

  it('does not cache an error', async () => {
    const name = aName()
    await expect(cached(name, 5, at(0), () => Promise.reject(new Error('away')))).rejects.toThrow('away')
    expect(await cached(name, 5, at(0), async () => 'back')).toBe('back')
  })
})

describe('withTimeout', () => {
  it('returns the result, or rethrows the error, of work that finishes in time', async () => {
    expect(await withTimeout(1, Promise.resolve('done'))).toBe('done')
    await expect(withTimeout(1, Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  })

  it('throws TimedOut when the work does not finish in time', async () => {
    await expect(withTimeout(0.01, new Promise(() => undefined))).rejects.toBeInstanceOf(TimedOut)
  })
})
