'use client'

import { useEffect, useId, useRef, useState } from 'react'
import { useAnswer } from '@/components/ui/answer'
import { buttonClass } from '@/components/ui/button-class'
import { restoredEvent } from '@/components/ui/restore-fields'
import { m } from '@/lib/kernel/messages'
import {
  emptyLine,
  type Line,
  type LineType,
  lineFields,
  linesIn,
  linesMax,
  linesOfParams,
  lookOf,
  paramsOfLines,
  readJson,
} from './lines'

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
function LineRow({ at, line, error, onChange }: LineRowProps) {
  const id = useId()
  const number = at + 1
  const fields = lineFields(at)
  const text = {
    ...(error ? { 'aria-invalid': true, 'aria-describedby': `${id}-error` } : {}),
    autoComplete: 'off',
    className: control,
  }
  return (
    <div className="grid gap-1">
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_8rem]">
        <input
          {...text}
          name={fields.name}
          aria-label={m.requests_line_name({ number })}
          placeholder={m.requests_name()}
          value={line.name}
          onChange={(event) => onChange({ ...line, name: event.target.value })}
          autoCapitalize="off"
          spellCheck={false}
          maxLength={128}
        />
        <input
          {...text}
          name={fields.value}
          aria-label={m.requests_line_value({ number })}
          placeholder={m.requests_value()}
          value={line.value}
          onChange={(event) => onChange({ ...line, value: event.target.value })}
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
      <ErrorLine id={`${id}-error`} error={error} />
    </div>
  )
}

function ErrorLine({ id, error }: { id: string; error: string | undefined }) {
  if (!error) return null
  return (
    <p id={id} className="text-sm font-medium text-bad">
      {error}
    </p>
  )
}

/** What the field shows: lines, or the same as JSON. */
type View = { lines: Line[]; json?: undefined } | { json: string; lines?: undefined }

const firstLines = 3
const padded = (lines: Line[]) => [
  ...lines,
  ...Array<Line>(Math.max(0, firstLines - lines.length)).fill(emptyLine),
]

/** Returns what the fields of a form say. JSON that was typed comes first. */
function viewIn(read: (field: string) => string | undefined): View {
  const json = read('params') ?? ''
  return json.trim() === '' ? { lines: padded(linesIn(read)) } : { json }
}

/**
 * The details of a request as lines, or as JSON. Both views say the same. Without scripts both are there, and the person fills in one of
 * them.
 */
export function DetailsField() {
  const { values, errors, turn } = useAnswer()
  const [view, setView] = useState<View>(() => viewIn((name) => values[name]))
  const [isLive, setIsLive] = useState(false)
  const [hint, setHint] = useState('')
  const group = useRef<HTMLFieldSetElement>(null)
  const id = useId()
  useEffect(() => {
    setIsLive(true)
    const form = group.current?.form
    // A draft comes back into fields that may not be there yet.
    const restore = ({ detail }: CustomEvent<FormData>) =>
      setView(
        viewIn((name) => {
          const value = detail.get(name)
          return typeof value === 'string' ? value : undefined
        }),
      )
    form?.addEventListener(restoredEvent, restore as EventListener)
    return () => form?.removeEventListener(restoredEvent, restore as EventListener)
  }, [])
  function change() {
    const next = otherView(view)
    if (typeof next === 'string') return setHint(next)
    setHint('')
    setView(next)
  }
  const setLine = (at: number, line: Line) =>
    setView(({ lines = [] }) => ({ lines: lines.map((old, index) => (index === at ? line : old)) }))
  const showsJson = view.json !== undefined
  const error = errors.params
  return (
    <fieldset ref={group} className="grid min-w-0 gap-3" aria-describedby={`${id}-hint`}>
      <legend className="text-sm font-semibold">
        {m.requests_details()} <span className="font-normal text-soft">{m.requests_optional()}</span>
      </legend>
      <p id={`${id}-hint`} className="text-sm text-soft">
        {m.requests_details_hint()}
      </p>
      {view.lines?.map((line, at) => (
        // Lines are only added at the end.
        <LineRow
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
          key={`${turn} ${at}`}
          at={at}
          line={line}
          error={errors[`detail_${at}`]}
          onChange={(changed) => setLine(at, changed)}
        />
      ))}
      {isLive && view.lines && view.lines.length < linesMax ? (
        <button
          type="button"
          className={buttonClass('quiet', 'justify-self-start')}
          onClick={() => setView({ lines: [...view.lines, emptyLine] })}
        >
          {m.requests_add_a_line()}
        </button>
      ) : null}
      {showsJson || !isLive ? (
        <JsonArea
          // The reset of the form after an answer would show the text of the first render.
          key={turn}
          json={view.json ?? ''}
          error={error}
          onChange={showsJson ? (json) => setView({ json }) : undefined}
        />
      ) : null}
      {isLive ? (
        <button
          type="button"
          aria-pressed={showsJson}
          className={buttonClass('quiet', 'justify-self-start')}
          onClick={change}
        >
          {m.requests_edit_as_json()}
        </button>
      ) : null}
      <p role="status" className="text-sm text-bad empty:hidden">
        {hint}
      </p>
    </fieldset>
  )
}

/** Returns the other view of the same details, or why there is none. */
function otherView(view: View): View | string {
  if (view.lines) {
    const read = paramsOfLines(view.lines)
    return read.fault === undefined
      ? { json: JSON.stringify(read.params, null, 2) }
      : m.requests_check_line({ number: read.at + 1 })
  }
  if (view.json.trim() === '') return { lines: padded([]) }
  const read = readJson(view.json)
  if (read.fault === 'inexact') return m.common_number_inexact({ place: read.place })
  const lines = read.fault === undefined ? linesOfParams(read.value) : null
  return lines === null ? m.requests_only_json() : { lines: padded(lines) }
}

interface JsonAreaProps {
  json: string
  error: string | undefined
  /** Without scripts nobody listens. */
  onChange: ((json: string) => void) | undefined
}

function JsonArea({ json, error, onChange }: JsonAreaProps) {
  const id = useId()
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-semibold">
        {m.requests_details_as_json()}
      </label>
      <textarea
        id={id}
        name="params"
        rows={4}
        spellCheck={false}
        placeholder={'{"week": 12}'}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        {...(onChange
          ? { value: json, onChange: (event) => onChange(event.target.value) }
          : { defaultValue: json })}
        className="w-full rounded-control border border-edge bg-surface px-3 py-2 font-mono text-base text-ink placeholder:text-soft aria-invalid:border-bad"
      />
      <ErrorLine id={`${id}-error`} error={error} />
    </div>
  )
}
