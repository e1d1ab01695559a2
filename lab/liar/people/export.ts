/** Exports of accounts, which their owners check and keep. */
import type { Person } from '@/e2e/people'
import type { Export } from '../judges/owner'
import { call } from './decide'
import { confirm, type World } from './world'

export const exportOf = (world: World, { token }: Person): Promise<Export> =>
  call(world, 'GET /beak/account/export', { token })

let kept: Promise<Export> | null = null

/** Returns the first export of Nadia, which she kept. */
export function keptExport(world: World): Promise<Export> {
  kept ??= confirm(world).then(() => exportOf(world, world.nadia))
  return kept
}
