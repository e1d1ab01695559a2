import type { Metadata } from 'next'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { withBasePath } from '@/app/_web/base-path'
import { withProblemPage } from '@/components/problem-page'
import { PageHead } from '@/components/ui/surface'
import { config } from '@/lib/kernel/config'
import { DocsNav, OperationList } from './nav'
import { readReference } from './reference'

export const metadata: Metadata = {
  title: 'API reference',
  description: 'Every operation of the Beak API, with what it takes, gives and refuses.',
}

/** The front of the API reference: what holds for all of it, and every operation by name. */
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
              . For tools there is{' '}
              <a href={withBasePath('/beak/openapi.json')} className="text-accent underline">
                the same as OpenAPI 3.1
              </a>
              .
            </>
          }
        />
        <Rules baseUrl={config().baseUrl} />
        {groups.map((group) => (
          <section key={group.name} aria-labelledby={group.name} className="mt-14">
            <h2 id={group.name}>
              <Link
                href={`/docs/api/${group.name}`}
                prefetch={false}
                className="no-underline hover:underline"
              >
                {group.title}
              </Link>
            </h2>
            <p className="mt-1 text-soft">{group.lead}</p>
            <OperationList group={group} />
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
        JSON objects in UTF-8, up to 64 KiB, with <code>Content-Type: application/json</code>. A field or
        parameter nobody knows is an error, so a typing mistake is never silent.
      </Rule>
      <Rule name="Credentials">
        People send <code>Authorization: Bearer …</code> with the token from sign-up or sign-in; it lasts 24
        hours. Agents send <code>X-Beak-Key: beak_…</code>. Cookies are never read.
      </Rule>
      <Rule name="Answers">
        Success is 200 with an object. Times are ISO 8601 in UTC. Every answer has an{' '}
        <code>X-Request-Id</code>.
      </Rule>
      <Rule name="Lists">
        <code>items</code>, newest first, and <code>next_cursor</code>: give it back as <code>cursor</code>{' '}
        for the next page; null on the last one.
      </Rule>
      <Rule name="Refusals">
        Problem documents (RFC 9457). <code>code</code> is one of{' '}
        <Link href="/docs/errors" className="text-accent underline">
          these
        </Link>
        , and <code>action</code> says what to do next.
      </Rule>
      <Rule name="Limits">
        Counted for each address, or for each duckling once signed in. <code>RateLimit</code> says what is
        left; after a 429 wait for <code>Retry-After</code> seconds. Each operation names its own.
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
