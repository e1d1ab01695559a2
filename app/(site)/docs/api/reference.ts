/** The API reference for its pages: the document of GET /beak/openapi.json, in groups. */
import { cache } from 'react'
import { send } from '@/app/_web/api'
import { PageProblem } from '@/app/_web/page-problem'
import type { Components, Schema } from './schema'

interface Content {
  content?: Record<string, { schema: Schema }>
}

export interface Parameter {
  name: string
  in: 'query' | 'header' | 'path'
  required: boolean
  description?: string
  schema: Schema
}

/** An operation as OpenAPI describes it. */
interface Operation {
  summary: string
  description: string
  tags: string[]
  security: Record<string, unknown>[]
  parameters: Parameter[]
  requestBody?: Content
  responses: Record<string, Content & { description: string }>
}

export interface OpenapiDocument {
  info: { version: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Components }
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

export type GroupHead = Omit<Group, 'operations'>

interface Theme extends GroupHead {
  /** The first words of the paths in this group. */
  words: string[]
}

const themes: Theme[] = [
  {
    name: 'identity',
    title: 'Identity',
    lead: 'Sign up, sign in, prove more about yourself, and close your account.',
    words: [
      'signup',
      'signin',
      'signout',
      'verify-email',
      'email-change',
      'passkey',
      'session',
      'account',
      'trust',
      'profile',
      'name-change',
      'spaceducks',
    ],
  },
  {
    name: 'certificates',
    title: 'Certificates',
    lead: "Issue and revoke your birth certificate, and check other people's.",
    words: ['cert', 'status-list'],
  },
  {
    name: 'pecks',
    title: 'Pecks',
    lead: 'Ask a person for permission, answer, use the permission, and prove it later.',
    words: ['peck'],
  },
  {
    name: 'agents',
    title: 'Agents',
    lead: 'Register, bond and stop agents, and manage their beak keys.',
    words: ['agent', 'key'],
  },
  { name: 'sso', title: 'SSO', lead: 'Use your sign-in at another domain.', words: ['sso'] },
  {
    name: 'webhooks',
    title: 'Webhooks',
    lead: 'Get signed messages when something happens.',
    words: ['webhook'],
  },
  {
    name: 'audit',
    title: 'Audit log',
    lead: 'Everything that happened in an account, as a hash chain, and the transparency log that covers all chains.',
    words: ['audit', 'tlog'],
  },
  // Must be last. Gets every operation that no other group names.
  {
    name: 'platform',
    title: 'Platform',
    lead: 'The status and the keys of the service, and how to reach the people who run it.',
    words: [],
  },
]

/** Returns the anchor of an operation, such as `post-beak-peck-request`. */
export function anchorOf(method: string, path: string): string {
  return `${method}${path}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/-$/, '')
}

function themeOf(path: string): Theme | undefined {
  const [root, first = '', ...rest] = path.slice(1).split('/')
  const word = root === 'beak' || rest.length > 0 || root === '.well-known' ? first : ''
  return themes.find(({ words }) => words.includes(word)) ?? themes.at(-1)
}

/** Returns name, title and lead of every group. */
export function groupHeads(): GroupHead[] {
  return themes.map(({ words: _, ...head }) => head)
}

/** Returns the operations of a document by group, in the document's order. */
export function groupsOf(document: OpenapiDocument): Group[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      id: anchorOf(method, path),
      operation,
    })),
  )
  return groupHeads().map((head) => ({
    ...head,
    operations: operations.filter(({ path }) => themeOf(path)?.name === head.name),
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
