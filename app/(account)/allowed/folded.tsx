import type { ReactNode } from 'react'

const shownFirst = 8
const list = 'border-t border-line'

interface FoldedProps {
  /** What the list has, for screen readers. */
  'aria-label': string
  /** The words of the fold: how many more there are. */
  more: (count: number) => string
  children: ReactNode[]
}

/** A list whose first rows are shown. The rest is behind a disclosure of the browser, which works without scripts. */
export function Folded({ 'aria-label': label, more, children: rows }: FoldedProps) {
  const rest = rows.slice(shownFirst)
  return (
    <>
      <ul aria-label={label} className={list}>
        {rows.slice(0, shownFirst)}
      </ul>
      {rest.length === 0 ? null : (
        <details>
          <summary className="inline-flex min-h-11 items-center rounded-control text-sm font-semibold underline">
            {more(rest.length)}
          </summary>
          <ul aria-label={more(rest.length)} className={list}>
            {rest}
          </ul>
        </details>
      )}
    </>
  )
}
