import { api } from '@/app/_web/api'
import { answerJson, sameOriginRoute } from '@/app/_web/download'

/** Returns the signed head of the viewer's log, for the check of the log in the browser. */
export const GET = sameOriginRoute(async () => {
  return answerJson(await api('GET /beak/audit/head'))
})
