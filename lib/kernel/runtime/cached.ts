/** Keeps values in the memory of the process for some seconds. Simultaneous callers share one read, which is in English. */
import { inEnglish } from '@/lib/kernel/text/language'
import { singleton } from './singleton'

interface Entry<T> {
  value: T | undefined
  readAt: number
  reading: Promise<T> | null
}

/** Returns the cached value, or reads it when it is older than `seconds`. Errors are not cached. */
export function cached<T>(name: string, seconds: number, now: Date, read: () => Promise<T>): Promise<T> {
  const entry = singleton(`cached.${name}`, (): Entry<T> => ({ value: undefined, readAt: 0, reading: null }))
  const age = Math.abs(now.getTime() - entry.readAt)
  if (entry.value !== undefined && age < seconds * 1000) return Promise.resolve(entry.value)
  entry.reading ??= inEnglish(read)
    .then((value) => {
      entry.value = value
      entry.readAt = now.getTime()
      return value
    })
    .finally(() => {
      entry.reading = null
    })
  return entry.reading
}
