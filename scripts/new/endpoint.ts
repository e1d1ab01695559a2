/** docs/recipes/endpoint.md: an endpoint that works and is tested, and the places that must name it. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Edits, RecipeFault } from './edit'
import { addEvent, isKnown, timeMember } from './event'
import { camel, capital, checked, past } from './names'

export interface EndpointRecipe {
  /** The path below `/beak`, such as `cert/annotate`. */
  path: string
  method: 'GET' | 'POST'
  /** Default: the verb of the path in the past, `cert.annotated`. */
  event?: string | undefined
  /** The folder in `lib/domain`. Default: the folder that most endpoints with the same first word import. */
  folder?: string | undefined
  /** The part of the API reference, for a new first word. */
  part?: string | undefined
  group?: string | undefined
  isSent: boolean
}

export function addEndpoint(edits: Edits, recipe: EndpointRecipe): void {
  const path = checked(
    recipe.path,
    /^[a-z]+(?:-[a-z]+)*(?:\/[a-z]+(?:-[a-z]+)*)+$/,
    'the path below /beak, with the verb last, for example cert/annotate',
  )
  const words = path.split('/')
  const verb = String(words.at(-1))
  const nouns = words.slice(0, -1)
  const name = camel([verb, ...nouns])
  const folder = folderOf(edits, nouns, recipe.folder)
  const file = `lib/domain/${folder}/${[verb, ...nouns].join('-')}.ts`
  const part = { ...recipe, path, verb, nouns, name, folder, file }
  addTag(edits, String(words[0]), recipe.part)
  if (recipe.method === 'GET') addQuery(edits, part)
  else addCommand(edits, part)
  addToTable(edits, path)
}

interface Part extends EndpointRecipe {
  verb: string
  nouns: string[]
  /** The operation and its function. */
  name: string
  /** The path of the function. */
  file: string
}

const wordsOf = ({ verb, nouns }: Part) => `${verb} the ${nouns.join(' ')}`.replaceAll('-', ' ')
const line = ({ method, path }: EndpointRecipe) => `${method} /beak/${path}`

function addCommand(edits: Edits, part: Part): void {
  const { name, file, path, nouns, verb } = part
  const kind = part.event ?? `${nouns[0]}.${past(verb).replaceAll('-', '_')}`
  const isNew = !isKnown(edits, kind)
  if (!isNew && part.isSent) throw new RecipeFault(`The event ${kind} exists. Leave out webhook=yes.`)
  if (isNew) addEvent(edits, { kind, tried: wordsOf(part), group: part.group, isSent: part.isSent })
  const data = part.isSent
    ? `, { data: { duckling_id: context.caller.id, ${timeMember(kind)}: context.now } }`
    : ''
  edits.create(
    file,
    `import { transaction } from '@/lib/db/transaction'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/request/context'

/** ${capital(wordsOf(part))} of the caller. */
export function ${name}(context: DucklingContext): Promise<{ success: true }> {
  return transaction(async (tx) => {
    record(tx, context, '${kind}'${data})
    return { success: true as const }
  })
}
`,
  )
  edits.create(
    `app/beak/${path}/route.ts`,
    declaration(part, [`idempotencyKey: true,`], [`attempt: '${kind}',`]),
  )
  edits.create(
    `app/beak/${path}/route.test.ts`,
    testOf(part, [
      `  it('records the event', async () => {`,
      '    const { token } = await aDuckling()',
      '    expect((await call(line, { token })).body).toEqual({ success: true })',
      `    const { body } = await call('GET /beak/audit', { token })`,
      `    expect(body.items[0]).toMatchObject({ action: '${kind}', outcome: 'success' })`,
      '  })',
    ]),
  )
  const request = `  '${line(part)}': () => own({}),\n`
  const tests = 'app/beak/_api/valid-requests.ts'
  edits.insertAfter(tests, /^export const validRequests: .*$\n/m, request)
}

function addQuery(edits: Edits, part: Part): void {
  const { name, file, path } = part
  edits.create(
    file,
    `import type { DucklingContext } from '@/lib/kernel/request/context'

/** ${capital(wordsOf(part))} of the caller. */
export async function ${name}({ caller }: DucklingContext): Promise<{ success: true; duckling_id: string }> {
  return { success: true, duckling_id: caller.id }
}
`,
  )
  edits.create(`app/beak/${path}/route.ts`, declaration(part, [], [], 'duckling_id: z.string()'))
  edits.create(
    `app/beak/${path}/route.test.ts`,
    testOf(part, [
      `  it('answers with the id of the caller', async () => {`,
      '    const { id, token } = await aDuckling()',
      '    expect((await call(line, { token })).body).toEqual({ success: true, duckling_id: id })',
      '  })',
    ]),
  )
}

function declaration(part: Part, before: string[], after: string[], member?: string): string {
  const { method, name, file } = part
  const members = ['success: z.literal(true)', ...(member === undefined ? [] : [member])].join(', ')
  return `import { z } from 'zod'
import { ${name} } from '@/${file.slice(0, -'.ts'.length)}'
import { endpoint } from '@/lib/http/endpoint'

export const ${method} = endpoint({
  operationId: '${name}',
  summary: '${capital(wordsOf(part))}',
  description: '${capital(wordsOf(part))} of the caller.',
  auth: 'session',
  limit: 'authenticated',
  ${before.join('\n  ')}
  response: z.object({ ${members} }),
  ${after.join('\n  ')}
  handle: (context) => ${name}(context),
})
`
}

function testOf(part: Part, lines: string[]): string {
  return `import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { aDuckling } from '@/lib/factories/ducklings'

const line = '${line(part)}'

describe('200', () => {
${lines.join('\n')}
})
`
}

function folderOf(edits: Edits, [word = '']: string[], folder: string | undefined): string {
  const folders = readdirSync(join(edits.root, 'lib/domain'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
  const found = folder ?? folders.find((name) => name === word || name === `${word}s`)
  if (found !== undefined && folders.includes(found)) return found
  throw new RecipeFault(`Choose the folder of the command: in=<name>, of ${folders.join(', ')}.`)
}

/** Adds the first word of a path to its part of the API reference, unless a part names it. */
function addTag(edits: Edits, word: string, part: string | undefined): void {
  const path = 'lib/http/tags.ts'
  const text = edits.read(path)
  if (text.includes(`'${word}'`)) return
  const names = [...text.matchAll(/name: '(\w+)'/g)].map((match) => String(match[1]))
  if (part === undefined || !names.includes(part))
    throw new RecipeFault(
      `The API reference has no part for /beak/${word}. Choose one: part=<name>, of ${names.join(', ')}.`,
    )
  edits.insertAfter(path, new RegExp(`name: '${part}',[^\\]]*?words: \\[`), `'${word}', `)
}

function addToTable(edits: Edits, path: string): void {
  const table = 'app/beak/_api/table.ts'
  const alias = camel(path.split('/'))
  edits.insertAfter(table, /^import \* as jwks .*$\n/m, `import * as ${alias} from '../${path}/route'\n`)
  const row = `  '/beak/${path}': ${alias},`
  const isBesideOthers = edits.insertAfterLast(table, new RegExp(`^  '/beak/${path.split('/')[0]}/`), row)
  if (!isBesideOthers) edits.insertBefore(table, /^ {2}'\/beak\/openapi\.json'/m, `${row}\n`)
}
