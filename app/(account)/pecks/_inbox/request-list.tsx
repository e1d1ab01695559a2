'use client'

import { type MouseEvent, type RefObject, useEffect } from 'react'
import { Duck } from '@/components/duck'
import type { Group } from './groups'
import { columns, RequestRow } from './request-row'
import type { InboxRow } from './row'

interface RequestListProps {
  list: RefObject<HTMLUListElement | null>
  groups: Group<InboxRow>[]
  outcomes: Record<string, string>
  selected: string | null
  checked: Set<string>
  now: number
  isSettling: boolean
  onSelect: (id: string) => void
  /** `isRange`: with the Shift key, up to the box that was changed before. */
  onCheck: (id: string, isRange: boolean) => void
}

/** The waiting requests, one line for each, grouped by who asks. */
export function RequestList({ list, groups, onSelect, onCheck, isSettling, ...state }: RequestListProps) {
  useReadyMark(list)
  function click(event: MouseEvent) {
    const target = event.target as Element
    const id = target.closest<HTMLElement>('[data-row]')?.dataset.row
    if (id === undefined || event.ctrlKey || event.metaKey || event.button !== 0) return
    if (target instanceof HTMLInputElement) return onCheck(id, event.shiftKey)
    const isLabel = target.closest('label') !== null
    // The browser would open the link in a new window, or select text.
    if (event.shiftKey && !isLabel) {
      event.preventDefault()
      return onCheck(id, true)
    }
    if (isLabel) return
    event.preventDefault()
    onSelect(id)
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the rows are links and boxes, which the keyboard clicks
    <ul
      ref={list}
      aria-label="Pending requests"
      onClick={click}
      className={`group/list grid grid-cols-[minmax(0,1fr)] gap-3 px-1 pb-3 ${isSettling ? 'pointer-events-none' : ''}`}
    >
      {groups.map((group) => (
        <RequestGroup key={group.asker} group={group} {...state} />
      ))}
    </ul>
  )
}

type GroupProps = Pick<RequestListProps, 'outcomes' | 'selected' | 'checked' | 'now'> & {
  group: Group<InboxRow>
}

function RequestGroup({ group: { asker, rows }, outcomes, selected, checked, now }: GroupProps) {
  const [newest] = rows
  if (newest === undefined) return null
  const open = rows.filter(({ id }) => outcomes[id] === undefined).length
  return (
    <li>
      <h2 className="sticky top-0 z-[1] flex min-h-10 items-center gap-2.5 border-b border-line bg-ground px-2 py-1 font-sans text-sm font-semibold tracking-normal">
        <Duck id={asker} size={26} />
        <span className="min-w-0 truncate">
          <bdi>{newest.name}</bdi>
          {newest.operator === null ? null : (
            <span className="font-normal text-soft">, {agentOf(newest.operator)}</span>
          )}
        </span>
        <span className="ms-auto shrink-0 font-normal text-soft tabular-nums">
          {open}
          <span className="visually-hidden"> waiting</span>
        </span>
      </h2>
      <ul>
        {rows.map((row) => (
          <RequestRow
            key={row.id}
            row={row}
            outcome={outcomes[row.id] ?? null}
            isSelected={row.id === selected}
            isChecked={checked.has(row.id)}
            now={now}
          />
        ))}
      </ul>
    </li>
  )
}

const agentOf = (operator: string) => (operator === 'you' ? 'your agent' : `an agent of ${operator}`)

/** The heads of the columns. */
export function ColumnHeads() {
  return (
    <div aria-hidden="true" className="flex px-1 text-xs text-soft">
      <span className="w-9 shrink-0" />
      <span className={`flex-1 pe-2 ${columns}`}>
        <span />
        <span>Request</span>
        <span className="text-end">Sent</span>
        <span className="text-end">Left</span>
      </span>
    </div>
  )
}

/** Shows the boxes once scripts handle them, without a new rendering of all rows. */
function useReadyMark(list: RefObject<HTMLUListElement | null>) {
  useEffect(() => {
    list.current?.setAttribute('data-ready', '')
  }, [list])
}
