import { ChangedContact, ContactChange, updateContact } from '@/lib/domain/pecks/contacts/contacts'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'updateContact',
  summary: 'Note something about an asker',
  description:
    'Sets your note, or whether the asker may always reach you. With `always`, requests of this agent or person come like those of known askers: into the first list, outside of the budget of strangers, and also below your `min_peck_tier`, from T1 on. A block stays. When your `min_peck_tier` is above T1, setting `always` needs a recent proof of you.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: ContactChange,
  response: ChangedContact,
  failures: ['asker_not_found', 'session_invalid', 'fresh_sign_in_needed', 'fresh_passkey_needed'],
  attempt: 'contact.updated',
  handle: (context, { body }) => updateContact(context, body),
})
