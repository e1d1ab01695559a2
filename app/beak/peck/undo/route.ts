import { z } from 'zod'
import { undoRejection } from '@/lib/domain/pecks/decide/held-rejections'
import { Peck, peckId } from '@/lib/domain/pecks/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'undoRejection',
  summary: 'Undo a rejection',
  description:
    'Takes back a rejection that you made with `undo_seconds`, until `undo_until`. The peck waits for your answer again. Nobody else learns of it. An approval is revoked instead, with `POST /beak/peck/revoke`.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({ peck_id: peckId }),
  response: Peck,
  failures: ['peck_not_found', 'not_the_target', 'peck_not_pending', 'nothing_to_undo'],
  attempt: 'peck.undone',
  handle: (context, { body }) => undoRejection(context, body.peck_id),
})
