/**
 * Values that exist once per process: database handle, limiter, event bus, worker. They are stored on `globalThis`, because Next
 * bundles its own copy of `lib`, so a module-level variable would exist twice.
 */
import { inEnglish } from '@/lib/kernel/text/language'

const holder = globalThis as unknown as { beakProcess?: Map<string, unknown> }

/**
 * Returns the value of a name. Makes it on the first call, in English: the value is for every caller, and the first one may be a page in another
 * language.
 */
export function singleton<T>(name: string, make: () => T): T {
  holder.beakProcess ??= new Map()
  if (!holder.beakProcess.has(name)) holder.beakProcess.set(name, inEnglish(make))
  return holder.beakProcess.get(name) as T
}

/** Removes a value, so that the next call of `singleton` makes a new one. */
export function forget(name: string): void {
  holder.beakProcess?.delete(name)
}
