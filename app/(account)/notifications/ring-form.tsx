'use client'

import { type ReactNode, useEffect, useState } from 'react'
import { DeviceTitle } from '@/app/_shell/phone/device-words'
import { ownChannel, type PushState, pushState } from '@/app/_shell/phone/push'
import { ThisDevice } from '@/app/_shell/phone/this-device'
import { ActionForm, SubmitButton } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import { changeRing } from './actions'
import { MailRows } from './mail-rows'
import type { Place, Settings } from './read'
import { PlaceRow } from './risk-boxes'
import { risks } from './words'

interface RingFormProps {
  /** The address of mails. Null: it is not confirmed. */
  address: string | null
  mail: Settings['channels']['mail']
  /** The channels beside mail. */
  channels: Place[]
  /** The zone of the browser, when the person has chosen none. */
  zone: string
  /** The key for push messages to this browser. */
  publicKey: string
  /** The fine points, folded. */
  children: ReactNode
}

/** What this browser can do, and its channel when it gets push messages. */
interface Device {
  state: PushState
  own: string | null
}

/** "When should we notify you?": one table of places and risks, and one Save. It works without scripts. */
export function RingForm({ address, mail, channels, zone, publicKey, children }: RingFormProps) {
  // The server does not know the browser.
  const [device, setDevice] = useState<Device | null>(null)
  useEffect(() => {
    const ids = channels.map(({ channel_id }) => channel_id)
    const state = pushState(ids)
    setDevice({ state, own: state === 'on' ? ownChannel(ids) : null })
  }, [channels])
  const isThis = ({ channel_id }: Place) => channel_id === device?.own
  return (
    <ActionForm action={changeRing} label={m.notifications_when_ring()} className="group/ring grid gap-7">
      <table id="phone" className="w-full border-collapse text-sm">
        <caption className="pb-2 text-start text-soft">{m.notifications_table_caption()}</caption>
        <thead>
          <tr className="border-b border-line">
            <th scope="col" className="py-2 pe-3 text-start font-normal text-soft">
              {m.notifications_where()}
            </th>
            {risks.map(({ risk, label }) => (
              <th key={risk} scope="col" className="w-14 px-1 py-2 text-center font-semibold sm:w-16">
                {label()}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {device !== null && device.own !== null ? null : (
            <tr className="border-b border-line">
              <td colSpan={1 + risks.length} className="py-3">
                {/* About as high as the box that takes its place, so that little moves. */}
                {device === null ? (
                  <div className="min-h-28" />
                ) : (
                  <ThisDevice
                    publicKey={publicKey}
                    state={device.state}
                    onRefused={() => setDevice({ state: 'refused', own: null })}
                    onAdded={(own) => setDevice({ state: 'on', own })}
                  />
                )}
              </td>
            </tr>
          )}
          {channels.filter(isThis).map((channel) => (
            <PlaceRow key={channel.channel_id} {...channel} place={<DeviceTitle />} />
          ))}
          {channels
            .filter((channel) => !isThis(channel))
            .map((channel) => (
              <PlaceRow key={channel.channel_id} {...channel} />
            ))}
          {address === null ? null : <MailRows mail={mail} address={address} />}
        </tbody>
      </table>
      <input type="hidden" name="zone" value={zone} />
      {children}
      <SubmitButton>{m.notifications_save()}</SubmitButton>
    </ActionForm>
  )
}
