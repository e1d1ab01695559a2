/** Writes the example call of an operation in each language, all from the same input. */
import { curlOf, inputOf } from './example'
import type { ListedOperation } from './reference'
import type { Components } from './schema'
import { methodNames, responseOf } from './words'

export interface ExampleCall {
  language: 'sh' | 'ts' | 'python'
  text: string
}

/** The titles of the languages, in the order in which readers choose among them. */
export const callLanguages = [
  { name: 'sh', title: 'curl' },
  { name: 'ts', title: 'TypeScript' },
  { name: 'python', title: 'Python' },
] as const

/** Returns the example call of an operation with curl and both clients. */
export function callsOf(listed: ListedOperation, components: Components, baseUrl: string): ExampleCall[] {
  const parts: Parts = {
    baseUrl,
    credential: credentialOf(listed),
    names: methodNames(listed.operation.operationId),
    input: inputOf(listed, components),
    isStream: responseOf(listed).media === 'text/event-stream',
  }
  return [
    { language: 'sh', text: curlOf(listed, components, baseUrl) },
    { language: 'ts', text: typescriptOf(parts) },
    { language: 'python', text: pythonOf(parts) },
  ]
}

interface Parts {
  baseUrl: string
  /** The argument of the client and the variable of the environment with its value. */
  credential: { name: 'token' | 'key'; variable: string } | null
  names: { ts: string; python: string }
  input: Record<string, unknown>
  isStream: boolean
}

/** Returns the credential that the example sends: the first one that the operation names, or none. */
function credentialOf({ operation: { security } }: ListedOperation): Parts['credential'] {
  if (security.length === 0 || security.some((way) => Object.keys(way).length === 0)) return null
  return security.some((way) => 'session' in way)
    ? { name: 'token', variable: 'TOKEN' }
    : { name: 'key', variable: 'BEAK_KEY' }
}

function typescriptOf({ baseUrl, credential, names, input, isStream }: Parts): string {
  const options = [
    `url: ${quoted(baseUrl)}`,
    ...(credential ? [`${credential.name}: env.${credential.variable}`] : []),
  ]
  const fields = Object.keys(input).length === 0 ? '' : typescriptLiteral(input, '')
  const call = `beak.${names.ts}(${fields})`
  return [
    ...(credential ? ["import { env } from 'node:process'"] : []),
    "import { Beak } from '@beak/client'",
    '',
    `const beak = new Beak({ ${options.join(', ')} })`,
    isStream ? `for await (const event of ${call}) console.log(event)` : `const answer = await ${call}`,
  ].join('\n')
}

function pythonOf({ baseUrl, credential, names, input, isStream }: Parts): string {
  const options = [
    JSON.stringify(baseUrl),
    ...(credential ? [`${credential.name}=os.environ["${credential.variable}"]`] : []),
  ]
  const fields = Object.entries(input).map(
    ([name, value]) => `\n    ${name}=${pythonLiteral(value, '    ')},`,
  )
  const call = `beak.${names.python}(${fields.join('')}${fields.length === 0 ? '' : '\n'})`
  return [
    ...(credential ? ['import os', ''] : []),
    'from beak import Beak',
    '',
    `beak = Beak(${options.join(', ')})`,
    ...(isStream ? [`for event in ${call}:`, '    print(event)'] : [`answer = ${call}`]),
  ].join('\n')
}

const quoted = (text: string) =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

/** Returns a value as a literal of TypeScript. `indent`: the spaces before the line in which the value begins. */
function typescriptLiteral(value: unknown, indent: string): string {
  return literal(value, indent, {
    scalar: (one) => (typeof one === 'string' ? quoted(one) : String(one)),
    member: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : quoted(name)),
    step: '  ',
  })
}

/** Returns a value as a literal of Python. `indent`: the spaces before the line in which the value begins. */
function pythonLiteral(value: unknown, indent: string): string {
  const names = new Map<unknown, string>([
    [null, 'None'],
    [true, 'True'],
    [false, 'False'],
  ])
  return literal(value, indent, {
    scalar: (one) => names.get(one) ?? JSON.stringify(one),
    member: (name) => JSON.stringify(name),
    step: '    ',
  })
}

interface Syntax {
  scalar: (value: unknown) => string
  member: (name: string) => string
  step: string
}

function literal(value: unknown, indent: string, syntax: Syntax): string {
  if (typeof value !== 'object' || value === null) return syntax.scalar(value)
  const inner = `${indent}${syntax.step}`
  const isList = Array.isArray(value)
  const lines = isList
    ? value.map((one) => `${inner}${literal(one, inner, syntax)},`)
    : Object.entries(value).map(
        ([name, one]) => `${inner}${syntax.member(name)}: ${literal(one, inner, syntax)},`,
      )
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  return lines.length === 0 ? `${open}${close}` : [open, ...lines, `${indent}${close}`].join('\n')
}
