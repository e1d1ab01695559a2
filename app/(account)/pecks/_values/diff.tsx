import { type DiffLine, readDiff } from '@beak/decision/read-diff'
import { m } from '@/lib/kernel/messages'
import { MarkedText } from './addresses'

const looks = {
  added: { sign: '+', word: m.requests_added, look: 'bg-good-wash text-good' },
  removed: { sign: '−', word: m.requests_removed, look: 'bg-bad-wash text-bad' },
  same: { sign: '', word: null, look: 'text-soft' },
  place: { sign: '', word: null, look: 'text-soft italic' },
} as const

/** Lines around a change that are shown at once. */
const contextLines = 3

/** A change. Removed and added lines have a sign, a colour and, for screen readers, a word. */
export function Diff({ value }: { value: unknown }) {
  const lines = readDiff(value)
  const { first, last } = shownLines(lines, value)
  const count = (kind: DiffLine['kind']) => lines.filter((line) => line.kind === kind).length
  return (
    <div className="max-w-prose overflow-hidden rounded-control border border-line font-mono text-[0.8125rem]">
      <p className="border-b border-line bg-sunken px-3 py-1.5 font-sans text-sm">
        <span className="text-bad">{m.requests_lines_removed({ count: count('removed') })}</span>,{' '}
        <span className="text-good">{m.requests_lines_added({ count: count('added') })}</span>
      </p>
      <Unchanged lines={lines.slice(0, first)} />
      <Lines lines={lines.slice(first, last)} />
      <Unchanged lines={lines.slice(last)} />
    </div>
  )
}

/**
 * Returns which lines are shown at once. A diff that the asker wrote is shown whole: only the asker says which of its lines are unchanged.
 */
function shownLines(lines: DiffLine[], value: unknown): { first: number; last: number } {
  if (typeof value === 'string') return { first: 0, last: lines.length }
  const changed = lines.flatMap(({ kind }, index) => (kind === 'same' ? [] : [index]))
  return {
    first: Math.max(0, (changed[0] ?? 0) - contextLines),
    last: Math.min(lines.length, (changed.at(-1) ?? lines.length) + 1 + contextLines),
  }
}

function Unchanged({ lines }: { lines: DiffLine[] }) {
  if (lines.length === 0) return null
  return (
    <details>
      <summary className="min-h-8 bg-sunken px-3 py-1 font-sans text-sm text-soft">
        {m.requests_lines_unchanged({ count: lines.length })}
      </summary>
      <Lines lines={lines} />
    </details>
  )
}

function Lines({ lines }: { lines: DiffLine[] }) {
  return (
    <ol>
      {lines.map(({ kind, text }, index) => {
        const { sign, word, look } = looks[kind]
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of one fixed text
          <li key={index} className={`grid grid-cols-[1ch_minmax(0,1fr)] gap-x-2 px-3 py-0.5 ${look}`}>
            <span aria-hidden="true" className="font-semibold select-none">
              {sign}
            </span>
            <span className="whitespace-pre-wrap wrap-anywhere">
              {word === null ? null : <span className="visually-hidden">{word()} </span>}
              <MarkedText text={text} />
            </span>
          </li>
        )
      })}
    </ol>
  )
}
