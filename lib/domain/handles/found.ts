/** References to people that a search found. They name a person without showing the id, and only to the account that searched. */
import { hour, secondsAfter } from '@/lib/kernel/clock'
import { seal, unseal } from '@/lib/kernel/secrets'

/** A reference is valid for an hour: long enough to write a request. */
const foundSeconds = hour

const prefix = 'found_'
const labelOf = (searcherId: string) => `found:${searcherId}`

/** Returns a reference to `ducklingId` that only `searcherId` and their agents can use. */
export function foundRef(searcherId: string, ducklingId: string, now: Date): string {
  const until = secondsAfter(now, foundSeconds).getTime()
  return `${prefix}${seal(Buffer.from(`${ducklingId} ${until}`), labelOf(searcherId)).toString('base64url')}`
}

/** Whether a text has the form of a reference. */
export const isFoundRef = (text: string): boolean => text.startsWith(prefix)

/** Returns the id in a reference. Null when it has expired, was changed, or was made for another account. */
export function idInFoundRef(searcherId: string, ref: string, now: Date): string | null {
  try {
    const sealed = Buffer.from(ref.slice(prefix.length), 'base64url')
    const [id = '', until] = unseal(sealed, labelOf(searcherId)).toString().split(' ')
    return Number(until) > now.getTime() ? id : null
  } catch {
    return null
  }
}
