'use client'

import { type ReactNode, useEffect, useState } from 'react'
import { logoPath } from '@/components/duck-art'
import { useAskedSubmit } from '@/components/ui/asked-submit'
import { buttonClass } from '@/components/ui/button-class'
import { ActionForm } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import { addPhone } from './actions'
import { thisDevice } from './device-words'
import { type PushState, pushState, rememberChannel, subscribe } from './push'

/** How to add Beak to the home screen of an iPhone or iPad, where only such apps get push messages. One drawing for each step. */
function HomeScreenSteps() {
  const steps = [
    { text: m.phone_ios_share(), drawing: <ShareSymbol /> },
    { text: m.phone_ios_add(), drawing: <AddRow /> },
    { text: m.phone_ios_open(), drawing: <AppOnScreen /> },
  ]
  return (
    <div className="grid gap-3">
      <p className="text-sm">{m.phone_ios_first()}</p>
      <ol className="grid gap-4 sm:grid-cols-3">
        {steps.map(({ text, drawing }, index) => (
          <li
            key={text}
            className="grid grid-cols-[5.5rem_minmax(0,1fr)] items-center gap-3 text-sm sm:grid-cols-1 sm:content-start"
          >
            <Screen>{drawing}</Screen>
            <span>
              <span className="font-semibold">{index + 1}.</span> {text}
            </span>
          </li>
        ))}
      </ol>
    </div>
  )
}

/** The lower part of a phone. */
function Screen({ children }: { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 88 72"
      aria-hidden="true"
      className="w-22 text-ink"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
    >
      <path d="M4 0v58a10 10 0 0 0 10 10h60a10 10 0 0 0 10-10V0" className="text-edge" />
      {children}
    </svg>
  )
}

function ShareSymbol() {
  return (
    <>
      <path d="M8 42h72" className="stroke-line" />
      <g className="text-accent" strokeLinecap="round" strokeLinejoin="round">
        <path d="M39 47h-4v14h18V47h-4M44 54V38m-5 5 5-5 5 5" />
        <circle cx="44" cy="51" r="15" strokeDasharray="2 5" />
      </g>
      <path d="M16 54h8m40 0h8" className="text-edge" strokeLinecap="round" />
    </>
  )
}

function AddRow() {
  return (
    <>
      <path d="M14 10h60v12H14zM14 50h60v12H14z" className="stroke-line" strokeLinejoin="round" />
      <g className="text-accent" strokeLinecap="round" strokeLinejoin="round">
        <path d="M12 28h64v16H12zM20 36h28" />
        <path d="M60 31h10v10H60zM65 33.5v5m-2.5-2.5h5" strokeWidth="1.5" />
      </g>
    </>
  )
}

function AppOnScreen() {
  return (
    <>
      {[14, 60].map((x) => (
        <rect key={x} x={x} y="12" width="14" height="14" rx="4" className="stroke-line" />
      ))}
      <rect x="33" y="8" width="22" height="22" rx="6" className="text-accent" />
      <path d={logoPath} transform="translate(36.5 11) scale(0.48)" className="fill-accent" stroke="none" />
      <path d="M44 36v12m-4-4 4 4 4-4" className="text-soft" strokeLinecap="round" />
      <rect x="14" y="52" width="60" height="10" rx="5" className="stroke-line" />
    </>
  )
}

interface PhoneChannelProps {
  /** The key of this service: GET /beak/channel/push-key. */
  publicKey: string
}

/**
 * "Get requests on this phone", or computer: subscribes this browser to push messages. The browser asks for permission only after a click. Renders nothing on
 * the server, which does not know the browser.
 */
export function PhoneChannel({ publicKey }: PhoneChannelProps) {
  const [state, setState] = useState<PushState | null>(null)
  useEffect(() => setState(pushState([])), [])
  if (state === null) return null
  return contents[state]?.() ?? <Subscribe publicKey={publicKey} onRefused={() => setState('refused')} />
}

const isOnWords = () => (thisDevice() === 'phone' ? m.phone_is_on_phone() : m.phone_is_on_computer())
const getWords = () =>
  thisDevice() === 'phone' ? m.phone_get_requests_phone() : m.phone_get_requests_computer()

/** What a browser in a state says. `ready` has a button or a box instead. */
export const contents: Partial<Record<PushState, () => ReactNode>> = {
  on: () => <p role="status">{isOnWords()}</p>,
  needs_home_screen: () => <HomeScreenSteps />,
  refused: () => (
    <div className="grid max-w-2xl gap-2 text-sm">
      <p className="font-semibold">{m.phone_refused()}</p>
      <p>{m.phone_refused_allow_again()}</p>
      {thisDevice() === 'phone' ? <p>{m.phone_refused_on_iphone()}</p> : null}
    </div>
  ),
  unsupported: () => <p className="text-sm">{m.phone_unsupported()}</p>,
}

function Subscribe({ publicKey, onRefused }: { publicKey: string; onRefused: () => void }) {
  return (
    <ActionForm
      action={addPhone}
      label={getWords()}
      keepsDraft={false}
      after={({ data }) => <Added channelId={data?.channelId ?? ''} />}
    >
      <SubscribeButton publicKey={publicKey} onRefused={onRefused} />
    </ActionForm>
  )
}

function Added({ channelId }: { channelId: string }) {
  useEffect(() => rememberChannel(channelId), [channelId])
  return <p role="status">{isOnWords()}</p>
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
        {isBusy ? m.phone_waiting_for_your_browser() : getWords()}
      </button>
      <p role="alert" className="text-sm text-bad empty:hidden">
        {message}
      </p>
    </div>
  )
}
