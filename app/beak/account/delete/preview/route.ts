import { previewClosing } from '@/lib/domain/accounts/close'
import { ClosingPreview } from '@/lib/domain/accounts/schema'
import { endpoint } from '@/lib/http/endpoint'

// What people want to know before they close their account.
export const GET = endpoint({
  operationId: 'previewAccountClosing',
  summary: 'Preview what closing your account ends',
  description:
    'Counts what POST /beak/account/delete would end now and list by id in `touched`. 200 means 200 or more.',
  auth: 'session',
  limit: 'authenticated',
  response: ClosingPreview,
  handle: (context) => previewClosing(context),
})
