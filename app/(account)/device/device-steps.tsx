'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { ActionForm, SubmitButton, TextField, useAnswer } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { Card, Facts, Notice } from '@/components/ui/surface'
import { deviceWords } from '@/lib/kernel/device'
import { connectDevice, type Device, type DeviceStep } from './actions'

/** Enters the code that a device shows, then approves or denies the device. `code` is the code of the link that was followed. */
export function DeviceForm({ code }: { code: string }) {
  return (
    <ActionForm action={connectDevice} label="Connect a device" keepsDraft={false} countsOnce={false}>
      <Steps code={code} />
    </ActionForm>
  )
}

function Steps({ code }: { code: string }) {
  const { data } = useAnswer<DeviceStep>()
  if (data?.step === 'decide') return <Decide device={data.device} />
  if (data?.step === 'approved' || data?.step === 'denied') return <Decided {...data} />
  return <EnterCode code={data?.step === 'code' ? '' : code} isAgain={data?.step === 'code'} />
}

function EnterCode({ code, isAgain }: { code: string; isAgain: boolean }) {
  return (
    <>
      <TextField
        label="Code on your device"
        name="user_code"
        defaultValue={code}
        hint={
          code === ''
            ? 'Eight letters, like WDJB-MJHT. Your device shows them now.'
            : 'Continue only if your own device shows exactly this code.'
        }
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        // After "Use another code", the button that had the focus is gone.
        autoFocus={isAgain}
        className="max-w-64 font-mono text-xl tracking-[0.2em] uppercase"
      />
      <Notice tone="warn" title="Did somebody send you this code or link?">
        Then close this page. A device that you approve acts as you. Nobody from Beak asks you for a code.
      </Notice>
      <SubmitButton>Continue</SubmitButton>
    </>
  )
}

/** Shows the device that waits. The focus goes to the heading, not to a button. */
function Decide({ device }: { device: Device }) {
  return (
    <Card className="grid gap-6">
      <FocusedHeading>Let “{device.client_name}” sign in as you?</FocusedHeading>
      <input type="hidden" name="user_code" value={device.user_code} />
      <Facts
        facts={[
          { name: 'Code', value: <span className="font-mono font-semibold">{device.user_code}</span> },
          { name: 'Name', value: `${device.client_name} (chosen by the device)` },
          { name: 'Program', value: deviceWords(device.user_agent) },
          { name: 'Network address', value: device.ip ?? 'Unknown' },
        ]}
      />
      {device.same_network ? null : (
        <Notice tone="warn" title="This device is on another network than you">
          That is normal for a server, or for a phone beside a computer. If you sit in front of both, deny it.
        </Notice>
      )}
      <div className="text-sm">
        <p className="font-semibold">What it gets</p>
        <ul className="mt-2 grid list-disc gap-1 ps-5 text-soft">
          <li>
            It acts as you for 24 hours: it can see your data, prepare agents and webhooks, and approve
            requests of low risk.
          </li>
          <li>
            It can’t switch on what it prepares, approve other requests, change your email address, passkeys
            or notifications, end other sessions, rotate keys, or close your account.
          </li>
          <li>You can sign it out at any time, on your security page.</li>
        </ul>
      </div>
      <div className="flex flex-wrap gap-3">
        <SubmitButton name="decision" value="approve">
          Approve
        </SubmitButton>
        <SubmitButton kind="danger" name="decision" value="deny">
          Deny
        </SubmitButton>
        <SubmitButton kind="quiet" name="restart" value="yes">
          Use another code
        </SubmitButton>
      </div>
    </Card>
  )
}

function Decided({ step, name }: { step: 'approved' | 'denied'; name: string }) {
  return (
    <Card className="grid gap-3">
      <FocusedHeading>{step === 'approved' ? 'Device approved' : 'Device denied'}</FocusedHeading>
      <p className="wrap-anywhere">
        {step === 'approved'
          ? `“${name}” signs in within seconds. You can go back to it.`
          : `“${name}” got no access. You can close this page.`}
      </p>
      <p className="text-sm text-soft">
        <Link href="/security#sessions" className="inline-block py-1 font-semibold text-ink underline">
          See where you are signed in
        </Link>
      </p>
    </Card>
  )
}

function FocusedHeading({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <h2 ref={heading} tabIndex={-1} className="wrap-anywhere">
      {children}
    </h2>
  )
}
