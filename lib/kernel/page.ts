/**
 * Lists: `{ items, next_cursor }`, newest first, by keyset (contract A). A cursor is the key of the last item shown, so a
 * page costs the same however deep it is, and items that arrive meanwhile neither repeat nor hide others.
 */
import { z } from 'zod'

export interface PageRequest {
  limit: number
  /** Key of the last item of the page before; null for the first page. */
  after: string | null
}

export interface Page<T> {
  items: T[]
  next_cursor: string | null
}

const cursor = z
  .string()
  .max(200)
  .transform((text, context) => {
    const key = Buffer.from(text, 'base64url').toString('utf8')
    if (Buffer.from(key, 'utf8').toString('base64url') === text && /^k[A-Z0-9-]{1,100}$/.test(key))
      return key.slice(1)
    context.addIssue({ code: 'custom', message: 'must be the next_cursor of an earlier answer' })
    return z.NEVER
  })

/** Query parameters `limit` and `cursor`. Above `most`, a limit is brought down to it. */
export function pageQuery(defaultLimit = 20, most = 100) {
  return {
    limit: z
      .string()
      .regex(/^\d{1,15}$/, 'must be a whole number')
      .transform(Number)
      .refine((value) => value >= 1, 'must be at least 1')
      .transform((value) => Math.min(value, most))
      .default(defaultLimit),
    cursor: cursor.optional(),
  }
}

/** The page asked for by parsed query parameters. */
export function pageRequest(query: { limit: number; cursor?: string | undefined }): PageRequest {
  return { limit: query.limit, after: query.cursor ?? null }
}

/**
 * Makes a page of rows that were read one more than `limit`: the extra row only tells that there are more.
 * `keyOf` gives what the next page continues after: an id or a number.
 */
export function pageOf<Row, Item>(
  rows: Row[],
  request: PageRequest,
  keyOf: (row: Row) => string,
  present: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, request.limit)
  const last = shown.at(-1)
  const more = rows.length > request.limit && last !== undefined
  return {
    items: shown.map(present),
    next_cursor: more ? Buffer.from(`k${keyOf(last)}`, 'utf8').toString('base64url') : null,
  }
}

/** The response schema of a list. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), next_cursor: z.string().nullable() })
}
