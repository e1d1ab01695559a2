'use client'

import { isolated, personMark } from '@beak/decision/person-name'
import { Fragment, memo } from 'react'
import { agentOf } from '@/app/_shell/palette/owner-words'
import { withBasePath } from '@/components/base-path'
import { ActionWords } from '@/components/kept-text'
import { Sentence } from '@/components/sentence'
import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'
import { hour } from '@/lib/kernel/runtime/clock'
import { withoutMarks } from '@/lib/kernel/text/kept-values'
import { ReasonText, RiskMark, riskWord } from '../_decision/risk-mark'
import { type InboxRow, withValues } from './rows'

interface AskerNameProps {
  row: Pick<InboxRow, 'asker' | 'name' | 'operator' | 'owner'>
  /** In the head of a group the name opens the card of the asker, and a line below says what tells the person from others. */
  isHead?: boolean
}

/** Who asks, with the owner of an agent: “Scout”, an agent of Mallard (@mallard). Names of other people cannot turn the words around them. */
export function AskerName({ row, isHead = false }: AskerNameProps) {
  const { name, operator, owner } = row
  const path = isHead ? cardOf(row) : null
  return (
    <>
      {path === null ? (
        <bdi translate="no">{name}</bdi>
      ) : (
        <Link href={path} className="no-underline hover:underline">
          <bdi translate="no">{name}</bdi>
        </Link>
      )}
      {operator === null ? null : (
        <span className="font-normal text-soft">
          {operator === 'you' ? (
            m.inbox_your_agent()
          ) : (
            <Sentence of={m.inbox_an_agent_of_operator} with={{ operator }} />
          )}
        </span>
      )}
      {owner === null || isHead ? null : (
        <span className="font-normal text-soft">
          {' '}
          (<bdi translate="no">{personMark(owner.handle, owner.duckling_id)}</bdi>)
        </span>
      )}
    </>
  )
}

/** Returns the card of the asker, or the page of the viewer's own agent. */
function cardOf({ asker, owner, operator }: AskerNameProps['row']): string | null {
  if (owner !== null) return `/pecks/askers/${asker}`
  return operator === null ? null : `/agents/manage/${asker}`
}

const units = [
  { seconds: 86_400, name: 'd', words: m.inbox_days },
  { seconds: 3600, name: 'h', words: m.inbox_hours },
  { seconds: 60, name: 'min', words: m.inbox_minutes },
]

function partsOf(milliseconds: number) {
  const seconds = Math.max(0, milliseconds / 1000)
  const unit = units.find((candidate) => seconds >= candidate.seconds)
  return unit === undefined ? null : { unit, count: Math.floor(seconds / unit.seconds) }
}

/** Returns a length of time for a narrow column: "3 h", "5 min", "2 d", "<1 min". */
export function shortTime(milliseconds: number): string {
  const parts = partsOf(milliseconds)
  return parts === null ? '<1 min' : `${parts.count} ${parts.unit.name}`
}

/** Returns the same length in words: "3 hours", "less than a minute". */
export function timeInWords(milliseconds: number): string {
  const parts = partsOf(milliseconds)
  if (parts === null) return m.inbox_less_than_a_minute()
  return parts.unit.words({ count: parts.count })
}

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

const columns = 'relative grid grid-cols-[1.25rem_minmax(0,1fr)] items-start gap-x-2 lg:pe-31'

export const rowId = (id: string) => `row-${id}`

/** A request with what tells it from others: nothing of it is cut. The list around it handles its clicks, so that a list of 1,000 rows stays fast. */
export const RequestRow = memo(function RequestRow({ row, outcome, ...state }: RequestRowProps) {
  const { id, words, value, more, reason } = row
  const { isSelected, isChecked, isMixed } = state
  return (
    <li
      data-row={id}
      // The first rows of a group have their own height at once. Otherwise the page would move when the browser renders them.
      className={`flex touch-pan-y touch-pinch-zoom items-stretch rounded-control pointer-coarse:select-none data-swiping:relative data-swiping:z-[1] data-swiping:bg-ground [-webkit-touch-callout:none] nth-[n+20]:[contain-intrinsic-size:auto_5rem] nth-[n+20]:[content-visibility:auto] ${isSelected ? 'bg-accent-wash shadow-[inset_3px_0_var(--accent)]' : 'hover:bg-sunken'}`}
    >
      <label className="invisible grid w-9 shrink-0 justify-items-center pt-2.75 group-data-ready/list:visible max-lg:pt-3.75">
        <input
          type="checkbox"
          aria-label={m.inbox_select_words({ words: withValues(words, row) })}
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
        className={`min-h-10 min-w-0 flex-1 scroll-mt-20 scroll-mb-12 max-lg:scroll-mt-40 py-2.5 max-lg:pe-2 text-sm max-lg:min-h-12 max-lg:py-3.5 no-underline focus-visible:-outline-offset-3 ${columns} ${outcome === null ? '' : 'text-soft line-through decoration-line'}`}
      >
        <RiskMark level={row.risk} isShape />
        <span className="min-w-0 leading-5 wrap-anywhere">
          <Times row={row} outcome={outcome} now={state.now} />
          <span className={outcome === null ? 'font-semibold' : ''}>
            <ActionWords words={words} />
          </span>{' '}
          {value === null ? null : (
            <bdi
              translate="no"
              className={
                row.isAmount ? `${wholeAmount} ${outcome === null ? 'font-semibold' : ''}` : 'text-soft'
              }
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
          {reason === null ? null : (
            <span className={`block text-xs ${row.risk === 'high' ? 'text-bad' : 'text-soft'}`}>
              <span data-line>
                <ReasonText text={reason} />
              </span>
            </span>
          )}
          {isMixed ? (
            <span className="block text-xs text-soft">
              <AskerName row={row} />
            </span>
          ) : null}
        </span>
      </a>
    </li>
  )
})

/** An amount never wraps apart. Only one that is longer than its line does. */
export const wholeAmount = 'exact-digits inline-block max-w-full'

/** Stands at the end of the first line of a narrow screen, so that the other lines have the whole width. */
const timesPlace = 'max-lg:float-end max-lg:ms-2 lg:absolute lg:end-2 lg:top-2.5 text-end text-xs leading-5'

/** A narrow screen has room for the time left only. */
function Times({ row, outcome, now }: Pick<RequestRowProps, 'row' | 'outcome' | 'now'>) {
  if (outcome !== null) return <span className={`${timesPlace} lg:max-w-26`}>{outcome}</span>
  const left = Date.parse(row.expiresAt) - now
  const look = left < hour * 1000 ? 'font-semibold text-warn' : 'text-soft'
  return (
    <span className={`${timesPlace} grid whitespace-nowrap tabular-nums lg:grid-cols-[3rem_3rem] lg:gap-x-2`}>
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
 * Returns the name of a row. It begins with what is asked for. The asker is always in it: a screen reader reads rows without the heads of their groups.
 */
export function labelOf(row: InboxRow, outcome: string | null, now: number): string {
  const { words, name, risk, reason, createdAt, expiresAt } = row
  const agent = agentOf(row)
  const asker = [m.inbox_from_name({ name: isolated(name) }), ...(agent === null ? [] : [agent])]
  const wish = [withValues(words, row), ...asker].join(', ')
  const what = reason === null ? wish : `${wish}. ${withoutMarks(reason)}`
  if (outcome !== null) return `${what}, ${outcome}`
  const sent = timeInWords(now - Date.parse(createdAt))
  const left = timeInWords(Date.parse(expiresAt) - now)
  return m.inbox_label({ what, risk: riskWord(risk), sent, left })
}
