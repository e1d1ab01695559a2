/** The architecture rules, each on this repository and on a small made-up tree that breaks it. They need no database. */
import { describe, expect, it } from 'vitest'
import {
  domainInPages,
  nextInApiOrLib,
  nodeInVerifiers,
  rulesInComponents,
  serverModulesInBrowser,
  serviceInApprover,
  statusCodesInLib,
  testsInProduct,
  webTypesInDomain,
} from './boundaries'
import {
  domainOrder,
  filesOutsideLayers,
  importCycles,
  importsBetweenClientAndService,
  importsOfAppInLib,
  importsOfLaterLayers,
  importsOfLaterParts,
  peckOrder,
  unorderedParts,
} from './layers'
import {
  choicesByText,
  clockReads,
  databaseErrorNumbers,
  decisionsByText,
  dialogsWithoutButtons,
  environmentReads,
  longFiles,
  openGroupsWithoutName,
  passkeyRegistrations,
  passkeyRemovals,
  rawAddresses,
  readsOfPages,
  storagesOfNode,
  testsWithoutSubject,
  translatedNames,
  untypedFailures,
  unusedFailures,
} from './places'
import {
  filesLeftOutOfBuild,
  linesOfCode,
  longRoutes,
  routesWithoutAttempt,
  routesWithoutTest,
  routesWithStatements,
  staticFilesAtRoutes,
  tableMismatches,
} from './routes'
import { importsOf, readTree, type Tree } from './tree'

const repository = readTree(process.cwd())
const treeOf = (files: Record<string, string>): Tree => new Map(Object.entries(files))

/** Tests one rule. `broken` is a tree that breaks the rule and has, beside that, code that the rule allows. */
function rule(
  findViolations: (tree: Tree) => string[],
  broken: Record<string, string>,
  violations: string[],
) {
  return () => {
    it('holds in this repository', () => expect(findViolations(repository)).toEqual([]))
    it('reports a violation', () => expect(findViolations(treeOf(broken))).toEqual(violations))
  }
}

describe('layers import only earlier layers', () => {
  describe('at all', () => {
    const broken = {
      'lib/kernel/a.ts': "import { db } from '@/lib/db/client'\nimport { now } from './clock'",
      'packages/proofs/src/a.ts': "import { b } from './b'\nimport { c } from '@/lib/kernel/runtime/clock'",
      'lib/kernel/c.ts': "import { a } from '@beak/proofs/a'",
      'lib/db/b.ts': "import type { C } from '../domain/pecks/c'",
      'lib/domain/pecks/d.ts': "const load = () => import('@/lib/http/endpoint')",
      'lib/http/e.ts': "export {\n  a,\n} from '@/lib/kernel/a'\nimport { z } from 'zod'",
      'app/healthz/route.ts': "import { viewer } from '@/app/_web/viewer'",
      'components/f.tsx': "import type { FormState } from '@/app/_web/form-action'",
      'app/_shell/g.tsx': "import { Button } from '@/components/ui/button'",
    }
    rule(importsOfLaterLayers, broken, [
      'lib/kernel/a.ts imports lib/db/client',
      'packages/proofs/src/a.ts imports lib/kernel/runtime/clock',
      'lib/db/b.ts imports lib/domain/pecks/c (type)',
      'lib/domain/pecks/d.ts imports lib/http/endpoint',
      'app/healthz/route.ts imports app/_web/viewer',
      'components/f.tsx imports app/_web/form-action (type)',
    ])()
  })

  describe(
    'and lib imports nothing from app',
    rule(
      importsOfAppInLib,
      {
        'lib/fixtures/a.ts': "import type { Table } from '@/app/beak/_api/serve'",
        'lib/http/a.test.ts': "import { call } from '@/app/beak/_api/call'",
      },
      ['lib/fixtures/a.ts imports app/beak/_api/serve'],
    ),
  )

  describe(
    'and every folder of lib is in a layer',
    rule(filesOutsideLayers, { 'lib/helpers/a.ts': '', 'lib/db/a.ts': '' }, ['lib/helpers/a.ts']),
  )
})

