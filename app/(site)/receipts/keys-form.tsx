'use client'

import { type ReactNode, useState } from 'react'
import { Sentence } from '@/components/sentence'
import { buttonClass } from '@/components/ui/button'
import { m } from '@/lib/kernel/messages'
import type { PastedKeys } from './judge'

interface KeysFormProps {
  issuer: string
  /** Whether the check needs the keys of the service, because the receipt is of another service. */
  needsService: boolean
  pasted: PastedKeys | null
  /** Checks again with pasted keys. Returns what is wrong with the keys, or null. */
  onKeys: (keys: PastedKeys) => Promise<string | null>
}

/** Takes keys of the service, of its transparency log and of witnesses, and passkeys of the person who was asked. */
export function KeysForm({ issuer, needsService, pasted, onKeys }: KeysFormProps) {
  const [fault, setFault] = useState<string | null>(null)
  return (
    <form
      className="grid max-w-2xl gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        const data = new FormData(event.currentTarget)
        const text = (name: string) => String(data.get(name) ?? '')
        const keys = { service: text('keys'), log: text('log'), witnesses: text('witnesses') }
        void onKeys({ ...keys, quorum: text('quorum'), pins: text('pins') }).then(setFault)
      }}
    >
      <KeysField
        name="keys"
        label={m.receipts_the_services_keys()}
        value={pasted?.service}
        isRequired={needsService}
        isInvalid={fault !== null}
        hint={
          <Sentence
            of={needsService ? m.receipts_keys_needed : m.receipts_keys_if_kept}
            with={{ issuer }}
            parts={{
              span: (children) => (
                <span translate="no" className="font-mono wrap-anywhere">
                  {children}
                </span>
              ),
            }}
          />
        }
      />
      <KeysField
        name="log"
        label={m.receipts_keys_of_its_transparency_log()}
        value={pasted?.log}
        isInvalid={fault !== null}
        hint={
          <Sentence
            of={m.receipts_one_per_line_from_issuer_well}
            with={{ issuer }}
            parts={{
              span: (children) => (
                <span translate="no" className="font-mono wrap-anywhere">
                  {children}
                </span>
              ),
            }}
          />
        }
      />
      <KeysField
        name="witnesses"
        label={m.receipts_keys_of_witnesses()}
        value={pasted?.witnesses}
        isInvalid={fault !== null}
        hint={m.receipts_witness_keys_hint()}
      />
      <div className="grid gap-1.5">
        <label htmlFor="quorum" className="text-sm font-semibold">
          {m.receipts_how_many_witnesses_must_confirm()}
        </label>
        <p id="quorum-hint" className="text-sm text-soft">
          {m.receipts_empty_all_of_them()}
        </p>
        <input
          id="quorum"
          name="quorum"
          inputMode="numeric"
          defaultValue={pasted?.quorum}
          aria-describedby="quorum-hint"
          className="min-h-11 w-24 rounded-control border border-edge bg-surface px-3 text-ink"
        />
      </div>
      <KeysField
        name="pins"
        label={m.receipts_passkeys_person_that_you_kept()}
        value={pasted?.pins}
        isInvalid={fault !== null}
        hint={
          <Sentence
            of={m.receipts_kept_passkeys_hint}
            parts={{
              span: (children) => (
                <span translate="no" className="font-mono wrap-anywhere">
                  {children}
                </span>
              ),
            }}
          />
        }
      />
      {fault === null ? null : (
        <p id="keys-error" role="alert" className="text-sm font-medium text-bad wrap-anywhere">
          {fault}
        </p>
      )}
      <button type="submit" className={buttonClass('plain', 'justify-self-start')}>
        {m.receipts_check_with_these_keys()}
      </button>
    </form>
  )
}

interface KeysFieldProps {
  name: string
  label: string
  hint: ReactNode
  value: string | undefined
  isRequired?: boolean
  isInvalid: boolean
}

function KeysField({ name, label, hint, value, isRequired = false, isInvalid }: KeysFieldProps) {
  return (
    <div className="grid gap-1.5">
      <label htmlFor={name} className="text-sm font-semibold">
        {label}
      </label>
      <p id={`${name}-hint`} className="text-sm text-soft">
        {hint}
      </p>
      <textarea
        id={name}
        name={name}
        rows={3}
        defaultValue={value}
        required={isRequired}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={isInvalid || undefined}
        aria-describedby={isInvalid ? `${name}-hint keys-error` : `${name}-hint`}
        className="w-full rounded-control border border-edge bg-surface px-3 py-2 font-mono text-sm text-ink aria-invalid:border-bad"
      />
    </div>
  )
}
