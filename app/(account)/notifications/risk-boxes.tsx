'use client'

import type { ReactNode } from 'react'
import { Sentence } from '@/components/sentence'
import { useAnswer } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import type { Place } from './read'
import { risks } from './words'

/** A channel beside mail: a box for each risk that it announces. `place`: what the row is called, when not by its name. */
export function PlaceRow({ channel_id: id, name, announces, place }: Place & { place?: ReactNode }) {
  const named = <bdi translate="no">{name}</bdi>
  return (
    <tr className="border-b border-line">
      <th scope="row" className="py-1 pe-3 text-start font-semibold wrap-anywhere">
        <input type="hidden" name="channel_id" value={id} />
        {place ?? named}
        {place ? <span className="block font-normal text-soft">{named}</span> : null}
      </th>
      {risks.map(({ risk, label }) => (
        <td key={risk} className="text-center">
          <RiskBox
            name={`announces.${id}:${risk}`}
            isChecked={announces.includes(risk)}
            label={label()}
            place={place ?? named}
          />
        </td>
      ))}
    </tr>
  )
}

interface RiskBoxProps {
  name: string
  isChecked: boolean
  label: string
  place: ReactNode
}

/** The box of a risk. It keeps what was chosen when the form is refused. */
function RiskBox({ name, isChecked, label, place }: RiskBoxProps) {
  const { status, values } = useAnswer()
  return (
    <label className="inline-grid size-11 cursor-pointer place-items-center">
      <input
        type="checkbox"
        name={name}
        defaultChecked={status === 'failed' ? name in values : isChecked}
        className="size-5 accent-accent"
      />
      <span className="sr-only">
        <Sentence of={m.notifications_risk_at_place} with={{ risk: label }} parts={{ place: () => place }} />
      </span>
    </label>
  )
}
