/** The service as programs and sites reach it, for tests. */
import { call } from '@/app/beak/_api/call'
import { serve } from '@/app/beak/_api/serve'
import { table } from '@/app/beak/_api/table'
import { answerMcp } from '@/app/mcp/_server/answer'
import { type Doors, openDoors } from '@/lib/fixtures/programs'
import { answerOAuth } from './_server/listener'

/** Opens the authorization server, the MCP server and the API of this process. */
export const openOwnDoors = (): Promise<Doors> =>
  openDoors({ answerOAuth, answerMcp, answerApi: serve(table), call })
