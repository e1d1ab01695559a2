import { readFile } from 'node:fs/promises'

/** Returns the JSON of a file or a URL. Throws when it cannot be read or is not JSON. */
export async function readJson(place: string): Promise<unknown> {
  if (!/^https?:\/\//.test(place)) return JSON.parse(await readFile(place, 'utf8'))
  const response = await fetch(place, { signal: AbortSignal.timeout(15_000) })
  if (!response.ok) throw new Error(`${place} answered ${response.status}`)
  return response.json()
}
