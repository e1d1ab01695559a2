'use client'

import { useState } from 'react'
import { useReach } from '@/components/connection/reach'
import { CheckField } from '@/components/ui/form'
import { idleForm } from '@/components/ui/form-state'
import { m } from '@/lib/kernel/messages'
import { addPhone } from './actions'
import { DeviceTitle } from './device-words'
import { contents } from './phone-channel'
import { type PushState, rememberChannel, subscribe } from './push'

interface ThisDeviceProps {
  /** The key of this service: GET /beak/channel/push-key. */
  publicKey: string
  state: PushState
  onRefused: () => void
  onAdded: (channelId: string) => void
}

/**
 * "This phone", or computer, as a place where it can ring: the box of a browser that gets no push messages. The browser asks for permission when
 * the person ticks it, and the tick is saved at once. Where that is impossible, the text below says what to do.
 */
export function ThisDevice({ publicKey, state, onRefused, onAdded }: ThisDeviceProps) {
  const [isAsking, setIsAsking] = useState(false)
  const [message, setMessage] = useState('')
  const isReached = useReach() === 'reached'

  async function tick() {
    setMessage('')
    setIsAsking(true)
    try {
      const subscription = await subscribe(publicKey)
      if (subscription === null) {
        if (Notification.permission === 'denied') onRefused()
        else setMessage(m.phone_not_allowed_yet())
        return
      }
      const form = new FormData()
      form.set('subscription', JSON.stringify(subscription))
      const { data, message: refusal } = await addPhone(idleForm, form)
      if (data === undefined) return setMessage(refusal)
      rememberChannel(data.channelId)
      onAdded(data.channelId)
    } catch {
      setMessage(m.phone_browser_failed())
    } finally {
      setIsAsking(false)
    }
  }

  return (
    <div className="grid gap-2">
      <CheckField
        label={<DeviceTitle />}
        name="this_device"
        hint={isAsking ? m.phone_waiting_for_your_browser() : m.phone_reason()}
        checked={isAsking}
        disabled={state !== 'ready' || !isReached}
        onChange={() => isAsking || void tick()}
      />
      <div className="ps-8">{contents[state]?.()}</div>
      <p role="alert" className="ps-8 text-sm text-bad empty:hidden">
        {message}
      </p>
    </div>
  )
}
