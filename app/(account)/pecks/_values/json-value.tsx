import { m } from '@/lib/kernel/messages'
import { MarkedText } from './marked-text'

/** Deeper values are shown as JSON on lines, so that they stay readable on a phone. */
const depthMax = 3

/** A value of JSON: names and values in two columns, lists as lists. */
export function JsonValue({ value, depth = 0 }: { value: unknown; depth?: number }) {
  if (typeof value !== 'object' || value === null) return <Single value={value} />
  if (depth >= depthMax)
    return (
      <pre translate="no" className="whitespace-pre-wrap wrap-anywhere">
        <MarkedText text={JSON.stringify(value, null, 2)} />
      </pre>
    )
  if (Array.isArray(value)) return <List items={value} depth={depth} />
  return <Names entries={Object.entries(value)} depth={depth} />
}

function Single({ value }: { value: unknown }) {
  if (value === '') return <span className="text-soft italic">{m.requests_empty_text()}</span>
  if (typeof value === 'string')
    return (
      <span className="whitespace-pre-wrap wrap-anywhere">
        <MarkedText text={value} />
      </span>
    )
  return (
    <span translate="no" className="tabular-nums">
      {JSON.stringify(value)}
    </span>
  )
}

function List({ items, depth }: { items: unknown[]; depth: number }) {
  if (items.length === 0) return <span className="text-soft italic">{m.requests_empty_list()}</span>
  return (
    <ul className="list-disc ps-5 marker:text-soft">
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items of one fixed list
        <li key={index}>
          <JsonValue value={item} depth={depth + 1} />
        </li>
      ))}
    </ul>
  )
}

function Names({ entries, depth }: { entries: [string, unknown][]; depth: number }) {
  if (entries.length === 0) return <span className="text-soft italic">{m.requests_no_values()}</span>
  return (
    <dl className="grid gap-x-4 gap-y-1 border-s-2 border-line ps-3 sm:grid-cols-[fit-content(40%)_minmax(0,1fr)]">
      {entries.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="font-mono text-[0.8125rem] text-soft wrap-anywhere">
            <MarkedText text={name} />
          </dt>
          <dd className="min-w-0 max-sm:mb-1">
            <JsonValue value={value} depth={depth + 1} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
