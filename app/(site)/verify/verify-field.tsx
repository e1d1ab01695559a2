'use client'

import { useRouter } from 'next/navigation'
import { type ChangeEvent, type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { KeptText } from '@/components/kept-text'
import { buttonClass } from '@/components/ui/button'
import { ActionForm, SubmitButton, TextArea, useAnswer } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { Facts } from '@/components/ui/surface'
import { Verdict } from '@/components/verdict'
import { m } from '@/lib/kernel/messages'
import { handOver } from '../receipts/handed-receipt'
import { checkAnything } from './actions'
import type { TokenCheck } from './check-token'
import { recognise, textMax } from './recognise'
import { fieldName, secretText } from './words'

/** The result of the latest check of a token. It takes the focus, so that a screen reader reads it. */
function TokenResult() {
  const { data, status, turn } = useAnswer<TokenCheck>()
  const top = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn has a new result
  useEffect(() => top.current?.focus(), [turn])
  if (status !== 'succeeded' || data === undefined) return null
  const { kind, title, text, facts, link } = data
  return (
    <div ref={top} tabIndex={-1} className="mt-4 grid gap-6 outline-none">
      <Verdict as="h2" kind={kind} title={title}>
        <p>
          <KeptText text={text} />
        </p>
      </Verdict>
      {facts.length === 0 ? null : (
        <Facts facts={facts.map(({ name, value }) => ({ name, value: <KeptText text={value} /> }))} />
      )}
      {link === undefined ? null : (
        <Link
          href={link.href}
          className="inline-flex min-h-6 items-center justify-self-start text-accent underline"
        >
          {link.label}
        </Link>
      )}
    </div>
  )
}

interface VerifyFieldProps {
  /** The earlier input, to correct it. */
  given?: string
  /** Why the earlier input cannot be checked. */
  error?: string
}

/**
 * One field for everything that can be checked. It recognises what was entered. A receipt goes to its check in this browser, and a
 * secret is not sent at all. Without JavaScript, the form is sent as it is.
 */
export function VerifyField({ given = '', error }: VerifyFieldProps) {
  const router = useRouter()
  const [warning, setWarning] = useState('')
  const area = useRef<HTMLDivElement>(null)

  /** Returns whether the text is handled in the browser. */
  function handleHere(text: string): boolean {
    const found = recognise(text)
    setWarning(found.kind === 'secret' ? secretText(found.name) : '')
    if (found.kind === 'receipt') {
      handOver(text)
      router.push('/receipts')
    }
    return found.kind === 'secret' || found.kind === 'receipt'
  }

  function submit(event: FormEvent<HTMLElement>): void {
    const text = area.current?.querySelector('textarea')?.value ?? ''
    if (handleHere(text)) event.preventDefault()
  }

  /** Most of what is entered has one line. Shift and Enter begin another one. */
  function submitOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    event.currentTarget.form?.requestSubmit()
  }

  async function readFile({ target }: ChangeEvent<HTMLInputElement>): Promise<void> {
    const [file] = target.files ?? []
    const field = area.current?.querySelector('textarea')
    if (file === undefined || !field) return
    field.value = file.size > textMax ? '' : await file.text()
    // The text is in the field now. The file must not be sent beside it.
    target.value = ''
    field.form?.requestSubmit()
  }

  return (
    <div ref={area} onSubmitCapture={submit} className="max-w-2xl">
      <ActionForm action={checkAnything} label={m.verify_check()} keepsDraft={false}>
        <TextArea
          label={m.verify_what_do_you_want_to_check()}
          name={fieldName}
          rows={2}
          onKeyDown={submitOnEnter}
          defaultValue={given}
          maxLength={textMax}
          required={false}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          hint={m.verify_field_hint()}
        />
        {warning === '' && error !== undefined ? (
          <p role="alert" className="text-sm font-medium text-bad">
            {error}
          </p>
        ) : null}
        <p role="alert" className="rounded-control bg-warn-wash px-4 py-3 text-sm text-warn empty:hidden">
          {warning}
        </p>
        <div className="flex flex-wrap items-center gap-3">
          <SubmitButton pending={m.verify_checking()}>{m.verify_check()}</SubmitButton>
          <label
            className={`${buttonClass('plain')} relative cursor-pointer has-focus-visible:outline-3 has-focus-visible:outline-accent`}
          >
            {m.verify_choose_a_file()}
            <input
              type="file"
              name="file"
              accept="application/json,.json,.jwt,.txt,text/plain"
              onChange={(event) => void readFile(event)}
              className="visually-hidden"
            />
          </label>
        </div>
        <TokenResult />
      </ActionForm>
    </div>
  )
}
