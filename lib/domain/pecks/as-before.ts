/**
 * "As before": the target has approved the same of the same asker several times. Such a request may be approved together with others of its kind.
 * What the same is, is decided over all params (contract F, As before), and again in the transaction that approves.
 */

import { dateParts, isDay } from '@beak/decision/display/date'
import { displayOf } from '@beak/decision/display/display'
import { type Money, minorMoney, moneyIn } from '@beak/decision/display/money'
import { besideOf } from '@beak/decision/display/value'
import { permitsNothing } from '@beak/decision/free-text'
import { moneyNameOf } from '@beak/decision/money-names'
import type { Params } from '@beak/decision/params'
import { contentOf } from '@beak/decision/risk/content'
import { z } from 'zod'
import type { Tx } from '@/lib/db/client'
import { instant } from '@/lib/kernel/request/fields'
import { day, secondsAfter } from '@/lib/kernel/runtime/clock'
import { paramsText } from './params'
import { firstLineOf, isLikeness } from './risk/first-line'
import { storedLevel, storedRisk } from './risk/read'
import type { PeckRow } from './rows'

export const AsBefore = z
  .object({
    count: z.int().meta({ description: 'How often you approved the same in the last 90 days, at most 20.' }),
    last_approved_at: instant,
    largest: z.object({ amount: z.number(), currency: z.string().nullable() }).optional().meta({
      description: 'The largest amount of these, when the request has an amount. Its own is at most this.',
    }),
  })
  .meta({ id: 'AsBefore' })

export type AsBeforeInput = z.input<typeof AsBefore>

/** Shared by the inbox and the details of a peck. */
export const asBeforeMeta = {
  description:
    'For the target only: you approved the same of this asker at least three times in the last 90 days, and no amount is larger. Null: not, or the risk is high.',
}

const daysBefore = 90
const leastCount = 3
/** Of an asker and an action so many of the newest approvals are looked at, among so many of the newest requests of the asker. */
const approvalsMax = 20
const requestsMax = 200
/** Requests with more params are never as before. So a page of the inbox reads a limited amount. */
const paramsMax = 2000

/** The columns that decide what the same is. All but the params must be equal. */
type Compared = Pick<
  PeckRow,
  'scope' | 'params' | 'paramTypes' | 'audience' | 'message' | 'grantSeconds' | 'createdAt'
>

/** What of a request may differ: amounts, and days, counted from the day of the request. By the names of the params. */
interface Shape {
  /** What must be equal, as one text. */
  same: string
  amounts: Map<string, Money>
  days: Map<string, number>
}

const dayNumber = (at: string | Date): number => Math.floor(new Date(at).getTime() / (day * 1000))

function amountOf(name: string, value: unknown, params: Params): Money | null {
  const beside = besideOf(params)
  const minor = minorMoney(name, value, beside)
  const money =
    minor === null
      ? moneyIn(value, moneyNameOf(name) === 'amount', beside.currency)
      : minor === 'unclear'
        ? null
        : minor
  return money === null || money.amount < 0 ? null : money
}

/** An amount in cents is another form than one in euros, and a text another than a number. */
const formOf = (value: unknown) =>
  typeof value === 'object' ? Object.entries(value ?? {}).filter(([name]) => name !== 'amount') : typeof value

/** Returns the form of a text that is a day or a time, or null. Another zone or exactness is another form. */
function dateForm(value: unknown): { form: string; date: string } | null {
  if (typeof value !== 'string') return null
  if (isDay(value)) return { form: 'day', date: value }
  const parts = dateParts(value)
  return parts === null ? null : { form: `time ${parts.zone ?? ''}`, date: parts.date }
}

/** Returns what of a request must be equal, and what may differ. Names and values are compared as they were sent: another spelling is another value. */
function shapeOf({ params: text, createdAt, ...columns }: Compared): Shape {
  const params = JSON.parse(text) as Params
  const amounts = new Map<string, Money>()
  const days = new Map<string, number>()
  const parts = Object.entries(params).map(([name, value]) => {
    const money = amountOf(name, value, params)
    if (money !== null) {
      amounts.set(name, money)
      return [name, 'amount', money.currency, formOf(value)]
    }
    const date = dateForm(value)
    if (date === null) return [name, 'value', paramsText({ value })]
    days.set(name, dayNumber(date.date) - dayNumber(createdAt))
    return [name, 'date', date.form]
  })
  const { scope, paramTypes, audience, message, grantSeconds } = columns
  return {
    same: JSON.stringify([scope, paramTypes, audience, message, grantSeconds, parts]),
    amounts,
    days,
  }
}

/** An approval that a person gave, of the same target, asker and action. */
export interface Earlier extends Compared {
  decidedAt: Date
}

/**
 * Compares a request with earlier approvals of the same asker and action. Returns null unless enough are the same, the amounts are at most those of
 * one of them, and a day is as far from the day of the request as in one of them with such amounts, or between two; several days are as in one of
 * them. So nothing grows by repetition.
 */