describe('parts of lib/domain and of lib/domain/pecks import only earlier parts', () => {
  describe(
    'at all',
    rule(
      importsOfLaterParts,
      {
        'lib/domain/agents/a.ts': "import type { Peck } from '@/lib/domain/pecks/schema'",
        'lib/domain/pecks/b.ts': "import { a } from '../agents/a'",
        'lib/domain/pecks/rows.ts': "import type { Risk } from './risk/rules'",
        'lib/domain/pecks/risk/rules.ts':
          "import { readPecks } from '../rows'\nimport { mail } from '../mail/send'",
      },
      [
        'lib/domain/agents/a.ts imports lib/domain/pecks/schema (type)',
        'lib/domain/pecks/rows.ts imports lib/domain/pecks/risk/rules (type)',
        'lib/domain/pecks/risk/rules.ts imports lib/domain/pecks/mail/send',
      ],
    ),
  )

  describe('and the orders name every part', () => {
    const folders = domainOrder.slice(1).filter((name) => name !== 'pecks')
    const parts = [...folders, ...peckOrder.slice(1).map((name) => `pecks/${name}`)]
    const files = Object.fromEntries(parts.map((part) => [`lib/domain/${part}/a.ts`, '']))
    rule(unorderedParts, { ...files, 'lib/domain/wings/a.ts': '', 'lib/domain/pecks/feathers.ts': '' }, [
      'lib/domain/wings has no place',
      `lib/domain/${domainOrder[0]} does not exist`,
      'lib/domain/pecks/feathers has no place',
      `lib/domain/pecks/${peckOrder[0]} does not exist`,
    ])()
  })
})

describe(
  'files do not import each other in a cycle, types included',
  rule(
    importCycles,
    {
      'lib/kernel/a.ts': "import { b } from './b'",
      'lib/kernel/b.ts': "export * from './c'",
      'lib/kernel/c.ts': "import '@/lib/kernel/a'",
      'lib/db/d.ts': "import { e } from './e'",
      'lib/db/e.ts': "import type { D } from './d'",
      'lib/http/f.ts': "import { g } from './g'",
      'lib/http/g.ts': "import { d } from '@/lib/db/d'\nconst load = () => import('./f')",
    },
    [
      'lib/kernel/a.ts → lib/kernel/b.ts → lib/kernel/c.ts → lib/kernel/a.ts',
      'lib/db/d.ts → lib/db/e.ts → lib/db/d.ts',
      'lib/http/f.ts → lib/http/g.ts → lib/http/f.ts',
    ],
  ),
)

it('no files of the packages, the proofs of our own and the scripts import each other in a cycle', () => {
  const folders = ['app', 'components', 'e2e', 'examples', 'lab', 'lib', 'packages', 'scripts']
  expect(importCycles(readTree(process.cwd(), folders))).toEqual([])
})

describe('the API and lib know nothing of Next', () => {
  const broken = {
    'app/beak/a/route.ts': "import type { NextRequest } from 'next/server'",
    'lib/http/b.ts': "import next from 'next'\nimport { z } from 'zod'",
    'app/_web/c.ts': "import { cookies } from 'next/headers'",
  }
  rule(nextInApiOrLib, broken, [
    'app/beak/a/route.ts imports next/server (type)',
    'lib/http/b.ts imports next',
  ])()
})

describe('the client and the service import nothing of each other', () => {
  const broken = {
    'packages/client/src/a.ts': "import { b } from '@beak/proofs/b'\nimport type { C } from '@/lib/kernel/c'",
    'packages/client/src/b.ts': "import { start } from '@/packages/dev/service'",
    'packages/proofs/src/a.ts': "import { b } from './b'\nimport { pages } from '@/packages/dev/pages'",
    'packages/decision/src/a.ts': "import { c } from '@beak/proofs/c'\nimport { d } from '@beak/client/d'",
    'lib/kernel/c.ts': "import { Beak } from '@beak/client/beak'",
    'lib/kernel/d.test.ts': "import { Beak } from '@beak/client/beak'",
  }
  rule(importsBetweenClientAndService, broken, [
    'packages/client/src/a.ts imports lib/kernel/c (type)',
    'packages/client/src/b.ts imports packages/dev/service',
    'packages/proofs/src/a.ts imports packages/dev/pages',
    'packages/decision/src/a.ts imports packages/client/src/d',
    'lib/kernel/c.ts imports packages/client/src/beak',
  ])()
})

