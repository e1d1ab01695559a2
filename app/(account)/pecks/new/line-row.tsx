'use client'

import { useId } from 'react'
import { m } from '@/lib/kernel/messages'
import { type Line, type LineType, lineFields, lookOf } from './lines'

const control =
  'min-h-11 w-full min-w-0 rounded-control border border-edge bg-surface px-3 py-2 text-base text-ink placeholder:text-soft aria-invalid:border-bad'

/** What a value is sent as, in words. An amount is a text that Beak reads as an amount. */
const looks = {
  text: m.requests_type_text,
  number: m.requests_type_number,
  amount: m.requests_type_amount,
  yes_no: m.requests_type_yes_no,
}

interface LineRowProps {
  at: number
  line: Line
  error: string | undefined
  onChange: (line: Line) => void
}

/** A detail of a request: its name, its value, and what the value is sent as. */
export function LineRow({ at, line, error, onChange }: LineRowProps) {
  const id = useId()
  const number = at + 1
  const fields = lineFields(at)
  const invalid = error ? { 'aria-invalid': true, 'aria-describedby': `${id}-error` } : {}
  return (
    <div className="grid gap-1">
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_8rem]">
        <input
          {...invalid}
          name={fields.name}
          aria-label={m.requests_line_name({ number })}
          placeholder={m.requests_name()}
          value={line.name}
          onChange={(event) => onChange({ ...line, name: event.target.value })}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={128}
          className={control}
        />
        <input
          {...invalid}
          name={fields.value}
          aria-label={m.requests_line_value({ number })}
          placeholder={m.requests_value()}
          value={line.value}
          onChange={(event) => onChange({ ...line, value: event.target.value })}
          autoComplete="off"
          className={control}
        />
        <select
          key={line.type}
          name={fields.type}
          aria-label={m.requests_line_type({ number })}
          defaultValue={line.type}
          onChange={(event) => onChange({ ...line, type: event.target.value as LineType })}
          className={`${control} max-sm:col-span-2`}
        >
          <option value="auto">{looks[lookOf(line.value)]()}</option>
          <option value="text">{m.requests_type_always_text()}</option>
          <option value="json">{m.requests_type_json()}</option>
        </select>
      </div>
      {error ? (
        <p id={`${id}-error`} className="text-sm font-medium text-bad">
          {error}
        </p>
      ) : null}
    </div>
  )
}
