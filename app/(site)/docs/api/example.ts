/** Makes examples from the schemas: values like the service has, and commands to paste. */
import { byName, factsOfAnswers, factsOfComponents, factsOfParameters, shortDigest } from './example-facts'
import { type Facts, id, time } from './example-rules'
import type { ListedOperation } from './reference'
import { type Components, resolve, type Schema } from './schema'

/** Returns an example for a pattern or a format, when the name of the field is not enough. */
function byForm({ pattern = '', format, minLength = 0 }: Schema): string {
  const prefix = /^\^([A-Z]+)-\[/.exec(pattern)?.[1]
  if (prefix !== undefined) return id(prefix)
  if (format === 'date-time' || pattern.startsWith('^\\d{4}-')) return time
  if (pattern === '^[\\w-]{43}$') return shortDigest
  if (format === 'uri') return 'https://lake.example'
  if (pattern.includes(':')) return 'read:profile'
  if (/^\^\\d/.test(pattern)) return '20'
  return minLength > 8 ? 'x'.repeat(minLength) : '…'
}

const ids: Record<string, string> = {
  duckling_id: 'DUCK',
  target_duckling_id: 'DUCK',
  asker: 'AGT',
  cert_id: 'CERT',
  peck_id: 'PECK',
  rule_id: 'RULE',
  agent_id: 'AGT',
  event_id: 'EVT',
  key_id: 'KEY',
  passkey_id: 'PK',
  session_id: 'SES',
  webhook_id: 'WHK',
  message_id: 'MSG',
  ticket_id: 'TKT',
  delivery_id: 'DLV',
}

/** Returns an object with all fields of a schema, or only the required ones, for requests. */
function objectOf(
  schema: Schema,
  components: Components,
  which: 'all' | 'required',
): Record<string, unknown> {
  const { properties = {}, required = [] } = schema
  const names = Object.keys(properties).filter((name) => which === 'all' || required.includes(name))
  return Object.fromEntries(
    names.map((name) => [name, exampleOf(properties[name] ?? {}, components, which, name)]),
  )
}

function factsOf({ $ref }: Schema): Facts {
  return factsOfComponents[$ref?.split('/').at(-1) ?? ''] ?? {}
}

/** Returns an example of the answer to an operation with status 200, in a state that the operation leaves. */
export function answerOf({ operation }: ListedOperation, schema: Schema, components: Components): unknown {
  const answer = exampleOf(schema, components)
  const facts = factsOfAnswers[operation.operationId]
  return facts === undefined ? answer : { ...(answer as object), ...facts }
}

/** Returns an example value for a schema. Members that are undefined are left out of JSON. */
function exampleOf(
  given: Schema,
  components: Components,
  which: 'all' | 'required' = 'all',
  name = '',
): unknown {
  const schema = resolve(given, components)
  const choices = schema.anyOf ?? schema.oneOf
  const choice = choices?.[0]
  if (schema.const !== undefined) return schema.const
  if (byName[name] === null && choices?.some(({ type }) => type === 'null')) return null
  if (choice) return exampleOf(choice, components, which, name)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  const named = byName[name]
  if (schema.enum) return schema.enum.includes(named) ? named : schema.enum[0]
  const options = schema.items && resolve(schema.items, components).enum
  if (options && Array.isArray(named)) return named.filter((value) => options.includes(value))
  if (named !== undefined && (type === undefined || typeFits(named, type))) return named
  if (type === 'object') return { ...objectOf(schema, components, which), ...factsOf(given) }
  if (type === 'array') return schema.items ? [exampleOf(schema.items, components, which)] : []
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 1, 1)
  if (type === 'null') return null
  const prefix = ids[name]
  return prefix === undefined ? byForm(schema) : id(prefix)
}

function typeFits(value: unknown, type: string): boolean {
  if (value === null) return true
  if (Array.isArray(value)) return type === 'array'
  return type === 'integer' ? typeof value === 'number' : typeof value === type
}

