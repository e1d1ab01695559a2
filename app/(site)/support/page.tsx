import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { optionalViewer } from '@/app/_web/viewer'
import { Stamp } from '@/components/stamp'
import { Link } from '@/components/ui/link'
import { PageHead } from '@/components/ui/surface'
import { SupportForm } from './support-form'

export const metadata: Metadata = {
  title: 'Support',
  description: 'Write to the people who run Beak. We answer by email.',
}

/** Works without signing in, for people who cannot. */
export default withProblemPage(async function SupportPage() {
  const viewer = await optionalViewer()
  return (
    <div className="grid gap-x-20 gap-y-10 lg:grid-cols-[minmax(0,36rem)_minmax(0,1fr)]">
      <div>
        <PageHead
          title="Contact support"
          lead="Tell us what is wrong or what you need. We answer by email."
        />
        <SupportForm email={viewer?.email ?? undefined} />
      </div>
      <aside aria-label="Before you write" className="grid content-start gap-8">
        <div className="max-lg:hidden">
          <Stamp id="DUCK-QXQH" />
        </div>
        <div>
          <h2 className="text-base">Quick answers</h2>
          <ul className="mt-2 divide-y divide-line border-y border-line">
            <Hint href="/status" title="Something isn't working?">
              See the status of Beak
            </Hint>
            <Hint href="/docs/errors" title="Did you get an error code, such as E4002?">
              Look up the code
            </Hint>
            <Hint href="/verify" title="Somebody showed you a certificate?">
              Check it yourself
            </Hint>
          </ul>
        </div>
      </aside>
    </div>
  )
})

function Hint({ href, title, children }: { href: string; title: string; children: string }) {
  return (
    <li className="py-3 text-sm">
      {title}
      <br />
      <Link
        href={href}
        className="inline-flex min-h-6 items-center font-semibold underline decoration-line hover:decoration-ink"
      >
        {children}
      </Link>
    </li>
  )
}
