'use client'

import { ChevronRight } from 'lucide'
import { ActionWords } from '@/components/kept-text'
import { Sentence } from '@/components/sentence'
import { Icon } from '@/components/ui/icon'
import { m } from '@/lib/kernel/messages'
import { readersLocale } from '@/lib/kernel/text/time-words'
import { ReasonText, RiskMark } from '../_decision/risk-mark'
import { asBeforeWords, askersWords, type BulkGroup, bulkGroups, recipientsOf, sumsOf } from './bulk-groups'
import { AskerName, wholeAmount } from './request-row'
import type { InboxRow } from './rows'

interface BulkListProps {
  label: string
  rows: { row: InboxRow; reason: string | null }[]
  /** The outcomes of the requests that are decided already. */
  outcomes: Record<string, string>
}

/** All requests of the dialog, grouped by what they ask for. A group of several opens to its rows. */
export function BulkList({ label, rows, outcomes }: BulkListProps) {
  if (rows.length === 0) return null
  return (
    <ul aria-label={label} className="rounded-control border border-line text-sm">
      {bulkGroups(rows).map((group) => (
        <li key={group.key} className="border-t border-line first:border-t-0">
          <GroupView group={group} outcomes={outcomes} />
        </li>
      ))}
    </ul>
  )
}

type GroupViewProps = Pick<BulkListProps, 'outcomes'> & { group: BulkGroup }

function GroupView({ group: { rows, reason }, outcomes }: GroupViewProps) {
  const [first] = rows
  if (first === undefined) return null
  if (rows.length === 1)
    return (
      <div className="flex min-h-11 items-center gap-2.5 px-3 py-1.5 max-sm:flex-wrap">
        <RiskMark level={first.risk} isShape />
        <RowText row={first} words={first.words} />
        <Note text={outcomes[first.id] ?? reason} />
      </div>
    )
  const decided = rows.filter(({ id }) => outcomes[id] !== undefined).length
  const askers = askersWords(rows)
  return (
    <details className="group/bulk">
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2.5 max-sm:flex-wrap px-3 py-1.5 hover:bg-sunken [&::-webkit-details-marker]:hidden">
        <RiskMark level={first.risk} isShape />
        <span className="min-w-0 flex-1 wrap-anywhere">
          <span className="font-semibold">
            <Sentence
              of={m.inbox_count_of_action}
              with={{
                count: rows.length.toLocaleString(readersLocale()),
                action: first.words,
              }}
            />
          </span>
          <Sums sums={sumsOf(rows)} />
          <Recipients words={recipientsOf(rows)?.words} />
          <span className="block text-xs text-soft">
            {askers ?? (
              <>
                {m.inbox_from()} <AskerName row={first} />
              </>
            )}
          </span>
          <Line text={asBeforeWords(rows)} />
        </span>
        <Note
          text={decided > 0 ? m.inbox_decided_of_count_decided({ decided, count: rows.length }) : reason}
        />
        <Icon of={ChevronRight} size={16} className="shrink-0 text-soft group-open/bulk:rotate-90" />
      </summary>
      <ul>
        {rows.map((row) => (
          <li
            key={row.id}
            className="flex min-h-9 items-center gap-2.5 max-sm:flex-wrap border-t border-line py-1 ps-10 pe-3 [content-visibility:auto]"
          >
            <RowText row={row} words={row.value === null && row.more.length === 0 ? row.words : null} />
            <Note text={outcomes[row.id] ?? null} />
          </li>
        ))}
      </ul>
    </details>
  )
}

function RowText({ row, words }: { row: InboxRow; words: string | null }) {
  return (
    <span className="min-w-0 flex-1 wrap-anywhere">
      {words === null ? null : (
        <span className="font-semibold">
          <ActionWords words={words} />
        </span>
      )}{' '}
      {row.value === null ? null : (
        <bdi translate="no" className={row.isAmount ? `font-semibold ${wholeAmount}` : ''}>
          {row.value}
        </bdi>
      )}
      {row.more.length === 0 ? null : (
        <bdi translate="no" className="block">
          {row.more.join(' · ')}
        </bdi>
      )}
      <span className="block text-xs text-soft">
        <AskerName row={row} />
      </span>
      <Line text={row.reason} />
    </span>
  )
}

/** The sum of each currency. A sum is never broken. */
const Sums = ({ sums }: { sums: string[] }) => (
  <span className="flex flex-wrap gap-x-4 empty:hidden">
    {sums.map((sum) => (
      <bdi translate="no" key={sum} className="exact-digits font-semibold">
        {sum}
      </bdi>
    ))}
  </span>
)

const Recipients = ({ words }: { words: string | undefined }) =>
  words === undefined ? null : (
    <bdi translate="no" className="block">
      {words}
    </bdi>
  )

/** What all requests of the dialog come to, and whom they reach. Those that the words only count stand in a list that opens. */
export function Total({ rows }: { rows: InboxRow[] }) {
  const [sums, recipients] = [sumsOf(rows), recipientsOf(rows)]
  // Requests of several kinds have nothing in common without a sum.
  if (sums.length === 0) return null
  return (
    <div className="text-sm wrap-anywhere">
      <h3 className="font-sans text-sm font-semibold">{m.inbox_in_all()}</h3>
      <div className="sm:text-lg">
        <Sums sums={sums} />
      </div>
      <Recipients words={recipients?.words} />
      {recipients === null || recipients.all.length === 0 ? null : (
        <details>
          <summary className="min-h-11 w-fit cursor-pointer content-center font-semibold sm:min-h-6">
            {m.inbox_all_recipients({ count: recipients.all.length })}
          </summary>
          <ul className="mt-1 grid gap-1 ps-4">
            {recipients.all.map((name) => (
              <li key={name}>
                <bdi translate="no">{name}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

/** Says why a request has its risk, or that it is as before, in the words of its row in the inbox. */
const Line = ({ text }: { text: string | null }) =>
  text === null ? null : (
    <span className="block text-xs text-soft">
      <ReasonText text={text} />
    </span>
  )

/** On a phone a row of its own, so that it takes no width from the request. */
const Note = ({ text }: { text: string | null }) =>
  text === null ? null : (
    <span className="text-xs text-soft max-sm:order-last max-sm:basis-full sm:max-w-[45%] sm:shrink-0 sm:text-end">
      {text}
    </span>
  )
