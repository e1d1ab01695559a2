/** Reads the files of a transparency log for `audit:verify`: over HTTP, or from a folder with a copy. */
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { ReadLogFile } from '@beak/client/verify/log/authenticated-tiles'
import { noteBytesMax } from '@beak/client/verify/log/note'
import { readIfThere } from '@/lib/kernel/durable-file'
import { readLimited } from '@/lib/kernel/read-limited'

const timeoutMs = 15_000
const triesMax = 10
const waitSecondsMax = 60

/** Returns a reader of the files of a log at a URL or in a folder. It returns null for a missing file and throws other errors. */
export function logReader(place: string): ReadLogFile {
  if (/^https?:\/\//.test(place)) {
    const base = place.replace(/\/+$/, '')
    return (path) => fetchFile(`${base}/${path}`, bytesMaxOf(path))
  }
  return (path) => readIfThere(join(place, path))
}

/** Returns the maximum size of a valid file: a tile has 256 hashes, a bundle 256 entries of at most 65,535 bytes. */
function bytesMaxOf(path: string): number {
  if (path.startsWith('tile/entries/')) return 256 * (2 + 65_535)
  return path.startsWith('tile/') ? 256 * 32 : noteBytesMax
}

/** Fetches a file, or returns null for 404. Obeys `Retry-After`. Follows no redirect, because only the given URL is trusted. */
async function fetchFile(url: string, bytesMax: number): Promise<Buffer | null> {
  for (let tried = 1; ; tried++) {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) }).catch(
      (error: Error) => {
        throw new Error(
          `${url} cannot be read: ${error.cause instanceof Error ? error.cause.message : error.message}`,
        )
      },
    )
    if (response.ok) {
      const bytes = await readLimited(response.body, bytesMax)
      if (bytes === null) throw new Error(`${url} answered with more than ${bytesMax} bytes`)
      return bytes
    }
    await response.body?.cancel()
    if (response.status === 404) return null
    if (response.status !== 429 || tried === triesMax) throw new Error(`${url} answered ${response.status}`)
    const seconds = Number(response.headers.get('Retry-After') ?? 1)
    await wait(Math.min(waitSecondsMax, Number.isNaN(seconds) ? 1 : seconds) * 1000)
  }
}
