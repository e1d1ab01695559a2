import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from '@/components/ui/link'
import { config } from '@/lib/kernel/config'

interface WaysInProps {
  baseUrl: string
  isSignedIn: boolean
  /** Where the code of the example arrives. */
  codeNote: string
}

/** The three kinds of visitors, each with a link to start. */
export function WaysIn({ baseUrl, isSignedIn, codeNote }: WaysInProps) {
  const isClosed = config().signUp.mode === 'closed'
  return (
    <section
      aria-labelledby="ways"
      className="py-16 [border-image:linear-gradient(var(--sunken),var(--sunken))_fill_0/0/0_100vw] sm:py-20"
    >
      <h2 id="ways" className="max-w-2xl text-2xl">
        How you'll use it
      </h2>
      <div className="mt-8 divide-y divide-line border-y border-line">
        <Way
          title="You have agents"
          href={isSignedIn ? '/agents' : isClosed ? '/signin' : '/signup'}
          link={isSignedIn ? 'Open my agents' : isClosed ? 'Sign in' : 'Sign up'}
        >
          <p>
            They ask and you decide, all in one place. See what each agent may do and what it did, and stop it
            with one click. Every step is in a log that only you can read and nobody can change.
          </p>
        </Way>
        <Way title="You build agents" href="/docs" link="Read the docs">
          <p>
            Over HTTP, with a client for TypeScript or Python, or as an MCP server. Register an agent, bond it
            with its key, send a request, and wait for the answer or get it by webhook.
          </p>
          <pre className="mt-5 rounded-card bg-surface p-4 text-[0.8125rem] leading-relaxed whitespace-pre-wrap wrap-anywhere">
            {`curl ${baseUrl}/beak/signup \\
  -H 'Content-Type: application/json' \\
  -d '{"email": "you@example.com", "display_name": "Mallard"}'`}
          </pre>
          <p className="mt-3 text-sm text-soft">{codeNote}</p>
        </Way>
        <Way title="Somebody showed you proof" href="/verify" link="Check it">
          <p>
            Check whether a certificate, an agent or a receipt is real and still valid. You don't need an
            account, and you can check certificates and receipts without us, too.
          </p>
        </Way>
      </div>
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
          <ArrowRight aria-hidden="true" size={16} />
        </Link>
      </p>
    </div>
  )
}
