/**
 * Keeps what a person asks, and how far they are, in a cookie of the page of the link. So a reload, the way back and another tab lose nothing, it
 * works without JavaScript, and neither the words nor the email stand in a URL.
 */
import { cookies } from 'next/headers'
import { z } from 'zod'
import { cookieOptions } from '@/app/_web/session-cookie'
import { findViewer } from '@/app/_web/viewer'
import { config } from '@/lib/kernel/config'
import { day } from '@/lib/kernel/runtime/clock'

const name = 'beak.ask'

const Draft = z.object({
  favour: z.string(),
  date: z.string().optional(),
  amount: z.string().optional(),
  currency: z.string().optional(),
  place: z.string().optional(),
  file: z.string().optional(),
  /** The address of an account that existed, to which a code was sent. */
  email: z.string().max(300).optional(),
  /** When another code can be sent there, in milliseconds since 1970. */
  resendAt: z.number().optional(),
  /** Whose account it was, once that was clear. Nobody else who signs in here reads the draft. */
  viewer: z.string().optional(),
})

export type AskDraft = z.infer<typeof Draft>

// Only the page of this link gets the cookie.
const options = (token: string) => ({ ...cookieOptions(), path: `${config().basePath}/ask/${token}` })

/** Returns what this person typed on the page of a link in this browser, or null. */
export async function readAskDraft(): Promise<AskDraft | null> {
  const draft = parse((await cookies()).get(name)?.value ?? '')
  const viewer = await findViewer()
  const isOfOther =
    draft?.viewer !== undefined
      ? draft.viewer !== viewer?.duckling_id
      : viewer !== null && (draft?.email ?? viewer.email) !== viewer.email
  return isOfOther ? null : draft
}

function parse(value: string): AskDraft | null {
  try {
    return Draft.parse(JSON.parse(Buffer.from(value, 'base64url').toString()))
  } catch {
    return null
  }
}

/** Stores the draft for a day. For server actions. */
export async function keepAskDraft(token: string, draft: AskDraft): Promise<void> {
  // Base64, because a cookie writes each letter that is not ASCII as nine characters.
  const value = Buffer.from(JSON.stringify(draft)).toString('base64url')
  ;(await cookies()).set(name, value, { ...options(token), maxAge: day })
}

/** Removes the draft. For server actions. */
export async function dropAskDraft(token: string): Promise<void> {
  ;(await cookies()).delete({ name, ...options(token) })
}
