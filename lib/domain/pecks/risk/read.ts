import { z } from 'zod'
import type { Params } from '../params'
import type { PeckRow } from '../rows'
import { type RiskReason, riskLevels, riskRules } from './levels'
import { type Novelty, noveltyRules } from './novelty'
import { type Risk, riskOf } from './rules'
import { requoted } from './theirs'

/** The risk of a peck in wire form. */
export const PeckRisk = z
  .object({
    level: z.enum(riskLevels),
    reasons: z.array(
      z.object({
        rule: z.enum(riskRules),
        level: z.enum(riskLevels),
        text: z.string().meta({ description: 'One or two sentences of the service.' }),
        unclear: z.literal(true).optional().meta({
          description: 'An amount can be read in two ways. Reject with a reason that asks for a clear one.',
        }),
      }),
    ),
    novelty: z
      .array(
        z.object({
          rule: z.enum(noveltyRules),
          text: z.string().meta({ description: 'One sentence of the service.' }),
        }),
      )
      .meta({
        description: 'What is new about the asker, the action or the values. It does not change the level.',
      }),
  })
  .meta({ id: 'PeckRisk' })

export const riskLevel = z.enum(riskLevels)

/** The columns that the level of a peck needs. The params are needed only without a stored level. */
export interface LevelColumns extends Pick<PeckRow, 'riskLevel' | 'action' | 'scope'> {
  params: string | null
}

/** A reason or a new fact, as they are stored together. Rows of older versions have facts with a level. */
type Stored = RiskReason | Novelty

const isNovelty = (stored: Stored): stored is Novelty =>
  (noveltyRules as readonly string[]).includes(stored.rule)

/** Returns the text to store with a peck. */
export const riskText = ({ reasons, novelty }: Risk): string => JSON.stringify([...reasons, ...novelty])

/** Whether the target has not approved anything of the asker. */
export const isFirstContact = ({ novelty }: Risk): boolean =>
  novelty.some(({ rule }) => rule === 'first_time_asker')

/** Returns the level of `storedRisk`, without reading the reasons. */
export function storedLevel({ riskLevel: level, action, scope, params }: LevelColumns): Risk['level'] {
  return level ?? riskOf({ action, scope, params: JSON.parse(params ?? '{}') as Params, history: null }).level
}

/**
 * Returns the risk that was stored when the peck was sent. A peck that is older than the column has the risk of its action and params, without
 * the rules about the asker. Words of the asker are quoted anew.
 */
export function storedRisk(
  peck: Pick<PeckRow, 'riskLevel' | 'riskReasons' | 'action' | 'scope' | 'params'>,
): Risk {
  const { riskLevel: level, riskReasons: reasons, action, scope } = peck
  if (level !== null && reasons !== null) {
    const stored = JSON.parse(reasons) as Stored[]
    return {
      level,
      reasons: stored
        .filter((entry) => !isNovelty(entry))
        .map((reason) => ({ ...reason, text: requoted(reason.rule, reason.text) })),
      novelty: stored.filter(isNovelty).map(({ rule, text }) => ({ rule, text })),
    }
  }
  return riskOf({ action, scope, params: JSON.parse(peck.params) as Params, history: null })
}

/** Not among the stored facts: an older version that runs beside this one could not read it there. */
const invited: Novelty = { rule: 'invited', text: 'They asked with an invitation link of yours.' }

/** Returns the stored risk as the target sees it: also whether the asker used an invitation. */
export function shownRisk(peck: Parameters<typeof storedRisk>[0] & Pick<PeckRow, 'invitationId'>): Risk {
  const risk = storedRisk(peck)
  return peck.invitationId === null ? risk : { ...risk, novelty: [...risk.novelty, invited] }
}
