/** The channels on which requests reach the viewer. */
import { cache } from 'react'
import { read } from '@/app/_web/page-read'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { kept } from '@/lib/kernel/text/kept-values'

export type Channel = ResponseOf<'GET /beak/channel/list'>['items'][number]
export type Settings = ResponseOf<'GET /beak/notifications'>
export type Risk = Channel['announces'][number]
/** A channel beside mail, as a place where requests are announced. */
export type Place = Pick<Channel, 'channel_id' | 'name' | 'announces'>

export const readChannels = cache(
  async (): Promise<Channel[]> => (await read('GET /beak/channel/list')).items,
)

/** Returns the names of channels. Those that somebody chose stand between marks, so that no translator changes them. */
export const placeNames = (channels: Channel[]): string =>
  channels.map(({ kind, name }) => (kind === 'mail' ? name : kept(name))).join(', ')
