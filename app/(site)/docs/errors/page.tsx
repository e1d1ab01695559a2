import type { Metadata } from 'next'
import { Sentence } from '@/components/sentence'
import { Link } from '@/components/ui/link'
import { PageHead } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { type ErrorCode, errorCodes } from '@/lib/kernel/request/failures'
import { outcomesOf } from './outcomes'

export const generateMetadata = (): Metadata => ({
  title: m.docs_errors(),
  description: m.docs_errors_page_description(),
})

/** Explains every error code and every reason, each with an anchor. The `type` of an error links to its code. */
export default function ErrorsPage() {
  const codes = Object.keys(errorCodes) as ErrorCode[]
  return (
    <div className="max-w-3xl">
      <PageHead
        title={m.docs_errors()}
        lead={
          <Sentence
            of={m.docs_errors_page_intro}
            parts={{
              code: (children) => <code translate="no">{children}</code>,
              code2: (children) => <code translate="no">{children}</code>,
              code3: (children) => <code translate="no">{children}</code>,
              code4: (children) => <code translate="no">{children}</code>,
              link: (children) => (
                <Link href="/docs/api" className="text-accent underline">
                  {children}
                </Link>
              ),
            }}
          />
        }
      />
      <nav aria-label={m.docs_codes()}>
        <ul className="flex flex-wrap gap-x-1">
          {codes.map((code) => (
            <li key={code}>
              <a
                href={`#${code}`}
                className="inline-flex min-h-11 items-center px-2 font-mono text-sm text-accent"
              >
                {code}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {codes.map((code) => (
        <section
          key={code}
          id={code}
          aria-labelledby={`${code}-title`}
          className="mt-12 border-t border-line pt-6"
        >
          <h2 id={`${code}-title`}>
            <span translate="no" className="font-mono text-lg text-accent">
              {code}
            </span>{' '}
            {errorCodes[code].title}
          </h2>
          <p className="mt-1 text-sm text-soft">
            {m.docs_http_status_status({ status: errorCodes[code].status })}
          </p>
          <ul className="mt-4 grid gap-4">
            {outcomesOf(code).map(({ reason, detail, action }) => (
              <li key={reason} id={reason}>
                <h3 className="text-base">
                  <a
                    href={`#${reason}`}
                    className="inline-flex min-h-6 items-center font-mono text-sm font-normal break-all text-accent"
                  >
                    {reason}
                  </a>
                </h3>
                <p>{detail}</p>
                <p className="text-sm text-soft">{action}</p>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
