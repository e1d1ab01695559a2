import { z } from 'zod'
import { undoDecision } from '@/lib/domain/pecks/request/undo-decision'
import { Peck, peckId } from '@/lib/domain/pecks/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'undoDecision',
  summary: 'Undo a decision',
  description:
    'Takes back a rejection that you made with `undo_seconds`, until `undo_until`: the peck waits for your answer again, and nobody else learns of it. Or takes back an approval that you gave in the last 30 seconds: the permission is revoked, and a new peck with the same content and the same end waits for your answer (`superseded_by`). A permission that was used is revoked if it is still active, and is not asked again. After that time, use `POST /beak/peck/revoke`.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({ peck_id: peckId }),
  response: Peck,
  failures: ['peck_not_found', 'not_the_target', 'peck_not_pending', 'nothing_to_undo', 'grant_not_active'],
  attempt: 'peck.undone',
  handle: (context, { body }) => undoDecision(context, body.peck_id),
})
