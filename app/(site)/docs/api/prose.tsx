import { Fragment } from 'react'
import { Link } from '@/components/ui/link'
import { anchorOf, type Group } from './reference'

/** Returns the address of an operation's description, or null for an unknown operation. */
function hrefOf(groups: Group[], method: string, path: string): string | null {
  const id = anchorOf(method, path)
  const group = groups.find(({ operations }) => operations.some((listed) => listed.id === id))
  return group === undefined ? null : `/docs/api/${group.name}#${id}`
}

/** Renders the Markdown of descriptions: paragraphs, `code`, and the names of operations as links. */
export function Prose({ text, groups }: { text: string; groups: Group[] }) {
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
