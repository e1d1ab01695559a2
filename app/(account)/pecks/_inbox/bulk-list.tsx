'use client'

import { ChevronRight } from 'lucide'
import { ActionWords } from '@/components/kept-text'
import { Sentence } from '@/components/sentence'
import { Icon } from '@/components/ui/icon'
import { m } from '@/lib/kernel/messages'
import { readersLocale } from '@/lib/kernel/text/time-words'
import { RiskMark } from '../_decision/risk-mark'
import { askersWords, type BulkGroup, bulkGroups, sumWords } from './bulk-groups'
import { AskerName } from './request-row'
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
      <div className="flex min-h-11 items-center gap-2.5 px-3 py-1.5">
        <RiskMark level={first.risk} isShape />
        <RowText row={first} words={first.words} />
        <Note text={outcomes[first.id] ?? reason} />
      </div>
    )
  const decided = rows.filter(({ id }) => outcomes[id] !== undefined).length
  const [askers, sum] = [askersWords(rows), sumWords(rows)]
  return (
    <details className="group">
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2.5 px-3 py-1.5 hover:bg-sunken [&::-webkit-details-marker]:hidden">
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
          {sum === null ? null : (
            <bdi translate="no" className="block font-semibold">
              {sum}
            </bdi>
          )}
          <span className="block text-xs text-soft">
            {askers ?? (
              <>
                {m.inbox_from()} <AskerName row={first} />
              </>
            )}
          </span>
        </span>
        <Note
          text={decided > 0 ? m.inbox_decided_of_count_decided({ decided, count: rows.length }) : reason}
        />
        <Icon of={ChevronRight} size={16} className="shrink-0 text-soft group-open:rotate-90" />
      </summary>
      <ul>
        {rows.map((row) => (
          <li
            key={row.id}
            className="flex min-h-9 items-center gap-2.5 border-t border-line py-1 ps-10 pe-3 [content-visibility:auto]"
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
        <bdi translate="no" className={row.isAmount ? 'font-semibold' : ''}>
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
    </span>
  )
}

const Note = ({ text }: { text: string | null }) =>
  text === null ? null : <span className="max-w-[45%] shrink-0 text-end text-xs text-soft">{text}</span>
