'use client'

import { useEffect } from 'react'
import type { BodyOf } from '@/app/beak/_api/lines'
import { ButtonLink } from '@/components/ui/button'
import { ActionForm, CheckField, SubmitButton } from '@/components/ui/form'
import { Card } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { type Decided, decideSite } from './actions'

type Scope = BodyOf<'POST /beak/consent/sign-in'>['scopes'][number]

const words: Record<Scope, { label: () => string; hint: () => string }> = {
  profile: { label: m.consent_site_profile, hint: m.consent_site_profile_hint },
  email: { label: m.consent_site_email, hint: m.consent_site_email_hint },
  tier: { label: m.consent_site_tier, hint: m.consent_site_tier_hint },
  handle: { label: m.consent_site_handle, hint: m.consent_site_handle_hint },
  certificate: { label: m.consent_site_certificate, hint: m.consent_site_certificate_hint },
}

interface SiteFormProps {
  request: string
  offered: readonly Scope[]
  /** What the site asks for, and the person does not have. */
  missing: readonly Scope[]
  ticked: readonly Scope[]
}

const doneWords = {
  allowed: { title: m.consent_site_allowed, body: m.consent_site_allowed_next },
  denied: { title: m.consent_site_denied, body: m.consent_site_denied_next },
}

/** What the site may learn, as sentences to tick, and the decision. */
export function SiteForm({ request, offered, missing, ticked }: SiteFormProps) {
  return (
    <ActionForm
      action={decideSite}
      label={m.consent_site_may()}
      countsOnce={false}
      after={({ data }) => (data === undefined ? null : <Done {...data} />)}
    >
      <input type="hidden" name="request" value={request} />
      <fieldset className="grid gap-4">
        <legend className="mb-3 font-semibold">{m.consent_site_may()}</legend>
        <p className="text-sm text-soft">{m.consent_site_always()}</p>
        {offered.map((scope) => (
          <CheckField
            key={scope}
            name={`scopes:${scope}`}
            label={words[scope].label()}
            hint={words[scope].hint()}
            defaultChecked={ticked.includes(scope)}
          />
        ))}
        {missing.includes('handle') ? (
          <p className="text-sm text-soft">{m.consent_site_missing_handle()}</p>
        ) : null}
        {missing.includes('certificate') ? (
          <p className="text-sm text-soft">{m.consent_site_missing_certificate()}</p>
        ) : null}
      </fieldset>
      <div className="flex flex-wrap gap-3">
        <SubmitButton name="decision" value="allow">
          {m.consent_site_sign_in()}
        </SubmitButton>
        <SubmitButton kind="quiet" name="decision" value="deny">
          {m.consent_site_not_now()}
        </SubmitButton>
      </div>
    </ActionForm>
  )
}

/**
 * Leads back to the site. A form that redirects to another site is stopped by the policy of the page (`form-action`), so the browser goes on from
 * here, or the person with the link.
 */
function Done({ decision, next }: Decided) {
  useEffect(() => window.location.assign(next), [next])
  const { title, body } = doneWords[decision]
  return (
    <Card className="grid justify-items-start gap-4">
      <h2 role="status">{title()}</h2>
      <p>{body()}</p>
      <ButtonLink href={next}>{m.consent_site_continue()}</ButtonLink>
    </Card>
  )
}
