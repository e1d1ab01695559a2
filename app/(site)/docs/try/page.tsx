import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { answerNotFound } from '@/app/_web/page-read'
import { findViewer } from '@/app/_web/viewer'
import { Sentence } from '@/components/sentence'
import { Link } from '@/components/ui/link'
import { PageHead } from '@/components/ui/surface'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { bodyOf, parametersOf } from '../api/example'
import { DocsNav } from '../api/nav'
import { readReference } from '../api/reference'
import { fieldOf } from './fields'
import { findOffered, isPublic, isRead } from './offered'
import { TryForm } from './try-form'

export const generateMetadata = (): Metadata => ({
  title: m.docs_try_an_operation(),
  description: m.docs_try_page_intro(),
  robots: { index: false },
})

interface PageProps {
  /** `operation`: the name of the operation. The fields never come from the address: somebody else may have made it. */
  searchParams: Promise<{ operation?: string | string[] }>
}

/** A form that sends one operation of the API with the session of the viewer. */
export default withProblemPage(async function TryPage({ searchParams }: PageProps) {
  const { operation: name } = await searchParams
  const { document, groups } = await readReference()
  const listed = findOffered(groups, name)
  if (listed === null) {
    answerNotFound()
    return <NotOffered />
  }
  const viewer = await findViewer()
  const { method, path, id, operation } = listed
  const { schemas } = document.components
  const body =
    operation.requestBody === undefined ? null : JSON.stringify(bodyOf(listed, schemas) ?? {}, null, 2)
  const examples = new Map<string, string>(
    (['query', 'path'] as const).flatMap((place) =>
      parametersOf(listed, schemas, place).map(
        ([each, value]) => [`${place}:${each}`, String(value)] as const,
      ),
    ),
  )
  const group = groups.find(({ operations }) => operations.includes(listed))?.name ?? ''
  const address = `/docs/try?operation=${operation.operationId}`
  return (
    <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[11rem_minmax(0,1fr)]">
      <DocsNav groups={groups} current={group} />
      <div className="min-w-0 max-w-2xl">
        <PageHead
          title={m.docs_try_it_summary({ summary: operation.summary })}
          lead={
            <Sentence
              of={viewer === null ? m.docs_operation_at : m.docs_operation_at_with_session}
              with={{ operation: `${method} ${path}`, address: config().baseUrl }}
              parts={{
                code: (children) => (
                  <code translate="no" className="wrap-anywhere">
                    {children}
                  </code>
                ),
                link: (children) => (
                  <Link href={`/docs/api/${group}#${id}`} className="text-accent underline">
                    {children}
                  </Link>
                ),
              }}
            />
          }
        />
        {viewer === null && !isPublic(listed) ? (
          <p>
            <Sentence
              of={m.docs_try_signed_out_note}
              parts={{
                link: (children) => (
                  <Link
                    href={`/signin?next=${encodeURIComponent(address)}`}
                    className="text-accent underline"
                  >
                    {children}
                  </Link>
                ),
              }}
            />
          </p>
        ) : (
          <TryForm
            key={operation.operationId}
            operation={operation.operationId}
            isRead={isRead(listed)}
            parameters={operation.parameters
              .filter(({ in: place }) => place !== 'header')
              .map((parameter) => ({
                field: fieldOf(parameter),
                name: parameter.name,
                hint: parameter.description ?? parameter.schema.description ?? '',
                isRequired: parameter.required === true,
                example: examples.get(fieldOf(parameter)) ?? '',
              }))}
            body={body}
          />
        )}
      </div>
    </div>
  )
})

function NotOffered() {
  return (
    <PageHead
      title={m.docs_this_operation_cant_be_tried_here()}
      lead={
        <Sentence
          of={m.docs_try_operation_not_found}
          parts={{
            link: (children) => (
              <Link href="/docs/api" className="text-accent underline">
                {children}
              </Link>
            ),
          }}
        />
      }
    />
  )
}
