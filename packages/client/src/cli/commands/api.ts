import { exactJson } from '@beak/proofs/exact-numbers'
import { described, type FieldInfo } from '../../generated/described'
import { operations } from '../../generated/operations'
import type { OperationTypes } from '../../generated/types'
import { command } from '../command'
import { usageFault } from '../exit'
import { readJson } from '../files'
import { jsonText } from '../output'
import type { Session } from '../session'

type Name = keyof OperationTypes

const isOperation = (name: string): name is Name => Object.hasOwn(operations, name)

export const api = command({
  name: 'api',
  summary: 'Call any operation of the API.',
  details:
    'Without an operation, lists all. The result is always JSON. A field is name=value; lists and objects are JSON, such as kinds=\'["cert.issued"]\'.',
  args: [
    { name: 'operation', optional: true, summary: 'Such as listPecks. streamPecks prints one event a line.' },
    { name: 'field', optional: true, rest: true, summary: 'Such as limit=3.' },
  ],
  options: {
    input: { type: 'string', value: 'file', summary: 'All fields as a JSON file, or - for standard input.' },
    fields: { type: 'boolean', summary: 'Show the fields of the operation.' },
  },
  suggest: ([name]) => {
    if (name === undefined) return [...Object.keys(operations), 'streamPecks']
    return isOperation(name) ? Object.keys(described[name].fields).map((field) => `${field}=`) : []
  },
  async run({ options, args: [name, ...pairs], session }) {
    if (name === undefined) return listOperations(session)
    if (name === 'streamPecks') return stream(session)
    if (!isOperation(name)) throw usageFault(`There is no operation "${name}".`, 'See: beak api')
    if (options.fields) return showFields(session, name)
    const read = options.input === undefined ? {} : await readJson(options.input)
    if (typeof read !== 'object' || read === null) throw usageFault('--input must be a JSON object.')
    const input = { ...read, ...Object.fromEntries(pairs.map((pair) => fieldOf(name, pair))) }
    // Some operations, such as listDucklings, also work without a credential.
    const beak = await session.beak(name, true)
    const answer: unknown = await beak.call(name, input as never, { signal: session.signal })
    if (typeof answer === 'string' || answer instanceof Uint8Array) session.output.print(answer)
    else session.output.print(`${jsonText(answer)}\n`)
  },
})

function listOperations({ output }: Session): void {
  const rows = Object.entries(described).map(([name, { summary }]) => ({
    operation: name,
    call: `${operations[name as Name].method} ${operations[name as Name].path}`,
    summary,
  }))
  output.list(
    { items: rows, next_cursor: null },
    { operation: ({ operation }) => operation, call: ({ call }) => call, summary: ({ summary }) => summary },
    '',
  )
}

function showFields({ output }: Session, name: Name): void {
  const fields = Object.entries(described[name].fields).map(([field, info]) => ({ field, ...info }))
  output.list(
    { items: fields, next_cursor: null },
    {
      field: ({ field }) => field,
      type: ({ type }) => type,
      required: ({ required }) => (required ? 'yes' : ''),
      description: ({ choices, description }) => choices?.join(', ') ?? description ?? '',
    },
    'This operation has no fields.',
  )
}

/** Reads `name=value` as the type that the field has. */
function fieldOf(operation: Name, pair: string): [string, unknown] {
  const at = pair.indexOf('=')
  if (at < 1) throw usageFault(`A field is name=value, not "${pair}".`)
  const [field, text] = [pair.slice(0, at), pair.slice(at + 1)]
  const { fields } = described[operation]
  const info = Object.hasOwn(fields, field) ? fields[field] : undefined
  // An unknown field is sent as text: the service names it in its refusal.
  return [field, info === undefined ? text : readValue(field, info, text)]
}

function readValue(field: string, { type }: FieldInfo, text: string): unknown {
  if (type === 'string') return text
  try {
    const value = exactJson(text)
    const isFitting = type === 'json' ? typeof value === 'object' : typeof value === type
    if (isFitting) return value
  } catch (error) {
    if (error instanceof RangeError) throw usageFault(`${field}: ${error.message}`)
  }
  throw usageFault(`${field} must be ${type === 'json' ? 'JSON' : `a ${type}`}, not "${text}".`)
}

async function stream(session: Session): Promise<void> {
  const beak = await session.beak('listPecks')
  for await (const event of beak.streamPecks({ signal: session.signal }))
    session.output.print(`${JSON.stringify(event)}\n`)
}
