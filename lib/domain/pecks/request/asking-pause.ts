/** The pauses after rejections (contract F, Askers). They are computed from the rejected pecks, so a rejection writes nothing more. */

import { testAction } from '@beak/decision/test-request'
import { type Sql, sql } from '@/lib/db/sql'
import { isDueRejectionAt } from '@/lib/domain/pecks/state'
import { day, hour, secondsAfter } from '@/lib/kernel/runtime/clock'

/** A rejection that the target has not lifted. */
export interface Rejection {
  /** Milliseconds since 1970. */
  at: number
  action: string
}

/** Seconds after a rejection during which the same action may not be requested again. */
const actionPauseSeconds = hour
/** From this many rejections in a day on, every action is paused. */
const manyRejections = 3
/** The longest pause of every action: the time in which rejections are counted. */
const pauseSecondsMax = day
/** Rejections that are older cannot count: a pause lasts a day at most, and counts the day before its rejection. */
export const countedSeconds = 2 * day
/** The newest rejections that are read. So many in a day pause for a day, whatever came before. */
const rejectionsMax = 30

export interface AskingPause {
  failure: 'peck_recently_rejected' | 'asker_paused'
  until: Date
}

/** Returns the pause that ends last among those that hold for the action now, or null. */
export function pauseOf(rejections: Rejection[], action: string, now: Date): AskingPause | null {
  const pauses = rejections.flatMap((rejection): AskingPause[] => {
    const at = new Date(rejection.at)
    const sameAction: AskingPause[] =
      actionStem(rejection.action) === actionStem(action)
        ? [{ failure: 'peck_recently_rejected', until: secondsAfter(at, actionPauseSeconds) }]
        : []
    const seconds = pauseSeconds(countBefore(rejections, rejection))
    return seconds === 0
      ? sameAction
      : [...sameAction, { failure: 'asker_paused', until: secondsAfter(at, seconds) }]
  })
  const running = pauses.filter(({ until }) => until > now)
  return running.sort((left, right) => right.until.getTime() - left.until.getTime())[0] ?? null
}

/** Returns when the last pause of any action ends, or null when the asker may ask for everything now. */
export function pauseEnd(rejections: Rejection[], now: Date): Date | null {
  const ends = rejections.flatMap(({ action }) => pauseOf(rejections, action, now)?.until ?? [])
  return ends.sort((left, right) => right.getTime() - left.getTime())[0] ?? null
}

/** Returns the number of rejections in the day that ends with this one, which counts too. */
function countBefore(rejections: Rejection[], { at }: Rejection): number {
  return rejections.filter((other) => other.at <= at && other.at > at - day * 1000).length
}

/** An hour for the third rejection in a day, two for the fourth, and so on. */
function pauseSeconds(count: number): number {
  return count < manyRejections ? 0 : Math.min(pauseSecondsMax, hour * 2 ** (count - manyRejections))
}

/** Actions that differ only in digits and signs count as the same, so that `pay:invoice1` does not dodge the pause of `pay:invoice`. */
function actionStem(action: string): string {
  return action.replace(/[^a-z:]/g, '')
}

/**
 * Selects, as JSON, the newest rejections of an operator and its agents that can cause a pause (`Rejection[]`), also those that the worker has
 * not written yet. A rejection by a rule causes none: the person has rejected nothing.
 */
export function rejectionsOf(requesterId: string, targetId: string, now: Date): Sql {
  const counts = sql`"requesterDucklingId" = ${requesterId} AND "targetDucklingId" = ${targetId} AND "pauseLiftedAt" IS NULL
    AND "action" <> ${testAction}`
  return sql`SELECT coalesce(json_agg(json_build_object('at', (extract(epoch FROM counted."at") * 1000)::bigint, 'action', counted."action")), '[]')
    FROM (
      (SELECT "decidedAt" AS "at", "action" FROM "Peck"
        WHERE ${counts} AND "status" = 'rejected' AND "decidedAt" > ${secondsAfter(now, -countedSeconds)}::timestamptz
          AND NOT "unclear" AND "wouldApprove" IS NULL AND "ruleId" IS NULL
        ORDER BY "decidedAt" DESC LIMIT ${rejectionsMax})
      UNION ALL
      (SELECT "rejectAt", "action" FROM "Peck"
        WHERE ${counts} AND ${isDueRejectionAt(now)}
          AND "heldRejection" ->> 'unclear' = 'false' AND "heldRejection" -> 'wouldApprove' = 'null')
    ) counted`
}
