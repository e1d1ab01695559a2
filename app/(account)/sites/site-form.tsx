'use client'

import type { ResponseOf } from '@/app/beak/_api/lines'
import { ActionForm, SelectField, SubmitButton, TextArea, TextField } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import { changeSite, registerSite } from './actions'
import { SecretOfSite } from './site-secret'

export type Site = ResponseOf<'GET /beak/site/list'>['items'][number]

const redirectsPlaceholder = 'https://shop.example/auth/callback'

/** The addresses of a site. Those that few sites need are folded. */
function SiteFields({ site }: { site?: Site }) {
  return (
    <>
      <TextField
        label={m.sites_name()}
        hint={m.sites_name_hint()}
        name="name"
        defaultValue={site?.name}
        autoComplete="off"
        maxLength={64}
      />
      <TextArea
        label={m.sites_redirects()}
        hint={m.sites_redirects_hint()}
        name="redirect_uris"
        rows={2}
        placeholder={redirectsPlaceholder}
        defaultValue={site?.redirect_uris.join('\n')}
        spellCheck={false}
      />
      <details open={site !== undefined && hasMore(site)}>
        <summary className="cursor-pointer py-1 text-sm font-semibold">{m.sites_sign_out()}</summary>
        <div className="mt-4 grid gap-6">
          <TextArea
            label={m.sites_logout()}
            hint={m.sites_logout_hint()}
            name="post_logout_redirect_uris"
            rows={2}
            optional
            defaultValue={site?.post_logout_redirect_uris.join('\n')}
            spellCheck={false}
          />
          <TextField
            label={m.sites_notice()}
            hint={m.sites_notice_hint()}
            name="backchannel_logout_uri"
            type="url"
            optional
            defaultValue={site?.backchannel_logout_uri ?? ''}
            autoComplete="off"
          />
        </div>
      </details>
      <details open={site?.id_token_signed_response_alg === 'EdDSA'}>
        <summary className="cursor-pointer py-1 text-sm font-semibold">{m.sites_signature()}</summary>
        <div className="mt-4">
          <SelectField
            label={m.sites_alg()}
            hint={m.sites_alg_hint()}
            name="id_token_signed_response_alg"
            defaultValue={site?.id_token_signed_response_alg}
          >
            {['RS256', 'EdDSA'].map((alg) => (
              <option key={alg} value={alg} translate="no">
                {alg}
              </option>
            ))}
          </SelectField>
        </div>
      </details>
    </>
  )
}

const hasMore = ({ post_logout_redirect_uris, backchannel_logout_uri }: Site) =>
  post_logout_redirect_uris.length > 0 || backchannel_logout_uri !== null

/** Registers a site, and then shows its secret. */
export function RegisterSite({ issuer }: { issuer: string }) {
  return (
    <ActionForm
      action={registerSite}
      label={m.sites_register()}
      after={({ data }) => (data ? <SecretOfSite site={data} issuer={issuer} /> : null)}
    >
      <div className="grid max-w-2xl gap-6">
        <SiteFields />
        <div>
          <SubmitButton pending={m.sites_registering()}>{m.sites_register()}</SubmitButton>
        </div>
      </div>
    </ActionForm>
  )
}

/** Changes a site, or makes a new secret. */
export function ChangeSite({ site, issuer }: { site: Site; issuer: string }) {
  return (
    <ActionForm
      action={changeSite}
      label={m.sites_change()}
      after={({ data }) => (data ? <SecretOfSite site={data} issuer={issuer} /> : null)}
    >
      <input type="hidden" name="client_id" value={site.client_id} />
      <div className="grid max-w-2xl gap-6">
        <SiteFields site={site} />
        <div className="flex flex-wrap gap-3">
          <SubmitButton name="decision" value="save">
            {m.sites_save()}
          </SubmitButton>
          <SubmitButton kind="plain" name="decision" value="secret">
            {m.sites_new_secret()}
          </SubmitButton>
        </div>
        <p className="text-sm text-soft">{m.sites_new_secret_hint()}</p>
      </div>
    </ActionForm>
  )
}