export function compareWith(peck: Compared, earlier: Earlier[]): AsBeforeInput | null {
  const shape = shapeOf(peck)
  const alike = earlier
    .map((one) => ({ ...shapeOf(one), decidedAt: one.decidedAt }))
    .filter(({ same }) => same === shape.same)
  if (alike.length < leastCount) return null
  const largestOf = (name: string) => Math.max(...alike.map(({ amounts }) => amounts.get(name)?.amount ?? 0))
  // In one and the same approval: the largest of each name, taken from different ones, could come to more than anything that was approved. Only
  // these approvals say how far a day may be: the amount of one with the day of another could pay for a longer time.
  const covering = alike.filter(({ amounts }) =>
    [...shape.amounts].every(([name, { amount }]) => amount <= (amounts.get(name)?.amount ?? 0)),
  )
  const distancesOf = (name: string) => covering.map(({ days }) => days.get(name) ?? 0)
  const isOneDay = shape.days.size === 1
  // Several days as in one approval: the first of one and the last of another could be a longer time than any that was approved.
  const isNear = isOneDay
    ? [...shape.days].every(
        ([name, distance]) =>
          distance <= Math.max(...distancesOf(name)) && distance >= Math.min(...distancesOf(name)),
      )
    : covering.some(({ days }) => [...shape.days].every(([name, distance]) => days.get(name) === distance))
  if (covering.length === 0 || !isNear) return null
  const [main] = [...shape.amounts].sort(([left], [right]) => largestOf(right) - largestOf(left))
  return {
    count: alike.length,
    last_approved_at: new Date(Math.max(...alike.map(({ decidedAt }) => decidedAt.getTime()))),
    ...(main === undefined ? {} : { largest: { amount: largestOf(main[0]), currency: main[1].currency } }),
  }
}

/** Whether a request can be as before at all: of low or medium risk, answered with a session alone, without anything hidden, secret or unclear. */
function mayBeAsBefore(peck: PeckRow): boolean {
  if (permitsNothing(peck.action) || peck.params.length > paramsMax || storedLevel(peck) === 'high')
    return false
  if (peck.scope === 'standing' || peck.requireSigned) return false
  const risk = storedRisk(peck)
  // Somebody else may have the new key.
  if (risk.novelty.some(({ rule }) => rule === 'new_key')) return false
  const line = firstLineOf(peck, risk, false)
  return line === null || !isLikeness(line)
}

function isPlain(peck: PeckRow): boolean {
  const { secret, isHidden, hasUnclearAmount, mentionsSecret } = contentOf(JSON.parse(peck.params) as Params)
  const { values } = displayOf(peck)
  const isWarned = values.some(({ warning, type }) => warning !== undefined || type === 'secret')
  return secret === null && !isHidden && !hasUnclearAmount && !mentionsSecret && !isWarned
}

type EarlierRow = Earlier & Pick<PeckRow, 'askerId' | 'action'>

const keyOf = ({ askerId, action }: Pick<PeckRow, 'askerId' | 'action'>) => `${askerId} ${action}`

/**
 * Returns which of the pecks of a target are as before, by id. One statement, which reads the newest approvals of each asker and action that a
 * person gave: no rule gave them, nobody has taken them back, and the permission lasted as long as was asked.
 */
export async function asBeforeOf(
  tx: Tx,
  targetDucklingId: string,
  pecks: PeckRow[],
  now: Date,
): Promise<Map<string, AsBeforeInput>> {
  const candidates = pecks.filter(mayBeAsBefore)
  const pairs = new Map(candidates.map((peck) => [keyOf(peck), peck]))
  if (pairs.size === 0) return new Map()
  const askers = [...pairs.values()].map(({ askerId }) => askerId)
  const actions = [...pairs.values()].map(({ action }) => action)
  const since = secondsAfter(now, -daysBefore * day)
  const rows = await tx.rows<EarlierRow>`
    SELECT pair."askerId", pair."action", e."scope", e."params", e."paramTypes", e."audience", e."message", e."grantSeconds", e."createdAt", e."decidedAt"
    FROM unnest(${askers}::text[], ${actions}::text[]) AS pair("askerId", "action")
    JOIN "AskerHistory" h ON h."targetDucklingId" = ${targetDucklingId} AND h."askerId" = pair."askerId" AND h."action" = pair."action"
      AND h."approved" - h."approvedByRule" >= ${leastCount} AND h."approvedAt" > ${since}::timestamptz
    CROSS JOIN LATERAL (
      SELECT newest.* FROM (SELECT * FROM "Peck" WHERE "targetDucklingId" = ${targetDucklingId} AND "askerId" = pair."askerId"
        ORDER BY "id" DESC LIMIT ${requestsMax}) newest
      WHERE newest."action" = pair."action" AND newest."status" = 'approved' AND newest."ruleId" IS NULL AND NOT newest."undone"
        AND newest."grantRevokedAt" IS NULL
        AND newest."grantExpiresAt" >= newest."decidedAt" + newest."grantSeconds" * interval '1 second'
        AND newest."decidedAt" > ${since}::timestamptz AND octet_length(newest."params") <= ${paramsMax}
      ORDER BY newest."id" DESC LIMIT ${approvalsMax}) e`
  const earlier = new Map<string, EarlierRow[]>()
  for (const row of rows) earlier.set(keyOf(row), [...(earlier.get(keyOf(row)) ?? []), row])
  const found = new Map<string, AsBeforeInput>()
  for (const peck of candidates) {
    const before = compareWith(peck, earlier.get(keyOf(peck)) ?? [])
    if (before !== null && isPlain(peck)) found.set(peck.id, before)
  }
  return found
}
