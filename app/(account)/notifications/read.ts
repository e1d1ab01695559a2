/** The channels on which requests reach the viewer. */
import { cache } from 'react'
import { read } from '@/app/_web/page-read'
import type { ResponseOf } from '@/app/beak/_api/lines'

export type Channel = ResponseOf<'GET /beak/channel/list'>['items'][number]
export type Settings = ResponseOf<'GET /beak/notifications'>
export type Risk = Channel['announces'][number]

export const readChannels = cache(
  async (): Promise<Channel[]> => (await read('GET /beak/channel/list')).items,
)
