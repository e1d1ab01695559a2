/** Compares answers with the API reference, in each test that calls the API. */
import Ajv from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import { openapiDocument } from '@/lib/http/openapi'
import { findPath, type Table } from './serve'

type Check = (value: unknown) => string | null
interface Response {
  $ref?: string
  content?: Record<string, { schema: object }>
}
interface Operation {
  responses: Record<string, Response>
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
    const known = plainPath === '/beak' ? '/beak/' : (findPath(document.paths, plainPath)?.key ?? null)
    const operation = known === null ? undefined : document.paths[known]?.[method.toLowerCase()]
    if (!operation) return null
    const { responses } = operation
    const given = responses[String(status)] ?? responses[`${String(status).charAt(0)}XX`]
    const response = document.components.responses[given?.$ref?.split('/').at(-1) ?? ''] ?? given
    const schema = response?.content?.[mediaType]?.schema
    if (!schema) return `${method} ${plainPath} does not document ${status} as ${mediaType}`
    let check = checks.get(schema)
    if (!check) {
      const validate = ajv.compile({ ...schema, $defs: document.components.schemas })
      check = (value) => (validate(value) ? null : ajv.errorsText(validate.errors))
      checks.set(schema, check)
    }
    return check(body)
  }
}
