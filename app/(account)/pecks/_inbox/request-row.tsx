'use client'

import { memo } from 'react'
import { agentOf } from '@/app/_shell/palette/owner-words'
import { withBasePath } from '@/components/base-path'
import { hour } from '@/lib/kernel/clock'
import { m } from '@/lib/kernel/messages'
import { isolated } from '@/lib/kernel/text/person-name'
import { RiskMark, riskWord } from '../_decision/risk-mark'
import { AskerName } from './asker-name'
import type { InboxRow } from './row'
import { shortTime, timeInWords } from './short-time'

interface RequestRowProps {
  row: InboxRow
  /** The outcome of a request that is no longer pending: "Approved". */
  outcome: string | null
  isSelected: boolean
  isChecked: boolean
  /** The list mixes askers, so the row names its own. */
  isMixed: boolean
  now: number
}

const columns = 'grid grid-cols-[1.25rem_minmax(0,1fr)_3rem_3rem] items-center gap-x-2'

export const rowId = (id: string) => `row-${id}`

/** A request as one line. The list around it handles its clicks, so that a list of 1,000 rows stays fast. */
export const RequestRow = memo(function RequestRow({ row, outcome, ...state }: RequestRowProps) {
  const { id, words, value } = row
  const { isSelected, isChecked, isMixed } = state
  return (
    <li
      data-row={id}
      className={`flex items-center rounded-control [content-visibility:auto] ${isMixed ? 'h-13' : 'h-10 max-lg:h-12'} ${isSelected ? 'bg-accent-wash shadow-[inset_3px_0_var(--accent)]' : 'hover:bg-sunken'}`}
    >
      <label className="invisible grid h-full w-9 shrink-0 place-items-center group-data-ready/list:visible">
        <span className="visually-hidden">
          {m.inbox_select_words({ words })} {value}
        </span>
        <input
          type="checkbox"
          checked={isChecked}
          disabled={outcome !== null}
          readOnly
          className="size-4.5 accent-accent disabled:opacity-40"
        />
      </label>
      <a
        id={rowId(id)}
        href={withBasePath(`/pecks/${id}`)}
        aria-current={isSelected ? 'true' : undefined}
        aria-label={labelOf(row, outcome, state)}
        className={`h-full min-w-0 flex-1 scroll-mt-20 scroll-mb-12 pe-2 text-sm no-underline focus-visible:-outline-offset-3 ${columns} ${outcome === null ? '' : 'text-soft line-through decoration-line'}`}
      >
        <RiskMark level={row.risk} isShape />
        <span className="truncate">
          <span className={outcome === null ? 'font-semibold' : ''}>{words}</span>
          {value === null ? null : <bdi className="ms-2 text-soft">{value}</bdi>}
          {isMixed ? (
            <span className="block truncate text-xs text-soft">
              <AskerName row={row} />
            </span>
          ) : null}
        </span>
        <Times row={row} outcome={outcome} now={state.now} />
      </a>
    </li>
  )
})

function Times({ row, outcome, now }: Pick<RequestRowProps, 'row' | 'outcome' | 'now'>) {
  if (outcome !== null) return <span className="col-span-2 text-end text-xs">{outcome}</span>
  const left = Date.parse(row.expiresAt) - now
  return (
    <>
      <time dateTime={row.createdAt} className="text-end text-xs whitespace-nowrap text-soft tabular-nums">
        {shortTime(now - Date.parse(row.createdAt))}
      </time>
      <time
        dateTime={row.expiresAt}
        className={`text-end text-xs whitespace-nowrap tabular-nums ${left < hour * 1000 ? 'font-semibold text-warn' : 'text-soft'}`}
      >
        {shortTime(left)}
      </time>
    </>
  )
}

function labelOf(
  row: InboxRow,
  outcome: string | null,
  { isMixed, now }: Pick<RequestRowProps, 'isMixed' | 'now'>,
): string {
  const { words, value, name, risk, createdAt, expiresAt } = row
  const agent = agentOf(row)
  const asker = !isMixed
    ? []
    : agent === null
      ? [m.inbox_from_name({ name: isolated(name) })]
      : [m.inbox_from_name({ name: isolated(name) }), agent]
  const what = [value === null ? words : `${words} ${value}`, ...asker].join(', ')
  if (outcome !== null) return `${what}, ${outcome}`
  const sent = timeInWords(now - Date.parse(createdAt))
  const left = timeInWords(Date.parse(expiresAt) - now)
  return m.inbox_label({ what, risk: riskWord(risk), sent, left })
}
