'use client'

import { Fragment, memo } from 'react'
import { agentOf } from '@/app/_shell/palette/owner-words'
import { withBasePath } from '@/components/base-path'
import { hour } from '@/lib/kernel/clock'
import { m } from '@/lib/kernel/messages'
import { isolated } from '@/lib/kernel/text/person-name'
import { RiskMark, riskWord } from '../_decision/risk-mark'
import { ReasonText } from '../_decision/risk-reasons'
import { AskerName } from './asker-name'
import { type InboxRow, withValues } from './row'
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

const columns = 'grid grid-cols-[1.25rem_minmax(0,1fr)_auto] items-start gap-x-2'

export const rowId = (id: string) => `row-${id}`

/** A request with what tells it from others: nothing of it is cut. The list around it handles its clicks, so that a list of 1,000 rows stays fast. */
export const RequestRow = memo(function RequestRow({ row, outcome, ...state }: RequestRowProps) {
  const { id, words, value, more, firstLine } = row
  const { isSelected, isChecked, isMixed } = state
  return (
    <li
      data-row={id}
      // The first rows of a group have their own height at once. Otherwise the page would move when the browser renders them.
      className={`flex items-stretch rounded-control nth-[n+20]:[contain-intrinsic-size:auto_5rem] nth-[n+20]:[content-visibility:auto] ${isSelected ? 'bg-accent-wash shadow-[inset_3px_0_var(--accent)]' : 'hover:bg-sunken'}`}
    >
      <label className="invisible grid w-9 shrink-0 justify-items-center pt-2.75 group-data-ready/list:visible max-lg:pt-3.75">
        <span className="visually-hidden">{m.inbox_select_words({ words: withValues(words, row) })}</span>
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
        aria-label={labelOf(row, outcome, state.now)}
        className={`min-h-10 min-w-0 flex-1 scroll-mt-20 scroll-mb-12 py-2.5 pe-2 text-sm max-lg:min-h-12 max-lg:py-3.5 no-underline focus-visible:-outline-offset-3 ${columns} ${outcome === null ? '' : 'text-soft line-through decoration-line'}`}
      >
        <RiskMark level={row.risk} isShape />
        <span className="min-w-0 leading-5 wrap-anywhere">
          {firstLine === null ? null : (
            <span className={`block text-xs ${row.risk === 'high' ? 'text-bad' : 'text-soft'}`}>
              <span data-line>
                <ReasonText text={firstLine} />
              </span>
            </span>
          )}
          <span className={outcome === null ? 'font-semibold' : ''}>{words}</span>{' '}
          {value === null ? null : (
            <bdi
              translate="no"
              className={row.isAmount && outcome === null ? 'font-semibold whitespace-nowrap' : 'text-soft'}
            >
              {value}
            </bdi>
          )}
          {more.length === 0 ? null : (
            <span className="block text-[0.8125rem] text-soft">
              {more.map((text, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two values may be equal
                <Fragment key={index}>
                  {index === 0 ? null : ' · '}
                  <bdi translate="no">{text}</bdi>
                </Fragment>
              ))}
            </span>
          )}
          {isMixed ? (
            <span className="block text-xs text-soft">
              <AskerName row={row} />
            </span>
          ) : null}
        </span>
        <Times row={row} outcome={outcome} now={state.now} />
      </a>
    </li>
  )
})

/** A narrow screen has room for the time left only. */
function Times({ row, outcome, now }: Pick<RequestRowProps, 'row' | 'outcome' | 'now'>) {
  if (outcome !== null) return <span className="text-end text-xs leading-5">{outcome}</span>
  const left = Date.parse(row.expiresAt) - now
  const look = left < hour * 1000 ? 'font-semibold text-warn' : 'text-soft'
  return (
    <span className="grid text-end text-xs leading-5 whitespace-nowrap tabular-nums lg:grid-cols-[3rem_3rem] lg:gap-x-2">
      <time dateTime={row.createdAt} className="text-soft max-lg:hidden">
        {shortTime(now - Date.parse(row.createdAt))}
      </time>
      <time dateTime={row.expiresAt} className={look}>
        {shortTime(left)}
        <span className="lg:hidden"> {m.inbox_time_left()}</span>
      </time>
    </span>
  )
}

/**
 * Returns the name of a row. It begins with what is read first. The asker is always in it: a screen reader reads rows without the heads of their groups.
 */
export function labelOf(row: InboxRow, outcome: string | null, now: number): string {
  const { words, name, risk, firstLine, createdAt, expiresAt } = row
  const agent = agentOf(row)
  const asker = [m.inbox_from_name({ name: isolated(name) }), ...(agent === null ? [] : [agent])]
  const wish = [withValues(words, row), ...asker].join(', ')
  const what = firstLine === null ? wish : `${firstLine} ${wish}`
  if (outcome !== null) return `${what}, ${outcome}`
  const sent = timeInWords(now - Date.parse(createdAt))
  const left = timeInWords(Date.parse(expiresAt) - now)
  return m.inbox_label({ what, risk: riskWord(risk), sent, left })
}
