/** What the command says about a peck besides its columns. */
import type { DisplayValue, PeckRisk } from '../../generated/schemas'
import { Exit } from '../exit'
import type { Session } from '../session'

/** The service answers for at most this many pecks. */
const batchSize = 100

/** Money first, then whom it reaches. A secret never decides. */
const order: DisplayValue['type'][] = ['money', 'email', 'diff', 'date', 'url', 'value', 'text']

/** Returns the value that decides most of each peck, by id. The service tells it to people only, so an agent gets none. */
export async function readDecidingValues(
  session: Session,
  pecks: { peck_id: string }[],
): Promise<Map<string, string>> {
  const values = new Map<string, string>()
  const beak = await session.beak('getPeckDetails').catch((error: unknown) => {
    if (error instanceof Exit) return null
    throw error
  })
  if (beak === null) return values
  for (let start = 0; start < pecks.length; start += batchSize) {
    const peck_ids = pecks
      .slice(start, start + batchSize)
      .map(({ peck_id }) => peck_id)
      .join(',')
    for (const { peck_id, display } of (await beak.getPeckDetails({ peck_ids })).items) {
      const value = decidingValue(display.values)
      if (value !== undefined) values.set(peck_id, value.text)
    }
  }
  return values
}

function decidingValue(values: DisplayValue[]): DisplayValue | undefined {
  return order.flatMap((type) => values.filter((value) => value.type === type))[0]
}

/** Returns the level of a risk and its reasons. */
export function riskText({ level, reasons }: PeckRisk): string {
  return [`${level}.`, ...reasons.map(({ text }) => text)].join(' ')
}
