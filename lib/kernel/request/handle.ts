/** Handles of people, such as `@mallard` (contract F, Handles). They are written without `@`, except where an id may stand too. */
import { z } from 'zod'
import { m } from '@/lib/kernel/messages'
import { idPattern, idPrefixes } from '@/lib/kernel/secrets/ids'
import { claimsService } from '@/lib/kernel/text/reserved-words'
import { readHandle, readPersonRef } from '@/lib/kernel/typed/id'

/** 3 to 24 letters, digits and hyphens. A hyphen stands between two others. */
const form = '(?=.{3,24}$)[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*'

/** A handle in a request. Capital letters count as small ones, and `@` before it makes no difference. */
export const handleField = z
  .string()
  .overwrite(readHandle)
  .regex(new RegExp(`^${form}$`), { error: m.field_must_be_handle, abort: true })
  .toLowerCase()

/** Digits and letters of handles, and what they look like. "i" and "l" differ, because handles have small letters only. */
const lookingAlike: Record<string, string> = {
  '0': 'o',
  '1': 'l',
  '5': 's',
  '9': 'g',
  d: 'cl',
  m: 'rn',
  w: 'vv',
  '-': '',
}

/** What a handle would be mistaken for: pages of the site, words of the service, and names for groups of people. */
const refused = `abuse approver approvers billing host hostmaster invoice invoices new-device no-reply payment payments the-host verified your-agent your-host
  account admin agent agents all allowed api app ask assets audit auth badge cert certificate clients connect contact contacts dev device directory
  docs download-failed duck duckling email-undo everybody favicon goodbye handle handles health healthz help here home human icon inbox
  info invitation invitations keep-passkeys legal llms login logout mail manifest mcp me news newsletter not-me notifications numbers oauth offline operator owner pages passkey
  peck pecks people ping privacy profile public readyz receipts robots rules search self service settings signed-out sites signin signout signup
  sitemap spaceducks status team terms test tlog verify webhook webhooks welcome well-known you your`

/** The test accounts of `beak dev`, and what they would be mistaken for. Elsewhere nobody has them, so a program under test asks no stranger. */
const reservedForTests = `always-approves always-approve always-approved always-rejects always-reject always-rejected never-answers
  never-answer approves-in-5s approve-in-5s approves-in-5 asks-for-a-code ask-for-a-code asks-for-code`

const refusedSkeletons = new Set(`${refused} ${reservedForTests}`.split(/\s+/).map(handleSkeleton))

/** Whether nobody may have the handle: it claims to be of the service, looks like a page or a test account, or begins like an id. */
function isRefusedHandle(handle: string): boolean {
  const [first = '', ...others] = handle.toUpperCase().split('-')
  const beginsLikeId = others.length > 0 && idPrefixes.includes(first)
  // Who reads "s1gn1n" reads "signin".
  const readings = [handle, handle.replaceAll('1', 'i')]
  return (
    beginsLikeId ||
    claimsService(handle) ||
    readings.some((reading) => refusedSkeletons.has(handleSkeleton(reading)))
  )
}

/** A handle that somebody wants to have. */
export const newHandle = handleField.refine((handle) => !isRefusedHandle(handle), {
  error: m.field_handle_reserved,
})

/** Returns the same text for all handles that look alike. Hyphens do not count. It is stored: another result needs a migration. */
export function handleSkeleton(handle: string): string {
  return handle.replace(/[-0159dmw]/g, (character) => lookingAlike[character] ?? character)
}

/** Whom a command names: the id of a duckling, or a handle with `@`. */
export const ducklingRef = z
  .string()
  .overwrite(readPersonRef)
  .regex(new RegExp(`^(?:${idPattern('duckling')}|@${form})$`), {
    error: m.field_duckling_or_handle_format,
  })
  // Without the pattern, which accepts more than the pattern of the last release: clients that check it go on as before.
  .meta({ pattern: undefined, description: 'The id of the person, or `@` and the handle.' })

/** Whom a request for permission names: also with the reference of a search (`lib/domain/handles/holder.ts`). */
export const askedRef = z
  .string()
  .overwrite(readPersonRef)
  .regex(
    new RegExp(`^(?:${idPattern('duckling')}|@${form}|found_[A-Za-z0-9_-]{40,200})$`),
    'must be a duckling_id, like DUCK-01JDAB…, or a handle, like @mallard',
  )
  .meta({
    pattern: undefined,
    description: 'The id of the person, `@` and the handle, or `to` of POST /beak/spaceducks/find.',
  })

/** Returns the handle of a reference in small letters, or null when the reference is an id. */
export function handleIn(ref: string): string | null {
  return ref.startsWith('@') ? ref.slice(1).toLowerCase() : null
}