/** The fields of example bodies where the required fields are not enough, or where one of several shapes has to be chosen. */
const chosen: Record<string, string[]> = {
  'POST /beak/signup': ['email', 'display_name'],
  'POST /beak/signin': ['email', 'otp'],
  'PUT /beak/trust/elevate': ['phone'],
  'POST /beak/session/revoke': ['session_id'],
  'POST /beak/profile/update': ['bio'],
  'POST /beak/name-change': ['new_display_name'],
  'POST /beak/agent/update': ['agent_id', 'agent_name'],
  'POST /beak/agent/heartbeat': ['tool', 'version', 'computer', 'mode', 'session'],
  'POST /beak/webhook/create': ['url', 'description', 'kinds'],
  'POST /beak/webhook/update': ['webhook_id', 'enabled'],
  'POST /beak/webhook/redeliver': ['message_id'],
  'POST /beak/contact/update': ['asker', 'note'],
  'POST /beak/peck/request': ['target_duckling_id', 'action', 'scope', 'params', 'message'],
}

/** Returns the body of an example call, or null when the operation takes none. */
export function bodyOf({ method, path, operation }: ListedOperation, components: Components): unknown {
  const schema = operation.requestBody?.content?.['application/json']?.schema
  if (schema === undefined) return null
  const whole = resolve(schema, components)
  const fields = chosen[`${method} ${path}`]
  if (fields === undefined) {
    const body = exampleOf(whole, components, 'required')
    return Object.keys(body as object).length === 0 ? null : body
  }
  return Object.fromEntries(
    fields.map((name) => [name, exampleOf(whole.properties?.[name] ?? {}, components, 'required', name)]),
  )
}

/** Returns the required parameters of a place with example values. */
export function parametersOf(
  { operation }: ListedOperation,
  components: Components,
  place: 'query' | 'path',
): [string, unknown][] {
  return operation.parameters
    .filter((parameter) => parameter.in === place && parameter.required)
    .map(({ name, schema }) => [name, parameterExample(operation.operationId, name, schema, components)])
}

/** Returns an example of a parameter. The names of parameters in paths mean something else in each operation. */
function parameterExample(
  operationId: string,
  name: string,
  schema: Schema,
  components: Components,
): unknown {
  const own = factsOfParameters[operationId]?.[name]
  return own ?? exampleOf(schema, components, 'required', name)
}

/** Returns all fields of an example call together, as the clients take them: of the path, the query and the body. */
export function inputOf(listed: ListedOperation, components: Components): Record<string, unknown> {
  return {
    ...Object.fromEntries(parametersOf(listed, components, 'path')),
    ...Object.fromEntries(parametersOf(listed, components, 'query')),
    ...(bodyOf(listed, components) as object | null),
  }
}

function credentialOf({ operation: { security } }: ListedOperation): string[] {
  if (security.length === 0 || security.some((way) => Object.keys(way).length === 0)) return []
  return security.some((way) => 'session' in way)
    ? ['-H "Authorization: Bearer $TOKEN"']
    : ['-H "X-Beak-Key: $BEAK_KEY"']
}

/** Returns a curl command for a shell. */
export function curlOf(listed: ListedOperation, components: Components, baseUrl: string): string {
  const { method, path: template } = listed
  const query = parametersOf(listed, components, 'query')
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  const path = parametersOf(listed, components, 'path').reduce(
    (text, [name, value]) => text.replace(`{${name}}`, String(value)),
    template,
  )
  const url = `${baseUrl}${path}${query === '' ? '' : `?${query}`}`
  const body = bodyOf(listed, components)
  const text = body === null ? null : JSON.stringify(body, null, 2).replaceAll("'", String.raw`'\''`)
  const lines = [
    `curl '${url}'`,
    ...(method === 'GET' || (method === 'POST' && text !== null) ? [] : [`-X ${method}`]),
    ...credentialOf(listed),
    ...(text === null ? [] : ["-H 'Content-Type: application/json'", `-d '${text}'`]),
  ]
  return lines.join(' \\\n  ')
}
