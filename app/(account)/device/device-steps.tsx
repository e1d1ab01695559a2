'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { Sentence } from '@/components/sentence'
import { ActionForm, SubmitButton, TextField, useAnswer } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { Card, Facts, Notice } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { deviceWords } from '@/lib/kernel/request/device'
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
        hint={code === '' ? m.device_code_format_hint() : m.device_code_compare_hint()}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        // After "Use another code", the button that had the focus is gone.
        autoFocus={isAgain}
        className="max-w-64 font-mono text-xl tracking-[0.2em] uppercase"
      />
      <Notice tone="warn" title={m.device_code_scam_title()}>
        {m.device_code_scam_advice()}
      </Notice>
      <SubmitButton>{m.device_continue()}</SubmitButton>
    </>
  )
}

/** Shows the device that waits. The focus goes to the heading, not to a button. */
function Decide({ device }: { device: Device }) {
  return (
    <Card className="grid gap-6">
      <FocusedHeading>
        <Sentence of={m.device_let_sign_in_question} with={{ client_name: device.client_name }} />
      </FocusedHeading>
      <input type="hidden" name="user_code" value={device.user_code} />
      <Facts
        facts={[
          {
            name: m.device_code(),
            value: (
              <span translate="no" className="font-mono font-semibold">
                {device.user_code}
              </span>
            ),
          },
          {
            name: m.device_name(),
            value: <Sentence of={m.device_name_chosen_by_device} with={{ name: device.client_name }} />,
          },
          { name: m.device_program(), value: deviceWords(device.user_agent) },
          { name: m.device_network_address(), value: device.ip ?? m.device_unknown() },
        ]}
      />
      {device.same_network ? null : (
        <Notice tone="warn" title={m.device_other_network_title()}>
          {m.device_other_network_note()}
        </Notice>
      )}
      <div className="text-sm">
        <p className="font-semibold">{m.device_what_it_gets()}</p>
        <ul className="mt-2 grid list-disc gap-1 ps-5 text-soft">
          <li>{m.device_access_granted_note()}</li>
          <li>{m.device_session_limits()}</li>
          <li>{m.device_sign_out_later_note()}</li>
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
        {step === 'approved' ? (
          <Sentence of={m.device_name_signs_in_within_seconds_you} with={{ name }} />
        ) : (
          <Sentence of={m.device_name_got_no_access_you_can} with={{ name }} />
        )}
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
