/** Exports of accounts, which their owners check and keep. */
import type { Person } from '@/e2e/people'
import type { Export } from '../judges/owner'
import { type Cast, confirm } from './cast'
import { call } from './decide'

export const exportOf = (cast: Cast, { token }: Person): Promise<Export> =>
  call(cast, 'GET /beak/account/export', { token })

let kept: Promise<Export> | null = null

/** Returns the first export of Nadia, which she kept. */
export function keptExport(cast: Cast): Promise<Export> {
  kept ??= confirm(cast).then(() => exportOf(cast, cast.nadia))
  return kept
}
