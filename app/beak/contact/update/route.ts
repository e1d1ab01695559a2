import { ChangedContact, ContactChange, updateContact } from '@/lib/domain/pecks/contacts/contacts'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'updateContact',
  summary: 'Note something about an asker',
  description:
    'Sets your note, or whether the asker may always reach you. With `always`, requests of this agent or person come like requests of known askers: into the first list, outside of the budget of strangers, and also below your `min_peck_tier`, from T1 on. A block stays. When your `min_peck_tier` is above T1, setting `always` needs a recent proof of you.',
  remarks: [
    '`note` has at most 280 characters. An asker whose requests you have not seen is 404. With `always`, requests that wait come into the first list too. Quiet hours hold as for known askers, and the first request is still a first contact.',
  ],
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: ContactChange,
  response: ChangedContact,
  failures: ['asker_not_found', 'session_invalid', 'fresh_sign_in_needed', 'fresh_passkey_needed'],
  attempt: 'contact.updated',
  handle: (context, { body }) => updateContact(context, body),
})
