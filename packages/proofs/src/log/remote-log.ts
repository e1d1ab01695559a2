/** Reads the files of a transparency log over HTTP. */
import { type Fetch, reasonOf } from '../fetch-text'
import { readLimited } from '../read-limited'
import type { ReadLogFile } from './authenticated-tiles'
import { noteBytesMax } from './note'

const timeoutMs = 15_000
const triesMax = 10
const waitSecondsMax = 60

/**
 * Returns a reader of the files below the address of a log, for instance `https://beak.example/.well-known/tlog`. It returns null for a
 * missing file and throws other errors. Obeys `Retry-After`. Follows no redirect, because only the given address is trusted.
 */
export function remoteLog(url: string, fetch: Fetch = globalThis.fetch): ReadLogFile {
  const base = url.replace(/\/+$/, '')
  return (path) => fetchFile(`${base}/${path}`, bytesMaxOf(path), fetch)
}

/** Returns the maximum size of a valid file: a tile has 256 hashes, a bundle 256 entries of at most 65,535 bytes. */
function bytesMaxOf(path: string): number {
  if (path.startsWith('tile/entries/')) return 256 * (2 + 65_535)
  return path.startsWith('tile/') ? 256 * 32 : noteBytesMax
}

async function fetchFile(url: string, bytesMax: number, fetch: Fetch): Promise<Uint8Array | null> {
  for (let tried = 1; ; tried++) {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(url, { redirect: 'manual', credentials: 'omit', signal }).catch((error) => {
      throw new Error(`${url} cannot be read: ${reasonOf(error)}`)
    })
    if (response.ok) {
      const bytes = await readLimited(response.body, bytesMax)
      if (bytes === null) throw new Error(`${url} answered with more than ${bytesMax} bytes`)
      return bytes
    }
    await response.body?.cancel()
    if (response.status === 404) return null
    if (response.status !== 429 || tried === triesMax) throw new Error(`${url} answered ${response.status}`)
    const seconds = Number(response.headers.get('Retry-After') ?? 1)
    await waitSeconds(Math.min(waitSecondsMax, Number.isNaN(seconds) ? 1 : seconds))
  }
}

const waitSeconds = (seconds: number) => new Promise<void>((resolve) => setTimeout(resolve, seconds * 1000))
