/**
 * The class `AsyncLocalStorage` of this process: the class of Node.js, or before version 24 a class that works the same and costs less. Older versions
 * copy the value of each storage to each new promise. A server with pages has at least eight: four of Beak, two of Next and two of React. Ours and
 * Next's share one storage of Node.js here, so three are left, which halves what an `await` costs. Since version 24, all storages of a process
 * share one (`AsyncContextFrame`).
 */
import { AsyncLocalStorage as NodeStorage } from 'node:async_hooks'

/** The value of each storage, in its slot. */
const values = new NodeStorage<readonly unknown[]>()
let count = 0

/**
 * Has the methods of `AsyncLocalStorage` of Node.js 20. `disable` ends the value in the running work only, as in Node.js 24. The slot of a storage
 * is never freed, so make one for each purpose, not for each request.
 */
export class SlotStorage<T> {
  static readonly bind = NodeStorage.bind
  static readonly snapshot = NodeStorage.snapshot

  private readonly slot = count++

  getStore(): T | undefined {
    return values.getStore()?.[this.slot] as T | undefined
  }

  run<R, A extends unknown[]>(value: T, work: (...args: A) => R, ...args: A): R {
    return values.run(this.copyWith(value), work, ...args)
  }

  exit<R, A extends unknown[]>(work: (...args: A) => R, ...args: A): R {
    return values.run(this.copyWith(undefined), work, ...args)
  }

  enterWith(value: T): void {
    values.enterWith(this.copyWith(value))
  }

  disable(): void {
    values.enterWith(this.copyWith(undefined))
  }

  // A copy, because the surrounding work keeps its values.
  private copyWith(value: T | undefined): unknown[] {
    const changed = values.getStore()?.slice() ?? []
    changed[this.slot] = value
    return changed
  }
}

const sharesStorages = Number(process.versions.node.split('.')[0]) >= 24
// Next takes the class from `globalThis` when it is loaded, and sets it before that under a bare `next start`. Each bundle has its own copy of
// this module, so the first one decides for the process.
const holder = globalThis as { AsyncLocalStorage?: typeof NodeStorage }
holder.AsyncLocalStorage ??= sharesStorages ? NodeStorage : (SlotStorage as unknown as typeof NodeStorage)

export const AsyncLocalStorage = holder.AsyncLocalStorage
export type AsyncLocalStorage<T> = NodeStorage<T>
