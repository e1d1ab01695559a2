import { z } from 'zod'
import { linkToken } from '@/lib/domain/identity/schema'
import { Undone, undoEmailChange } from '@/lib/domain/identity/undo-email-change'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'undoEmailChange',
  summary: 'Undo a change of your email address',
  description:
    '`token` is the token of the link that was mailed to the old address. It works once, for 7 days. The account gets the old address back. Every session and known device ends. What any session made since the change, or the session that changed the address made before, no longer works: passkeys, permissions, requests, sign-on tokens and rotated keys are removed, agents are suspended and webhooks disabled. `POST /beak/agent/resume` and `POST /beak/webhook/update` bring single ones back, with a recent proof. The event `duckling.email_restored` lists everything. Links that undo later changes become invalid. When a passkey that the account had a day before confirmed the change, the undo waits for 24 hours (`restores_at`), and POST /beak/email-change/undo/cancel with such a passkey cancels it.',
  auth: 'none',
  limit: 'signin',
  idempotencyKey: true,
  body: z.strictObject({ token: linkToken }),
  response: Undone,
  failures: ['link_invalid'],
  handle: (context, { body }) => undoEmailChange(context, body.token),
})
