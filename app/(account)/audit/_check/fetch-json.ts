import { withBasePath } from '@/components/base-path'
import { m } from '@/lib/kernel/messages'

/** Returns the JSON of a path. Throws an `Error` whose message people can read. */
export async function fetchJson(path: string): Promise<unknown> {
  const response = await fetch(withBasePath(path), { cache: 'no-store' })
  const answer: unknown = await response.json()
  if (response.ok) return answer
  if (response.status === 401) throw new Error('You have been signed out. Sign in and check again.')
  throw new Error((answer as { detail?: string }).detail ?? "The log couldn't be read.")
}

/** Returns what a failed check shows. The message of a `TypeError` comes from the browser: `fetch` throws it without a network. */
export function messageOf(error: unknown): string {
  return error instanceof Error && !(error instanceof TypeError)
    ? error.message
    : m.audit_beak_cant_be_reached_try_again()
}
