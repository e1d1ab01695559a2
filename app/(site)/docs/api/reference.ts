/** The API reference as its pages read it: the very document of GET /beak/openapi.json, from its handler, in groups. */
import { cache } from 'react'
import { api } from '@/app/_web/api'
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
  /** Its anchor. */
  id: string
  operation: Operation
}

export interface Group {
  name: string
  title: string
  lead: string
  operations: ListedOperation[]
}

interface Theme extends Omit<Group, 'operations'> {
  /** The first words of its paths. */
  words: string[]
}

const themes: Theme[] = [
  {
    name: 'identity',
    title: 'Identity',
    lead: 'Sign up, sign in, prove more about yourself, and leave.',
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
    lead: 'Issue a birth certificate, end it, and check anybody’s.',
    words: ['cert', 'status-list'],
  },
  {
    name: 'pecks',
    title: 'Pecks',
    lead: 'Ask a person for permission, answer, use what was given, and prove it later.',
    words: ['peck'],
  },
  {
    name: 'agents',
    title: 'Agents',
    lead: 'Register agents, bond them, and stop them. Beak keys.',
    words: ['agent', 'key'],
  },
  { name: 'sso', title: 'SSO', lead: 'Carry a sign-in over to another domain.', words: ['sso'] },
  {
    name: 'webhooks',
    title: 'Webhooks',
    lead: 'Be told when something happens, in signed messages.',
    words: ['webhook'],
  },
  {
    name: 'audit',
    title: 'Audit log',
    lead: 'Everything that happened to an account, in a chain, and the transparency log with the ends of all chains.',
    words: ['audit', 'tlog'],
  },
  // Last, and for whatever no other theme names: no operation is left out.
  {
    name: 'platform',
    title: 'Platform',
    lead: 'How the service is, its keys, and how to reach the people behind it.',
    words: [],
  },
]

/** The anchor of an operation: `post-beak-peck-request`. */
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

/** Every operation of a document, in its group, in the document's order. */
export function groupsOf(document: OpenapiDocument): Group[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      id: anchorOf(method, path),
      operation,
    })),
  )
  return themes.map(({ words: _, ...theme }) => ({
    ...theme,
    operations: operations.filter(({ path }) => themeOf(path)?.name === theme.name),
  }))
}

/** The reference of this very service; read once a request. */
export const readReference = cache(async () => {
  const result = await api('GET /beak/openapi.json')
  if (!result.ok) throw new PageProblem(result.problem)
  const document = result.data as unknown as OpenapiDocument
  return { document, groups: groupsOf(document) }
})
