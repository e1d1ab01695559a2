import { z } from 'zod'
import { undoDecision } from '@/lib/domain/pecks/request/undo-decision'
import { Peck, peckId } from '@/lib/domain/pecks/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'undoDecision',
  summary: 'Undo a decision',
  description:
    'Takes back a rejection that you made with `undo_seconds`, until `undo_until`: the peck waits for your answer again, and nobody else learns of it. Or takes back an approval that you gave in the last 30 seconds: the permission is revoked, and a new peck with the same content and the same end waits for your answer (`superseded_by`). A permission that was used is revoked if it is still active, and is not asked again. After that time, use `POST /beak/peck/revoke`.',
  remarks: [
    'In the last second before `undo_until`, and afterwards, the answer is 409 with `current_status: "rejected"`. Only the log of the target has `peck.undone`. Of simultaneous calls that take back a rejection, one succeeds.',
    'An approval: `peck.revoked` has the cause `undone`, and the new peck has the content, the demands, the risk and the `expires_at` of the old one, in the same transaction. `superseded_by` and `supersedes` link the two for both sides and for nobody else. The streams of both sides tell of both pecks, and `peck.revoked`, in both logs and as a webhook, names the new one. No rule answers the new peck, and approving it needs the same proof as before. The approval counts in no history, so an asker of whom nothing else was approved is unknown again, and `completed_pecks` goes down. It costs the asker nothing: no limit counts or refuses it. Nothing announces it, and a mail that was still to come about the old peck is about the new one. An identical request that the asker has sent meanwhile takes its place, and a later one is `repeated` with the new peck. A replayed answer (`Idempotency-Key`) still names the old peck.',
    'Of an undo and uses at the same time, either the use counts or the permission was never used. A permission that is used up is 409 (`grant_not_active`). A peck whose `expires_at` has passed does not come back. If you have blocked the asker meanwhile, the new peck is hidden. A second call returns the same. A pending peck without such a rejection, an approval by a rule, and an approval after the 30 seconds are 409 (`nothing_to_undo`).',
    'A program that waits follows `superseded_by` while `uses` is 0: both clients and the MCP tools do. One that has the permission already learns of the undo from its next use or from the webhook.',
  ],
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({ peck_id: peckId }),
  response: Peck,
  failures: ['peck_not_found', 'not_the_target', 'peck_not_pending', 'nothing_to_undo', 'grant_not_active'],
  attempt: 'peck.undone',
  handle: (context, { body }) => undoDecision(context, body.peck_id),
})
