import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { withBasePath } from '@/components/base-path'
import { Sentence } from '@/components/sentence'
import { Link } from '@/components/ui/link'
import { PageHead } from '@/components/ui/surface'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { TextWithCode } from '../text-with-code'
import { DocsNav } from './nav'
import { OperationList } from './operation-list'
import { listed, readReference } from './reference'
import { rules } from './rules'

export const generateMetadata = (): Metadata => ({
  title: m.docs_api_reference(),
  description: m.docs_api_description(),
})

/** The start page of the API reference: the rules for all operations, and a list of them. */
export default withProblemPage(async function ApiPage() {
  const { document, groups } = await readReference()
  return (
    <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[11rem_minmax(0,1fr)]">
      <DocsNav groups={groups} />
      <div className="min-w-0">
        <PageHead
          title={m.docs_api_reference()}
          lead={
            <Sentence
              of={m.docs_api_lead}
              with={{ version: document.info.version }}
              parts={{
                quickstart: (children) => (
                  <Link href="/docs" className="text-accent underline">
                    {children}
                  </Link>
                ),
                document: (children) => (
                  <a href={withBasePath('/beak/openapi.json')} className="text-accent underline">
                    {children}
                  </a>
                ),
              }}
            />
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
      {rules(baseUrl).map(({ name, text, link }) => (
        <div key={name} className="contents">
          <dt className="font-semibold">{name}</dt>
          <dd className="max-sm:-mt-4">
            <TextWithCode text={text} />
            {link ? (
              <>
                {' '}
                <Link href={link.href} className="text-accent underline">
                  {link.text}
                </Link>
                .
              </>
            ) : null}
          </dd>
        </div>
      ))}
    </dl>
  )
}
