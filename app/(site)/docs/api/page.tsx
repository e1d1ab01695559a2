import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { withBasePath } from '@/app/_web/base-path'
import { withProblemPage } from '@/components/problem-page'
import { Link } from '@/components/ui/link'
import { PageHead } from '@/components/ui/surface'
import { config } from '@/lib/kernel/config'
import { DocsNav } from './nav'
import { OperationList } from './operation-list'
import { listed, readReference } from './reference'

export const metadata: Metadata = {
  title: 'API reference',
  description: 'Every operation of the Beak API, with its request, response and errors.',
}

/** The start page of the API reference: the rules for all operations, and a list of them. */
export default withProblemPage(async function ApiPage() {
  const { document, groups } = await readReference()
  return (
    <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[11rem_minmax(0,1fr)]">
      <DocsNav groups={groups} />
      <div className="min-w-0">
        <PageHead
          title="API reference"
          lead={
            <>
              JSON over HTTP, version {document.info.version}. New here?{' '}
              <Link href="/docs" className="text-accent underline">
                Start with the five steps
              </Link>
              . For tools, there is an{' '}
              <a href={withBasePath('/beak/openapi.json')} className="text-accent underline">
                OpenAPI 3.1 document
              </a>
              .
            </>
          }
        />
        <Rules baseUrl={config().baseUrl} />
        {groups.map((group) => (
          <section
            key={group.name}
            aria-labelledby={group.name}
            className="mt-14 [contain-intrinsic-size:auto_30rem] [content-visibility:auto]"
          >
            <h2 id={group.name}>
              <Link href={`/docs/api/${group.name}`} className="no-underline hover:underline">
                {group.title}
              </Link>
            </h2>
            <p className="mt-1 text-soft">{group.lead}</p>
            <OperationList operations={listed(group)} page={`/docs/api/${group.name}`} />
          </section>
        ))}
      </div>
    </div>
  )
})

function Rules({ baseUrl }: { baseUrl: string }) {
  return (
    <dl className="grid max-w-3xl gap-x-8 gap-y-5 text-sm sm:grid-cols-[8rem_minmax(0,1fr)]">
      <Rule name="Address">
        <code className="wrap-anywhere">{baseUrl}</code>, with or without a slash at the end of a path.
      </Rule>
      <Rule name="Bodies">
        JSON objects in UTF-8, up to 64 KiB, with <code>Content-Type: application/json</code>. Unknown fields
        and parameters are errors, so you notice typing mistakes.
      </Rule>
      <Rule name="Credentials">
        People send <code>Authorization: Bearer …</code> with the token from sign-up or sign-in, which is
        valid for 24 hours. Agents send <code>X-Beak-Key: beak_…</code>. The API ignores cookies.
      </Rule>
      <Rule name="Responses">
        Success is 200 with an object. Times are ISO 8601 in UTC. Every response has an{' '}
        <code>X-Request-Id</code>.
      </Rule>
      <Rule name="Lists">
        <code>items</code>, newest first, and <code>next_cursor</code>. Send it as <code>cursor</code> to get
        the next page. It is null on the last page.
      </Rule>
      <Rule name="Errors">
        Problem documents (RFC 9457). <code>code</code> is one of{' '}
        <Link href="/docs/errors" className="text-accent underline">
          these codes
        </Link>
        , and <code>action</code> says what to do next.
      </Rule>
      <Rule name="Limits">
        Counted per IP address, or per duckling when signed in. <code>RateLimit</code> says how many requests
        are left. After a 429, wait for <code>Retry-After</code> seconds. Each operation names its limit.
      </Rule>
    </dl>
  )
}

function Rule({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="font-semibold">{name}</dt>
      <dd className="max-sm:-mt-4">{children}</dd>
    </div>
  )
}
