/** The check of the values in a receipt: each belongs to a salted hash in the statement. Values can be left out. */
import { type DecisionStatement, displayDigest, paramDigest } from './decision-statement'
import { type ReceiptValues, Shown } from './outcome-schema'
import { Refusal } from './refusal'

export interface DisclosedValues {
  /** In the order of the receipt. */
  params: { name: string; value: unknown }[]
  /** How many params the receipt keeps to itself. */
  hiddenParams: number
  /** What the page displayed to the person who decided. Null when the receipt keeps it to itself. */
  shown: Shown | null
}

/** Checks the values that are there. Throws `Refusal`. */
export function checkValues(
  values: ReceiptValues | undefined,
  statement: DecisionStatement,
): DisclosedValues {
  const { params = [], display } = values ?? {}
  const hidden = new Set(statement.params)
  const names = new Set<string>()
  for (const { salt, name, value } of params) {
    if (names.has(name)) throw new Refusal('values', `The receipt has two values for ${quoted(name)}.`)
    names.add(name)
    if (!hidden.delete(hashed(() => paramDigest(salt, name, value))))
      throw new Refusal('values', `The value of ${quoted(name)} is not the value in the statement.`)
  }
  return {
    params: params.map(({ name, value }) => ({ name, value })),
    hiddenParams: hidden.size,
    shown: display === undefined ? null : readShown(display, statement),
  }
}

function readShown(
  { salt, shown }: NonNullable<ReceiptValues['display']>,
  { display }: DecisionStatement,
): Shown {
  if (hashed(() => displayDigest(salt, shown)) !== display.hash)
    throw new Refusal('values', 'The page displayed something else than the receipt says.')
  const { success, data } = Shown.safeParse(shown)
  if (!success || data.version !== display.version)
    throw new Refusal('values', 'What the page displayed cannot be read.')
  return data
}

/** Values that have no canonical form, such as half a character, have no hash. */
function hashed(digest: () => string): string {
  try {
    return digest()
  } catch {
    return ''
  }
}

const quoted = (name: string) => JSON.stringify(name.slice(0, 64))
