import { ArrowRight } from 'lucide'
import type { ReactNode } from 'react'
import { Icon } from '@/components/ui/icon'
import { Link } from '@/components/ui/link'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'

interface WaysInProps {
  baseUrl: string
  isSignedIn: boolean
  /** Where the code of the example arrives. */
  codeNote: string
}

/** The kinds of visitors, each with a link to start. Those who build or host open their part. */
export function WaysIn({ baseUrl, isSignedIn, codeNote }: WaysInProps) {
  const isClosed = config().signUp.mode === 'closed'
  return (
    <section
      aria-labelledby="ways"
      className="py-16 [border-image:linear-gradient(var(--sunken),var(--sunken))_fill_0/0/0_100vw] sm:py-20"
    >
      <h2 id="ways" className="max-w-2xl text-2xl">
        {m.landing_how_youll_use_it()}
      </h2>
      <div className="mt-8 divide-y divide-line border-y border-line">
        <Way
          title={m.landing_you_have_agents()}
          href={isSignedIn ? '/allowed#agents' : isClosed ? '/signin' : '/signup'}
          link={
            isSignedIn ? m.landing_open_my_agents() : isClosed ? m.landing_sign_in() : m.landing_sign_up()
          }
        >
          <p>{m.landing_account_body()}</p>
        </Way>
        <Way title={m.landing_somebody_showed_you_proof()} href="/verify" link={m.landing_check_it()}>
          <p>{m.landing_verify_body()}</p>
        </Way>
      </div>
      <details className="mt-6">
        <summary className="cursor-pointer py-2.5 font-semibold">{m.landing_for_builders()}</summary>
        <div className="divide-y divide-line border-y border-line">
          <Way title={m.landing_you_build_agents()} href="/docs" link={m.landing_read_the_docs()}>
            <p>{m.landing_connect_agents_body()}</p>
            <pre
              translate="no"
              className="mt-5 rounded-card bg-surface p-4 text-[0.8125rem] leading-relaxed whitespace-pre-wrap wrap-anywhere"
            >
              {`curl ${baseUrl}/beak/signup \\
  -H 'Content-Type: application/json' \\
  -d '{"email": "you@example.com", "display_name": "Mallard"}'`}
            </pre>
            <p className="mt-3 text-sm text-soft">{codeNote}</p>
          </Way>
          <Way title={m.landing_you_run_your_own()} href="/docs/hosts/start" link={m.landing_how_to_run_it()}>
            <p>{m.landing_host_it_body()}</p>
            <pre translate="no" className="mt-5 rounded-card bg-surface p-4 text-[0.8125rem] leading-relaxed">
              npm start
            </pre>
          </Way>
        </div>
      </details>
    </section>
  )
}

function Way({
  title,
  href,
  link,
  children,
}: {
  title: string
  href: string
  link: string
  children: ReactNode
}) {
  return (
    <div className="grid gap-x-12 gap-y-3 py-8 md:grid-cols-[12rem_minmax(0,1fr)] lg:grid-cols-[16rem_minmax(0,1fr)_12rem]">
      <h3 className="text-xl">{title}</h3>
      <div className="min-w-0 max-w-2xl">{children}</div>
      <p className="md:max-lg:col-start-2 lg:justify-self-end">
        <Link
          href={href}
          className="inline-flex min-h-11 items-center gap-2 text-sm font-semibold underline decoration-line hover:decoration-ink lg:-mt-2"
        >
          {link}
          <Icon of={ArrowRight} size={16} />
        </Link>
      </p>
    </div>
  )
}
