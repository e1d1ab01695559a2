/** The API reference for its pages: the document of GET /beak/openapi.json, in groups. */
import { cache } from 'react'
import { send } from '@/app/_web/api'
import { PageProblem } from '@/app/_web/page-read'
import { tags } from '@/lib/http/tags'
import type { FailureName } from '@/lib/kernel/request/failures'
import type { Components, Schema } from './schema'

interface Content {
  content?: Record<string, { schema: Schema }>
}

export interface Parameter {
  name: string
  in: 'query' | 'header' | 'path'
  required?: boolean
  description?: string
  schema: Schema
}

/** An operation as OpenAPI describes it. */
interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: Record<string, unknown>[]
  parameters: Parameter[]
  requestBody?: Content
  responses: Record<string, Content & { $ref?: string; description: string }>
  /** The failures of its own. */
  'x-failures'?: FailureName[]
}

export interface OpenapiDocument {
  info: { version: string }
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Components
    parameters: Record<string, Parameter>
    responses: Record<string, { description: string }>
  }
}

export interface ListedOperation {
  method: string
  path: string
  /** The anchor of the operation on its page. */
  id: string
  operation: Operation
}

export interface Group {
  name: string
  title: string
  lead: string
  operations: ListedOperation[]
}

/** Returns the anchor of an operation, such as `post-beak-peck-request`. */
export function anchorOf(method: string, path: string): string {
  return `${method}${path}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/-$/, '')
}

/** Returns an operation whose parameters are written out. */
function withParameters(operation: Operation, { components }: OpenapiDocument): Operation {
  const given: (Parameter & { $ref?: string })[] = operation.parameters ?? []
  const parameters = given.flatMap(
    (parameter) => components.parameters[parameter.$ref?.split('/').at(-1) ?? ''] ?? parameter,
  )
  return { ...operation, parameters }
}

/** Returns name, title and lead of every group. */
export function groupHeads(): Omit<Group, 'operations'>[] {
  return tags.map(({ name, title, description }) => ({ name, title, lead: description }))
}

/** Returns the operations of a document by group, in the document's order. */
export function groupsOf(document: OpenapiDocument): Group[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      id: anchorOf(method, path),
      operation: withParameters(operation, document),
    })),
  )
  return groupHeads().map((head) => ({
    ...head,
    operations: operations.filter(({ operation }) => operation.tags.includes(head.name)),
  }))
}

interface Reference {
  document: OpenapiDocument
  groups: Group[]
}

/** The reference of the last answer. The answer changes only with the version of the service. */
let last: { text: string; reference: Reference } | null = null

/** Reads the reference of this service, once per page request. Parses it only when it has changed. Throws `PageProblem`. */
export const readReference = cache(async (): Promise<Reference> => {
  const { status, body } = await send('GET /beak/openapi.json', {})
  const text = String(body)
  if (status !== 200) throw new PageProblem(JSON.parse(text))
  if (last?.text !== text) {
    const document = JSON.parse(text) as OpenapiDocument
    last = { text, reference: { document, groups: groupsOf(document) } }
  }
  return last.reference
})

/** Returns what lists show of the operations of a group. */
export function listed({ operations }: Group) {
  return operations.map(({ id, method, path, operation: { summary } }) => ({ id, method, path, summary }))
}
