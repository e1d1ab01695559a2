/** Compares docs/contract.md with the code: citations, endpoints, error codes, limits, variables and commands. */

import { describe, expect, it } from 'vitest'
import { citingFiles, filesBelow, readSource, tableRows } from '@/lib/fixtures/source-files'
import type { Definition } from '@/lib/http/definition'
import { environment } from '@/lib/kernel/config/environment'
import {
  dailyLimitGroups,
  defaultLimits,
  limitGroups,
  pageLimitGroups,
  perDay,
} from '@/lib/kernel/config/limit-table'

import { errorCodes, failureNames, failureTable } from '@/lib/kernel/failures'
import { displayTypes, paramTypes } from '@/lib/kernel/param-types'
import { commands } from '@/lib/operator/commands'
import { methods } from './serve'
import { table } from './table'

const contract = readSource('docs/contract.md')

/** The sections of each part, longest first, so that "profile/update" is not taken for "profile". */
const sections = new Map<string, string[]>()
for (const part of contract.split(/^## (?=[A-G]\. )/m).slice(1)) {
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

it('names each type of param', () => {
  const [, named = ''] =
    /^- `param_types` names the type of top-level params: ([^.]+)\./m.exec(contract) ?? []
  expect([...named.matchAll(/`(\w+)`/g)].map((match) => match[1])).toEqual(paramTypes)
  const [, order = ''] = /then by type \(([^)]+)\)/.exec(contract) ?? []
  expect([...order.matchAll(/`(\w+)`/g)].map((match) => match[1])).toEqual([...displayTypes])
})

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

  it('are found', () => {
    expect(citations.length).toBeGreaterThan(100)
  })
})

describe('the headings', () => {
  it('are unique, so that links and citations are unambiguous', () => {
    const headings = [...contract.matchAll(/^#+ (.+)$/gm)].map((match) => match[1])
    expect(headings.filter((name, index) => headings.indexOf(name) !== index)).toEqual([])
  })
})

const credentials: Record<Definition['auth'], string> = {
  none: 'none',
  optional: 'optional',
  session: 'session',
  'session-or-agent': 'session or agent',
  'beak-key': 'beak key',
  'bonded-key': 'agent',
}

function rowOf(line: string, { auth, tier, limit, failures = [] }: Definition): string[] {
  const codes = [...new Set(failures.map((name) => failureTable[name].code))].sort()
  const credential = credentials[auth] + (tier === undefined ? '' : `, ${tier}`)
  return [`\`${line}\``, credential, limit ?? '–', codes.join(', ') || '–']
}

describe('the table of all endpoints', () => {
  it('has each endpoint of the route table with its credential, limit and error codes', () => {
    const declared = Object.entries(table).flatMap(([path, route]) =>
      methods.flatMap((method) => {
        const definition = route[method]?.definition
        return definition ? [rowOf(`${method} ${path}`, definition)] : []
      }),
    )
    const described = tableRows(contract, 'All endpoints')
    expect(described.map((row) => row.join(' | ')).sort()).toEqual(
      declared.map((row) => row.join(' | ')).sort(),
    )
  })

  it('has a description of each path elsewhere in the document', () => {
    const [prose = ''] = contract.split('### All endpoints\n').map((part) => part.replace(/^\|.*$/gm, ''))
    const after = contract.slice(contract.indexOf('\n## D. '))
    const missing = Object.keys(table).filter(
      (path) => !new RegExp(`${path}(?![\\w-]|/[a-z])`).test(prose + after),
    )
    expect(missing).toEqual([])
  })

  it('has every path that the document mentions', () => {
    const known: (string | undefined)[] = Object.keys(table)
    const named = [...contract.matchAll(/(?:GET|POST|PUT) (\/(?:beak|\.well-known)[\w./{}-]*[\w}])/g)]
    expect(named.map((match) => match[1]).filter((path) => !known.includes(path))).toEqual([])
  })
})

describe('the other tables', () => {
  it('have every error code with its status', () => {
    const rows = tableRows(contract, 'Errors').map(([code, status]) => [code, Number(status)])
    expect(rows).toEqual(Object.entries(errorCodes).map(([code, { status }]) => [code, status]))
  })

  it('have every reason below its code', () => {
    const reasons = (code: string) => failureNames.filter((name) => failureTable[name].code === code)
    expect(tableRows(contract, 'Reasons')).toEqual(
      Object.keys(errorCodes).map((code) => [
        code,
        reasons(code)
          .map((name) => `\`${name}\``)
          .join(', '),
      ]),
    )
  })

  it('have every limit group with its numbers', () => {
    const rows = tableRows(contract, 'Limits').map(([group, rate, burst]) => [
      group,
      Number(rate),
      Number(burst),
    ])
    const groups = [...limitGroups, ...pageLimitGroups].map((group) => [
      `\`${group}\``,
      defaultLimits[group].perMinute,
      defaultLimits[group].burst,
    ])
    const budgets = dailyLimitGroups.map((group) => [
      `\`${group}\``,
      perDay(defaultLimits[group]),
      defaultLimits[group].burst,
    ])
    expect(rows).toEqual([...groups, ...budgets])
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

  it('have every command of the operator with its arguments and effect', () => {
    const declared = commands.flatMap(({ name, forms }) =>
      forms.map(({ args, summary }) => [`\`${`${name} ${args}`.trimEnd()}\``, summary]),
    )
    expect(tableRows(contract, 'Commands of the operator')).toEqual(declared)
  })
})

describe('the pages for hosts in content/docs/hosts', () => {
  const operations = filesBelow('content/docs/hosts', /\.md$/).map(readSource).join('\n')
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
