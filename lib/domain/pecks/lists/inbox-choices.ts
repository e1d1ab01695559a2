/** The choices of the filters of the inbox: the askers and the actions of the pecks that wait. */
import { z } from 'zod'
import { db } from '@/lib/db/client'
import { joinRow, leftJoinRow } from '@/lib/db/sql'
import type { PeckRow } from '@/lib/domain/pecks/rows'
import { isolated, personMark } from '@/lib/kernel/text/person-name'
import { visible } from '@/lib/kernel/text/visible'

/** The most frequent askers and actions, which the answer has as choices of a filter (contract C, Pecks and grants). */
export const choicesMax = 100

export const Facet = z
  .object({ value: z.string(), label: z.string(), count: z.int() })
  .meta({ id: 'InboxFacet' })

/** What the choices need of a peck. */
type Listed = Pick<PeckRow, 'id' | 'askerId' | 'action'>

/** A choice without its label. */
export type ChoiceCount = Omit<z.input<typeof Facet>, 'label'>

/** Counts the rows by their asker or action: the most frequent first, and then the `chosen` one if it is rarer and there. */
export function countChoices(
  rows: Listed[],
  column: 'askerId' | 'action',
  chosen: string | undefined,
): ChoiceCount[] {
  const found = new Map<string, ChoiceCount>()
  for (const { [column]: value } of rows) {
    const choice = found.get(value)
    if (choice === undefined) found.set(value, { value, count: 1 })
    else choice.count += 1
  }
  return [...found.values()]
    .sort((left, right) => right.count - left.count)
    .filter(({ value }, index) => index < choicesMax || value === chosen)
}

/** What the label of an asker is made of. */
type AskerNames = Pick<
  PeckRow,
  'askerId' | 'requesterDucklingId' | 'requesterName' | 'requesterFullName' | 'requesterHandle' | 'agentName'
>

/** Reads the names of the askers who have no peck in `shown`: those pecks have the names of their askers. */
export async function readOtherNames(
  rows: Listed[],
  askers: ChoiceCount[],
  shown: Listed[],
): Promise<AskerNames[]> {
  const isShown = new Set(shown.map(({ askerId }) => askerId))
  const newest = new Map<string, string>()
  for (const { id, askerId } of rows) if (!newest.has(askerId)) newest.set(askerId, id)
  const ids = askers.filter(({ value }) => !isShown.has(value)).map(({ value }) => newest.get(value))
  if (ids.length === 0) return []
  return db().rows`
    SELECT p."askerId", p."requesterDucklingId", r."displayName" AS "requesterName", r."fullName" AS "requesterFullName",
      r."handle" AS "requesterHandle", a."name" AS "agentName"
    FROM "Peck" p
    ${joinRow('Duckling', 'r', 'p."requesterDucklingId"')}
    ${leftJoinRow('Agent', 'a', 'p."requesterAgentId"')}
    WHERE p."id" = ANY(${ids}::text[])`
}

/** Returns the choices with the labels of the askers. `named` has a row for each asker, and `targetId` is the target of their pecks. */
export function withLabels(
  askers: ChoiceCount[],
  named: AskerNames[],
  targetId: string,
): z.input<typeof Facet>[] {
  const labels = new Map(named.map((names) => [names.askerId, askerLabel(names, targetId)]))
  return askers.map(({ value, count }) => ({ value, label: labels.get(value) ?? value, count }))
}

/**
 * Returns the name of an asker, for other people with the handle or the end of the id: two askers may have the same name. Each name is
 * isolated by itself, so that an Arabic one does not turn the handle around.
 */
function askerLabel(
  { agentName, requesterFullName, requesterName, requesterHandle, requesterDucklingId }: AskerNames,
  targetId: string,
): string {
  const inLabel = (name: string) => isolated(visible(name))
  const person = inLabel(requesterFullName ?? requesterName)
  const agent = agentName === null ? null : inLabel(agentName)
  if (requesterDucklingId === targetId) return agent ?? person
  const marked = `${person} (${personMark(requesterHandle ?? undefined, requesterDucklingId)})`
  return agent === null ? marked : `${agent}, ${marked}`
}
