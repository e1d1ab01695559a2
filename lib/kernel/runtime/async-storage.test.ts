import { AsyncLocalStorage as NodeStorage } from 'node:async_hooks'
import { workAsyncStorage } from 'next/dist/server/app-render/work-async-storage.external'
import { describe, expect, it } from 'vitest'
import { AsyncLocalStorage, SlotStorage } from './async-storage'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

describe.each([
  ['AsyncLocalStorage of Node.js', NodeStorage],
  ['SlotStorage', SlotStorage as unknown as typeof NodeStorage],
])('%s', (_name, Storage) => {
  it('returns the value inside of `run`, also after an await, and undefined outside', async () => {
    const storage = new Storage<string>()
    const work = storage.run('a', async () => {
      const first = storage.getStore()
      await turn()
      return [first, storage.getStore()]
    })
    expect(storage.getStore()).toBeUndefined()
    expect(await work).toEqual(['a', 'a'])
    expect(storage.getStore()).toBeUndefined()
  })

  it('keeps the values of simultaneous works and of several storages apart', async () => {
    const letters = new Storage<string>()
    const numbers = new Storage<number>()
    const work = (letter: string, number: number) =>
      letters.run(letter, () =>
        numbers.run(number, async () => {
          await turn()
          const inside = letters.run('inner', () => [letters.getStore(), numbers.getStore()])
          await turn()
          return [letters.getStore(), numbers.getStore(), inside]
        }),
      )
    const results = await Promise.all([work('a', 1), work('b', 2)])
    expect(results).toEqual([
      ['a', 1, ['inner', 1]],
      ['b', 2, ['inner', 2]],
    ])
  })

  it('passes arguments and errors on, and returns the previous value afterwards', () => {
    const storage = new Storage<string>()
    storage.run('outer', () => {
      expect(storage.run('inner', (a: number, b: number) => a + b, 1, 2)).toBe(3)
      const failing = () => {
        throw new Error('of the work')
      }
      expect(() => storage.run('inner', failing)).toThrow('of the work')
      expect(storage.getStore()).toBe('outer')
    })
  })

  it('has no value in `exit`', async () => {
    const storage = new Storage<string>()
    await storage.run('a', async () => {
      expect(storage.exit((text: string) => [text, storage.getStore()], 'b')).toEqual(['b', undefined])
      expect(storage.getStore()).toBe('a')
    })
  })

  it('enters a value for the rest of the work, and is disabled for it', async () => {
    const [entered, other] = [new Storage<string>(), new Storage<string>()]
    await other.run('other', async () => {
      await turn()
      entered.enterWith('a')
      await turn()
      expect([entered.getStore(), other.getStore()]).toEqual(['a', 'other'])
      entered.disable()
      expect([entered.getStore(), other.getStore()]).toEqual([undefined, 'other'])
    })
    expect(entered.getStore()).toBeUndefined()
  })

  it('binds a function to the current values', () => {
    const storage = new Storage<string>()
    const [bound, snapshot] = storage.run('then', () => [
      Storage.bind(() => storage.getStore()),
      Storage.snapshot(),
    ])
    storage.run('now', () => {
      expect(bound()).toBe('then')
      expect(snapshot((text: string) => [text, storage.getStore()], 'given')).toEqual(['given', 'then'])
    })
  })
})

it('is used by the storages of Next', () => {
  expect(workAsyncStorage).toBeInstanceOf(AsyncLocalStorage)
})

it.skipIf(Number(process.versions.node.split('.')[0]) >= 24)('is shared before version 24 of Node.js', () => {
  // Other tests load the module again, which makes another class.
  expect(AsyncLocalStorage.name).toBe(SlotStorage.name)
})
