'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { ActionForm, SubmitButton, TextField, useAnswer } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { Card, Facts, Notice } from '@/components/ui/surface'
import { deviceWords } from '@/lib/kernel/device'
import { m } from '@/lib/kernel/messages'
import { connectDevice, type Device, type DeviceStep } from './actions'

/** Enters the code that a device shows, then approves or denies the device. `code` is the code of the link that was followed. */
export function DeviceForm({ code }: { code: string }) {
  return (
    <ActionForm
      action={connectDevice}
      label={m.device_connect_a_device()}
      keepsDraft={false}
      countsOnce={false}
    >
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
        label={m.device_code_on_your_device()}
        name="user_code"
        defaultValue={code}
        hint={
          code === ''
            ? m.device_eight_letters_like_wdjb_mjht_your()
            : m.device_continue_only_if_your_own_device()
        }
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        // After "Use another code", the button that had the focus is gone.
        autoFocus={isAgain}
        className="max-w-64 font-mono text-xl tracking-[0.2em] uppercase"
      />
      <Notice tone="warn" title={m.device_did_somebody_send_you_this_code()}>
        {m.device_then_close_this_page_device_that()}
      </Notice>
      <SubmitButton>{m.device_continue()}</SubmitButton>
    </>
  )
}

/** Shows the device that waits. The focus goes to the heading, not to a button. */
function Decide({ device }: { device: Device }) {
  return (
    <Card className="grid gap-6">
      <FocusedHeading>{m.device_let_sign_in_question({ client_name: device.client_name })}</FocusedHeading>
      <input type="hidden" name="user_code" value={device.user_code} />
      <Facts
        facts={[
          {
            name: m.device_code(),
            value: <span className="font-mono font-semibold">{device.user_code}</span>,
          },
          { name: m.device_name(), value: m.device_name_chosen_by_device({ name: device.client_name }) },
          { name: m.device_program(), value: deviceWords(device.user_agent) },
          { name: m.device_network_address(), value: device.ip ?? m.device_unknown() },
        ]}
      />
      {device.same_network ? null : (
        <Notice tone="warn" title={m.device_this_device_is_on_another_network()}>
          {m.device_that_is_normal_for_server_or()}
        </Notice>
      )}
      <div className="text-sm">
        <p className="font-semibold">{m.device_what_it_gets()}</p>
        <ul className="mt-2 grid list-disc gap-1 ps-5 text-soft">
          <li>{m.device_it_acts_as_you_for_24()}</li>
          <li>{m.device_it_cant_switch_on_what_it()}</li>
          <li>{m.device_you_can_sign_it_out_at()}</li>
        </ul>
      </div>
      <div className="flex flex-wrap gap-3">
        <SubmitButton name="decision" value="approve">
          {m.device_approve()}
        </SubmitButton>
        <SubmitButton kind="danger" name="decision" value="deny">
          {m.device_deny()}
        </SubmitButton>
        <SubmitButton kind="quiet" name="restart" value="yes">
          {m.device_use_another_code()}
        </SubmitButton>
      </div>
    </Card>
  )
}

function Decided({ step, name }: { step: 'approved' | 'denied'; name: string }) {
  return (
    <Card className="grid gap-3">
      <FocusedHeading>{step === 'approved' ? m.device_approved() : m.device_denied()}</FocusedHeading>
      <p className="wrap-anywhere">
        {step === 'approved'
          ? m.device_name_signs_in_within_seconds_you({ name })
          : m.device_name_got_no_access_you_can({ name })}
      </p>
      <p className="text-sm text-soft">
        <Link href="/security#sessions" className="inline-block py-1 font-semibold text-ink underline">
          {m.device_see_where_you_are_signed_in()}
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
