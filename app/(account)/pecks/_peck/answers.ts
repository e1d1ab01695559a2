/** What the API answers about pecks. */
import type { ResponseOf } from '@/app/beak/_api/lines'

export type Peck = ResponseOf<'GET /beak/peck/status'>
export type PeckDetails = ResponseOf<'GET /beak/peck/details'>['items'][number]
export type DisplayValue = PeckDetails['display']['values'][number]
