import { api } from '@/app/_web/api'
import { answerJson } from '@/app/_web/download'
import { forOwnPages } from '@/app/_web/own-pages'

/** Returns the signed head of the viewer's log, for the check of the log in the browser. */
export const GET = forOwnPages(async () => {
  return answerJson(await api('GET /beak/audit/head'))
})
