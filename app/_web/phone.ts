/** What the pages read for "Get requests on this phone". */
import { api } from './api'

/** Returns the ids of the viewer's push channels, or null when they cannot be read. */
async function pushChannels(): Promise<string[] | null> {
  const list = await api('GET /beak/channel/list')
  if (!list.ok) return null
  return list.data.items.flatMap(({ kind, channel_id }) => (kind === 'push' ? [channel_id] : []))
}

/**
 * Whether now is the moment to offer it: no browser gets push messages yet, and requests come, because the viewer has answered one or an
 * agent of the viewer is bonded. A refused read counts as no.
 */
export async function isMomentForPhone(): Promise<boolean> {
  if ((await pushChannels())?.length !== 0) return false
  const answered = await api('GET /beak/peck/history', {
    query: { direction: 'received', status: 'over', limit: '1' },
  })
  if (answered.ok && answered.data.items.length > 0) return true
  const agents = await api('GET /beak/agent/list', { query: { limit: '100' } })
  return agents.ok && agents.data.items.some(({ status }) => status === 'bonded')
}
