import type { ResponseOf } from '@/app/beak/_api/lines'
import { Sentence } from '@/components/sentence'
import { AnnouncedForm } from '@/components/ui/announcements'
import { SubmitButton } from '@/components/ui/form'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { listWithAnd } from '@/lib/kernel/text/list-words'
import { endSite } from './actions'

type Consent = ResponseOf<'GET /beak/consent/list'>['items'][number]

const known: Record<Consent['scopes'][number], () => string> = {
  profile: m.security_site_knows_name,
  email: m.security_site_knows_email,
  tier: m.security_site_knows_tier,
  handle: m.security_site_knows_handle,
  certificate: m.security_site_knows_certificate,
}

/** The sites where the person signs in with Beak, what each knows, and the way to end it. */
export function SignedInSites({ consents, now }: { consents: Consent[]; now: Date }) {
  if (consents.length === 0) return <p className="text-soft">{m.security_site_none()}</p>
  return (
    <ul className="-mt-4 divide-y divide-line border-b border-line">
      {consents.map(({ site_id, host, name, scopes, allowed_at, last_used_at }) => (
        <li key={site_id} className="flex flex-wrap items-center gap-x-5 gap-y-3 py-4">
          <div className="min-w-0 flex-1 basis-48">
            <h3 className="text-base wrap-anywhere">
              <bdi translate="no">{host}</bdi>
            </h3>
            <p className="text-sm text-soft wrap-anywhere">
              <Sentence of={m.security_site_calls_itself} with={{ name }} />{' '}
              {scopes.length === 0 ? (
                m.security_site_knows_nothing()
              ) : (
                <Sentence
                  of={m.security_site_knows}
                  with={{ what: listWithAnd(scopes.map((scope) => known[scope]())) }}
                />
              )}{' '}
              <Sentence
                of={last_used_at === null ? m.security_site_since : m.security_site_used}
                parts={{ time: () => <Time at={last_used_at ?? allowed_at} now={now} /> }}
              />
            </p>
          </div>
          <AnnouncedForm action={endSite}>
            <input type="hidden" name="site_id" value={site_id} />
            <SubmitButton kind="plain">
              <Sentence
                of={m.security_site_end}
                with={{ host }}
                parts={{ span: (children) => <span className="visually-hidden">{children}</span> }}
              />
            </SubmitButton>
          </AnnouncedForm>
        </li>
      ))}
    </ul>
  )
}