describe('the verifiers load no modules of Node', () => {
  const broken = {
    'packages/proofs/src/a.ts': "import { hash } from 'node:crypto'",
    'packages/proofs/src/b.ts': "import type { KeyObject } from 'node:crypto'",
    'packages/client/src/node.ts': "import http from 'node:http'",
  }
  rule(nodeInVerifiers, broken, ['packages/proofs/src/a.ts imports node:crypto'])()
})

describe('the approver takes nothing from the service and its pages', () => {
  const broken = {
    'packages/approver/a.ts': "import { words } from '@beak/decision/words'\nimport { b } from '@/app/b'",
    'packages/approver/c.ts': "import type { C } from '@/components/c'",
    'packages/approver/d.ts': "import { d } from '@/lib/kernel/d'",
  }
  it('holds in this repository', () =>
    expect(serviceInApprover(readTree(process.cwd(), ['packages/approver']))).toEqual([]))
  it('reports a violation', () =>
    expect(serviceInApprover(treeOf(broken))).toEqual([
      'packages/approver/a.ts imports app/b',
      'packages/approver/c.ts imports components/c (type)',
      'packages/approver/d.ts imports lib/kernel/d',
    ]))
})

describe('the domain knows no Request and no Response', () => {
  const broken = {
    'lib/domain/pecks/a.ts': 'export function a(request: Request) {}',
    'lib/domain/pecks/b.ts': 'export const b = (): Promise<Response> => c()',
    'lib/domain/pecks/c.ts': 'return Response.json({})',
    'lib/domain/pecks/d.ts': 'export const d: PeckRequest = { requestId: "1" }',
    'lib/domain/webhooks/e.ts': 'const response: Response = await send()',
    'lib/http/f.ts': 'return new Response(null)',
  }
  rule(webTypesInDomain, broken, [
    'lib/domain/pecks/a.ts',
    'lib/domain/pecks/b.ts',
    'lib/domain/pecks/c.ts',
  ])()
})

describe('only lib/http and the failure table have status codes', () => {
  const broken = {
    'lib/domain/pecks/a.ts': "const a = { status: 409, title: 'Wrong state' }",
    'lib/domain/pecks/b.ts': "const b = { status: 'pending' }",
    'lib/kernel/request/failures.ts': 'E4000: { status: 400 }',
    'lib/http/c.ts': 'new Response(null, { status: 204 })',
  }
  rule(statusCodesInLib, broken, ['lib/domain/pecks/a.ts'])()
})

describe(
  'the product imports no code of tests',
  rule(
    testsInProduct,
    {
      'lib/operator/seed.ts': "import { aMailServer } from '@/lib/fixtures/mail'",
      'lib/operator/seed.test.ts': "import { aMailServer } from '@/lib/fixtures/mail'",
      'app/a/page.tsx': "import { call } from '@/app/beak/_api/call'\nimport type { B } from './b.test'",
    },
    [
      'lib/operator/seed.ts imports lib/fixtures/mail',
      'app/a/page.tsx imports app/beak/_api/call',
      'app/a/page.tsx imports app/a/b.test (type)',
    ],
  ),
)

describe(
  'a test of lib is beside its subject',
  rule(
    testsWithoutSubject,
    {
      'lib/http/limiter.ts': '',
      'lib/http/limiter.test.ts': '',
      'lib/http/limiter-redis.test.ts': '',
      'lib/http/limiters.test.ts': '',
      'lib/db/limiter.test.ts': '',
      'app/a/walk.test.ts': '',
    },
    ['lib/http/limiters.test.ts', 'lib/db/limiter.test.ts'],
  ),
)

