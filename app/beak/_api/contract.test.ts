/** Compares docs/contract.md and the API reference with the code: citations, endpoints, error codes, limits, variables and commands. */

import { describe, expect, it } from 'vitest'
import { citingFiles, filesBelow, readSource, tableRows } from '@/lib/fixtures/source-files'
import { stageFailures } from '@/lib/http/definition'
import { openapiDocument } from '@/lib/http/openapi'
import { environment } from '@/lib/kernel/config/environment'
import { dailyLimitGroups, limitGroups, pageLimitGroups } from '@/lib/kernel/config/limits'
import { errorCodes, failureTable } from '@/lib/kernel/request/failures'
import { commands } from '@/lib/operator/commands'
import { methods } from './serve'
import { table } from './table'

const contract = readSource('docs/contract.md')

/** The sections of each part, longest first, so that "profile/update" is not taken for "profile". */
const sections = new Map<string, string[]>()
for (const part of contract.split(/^## (?=[ADEFG]\. )/m).slice(1)) {
  const names = [...part.matchAll(/^### (.+)$/gm)].map((match) => String(match[1]).toLowerCase())
  sections.set(
    part.charAt(0),
    names.sort((a, b) => b.length - a.length),
  )
}

/** Returns why a citation is wrong, or null. `rest` is the text after the letter of the part. */
function citationFault(part: string, rest: string): string | null {
  const names = sections.get(part)
  if (names === undefined) return `part ${part} does not exist`
  const [, number] = /^(\d+)/.exec(rest) ?? []
  if (number !== undefined)
    return names.some((name) => name.startsWith(`${part}${number}. `.toLowerCase()))
      ? null
      : `section ${part}${number} does not exist`
  if (/^ \d/.test(rest)) return `write ${part}${rest.slice(1, 2)} without a space`
  const [, cited] = /^, ([^)]*)/.exec(rest) ?? []
  if (cited === undefined) return null
  const text = cited.toLowerCase()
  const found = names.some((name) => text.startsWith(name) && !/^[\w/-]/.test(text.slice(name.length)))
  return found ? null : `part ${part} has no section "${cited.slice(0, 40)}"`
}

describe('citations of the contract in code, SQL and tests', () => {
  const files = citingFiles().filter(({ path }) => !path.endsWith('/contract.test.ts'))
  const citations = files.flatMap(({ path, text }) =>
    [...text.matchAll(/\bcontract(?:,? part)? ([A-Z])(?![A-Za-z])/g)].map((match) => ({
      path,
      fault: citationFault(String(match[1]), text.slice(match.index + match[0].length)),
    })),
  )

  it('name a heading of docs/contract.md', () => {
    const faults = citations.filter(({ fault }) => fault !== null)
    expect(faults.map(({ path, fault }) => `${path}: ${fault}`)).toEqual([])
  })

  it('are few enough to be worth reading', () => {
    expect(citations.length).toBeGreaterThan(50)
    expect(citations.length).toBeLessThanOrEqual(150)
  })
})

describe('the headings', () => {
  it('are unique, so that links and citations are unambiguous', () => {
    const headings = [...contract.matchAll(/^#+ (.+)$/gm)].map((match) => match[1])
    expect(headings.filter((name, index) => headings.indexOf(name) !== index)).toEqual([])
  })
})

interface Operation {
  description: string
  security: object[]
  responses: Record<string, { $ref?: string; description: string }>
}

const reference = openapiDocument(table, 'test') as {
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, { description: string }> }
}

/** Every operation below `/beak` and `/.well-known`, as its route declares it. */
const declared = Object.entries(table).flatMap(([path, route]) =>
  methods.flatMap((method) => {
    const definition = route[method]?.definition
    return definition && path in reference.paths ? [{ path, method, definition }] : []
  }),
)

/** Returns what the API reference says of an operation that its definition lacks, and the other way round. */
function faultsOfReference({ path, method, definition }: (typeof declared)[number]): string[] {
  const { auth, tier, limit, capability, failures = [], remarks = [] } = definition
  const operation = reference.paths[path]?.[method.toLowerCase()]
  if (operation === undefined) return ['the operation']
  const { description, security, responses } = operation
  const answers = Object.values(responses)
    .map(
      ({ $ref, description: text }) =>
        text ?? reference.components.responses[$ref?.split('/').at(-1) ?? '']?.description,
    )
    .join(' ')
  const codes = [...stageFailures(definition, method), ...failures].map((name) => failureTable[name].code)
  const texts = [
    ...remarks,
    ...(limit === null ? [] : [`Limit \`${limit}\``]),
    ...(tier === undefined ? [] : [`trust tier ${tier}`]),
    ...(capability === undefined ? [] : [`capability \`${capability}\``]),
  ]
  return [
    ...texts.filter((text) => !description.includes(text)),
    ...new Set(codes.filter((code) => !answers.includes(code))),
    ...((security.length === 0) === (auth === 'none') ? [] : ['the credential']),
  ]
}

describe('the API reference', () => {
  it('says of each endpoint its remarks, credential, limit, tier, capability and error codes', () => {
    const faults = declared.flatMap((each) =>
      faultsOfReference(each).map((fault) => `${each.method} ${each.path}: ${fault}`),
    )
    expect(faults).toEqual([])
    expect(declared.length).toBeGreaterThan(140)
  })

  it('has every path that it or the contract mentions', () => {
    const known: (string | undefined)[] = Object.keys(table)
    const texts = contract + JSON.stringify(reference)
    const named = [...texts.matchAll(/(?:GET|POST|PUT) (\/(?:beak|\.well-known)[\w./{}-]*[\w}])/g)]
    expect(named.map((match) => match[1]).filter((path) => !known.includes(path))).toEqual([])
  })
})

describe('the other tables', () => {
  it('have every error code with its status', () => {
    const rows = tableRows(contract, 'Errors').map(([code, status]) => [code, Number(status)])
    expect(rows).toEqual(Object.entries(errorCodes).map(([code, { status }]) => [code, status]))
  })

  it('have every environment variable that the configuration reads', () => {
    const read = new Set(Object.keys(environment.shape))
    expect(read.size).toBeGreaterThan(15)
    const described = tableRows(contract, 'E. Configuration').flatMap(
      ([names = '']) => names.match(/[A-Z0-9_]+/g) ?? [],
    )
    expect(new Set(described)).toEqual(read)
    const limits = [...limitGroups, ...pageLimitGroups, ...dailyLimitGroups].map(
      (group) => `LIMIT_${group.toUpperCase()}`,
    )
    expect(limits.filter((name) => !contract.includes(`\`${name}\``))).toEqual([])
  })
})

describe('the pages for hosts in docs/pages/hosts', () => {
  const operations = filesBelow('docs/pages/hosts', /\.md$/).map(readSource).join('\n')
  const calls = [
    ...operations.matchAll(/npm run operator -- ([^`\n]+)/g),
    ...contract.matchAll(/npm run operator -- ([^`\n]+)/g),
  ]
    .map(([, line = '']) => line)
    .filter((line) => line !== '<command>')

  it('says when to run each command', () => {
    const named = new Set(calls.map((line) => line.split(' ')[0]))
    expect(commands.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([])
  })

  it('writes each command with arguments that the command has', () => {
    const forms = commands.flatMap(({ name, forms }) => forms.map(({ args }) => `${name} ${args}`.trimEnd()))
    const known = [...forms, 'help', 'help <command>']
    expect(calls.filter((line) => !known.includes(line))).toEqual([])
    expect(calls.length).toBeGreaterThan(5)
  })
})
