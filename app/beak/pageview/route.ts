import { z } from 'zod'
import { recordPageView } from '@/lib/domain/platform/record-page-view'
import { pageAddress, referrer } from '@/lib/domain/platform/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  summary: 'Record a page view',
  description:
    'Keeps the page and where the reader came from, both without query string and fragment, and nothing else.',
  auth: 'none',
  limit: 'pageview',
  body: z.strictObject({ page: pageAddress, referrer: referrer.optional() }),
  response: z.object({ success: z.literal(true) }),
  handle: async (context, { body }) => {
    await recordPageView(context, body.page, body.referrer)
    return { success: true as const }
  },
})
