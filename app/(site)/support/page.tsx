import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { optionalViewer } from '@/app/_web/viewer'
import { Stamp } from '@/components/stamp'
import { Link } from '@/components/ui/link'
import { PageHead } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { SupportForm } from './support-form'

export const generateMetadata = (): Metadata => ({
  title: m.support_support(),
  description: m.support_page_description(),
})

/** Works without signing in, for people who cannot. */
export default withProblemPage(async function SupportPage() {
  const viewer = await optionalViewer()
  return (
    <div className="grid gap-x-20 gap-y-10 lg:grid-cols-[minmax(0,36rem)_minmax(0,1fr)]">
      <div>
        <PageHead title={m.support_contact_support()} lead={m.support_page_intro()} />
        <SupportForm email={viewer?.email ?? undefined} />
      </div>
      <aside aria-label={m.support_before_you_write()} className="grid content-start gap-8">
        <div className="max-lg:hidden">
          <Stamp id="DUCK-QXQH" />
        </div>
        <div>
          <h2 className="text-base">{m.support_quick_answers()}</h2>
          <ul className="mt-2 divide-y divide-line border-y border-line">
            <Hint href="/status" title={m.support_something_isnt_working()}>
              {m.support_see_the_status_of_beak()}
            </Hint>
            <Hint href="/docs/errors" title={m.support_error_code_question()}>
              {m.support_look_up_the_code()}
            </Hint>
            <Hint href="/verify" title={m.support_somebody_showed_you_a_certificate()}>
              {m.support_check_it_yourself()}
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
