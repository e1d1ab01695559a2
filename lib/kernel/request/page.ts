/**
 * Lists: `{ items, next_cursor }`, newest first, by keyset. A cursor contains the key of the last item, so every page
 * costs the same, and items that are added meanwhile do not repeat or hide others.
 */
import { z } from 'zod'
import { seal, unseal } from '@/lib/kernel/secrets/secrets'
import { wholeNumber } from './fields'

export interface PageRequest {
  limit: number
  /** Key of the last item of the previous page. Null for the first page. */
  after: string | null
}

export interface Page<T> {
  items: T[]
  next_cursor: string | null
}

/** Encodes the key of the last item in a cursor. */
export interface CursorForm {
  encode(key: string): Buffer
  /** Throws for bytes that `encode` did not make, or returns a text that is not a key. */
  decode(bytes: Buffer): string
}

/** Not encrypted: for lists that show their keys anyway. */
const plainCursor: CursorForm = {
  encode: (key) => Buffer.from(key, 'utf8'),
  decode: (bytes) => bytes.toString('utf8'),
}

/** Encrypted: for lists that hide their keys. `label` prevents the use of a cursor in another list. */
export function sealedCursor(label: string): CursorForm {
  return {
    encode: (key) => seal(Buffer.from(key, 'utf8'), `cursor:${label}`),
    decode: (bytes) => unseal(bytes, `cursor:${label}`).toString('utf8'),
  }
}

/** Returns the key in a cursor, or null when `form` did not make the text. */
function keyIn(text: string, form: CursorForm): string | null {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.toString('base64url') !== text) return null
  try {
    const key = form.decode(bytes)
    return /^k[A-Z0-9-]{1,100}$/.test(key) ? key.slice(1) : null
  } catch {
    return null
  }
}

function cursor(form: CursorForm) {
  return z
    .string()
    .max(200)
    .transform((text, context) => {
      const key = keyIn(text, form)
      if (key !== null) return key
      context.addIssue({ code: 'custom', message: 'must be the next_cursor of an earlier response' })
      return z.NEVER
    })
}

/** Query parameters `limit` and `cursor`. A limit above `most` becomes `most`. */
export function pageQuery(defaultLimit = 20, most = 100, form = plainCursor) {
  return {
    limit: z
      .string()
      .regex(/^\d+$/, 'must be a whole number')
      .transform(Number)
      .refine((value) => value >= 1, 'must be at least 1')
      .transform((value) => Math.min(value, most))
      .default(defaultLimit)
      .meta({ ...wholeNumber, minimum: 1, description: `How many items, at most ${most}.` }),
    cursor: cursor(form).optional(),
  }
}

export function pageRequest(query: { limit: number; cursor?: string | undefined }): PageRequest {
  return { limit: query.limit, after: query.cursor ?? null }
}

/**
 * Builds a page from `limit + 1` rows. The extra row only shows that another page exists. `keyOf` returns the key for the
 * cursor: an id or a number.
 */
export function pageOf<Row, Item>(
  rows: Row[],
  request: PageRequest,
  keyOf: (row: Row) => string,
  present: (row: Row) => Item,
  form = plainCursor,
): Page<Item> {
  const shown = rows.slice(0, request.limit)
  const last = shown.at(-1)
  const more = rows.length > request.limit && last !== undefined
  return {
    items: shown.map(present),
    next_cursor: more ? form.encode(`k${keyOf(last)}`).toString('base64url') : null,
  }
}

/** The response schema of a list. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), next_cursor: z.string().nullable() })
}
