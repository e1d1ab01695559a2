import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { withProblemPage } from '@/app/_shell/problem-page'
import { findViewer } from '@/app/_web/viewer'
import { Sentence } from '@/components/sentence'
import { ButtonLink } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { PageHead } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'

export const generateMetadata = (): Metadata => ({ title: m.ask_somebody(), robots: { index: false } })

const steps = [
  { title: m.ask_how_link, text: m.ask_how_link_text },
  { title: m.ask_how_write, text: m.ask_how_write_text },
  { title: m.ask_how_answer, text: m.ask_how_answer_text },
]

/** How asking works, for people who come without a link. Who has an account asks at once. */
export default withProblemPage(async function AskPage() {
  if ((await findViewer()) !== null) redirect('/pecks/new')
  return (
    <div className="mx-auto max-w-xl">
      <PageHead title={m.ask_somebody()} lead={m.ask_how_lead()} />
      <ol className="grid list-decimal gap-5 ps-6 marker:font-semibold">
        {steps.map(({ title, text }) => (
          <li key={title()}>
            <h2 className="font-sans text-base font-semibold tracking-normal">{title()}</h2>
            <p className="text-soft">{text()}</p>
          </li>
        ))}
      </ol>
      <p className="my-8">
        <Sentence
          of={m.ask_how_account}
          parts={{
            link: (children) => (
              <Link href="/signin?next=%2Fpecks%2Fnew" className="text-accent underline">
                {children}
              </Link>
            ),
          }}
        />
      </p>
      <ButtonLink href="/directory">{m.ask_open_directory()}</ButtonLink>
    </div>
  )
})