describe('components know no database and no business rule', () => {
  const broken = {
    'components/a.tsx': "import type { Peck } from '@/lib/domain/pecks/schema'",
    'components/b.tsx': "import { statusOf } from '@/lib/domain/pecks/state'",
    'components/c.tsx': "import type { Tx } from '@/lib/db/client'",
  }
  rule(rulesInComponents, broken, [
    'components/a.tsx imports lib/domain/pecks/schema (type)',
    'components/b.tsx imports lib/domain/pecks/state',
    'components/c.tsx imports lib/db/client (type)',
  ])()
})

describe(
  'components of the browser load nothing that only the server has',
  rule(
    serverModulesInBrowser,
    {
      'components/a.tsx':
        "'use client'\nimport { B } from './b'\nimport type { Time } from '@/components/ui/time'",
      'components/b.tsx': "import { Time } from './ui/time'\nimport { save } from './save'",
      'components/save.ts': "'use server'\nimport { cookies } from 'next/headers'",
      'components/page.tsx': "import { Time } from './ui/time'\nimport { A } from './a'",
    },
    ['components/b.tsx imports components/ui/time'],
  ),
)

describe(
  'pages import nothing from lib/domain',
  rule(
    domainInPages,
    {
      'app/(site)/a.tsx': "import { statusOf } from '@/lib/domain/pecks/state'",
      'app/_web/b.ts': "import type { Peck } from '@/lib/domain/pecks/schema'",
      'app/(account)/c.ts': "import { api } from '@/app/_web/api'",
      'app/beak/d/route.ts': "import { statusOf } from '@/lib/domain/pecks/state'",
    },
    [
      'app/(site)/a.tsx imports lib/domain/pecks/state',
      'app/_web/b.ts imports lib/domain/pecks/schema (type)',
    ],
  ),
)

describe(
  'of the service, only lib/kernel/runtime/clock.ts reads the clock, and statements take the time as a value',
  rule(
    clockReads,
    {
      'packages/client/src/webhooks.ts': 'now = new Date()',
      'lib/domain/pecks/a.ts': 'const now = new Date()',
      'lib/domain/pecks/b.ts': 'new Date(0)',
      'lib/domain/pecks/c.ts': 'times.map(Date.now)',
      'lib/domain/pecks/d.ts': 'performance.now() - this.now() + m.common_just_now() + readDate()',
      'lib/domain/pecks/e.ts': 'performance.timeOrigin + performance.now()',
      'lib/domain/pecks/f.ts': 'tx.rows`DELETE FROM "A" WHERE "expiresAt" < now()`',
      'lib/domain/pecks/g.ts': 'tx.rows`SELECT CURRENT_TIMESTAMP`',
      'lib/kernel/runtime/clock.ts': 'Date.now()',
      'lib/db/service-clock.ts': 'SELECT clock_timestamp()',
    },
    [
      'lib/domain/pecks/a.ts',
      'lib/domain/pecks/c.ts',
      'lib/domain/pecks/e.ts',
      'lib/domain/pecks/f.ts',
      'lib/domain/pecks/g.ts',
    ],
  ),
)

describe(
  'of the service, only lib/kernel/config/index.ts reads the environment',
  rule(environmentReads, { 'lib/db/a.ts': 'process.env.A', 'lib/kernel/config/index.ts': 'process.env' }, [
    'lib/db/a.ts',
  ]),
)

describe(
  'only lib/kernel/runtime/async-storage.ts uses the storages of Node.js',
  rule(
    storagesOfNode,
    {
      'lib/db/a.ts': "import { AsyncLocalStorage } from 'node:async_hooks'",
      'lib/db/b.ts': "import { AsyncLocalStorage } from '@/lib/kernel/runtime/async-storage'",
    },
    ['lib/db/a.ts'],
  ),
)

