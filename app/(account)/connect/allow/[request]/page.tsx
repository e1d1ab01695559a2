import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import { withProblemPage } from '@/app/_shell/problem-page'
import { api } from '@/app/_web/api'
import { answerNotFound, PageProblem } from '@/app/_web/page-read'
import { isMalformed, isMissing } from '@/app/_web/problem'
import { sessionToken } from '@/app/_web/session-cookie'
import { requireViewer } from '@/app/_web/viewer'
import { Sentence } from '@/components/sentence'
import { Link } from '@/components/ui/link'
import { Notice, PageHead } from '@/components/ui/surface'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { browserCookie, consentPath } from '@/lib/kernel/request/oauth-paths'
import { AccountLine } from './account-line'
import { ConsentForm } from './consent-form'
import { SiteSheet } from './site-sheet'

export const generateMetadata = (): Metadata => ({
  title: m.consent_page(),
  robots: { index: false },
  referrer: 'no-referrer',
})

interface PageProps {
  params: Promise<{ request: string }>
  /** `login_hint`: the address with which somebody signs in, as the site knows it. */
  searchParams: Promise<{ login_hint?: string | string[] }>
}

/** Asks whether a program may connect, or a site may sign the person in, which sent the browser here. */
export default withProblemPage(async function ConsentPage({ params, searchParams }: PageProps) {
  const [{ request }, { login_hint: hint }] = await Promise.all([params, searchParams])
  const path = `${consentPath}/${request}`
  // Whoever never signed in here is new, or at a new device. The form of the sign-up leads the latter on.
  const isNobody = (await sessionToken()) === null
  if (isNobody && typeof hint === 'string')
    redirect(`/signin?${new URLSearchParams({ next: path, email: hint })}`)
  if (isNobody && config().signUp.mode !== 'closed')
    redirect(`/signup?${new URLSearchParams({ next: path })}`)
  const viewer = await requireViewer(path)
  if (!viewer.email_verified) redirect(`/welcome?next=${encodeURIComponent(path)}`)
  const browser = (await cookies()).get(browserCookie)?.value ?? ''
  const result = await api('POST /beak/consent/view', { body: { request, browser } })
  if (!result.ok) {
    if (!isMissing(result.problem) && !isMalformed(result.problem)) throw new PageProblem(result.problem)
    answerNotFound()
    return <PageHead title={m.consent_missing()} lead={m.consent_missing_body()} />
  }
  const { client_name, document_host, return_host, scopes, connected, agent_name, agents_max, site } =
    result.data
  if (site !== null) return <SiteSheet request={request} site={site} account={viewer} />
  return (
    <>
      <PageHead
        title={<Sentence of={m.consent_title} with={{ name: client_name }} />}
        lead={m.consent_ask_hint()}
      />
      <div className="grid max-w-2xl gap-8">
        <div className="grid gap-4">
          {connected === null ? (
            <Notice tone="warn" title={m.consent_unknown_program()}>
              {document_host !== null && return_host === 'localhost'
                ? m.consent_lead_described()
                : m.consent_lead()}
            </Notice>
          ) : (
            <Notice>
              <Sentence of={m.consent_connected_before} with={{ name: connected.agent_name }} />
              {document_host !== null && ` ${m.consent_connected_another()}`}
            </Notice>
          )}
          <div>
            <p className="text-sm text-soft">
              {return_host === 'localhost' ? (
                m.consent_this_computer()
              ) : (
                <Sentence of={m.consent_goes_to} with={{ host: return_host }} />
              )}{' '}
              {document_host === null ? null : (
                <Sentence of={m.consent_described_at} with={{ host: document_host }} />
              )}
            </p>
            <AccountLine request={request} account={viewer} />
          </div>
        </div>
        {agents_max !== null ? (
          <Notice tone="warn">
            <Sentence
              of={m.consent_too_many}
              with={{ count: agents_max }}
              parts={{
                link: (children) => (
                  <Link href="/allowed#agents" className="inline-block py-1 font-semibold text-ink underline">
                    {children}
                  </Link>
                ),
              }}
            />
          </Notice>
        ) : (
          <ConsentForm
            request={request}
            agentName={agent_name ?? m.consent_default_name()}
            isHere={return_host === 'localhost' || return_host.endsWith(':')}
            offered={scopes}
            ticked={connected?.scopes ?? []}
          />
        )}
      </div>
    </>
  )
})
