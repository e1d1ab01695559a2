'use server'

import { formAction } from '@/app/_web/form-action'
import { field } from '@/components/ui/form-state'
import { m } from '@/lib/kernel/messages'

/** A new secret. It is shown only once. */
export interface SiteSecret {
  clientId: string
  host: string
  secret: string
}

const page = '/sites'

const lines = (form: FormData, name: string) =>
  field(form, name)
    .split(/\s+/)
    .filter((line) => line !== '')

const siteIn = (form: FormData) => ({
  name: field(form, 'name'),
  redirect_uris: lines(form, 'redirect_uris'),
  post_logout_redirect_uris: lines(form, 'post_logout_redirect_uris'),
  backchannel_logout_uri: field(form, 'backchannel_logout_uri').trim() || null,
  id_token_signed_response_alg:
    field(form, 'id_token_signed_response_alg') === 'EdDSA' ? ('EdDSA' as const) : ('RS256' as const),
})

export const registerSite = formAction({
  call: 'POST /beak/site/register',
  input: siteIn,
  page,
  changes: [page],
  done: ({ client_id, host, client_secret }) => ({
    data: { clientId: client_id, host, secret: client_secret },
  }),
})

/** Changes the addresses, and with the other button the secret. */
export const changeSite = formAction({
  call: 'POST /beak/site/update',
  input: (form) => ({
    client_id: field(form, 'client_id'),
    ...siteIn(form),
    new_secret: field(form, 'decision') === 'secret',
  }),
  page,
  done: ({ client_id, host, client_secret }) =>
    client_secret === null
      ? m.sites_saved()
      : {
          message: m.sites_new_secret_made(),
          data: { clientId: client_id, host, secret: client_secret },
        },
})

export const deleteSite = formAction({
  call: 'POST /beak/site/delete',
  input: (form) => ({ client_id: field(form, 'client_id') }),
  page,
  done: () => m.sites_deleted(),
})
