import { Fragment, type ReactNode } from 'react'
import { Sentence } from '@/components/sentence'
import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'
import { isOffered } from '../try/offered'
import { ExampleCalls } from './example-calls'
import { ParameterFields, SchemaFields } from './fields'
import { anchorOf, type Group, type ListedOperation, type OpenapiDocument } from './reference'
import type { Components } from './schema'
import { callers, failuresOf, methodLines, responseOf } from './words'

/** Returns the address of an operation's description, or null for an unknown operation. */
function hrefOf(groups: Group[], method: string, path: string): string | null {
  const id = anchorOf(method, path)
  const group = groups.find(({ operations }) => operations.some((listed) => listed.id === id))
  return group === undefined ? null : `/docs/api/${group.name}#${id}`
}

/** Renders the Markdown of descriptions: paragraphs, `code`, and the names of operations as links. */
function Prose({ text, groups }: { text: string; groups: Group[] }) {
  return text.split('\n\n').map((paragraph) => (
    <p key={paragraph} className="mt-3 wrap-break-word">
      <Inline text={paragraph} groups={groups} />
    </p>
  ))
}

function Inline({ text, groups }: { text: string; groups: Group[] }) {
  const parts = text.split(/(`[^`]+`|(?:GET|POST|PUT) \/[\w./-]*[\w/])/)
  return parts.map((part, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one fixed text
    return <Fragment key={index}>{partOf(part, groups)}</Fragment>
  })
}

function partOf(part: string, groups: Group[]) {
  if (part.startsWith('`'))
    return (
      <code translate="no" className="wrap-anywhere">
        {part.slice(1, -1)}
      </code>
    )
  const [, method, path] = /^(GET|POST|PUT) (\/.*)$/.exec(part) ?? []
  const href = method !== undefined && path !== undefined ? hrefOf(groups, method, path) : null
  if (href === null) return part
  return (
    <Link href={href} className="text-accent underline wrap-anywhere">
      {part}
    </Link>
  )
}

interface OperationProps {
  listed: ListedOperation
  groups: Group[]
  components: Components
  responses: Responses
  baseUrl: string
}

type Responses = OpenapiDocument['components']['responses']

/** One operation: its description, and an example call with its response. */
export function OperationEntry({ listed, groups, components, responses, baseUrl }: OperationProps) {
  const { method, path, id, operation } = listed
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-10 gap-y-6 border-t border-line py-12 xl:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]"
    >
      <div className="min-w-0">
        <h2 id={id}>{operation.summary}</h2>
        <p className="mt-2">
          <MethodAndPath method={method} path={path} />
        </p>
        <Methods operationId={operation.operationId} />
        <div className="text-sm">
          <Prose text={operation.description} groups={groups} />
          <p className="mt-3">
            <Sentence
              of={m.docs_api_who_can_call}
              with={{ callers: callers(operation.security) }}
              parts={{ strong: (children) => <strong>{children}</strong> }}
            />
          </p>
        </div>
        <Input listed={listed} components={components} />
        <Response listed={listed} components={components} />
        <Errors operation={operation} responses={responses} />
      </div>
      <div className="grid min-w-0 content-start gap-4 self-start xl:sticky xl:top-6">
        <ExampleCalls listed={listed} components={components} baseUrl={baseUrl} />
        {isOffered(listed) ? (
          <Link
            href={`/docs/try?operation=${operation.operationId}`}
            className="inline-flex min-h-11 items-center justify-self-start text-sm font-semibold text-accent underline"
          >
            <Sentence
              of={m.docs_api_try_it}
              with={{ summary: operation.summary }}
              parts={{ hidden: (children) => <span className="sr-only">{children}</span> }}
            />
          </Link>
        ) : null}
      </div>
    </section>
  )
}

function MethodAndPath({ method, path }: { method: string; path: string }) {
  return (
    <code translate="no" className="wrap-anywhere">
      <span className="font-bold">{method}</span> {path}
    </code>
  )
}

/** The name of the operation in each client. */
function Methods({ operationId }: { operationId: string }) {
  return (
    <dl className="mt-2 flex flex-wrap gap-x-6 gap-y-1 text-sm">
      {methodLines(operationId).map(({ title, text }) => (
        <div key={title} className="flex flex-wrap items-baseline gap-x-2">
          <dt className="text-soft">{title}</dt>
          <dd>
            <code translate="no" className="wrap-anywhere">
              {text}
            </code>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="mt-6">
      <h3 className="text-base">{title}</h3>
      {children}
    </div>
  )
}

function Input({ listed: { operation }, components }: { listed: ListedOperation; components: Components }) {
  const body = operation.requestBody?.content?.['application/json']?.schema
  const hasBody = body !== undefined && Object.keys(body.properties ?? {}).length > 0
  const places = [
    { place: 'path', title: m.docs_api_in_the_path() },
    { place: 'query', title: m.docs_api_query() },
    { place: 'header', title: m.docs_api_headers() },
  ]
  return (
    <>
      {places.map(({ place, title }) => {
        const parameters = operation.parameters.filter((parameter) => parameter.in === place)
        return parameters.length === 0 ? null : (
          <Part key={place} title={title}>
            <ParameterFields parameters={parameters} components={components} />
          </Part>
        )
      })}
      {hasBody ? (
        <Part title={m.docs_api_body()}>
          <SchemaFields schema={body} components={components} isInput />
        </Part>
      ) : null}
    </>
  )
}

function Response({ listed, components }: { listed: ListedOperation; components: Components }) {
  const { media, schema } = responseOf(listed)
  return (
    <Fold title={m.docs_api_response()}>
      {media === 'application/json' ? (
        <SchemaFields schema={schema} components={components} />
      ) : (
        <p className="mt-2 text-sm">
          <Sentence
            of={m.docs_api_response_media}
            parts={{ code: () => <code translate="no">{media}</code> }}
          />
        </p>
      )}
    </Fold>
  )
}

function Fold({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="mt-4 border-t border-line pt-1">
      <summary className="min-h-11 content-center text-base font-semibold">{title}</summary>
      <div className="pb-2">{children}</div>
    </details>
  )
}

function Errors({ operation, responses }: { operation: ListedOperation['operation']; responses: Responses }) {
  return (
    <Fold title={m.docs_errors()}>
      <ul className="grid gap-1 text-sm">
        {failuresOf(operation, responses).map(({ status, code, reason, words }) => (
          <li key={words} className="grid grid-cols-[3rem_4rem_minmax(0,1fr)] items-baseline">
            <span className="font-semibold tabular-nums">{status}</span>
            <Link
              href={`/docs/errors#${reason ?? code}`}
              className="inline-flex min-h-6 items-center font-mono text-accent underline"
            >
              {code}
            </Link>
            <span>
              {words}{' '}
              {reason === null ? null : (
                <code translate="no" className="break-words text-soft">
                  {reason}
                </code>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Fold>
  )
}
