import type { Viewer } from '@/app/_web/viewer'

/** What a decision needs to know about the person who decides. */
export type DecidingViewer = Pick<Viewer, 'duckling_id' | 'require_passkey_for_pecks' | 'trust_tier'> & {
  /** The time zone that the viewer has set. Null: that of the browser. */
  ownZone: string | null
  approver: { origin: string; covers: 'high' | 'all' } | null
}
