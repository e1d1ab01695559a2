/**
 * The line that a person reads first about a request: on the decision page, in lists, mails and messages on channels alike. So an impostor is unmasked wherever the request is seen.
 */

import { type RiskRule, riskRules } from '@beak/decision/risk/levels'
import { noveltyRules } from '@beak/decision/risk/novelty'
import { z } from 'zod'
import { WordingField } from '@/lib/domain/pecks/display/schema'
import type { PeckRow } from '@/lib/domain/pecks/rows'
import type { StoredRisk } from './read'

export const FirstLine = z
  .object({
    rule: z.enum([...riskRules, ...noveltyRules]),
    text: z.string().meta({ description: 'One or two sentences of the service.' }),
    wording: WordingField,
  })
  .meta({ id: 'FirstLine' })

export type FirstLineInput = z.input<typeof FirstLine>

/** Shared by the inbox and the details of a peck. */
export const firstLineMeta = {
  description:
    'For the target only: what to read first. Whom an unknown asker looks like, else why the risk is high, else that somebody asks for the first time, else the first reason of the risk.',
}

const likenessRules: readonly RiskRule[] = ['same_name', 'look_alike']

/**
 * Returns the first line of a peck, or null when nothing is to say. `isUnknown`: the target has approved nothing of the asker so far. The first request
 * of one's own agent is no news.
 */
export function firstLineOf(
  peck: Pick<PeckRow, 'requesterDucklingId' | 'targetDucklingId'>,
  { level, reasons, novelty }: StoredRisk,
  isUnknown: boolean,
): FirstLineInput | null {
  const isStranger = isUnknown && peck.requesterDucklingId !== peck.targetDucklingId
  const [reason = null] = reasons
  const fact = (rule: FirstLineInput['rule']) =>
    isStranger ? (novelty.find((one) => one.rule === rule) ?? null) : null
  const likeness = reasons.find(({ rule }) => likenessRules.includes(rule)) ?? fact('other_agent')
  const first = likeness ?? (level === 'high' ? reason : null) ?? fact('first_time_asker') ?? reason
  return first === null ? null : { rule: first.rule, text: first.text, wording: first.wording }
}

/** Whether a first line says whom the asker looks like. It has names, and no values of the request. */
export const isLikeness = ({ rule }: FirstLineInput): boolean =>
  rule === 'other_agent' || likenessRules.some((one) => one === rule)
