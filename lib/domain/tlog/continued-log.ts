/** The old log of a log that goes on under a new name. */
import { parseCheckpoint } from '@beak/client/verify/log/checkpoint'
import { parseNote } from '@beak/client/verify/log/note'

export interface ContinuedLog {
  /** The name of the old log. */
  origin: string
  /** Its last known checkpoint, as a signed note. */
  checkpoint: string
  /** When the new log began. */
  at: Date
}

/** Returns the old log of a checkpoint whose log continues another one, or null. */
export function continuedLog(found: {
  continued: string | null
  continuedAt: Date | null
}): ContinuedLog | null {
  const { continued, continuedAt } = found
  const parsed = continued === null ? null : parseNote(continued)
  const old = parsed && parseCheckpoint(parsed.text)
  if (continued === null || continuedAt === null || old === null) return null
  return { origin: old.origin, checkpoint: continued, at: continuedAt }
}
