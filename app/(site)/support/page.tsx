import type { Metadata } from 'next'
import Link from 'next/link'
import { optionalViewer } from '@/app/_web/viewer'
import { withProblemPage } from '@/components/problem-page'
import { Stamp } from '@/components/stamp'
import { PageHead } from '@/components/ui/surface'
import { SupportForm } from './support-form'

export const metadata: Metadata = {
  title: 'Support',
  description: 'Write to those who run Beak. The answer comes by mail.',
}

/** Also for those who cannot sign in. */
export default withProblemPage(async function SupportPage() {
  const viewer = await optionalViewer()
  return (
    <div className="grid gap-x-20 gap-y-10 lg:grid-cols-[minmax(0,36rem)_minmax(0,1fr)]">
      <div>
        <PageHead
          title="Write to us"
          lead="Tell us what is wrong, or what you miss. The answer comes by mail."
        />
        <SupportForm email={viewer?.email ?? undefined} />
      </div>
      <aside aria-label="Before you write" className="grid content-start gap-8">
        <div className="max-lg:hidden">
          <Stamp id="DUCK-QXQH" />
        </div>
        <div>
          <h2 className="text-base">Perhaps it is answered already</h2>
          <ul className="mt-2 divide-y divide-line border-y border-line">
            <Hint href="/status" title="Something does not work?">
              See whether it is known
            </Hint>
            <Hint href="/docs/errors" title="An answer with a code, such as E4002?">
              Look up what to do
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
