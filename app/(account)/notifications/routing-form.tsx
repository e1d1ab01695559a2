'use client'

import { Sentence } from '@/components/sentence'
import { ActionForm, SubmitButton, useAnswer } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import { changeRouting } from './actions'
import type { Channel } from './read'
import { risks } from './words'

type Row = Pick<Channel, 'channel_id' | 'name' | 'announces'>

/** Which kinds of request each channel announces, as one table. */
export function RoutingForm({ channels }: { channels: Row[] }) {
  return (
    <ActionForm action={changeRouting} label={m.notifications_which_requests()}>
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">{m.notifications_which_requests()}</caption>
        <thead>
          <tr className="border-b border-line">
            <th scope="col" className="py-2 pe-3 text-start font-normal text-soft">
              {m.notifications_risk()}
            </th>
            {risks.map(({ risk, label }) => (
              <th key={risk} scope="col" className="w-16 px-1 py-2 text-center font-semibold">
                {label()}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {channels.map((channel) => (
            <RoutingRow key={channel.channel_id} {...channel} />
          ))}
        </tbody>
      </table>
      <SubmitButton kind="plain">{m.notifications_save()}</SubmitButton>
    </ActionForm>
  )
}

function RoutingRow({ channel_id: id, name, announces }: Row) {
  const { status, values } = useAnswer()
  const boxOf = (risk: string) => `announces.${id}:${risk}`
  return (
    <tr className="border-b border-line">
      <th scope="row" className="py-1 pe-3 text-start font-semibold wrap-anywhere">
        <input type="hidden" name="channel_id" value={id} />
        <bdi translate="no">{name}</bdi>
      </th>
      {risks.map(({ risk, label }) => (
        <td key={risk} className="text-center">
          <label className="inline-grid size-11 cursor-pointer place-items-center">
            <span className="sr-only">
              <Sentence of={m.notifications_risk_on_channel} with={{ risk: label(), name }} />
            </span>
            <input
              type="checkbox"
              name={boxOf(risk)}
              defaultChecked={status === 'failed' ? boxOf(risk) in values : announces.includes(risk)}
              className="size-5 accent-accent"
            />
          </label>
        </td>
      ))}
    </tr>
  )
}
