/** What the frame of every page shows about the viewer: the header with its navigation, and the banners. */
import { changesToAsk } from '@/app/_web/changes'
import { PageProblem } from '@/app/_web/page-read'
import { findOverview } from '@/app/_web/viewer'

/**
 * Returns a text that changes whenever the frame has to look different. Empty when nobody is signed in, null when the viewer cannot be
 * read.
 */
export async function frameState(): Promise<string | null> {
  try {
    const overview = await findOverview()
    if (overview === null) return ''
    const { profile, known_pecks, recovery, email_undo, rules } = overview
    const { duckling_id, trust_tier, display_name, full_name } = profile
    const { changes, isReported } = await changesToAsk(overview)
    return JSON.stringify([
      duckling_id,
      trust_tier,
      display_name,
      full_name,
      known_pecks,
      recovery?.removes_at ?? null,
      email_undo?.restores_at ?? null,
      changes.map(({ at }) => at),
      isReported,
      rules.living > 0,
      rules.paused_at,
    ])
  } catch (error) {
    if (error instanceof PageProblem) return null
    throw error
  }
}