describe(
  'only lib/db/conflict.ts knows error numbers of the database',
  rule(databaseErrorNumbers, { 'lib/db/a.ts': "code === 'P2002'", 'lib/db/conflict.ts': "'23505'" }, [
    'lib/db/a.ts',
  ]),
)

describe('no code decides by the text of an error', () => {
  describe(
    'in the service and the client',
    rule(
      decisionsByText,
      {
        'app/a.ts': "const isSignedOut = problem.detail.includes('session')",
        'app/b.ts': 'if (problem.detail === failureTable.code_locked.detail) return',
        'app/c.ts': 'switch (problem.detail) {}',
        'components/d.tsx': "error.message === 'must not be empty' ? 1 : 2",
        'lib/e.ts': "if ('Not found' !== answer.title) return",
        'lib/f.ts': 'if (/session/.test(error.message)) return',
        'packages/client/src/g.ts': "code === 'E4006' && message.includes('session')",
        'app/h.ts':
          "if (problem.reason === 'session_invalid' || problem.detail === '') return explain(problem.detail)",
        'app/i.ts': "typeof value.detail === 'string' && error.message !== null",
        'app/i.test.ts': "problem.detail.includes('session')",
      },
      [
        'app/a.ts',
        'app/b.ts',
        'app/c.ts',
        'components/d.tsx',
        'lib/e.ts',
        'lib/f.ts',
        'packages/client/src/g.ts',
      ],
    ),
  )

  it('in the examples and benchmarks', () => {
    const programs = readTree(process.cwd(), ['examples', 'lab/bench'])
    expect(programs.size).toBeGreaterThan(20)
    expect(decisionsByText(programs)).toEqual([])
  })
})

describe(
  'lib/domain makes failures with the context only',
  rule(
    untypedFailures,
    {
      'lib/domain/pecks/a.ts': "import { type Failure, fail } from '@/lib/kernel/request/failures'",
      'lib/domain/pecks/b.ts': "import { Failure, type FailureName } from '@/lib/kernel/request/failures'",
      'lib/http/c.ts': "import { fail } from '@/lib/kernel/request/failures'",
    },
    ['lib/domain/pecks/a.ts'],
  ),
)

describe(
  'addresses that Next does not complete have the path of BASE_URL',
  rule(
    rawAddresses,
    {
      'app/a/page.tsx': '<a className="b" href="/beak/metrics">',
      'app/b/page.tsx': "fetch('/api/export')",
      'app/c/page.tsx': '<Link href="/verify"><a href={withBasePath(\'/beak/metrics\')}>',
    },
    ['app/a/page.tsx', 'app/b/page.tsx'],
  ),
)

describe(
  'translators leave names, values, ids and code as they are',
  rule(
    translatedNames,
    {
      'app/a.tsx': '<bdi className="b">{name}</bdi>',
      'app/b.tsx': '<bdi translate="no">{name}</bdi>',
      'app/c.tsx': '<pre\n  translate="no"\n><code>{text}</code></pre>',
      'components/d.tsx': '<bdi translate="yes">{sentence}</bdi>',
    },
    ['app/a.tsx', 'app/c.tsx'],
  ),
)

describe(
  'a dialog that asks before an action ends with Cancel and the button of the action',
  rule(
    dialogsWithoutButtons,
    {
      'app/a.tsx': '<Confirm title="A"><ActionForm><SubmitButton>End</SubmitButton></ActionForm></Confirm>',
      'app/b.tsx':
        '<Confirm title="B">\n<ActionForm>\n<ConfirmButtons>End</ConfirmButtons></ActionForm></Confirm>',
      'app/c.tsx': '<Confirm title="C"><ActionForm></ActionForm></Confirm><ConfirmButtons />',
    },
    ['app/a.tsx', 'app/c.tsx'],
  ),
)

describe(
  'the mark of a fold follows the fold that it names',
  rule(
    openGroupsWithoutName,
    {
      'app/a.tsx': '<details className="group"><Icon className="group-open:rotate-90" /></details>',
      'app/b.tsx': '<details className="group/b"><Icon className="group-open/b:rotate-90" /></details>',
    },
    ['app/a.tsx'],
  ),
)

