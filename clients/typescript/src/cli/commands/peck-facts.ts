/** What the command says about a peck besides its columns. */
import type { DisplayValue, PeckRisk } from '../../generated/schemas'
import { Exit } from '../exit'
import type { Session } from '../session'

/** The service answers for at most this many pecks. */
const batchSize = 100

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
      const value = display.values.find(({ decides }) => decides)
      if (value !== undefined) values.set(peck_id, valueText(value))
    }
  }
  return values
}

const valueText = ({ text, warning }: DisplayValue) => (warning === undefined ? text : `${text} (warning)`)

/** Returns the level of a risk, its reasons and what is new. */
export function riskText({ level, reasons, novelty }: PeckRisk): string {
  return [`${level}.`, ...[...reasons, ...novelty].map(({ text }) => text)].join(' ')
}
