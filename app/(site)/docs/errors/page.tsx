import type { Metadata } from 'next'
import { Link } from '@/components/ui/link'
import { PageHead } from '@/components/ui/surface'
import { type ErrorCode, errorCodes } from '@/lib/kernel/failures'
import { outcomesOf } from './outcomes'

export const metadata: Metadata = {
  title: 'Errors',
  description: 'What each error code of Beak means, and what to do next.',
}

/** Explains every error code and every reason, each with an anchor. The `type` of an error links to its code. */
export default function ErrorsPage() {
  const codes = Object.keys(errorCodes) as ErrorCode[]
  return (
    <div className="max-w-3xl">
      <PageHead
        title="Errors"
        lead={
          <>
            Every error is a problem document (RFC 9457). Its <code>code</code> is one of these. Its{' '}
            <code>reason</code> is one of the names below the code: programs decide by it, because names never
            change and texts do. <code>action</code> says what to do next, and <code>request_id</code>{' '}
            identifies the error in our log. The{' '}
            <Link href="/docs/api" className="text-accent underline">
              API reference
            </Link>{' '}
            lists the errors of each operation.
          </>
        }
      />
      <nav aria-label="Codes">
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
            <span className="font-mono text-lg text-accent">{code}</span> {errorCodes[code].title}
          </h2>
          <p className="mt-1 text-sm text-soft">HTTP status {errorCodes[code].status}</p>
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