describe(
  'a form sends the value of a choice, and not its text',
  rule(
    choicesByText,
    {
      'app/a.tsx': '<option key={zone}>{zone}</option>',
      'components/b.tsx': '<option key={zone} value={zone}>{zone}</option>',
    },
    ['app/a.tsx'],
  ),
)

describe('no code decides by what a page shows', () => {
  const broken = {
    'app/a.tsx': 'const amount = cell.textContent',
    'components/b.ts': "if (button.innerText === 'Approve') send()",
    'components/c.ts': "status.textContent = 'Done'",
  }
  describe('of the service', rule(readsOfPages, broken, ['app/a.tsx', 'components/b.ts']))

  it('of the approver', () => {
    const approver = readTree(process.cwd(), ['packages/approver'])
    expect(approver.size).toBeGreaterThan(10)
    expect(readsOfPages(approver)).toEqual([])
  })
})

describe('passkeys are removed only in lib/domain/passkeys/delete.ts, which logs each removal', () => {
  const broken = {
    'lib/domain/passkeys/remove.ts': 'tx.passkey.deleteMany({})',
    'lib/domain/passkeys/delete.ts': 'DELETE FROM "Passkey"',
  }
  rule(passkeyRemovals, broken, ['lib/domain/passkeys/remove.ts'])()
})

describe('passkeys are created only in lib/domain/passkeys/register.ts', () => {
  const broken = {
    'lib/domain/passkeys/import.ts': 'tx.passkey.create({})',
    'lib/domain/passkeys/register.ts': 'tx.passkey.create({})',
  }
  rule(passkeyRegistrations, broken, ['lib/domain/passkeys/import.ts'])()
})

describe('every failure of the table is used', () => {
  const broken = {
    'lib/kernel/request/failures.ts':
      '\nconst outcomes = {\n  invalid_request: {\n  },\n  never_thrown: {\n  },\n}',
    'lib/http/parse.ts': "throw fail('invalid_request')",
    'lib/http/parse.test.ts': "throw fail('never_thrown')",
  }
  rule(unusedFailures, broken, ['never_thrown'])()
})

describe(
  'files have at most 300 lines',
  rule(longFiles, { 'lib/db/a.ts': 'a\n'.repeat(301), 'lib/db/b.ts': 'b\n'.repeat(300) }, [
    'lib/db/a.ts: 301 lines, at most 300',
  ]),
)

describe('the route table names every route file and no other', () => {
  const broken = {
    'app/beak/_api/table.ts': `
import * as tile from '../../.well-known/tlog/tile/[...path]/route'
import * as peckView from '../peck/view/route'
import * as root from '../route'
export const table = {
  '/.well-known/tlog/tile/{path}': tile,
  '/beak/peck/view': root,
  '/beak/gone': peckView,
  '/beak': root,
}`,
    'app/beak/route.ts': '',
    'app/beak/peck/view/route.ts': '',
    'app/beak/peck/list/route.ts': '',
    'app/beak/[...unknown]/route.tsx': '',
    'app/.well-known/tlog/tile/[...path]/route.ts': '',
    'app/api/export/route.ts': '',
  }
  rule(tableMismatches, broken, [
    'app/beak/peck/view/route.ts is not at /beak/peck/view in the table',
    'app/beak/peck/list/route.ts is not at /beak/peck/list in the table',
    '/beak/gone has no route file',
  ])()
})

describe('a route has at most 30 lines of code', () => {
  const broken = {
    'app/beak/a/route.ts': 'a()\n'.repeat(31),
    'app/beak/b/route.ts': `/**\n * Text\n */\n\n// Why\n${'b()\n'.repeat(30)}`,
  }
  rule(longRoutes, broken, ['app/beak/a/route.ts has 31 lines of code, more than 30'])()

  it('counts a description over several lines as one line, and no remarks', () => {
    expect(linesOfCode("a({\n  description:\n    'One, ' +\n    'two.',\n  auth: 'none',\n})")).toBe(4)
    expect(linesOfCode("a({\n  remarks: [\n    'One.',\n    'Two.',\n  ],\n  auth: 'none',\n})")).toBe(3)
  })
})

