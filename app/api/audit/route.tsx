import { api } from '@/app/_web/api'
import { answerJson, sameOriginRoute } from '@/app/_web/download'

/** Returns a page of a thousand events of the viewer's log, for the check of the log in the browser. */
export const GET = sameOriginRoute(async (request) => {
  const cursor = new URL(request.url).searchParams.get('cursor') ?? undefined
  return answerJson(await api('GET /beak/audit', { query: { limit: '1000', cursor } }))
})
