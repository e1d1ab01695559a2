import type { Params } from '@beak/decision/params'
import { type RiskReason, riskLevels, riskRules } from '@beak/decision/risk/levels'
import { type Novelty, noveltyRules } from '@beak/decision/risk/novelty'
import { type Risk, riskOf } from '@beak/decision/risk/rules'
import { englishText, say, type Wording } from '@beak/decision/wording'
import { z } from 'zod'
import { WordingField } from '@/lib/domain/pecks/display/schema'
import type { PeckRow } from '../rows'

/** The risk of a peck in wire form. */
export const PeckRisk = z
  .object({
    level: z.enum(riskLevels),
    reasons: z.array(
      z.object({
        rule: z.enum(riskRules),
        level: z.enum(riskLevels),
        text: z.string().meta({ description: 'One or two sentences of the service.' }),
        wording: WordingField,
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
          wording: WordingField,
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

/** A reason or a new fact with its English text. Rows of older versions have no wording. */
type WithText<Part extends { wording: Wording }> = Omit<Part, 'wording'> & { text: string; wording?: Wording }

export interface StoredRisk {
  level: Risk['level']
  reasons: WithText<RiskReason>[]
  novelty: WithText<Novelty>[]
}

/** As they are stored together. In rows of older versions, facts have a level. */
type Stored = StoredRisk['reasons'][number] | StoredRisk['novelty'][number]

const isNovelty = (stored: Stored): stored is WithText<Novelty> =>
  (noveltyRules as readonly string[]).includes(stored.rule)

/** Adds the English text, which answers of the API have. */
export const withText = <Part extends { wording: Wording }>(part: Part): Part & { text: string } => ({
  ...part,
  text: englishText(part.wording),
})

const withTexts = ({ level, reasons, novelty }: Risk): StoredRisk => ({
  level,
  reasons: reasons.map(withText),
  novelty: novelty.map(withText),
})

/**
 * Returns the text to store with a peck. It has the English texts as well, because an older version that runs beside this one shows them as they
 * stand. Since the wording is in the same column, the older version cannot change one of both alone.
 */
export const riskText = (risk: Risk | StoredRisk): string =>
  JSON.stringify([...risk.reasons, ...risk.novelty].map((part) => ('text' in part ? part : withText(part))))

/** Whether the target has not approved anything of the asker. */
export const isFirstContact = ({ novelty }: StoredRisk): boolean =>
  novelty.some(({ rule }) => rule === 'first_time_asker')

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
): StoredRisk {
  const { riskLevel: level, riskReasons: reasons, action, scope } = peck
  if (level !== null && reasons !== null) {
    const stored = JSON.parse(reasons) as Stored[]
    return {
      level,
      reasons: stored.filter((entry) => !isNovelty(entry)),
      novelty: stored.filter(isNovelty).map(({ rule, text, wording }) => ({ rule, text, wording })),
    }
  }
  return withTexts(riskOf({ action, scope, params: JSON.parse(peck.params) as Params, history: null }))
}

/** Not among the stored facts: an older version that runs beside this one could not read it there. */
const invited: Novelty = { rule: 'invited', wording: say('invited') }

/** Returns the stored risk as the target sees it: also whether the asker used an invitation. */
export function shownRisk(
  peck: Parameters<typeof storedRisk>[0] & Pick<PeckRow, 'invitationId'>,
): StoredRisk {
  const risk = storedRisk(peck)
  return peck.invitationId === null ? risk : { ...risk, novelty: [...risk.novelty, withText(invited)] }
}