describe('a route has no statements that decide or repeat', () => {
  const broken = {
    'app/beak/a/route.ts': 'if (a) b()',
    'app/beak/b/route.ts': 'handle: () => { try { b() } finally {} }',
    'app/beak/c/route.ts': "summary: 'Ask (or check if (and for) whom)', // if (needed)",
  }
  rule(routesWithStatements, broken, ['app/beak/a/route.ts', 'app/beak/b/route.ts'])()
})

describe('a test names every method of every route', () => {
  const broken = {
    'app/beak/a/route.ts': 'export const GET = endpoint({})\nexport const POST = endpoint({})',
    'app/beak/a/route.test.ts': "describe('GET /beak/a')",
    'app/beak/b/[n]/route.ts': 'export const GET = endpoint({})',
    'app/beak/other.test.ts': "call('GET /beak/b/7')",
  }
  rule(routesWithoutTest, broken, ['POST /beak/a'])()
})

// security: check-74
describe('a route names the attempted event of everything a signed-in caller can change', () => {
  const broken = {
    'app/beak/a/route.ts': `
export const GET = endpoint({
  auth: 'session',
})
export const POST = endpoint({
  auth: 'session',
})
export const PUT = endpoint({
  auth: 'session',
  attempt: 'a.changed',
})`,
    'app/beak/b/route.ts': "export const POST = endpoint({\n  auth: 'none',\n})",
  }
  rule(routesWithoutAttempt, broken, ['POST /beak/a'])()
})

describe('a build has every module of app/ that answers an address', () => {
  const broken = {
    'app/beak/a/route.ts': '',
    'app/beak/[...unknown]/route.ts': '',
    'app/api/export/route.ts': '',
    'app/llms.txt/route.tsx': '',
    'app/robots.ts': '',
    'app/_web/viewer.ts': '',
  }
  rule(filesLeftOutOfBuild, broken, [
    'app/beak/[...unknown]/route.ts',
    'app/api/export/route.ts',
    'app/robots.ts',
  ])()
})

describe('files of public/ duplicate no route', () => {
  const broken = {
    'public/robots.txt': '',
    'public/icon.svg': '',
    'public/badge/a.svg': '',
    'public/.well-known/security.txt': '',
    'app/robots.tsx': '',
    'app/badge/[file]/route.tsx': '',
    'app/(site)/.well-known/security.txt/route.tsx': '',
  }
  rule(staticFilesAtRoutes, broken, [
    'public/robots.txt duplicates app/robots.tsx',
    'public/.well-known/security.txt duplicates app/(site)/.well-known/security.txt/route.tsx',
  ])()
})

describe('importsOf', () => {
  it('tells imports of values, types and later loads apart', () => {
    const text = `
import a from './a'
import {
  type B,
} from './b'
import type { C } from '@/lib/c'
export type { D } from './d'
export * from './e'
import './f.css'
const g: typeof import('./g') = await import('./h')
/* import i from './i' */
// import j from './j'
`
    expect(importsOf('lib/kernel/x.ts', text)).toEqual([
      { target: 'lib/kernel/a', kind: 'value' },
      { target: 'lib/kernel/b', kind: 'value' },
      { target: 'lib/c', kind: 'type' },
      { target: 'lib/kernel/d', kind: 'type' },
      { target: 'lib/kernel/e', kind: 'value' },
      { target: 'lib/kernel/f.css', kind: 'value' },
      { target: 'lib/kernel/g', kind: 'type' },
      { target: 'lib/kernel/h', kind: 'dynamic' },
    ])
  })

  it('finds the imports of every file that has some', () => {
    const total = [...repository].reduce((sum, [path, text]) => sum + importsOf(path, text).length, 0)
    expect(total).toBeGreaterThan(repository.size * 2)
  })
})
