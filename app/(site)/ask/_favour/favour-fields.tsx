'use client'

import { Plus } from 'lucide'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { SelectField, TextArea, TextField, useAnswer } from '@/components/ui/form'
import { Icon } from '@/components/ui/icon'
import { restoredEvent } from '@/components/ui/restore-fields'
import { m } from '@/lib/kernel/messages'
import { currencies, type Favour, factMax, favourMax } from './favour'
import { FavourPreview, type Sides } from './favour-preview'

interface FavourFieldsProps {
  /** What was asked in an earlier step. */
  given: Favour | null
  /** Shows what the other person will see while it is typed. Null: the next step shows it. */
  preview: Sides | null
}

/** The sentence of a request to a person, and chips that open a date, an amount, a place and a file name. Works without JavaScript. */
export function FavourFields({ given, preview }: FavourFieldsProps) {
  return (
    <>
      <TextArea
        label={m.ask_favour()}
        name="favour"
        rows={2}
        maxLength={favourMax}
        dir="auto"
        placeholder={m.ask_favour_example()}
        defaultValue={given?.favour}
      />
      <div className="flex flex-wrap items-start gap-2">
        <Chip label={m.ask_date()} names={['date']} isOpen={given?.date !== undefined}>
          <TextField label={m.ask_date()} name="date" type="date" optional defaultValue={given?.date} />
        </Chip>
        <Chip label={m.ask_amount()} names={['amount']} isOpen={given?.amount !== undefined}>
          <div className="grid grid-cols-[minmax(0,1fr)_6rem] items-end gap-3">
            <TextField
              label={m.ask_amount()}
              name="amount"
              inputMode="decimal"
              autoComplete="off"
              optional
              maxLength={20}
              defaultValue={given?.amount}
            />
            <SelectField label={m.ask_currency()} name="currency" defaultValue={given?.currency ?? 'EUR'}>
              {currencies.map((code) => (
                <option key={code} value={code} translate="no">
                  {code}
                </option>
              ))}
            </SelectField>
          </div>
        </Chip>
        <Chip label={m.ask_place()} names={['place']} isOpen={given?.place !== undefined}>
          <TextField
            label={m.ask_place()}
            name="place"
            dir="auto"
            optional
            maxLength={factMax}
            defaultValue={given?.place}
          />
        </Chip>
        <Chip label={m.ask_file()} names={['file']} isOpen={given?.file !== undefined}>
          <TextField
            label={m.ask_file()}
            name="file"
            dir="auto"
            optional
            maxLength={factMax}
            hint={m.ask_file_hint()}
            defaultValue={given?.file}
          />
        </Chip>
      </div>
      {preview === null ? null : <LivePreview {...preview} given={given} />}
    </>
  )
}

interface ChipProps {
  label: string
  names: string[]
  isOpen: boolean
  children: ReactNode
}

/** A chip that opens its field in a row of its own. */
function Chip({ label, names, isOpen, children }: ChipProps) {
  const { errors, values } = useAnswer()
  const isUsed = isOpen || names.some((name) => errors[name] !== undefined || Boolean(values[name]))
  return (
    <details open={isUsed} className="group/favour max-w-full open:w-full open:max-w-md">
      <summary className="inline-flex min-h-11 list-none items-center rounded-full border border-edge bg-surface px-4 text-sm font-semibold group-open/favour:border-transparent group-open/favour:bg-accent-wash hover:bg-sunken [&::-webkit-details-marker]:hidden">
        <span className="me-1.5 group-open/favour:hidden">
          <Icon of={Plus} size={16} />
        </span>
        {label}
      </summary>
      <div className="mt-2">{children}</div>
    </details>
  )
}

const names = ['favour', 'date', 'amount', 'currency', 'place', 'file'] as const

/** Shows the request while it is typed. Empty without JavaScript, as nobody listens. */
function LivePreview({ given, ...sides }: Sides & { given: Favour | null }) {
  const marker = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState<Favour | null>(given)
  useEffect(() => {
    const form = marker.current?.closest('form')
    if (!form) return
    const read = () => {
      const data = new FormData(form)
      const text = (name: string) => String(data.get(name) ?? '').trim()
      const found = Object.fromEntries(names.map((name) => [name, text(name)]).filter(([, value]) => value))
      setTyped({ favour: '', ...found })
    }
    read()
    // The fields get their values right after the event.
    const readSoon = () => queueMicrotask(read)
    form.addEventListener('input', read)
    form.addEventListener(restoredEvent, readSoon)
    return () => {
      form.removeEventListener('input', read)
      form.removeEventListener(restoredEvent, readSoon)
    }
  }, [])
  return (
    <div ref={marker}>
      {typed === null || typed.favour === '' ? null : <FavourPreview favour={typed} {...sides} />}
    </div>
  )
}
