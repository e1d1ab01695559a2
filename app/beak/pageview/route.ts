import { z } from 'zod'
import { recordPageView } from '@/lib/domain/metrics/record-days'
import { pageAddress, referrer } from '@/lib/domain/metrics/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'recordPageview',
  summary: 'Record a page view',
  description: 'Stores only the page and the referrer, both without query string and fragment.',
  auth: 'none',
  limit: 'pageview',
  body: z.strictObject({ page: pageAddress, referrer: referrer.optional() }),
  response: z.object({ success: z.literal(true) }),
  handle: async (context, { body }) => {
    await recordPageView(context, body.page, body.referrer)
    return { success: true as const }
  },
})
