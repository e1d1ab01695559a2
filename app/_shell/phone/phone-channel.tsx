'use client'

import { type ReactNode, useEffect, useState } from 'react'
import { useAskedSubmit } from '@/components/ui/asked-submit'
import { buttonClass } from '@/components/ui/button-class'
import { ActionForm } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import { addPhone } from './actions'
import { HomeScreenSteps } from './home-screen-steps'
import { type PushState, pushState, rememberChannel, subscribe } from './push'

interface PhoneChannelProps {
  /** The key of this service: GET /beak/channel/push-key. */
  publicKey: string
  /** The push channels of the account. */
  channelIds: string[]
}

/**
 * "Get requests on this device": subscribes this browser to push messages. The browser asks for permission only after a click. Renders nothing on
 * the server, which does not know the browser.
 */
export function PhoneChannel({ publicKey, channelIds }: PhoneChannelProps) {
  const [state, setState] = useState<PushState | null>(null)
  useEffect(() => setState(pushState(channelIds)), [channelIds])
  if (state === null) return null
  return contents[state]?.() ?? <Subscribe publicKey={publicKey} onRefused={() => setState('refused')} />
}

const contents: Partial<Record<PushState, () => ReactNode>> = {
  on: () => <p role="status">{m.phone_is_on()}</p>,
  needs_home_screen: () => <HomeScreenSteps />,
  refused: () => (
    <div className="grid max-w-2xl gap-2 text-sm">
      <p className="font-semibold">{m.phone_refused()}</p>
      <p>{m.phone_refused_allow_again()}</p>
      <p>{m.phone_refused_on_iphone()}</p>
    </div>
  ),
  unsupported: () => <p className="text-sm">{m.phone_unsupported()}</p>,
}

function Subscribe({ publicKey, onRefused }: { publicKey: string; onRefused: () => void }) {
  return (
    <ActionForm
      action={addPhone}
      label={m.phone_get_requests_on_this_phone()}
      keepsDraft={false}
      after={({ data }) => <Added channelId={data?.channelId ?? ''} />}
    >
      <SubscribeButton publicKey={publicKey} onRefused={onRefused} />
    </ActionForm>
  )
}

function Added({ channelId }: { channelId: string }) {
  useEffect(() => rememberChannel(channelId), [channelId])
  return <p role="status">{m.phone_is_on()}</p>
}

/** Subscribes, and then submits the form with the subscription. */
function SubscribeButton({ publicKey, onRefused }: { publicKey: string; onRefused: () => void }) {
  const { field, message, isBusy, isDisabled, press } = useAskedSubmit(
    async (refuse) => {
      const subscription = await subscribe(publicKey)
      if (subscription !== null) return JSON.stringify(subscription)
      if (Notification.permission === 'denied') onRefused()
      else refuse(m.phone_not_allowed_yet())
      return null
    },
    () => m.phone_browser_failed(),
  )
  return (
    <div className="grid justify-items-start gap-2">
      <input ref={field} type="hidden" name="subscription" />
      <button
        type="button"
        aria-disabled={isDisabled}
        onClick={press}
        className={buttonClass('primary', 'aria-disabled:opacity-60')}
      >
        {isBusy ? m.phone_waiting_for_your_browser() : m.phone_get_requests_on_this_phone()}
      </button>
      <p role="alert" className="text-sm text-bad empty:hidden">
        {message}
      </p>
    </div>
  )
}
