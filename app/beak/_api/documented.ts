/** Compares answers with the API reference, in each test that calls the API. */
import Ajv from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { stageFailures } from '@/lib/http/definition'
import { openapiDocument } from '@/lib/http/openapi'
import type { FailureName } from '@/lib/kernel/request/failures'
import { findPath, type Method, type Table } from './serve'

type Check = (value: unknown) => string | null
interface Response {
  $ref?: string
  content?: Record<string, { schema: object }>
}
interface Operation {
  responses: Record<string, Response>
}

/** Returns a fault when the reason of a problem is neither one of the stages nor declared by the endpoint. */
function undeclaredReason(table: Table, method: string, path: string, body: unknown): string | null {
  const reason = (body as { reason?: FailureName; success?: false }).reason
  const route = table[findPath(table, path)?.key ?? '']
  const definition = route?.[method as Method]?.definition
  if ((body as { success?: boolean }).success !== false || !reason || !definition) return null
  const declared = [...stageFailures(definition, method), ...(definition.failures ?? [])]
  return declared.includes(reason) ? null : `the reason ${reason} is not declared`
}

/** Returns a function that compares an answer with the API reference and returns the difference, or null. */
export function makeChecker(table: Table) {
  const text = JSON.stringify(openapiDocument(table, 'test')).replaceAll('#/components/schemas/', '#/$defs/')
  const document = JSON.parse(text) as {
    paths: Record<string, Record<string, Operation>>
    components: { schemas: object; responses: Record<string, Response> }
  }
  const ajv = new Ajv({ strict: false, allErrors: true })
  addFormats(ajv)
  const checks = new Map<object, Check>()

  return (method: string, path: string, status: number, mediaType: string, body: unknown): string | null => {
    const plainPath = path.length > 1 ? path.replace(/\/$/, '') : path
    const known = findPath(document.paths, plainPath)?.key
    const operation = known === undefined ? undefined : document.paths[known]?.[method.toLowerCase()]
    if (!operation) return null
    const { responses } = operation
    const given = responses[String(status)] ?? responses[`${String(status).charAt(0)}XX`]
    const response = document.components.responses[given?.$ref?.split('/').at(-1) ?? ''] ?? given
    const [bareType = ''] = mediaType.split(';')
    const schema = response?.content?.[bareType]?.schema
    if (!schema) return `${method} ${plainPath} does not document ${status} as ${mediaType}`
    let check = checks.get(schema)
    if (!check) {
      const validate = ajv.compile({ ...schema, $defs: document.components.schemas })
      check = (value) => (validate(value) ? null : ajv.errorsText(validate.errors))
      checks.set(schema, check)
    }
    return check(body) ?? undeclaredReason(table, method, plainPath, body)
  }
}
