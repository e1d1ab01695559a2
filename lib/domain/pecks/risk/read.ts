import { z } from 'zod'
import type { Params } from '../params'
import type { PeckRow } from '../rows'
import { type Risk, riskLevels, riskOf, riskRules } from './rules'

/** The risk of a peck in wire form. */
export const PeckRisk = z
  .object({
    level: z.enum(riskLevels),
    reasons: z.array(
      z.object({
        rule: z.enum(riskRules),
        level: z.enum(riskLevels),
        text: z.string().meta({ description: 'One sentence of the service.' }),
      }),
    ),
  })
  .meta({ id: 'PeckRisk' })

export const riskLevel = z.enum(riskLevels)

/** The columns that the level of a peck needs. The params are needed only without a stored level. */
export interface LevelColumns extends Pick<PeckRow, 'riskLevel' | 'action' | 'scope'> {
  params: string | null
}

/** Returns the level of `storedRisk`, without reading the reasons. */
export function storedLevel({ riskLevel: level, action, scope, params }: LevelColumns): Risk['level'] {
  return level ?? riskOf({ action, scope, params: JSON.parse(params ?? '{}') as Params, history: null }).level
}

/**
 * Returns the risk that was stored when the peck was sent. A peck that is older than the column has the risk of its action and params, without
 * the rules about the asker.
 */
export function storedRisk(
  peck: Pick<PeckRow, 'riskLevel' | 'riskReasons' | 'action' | 'scope' | 'params'>,
): Risk {
  const { riskLevel: level, riskReasons: reasons, action, scope } = peck
  if (level !== null && reasons !== null) return { level, reasons: JSON.parse(reasons) as Risk['reasons'] }
  return riskOf({ action, scope, params: JSON.parse(peck.params) as Params, history: null })
}
