/** Checks that compilers accept the example calls of the reference: TypeScript's, and mypy with the types of the Python client. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { table } from '@/app/beak/_api/table'
import { openapiDocument } from '@/lib/http/openapi'
import { findPython, makePythonClient } from '@/scripts/verifiers.mjs'
import { callsOf } from './calls'
import { groupsOf, type OpenapiDocument } from './reference'

const document = openapiDocument(table, 'test') as unknown as OpenapiDocument
const calls = groupsOf(document).flatMap(({ operations }) =>
  operations.map((listed) => ({
    name: listed.operation.operationId,
    ...Object.fromEntries(
      callsOf(listed, document.components.schemas, 'https://beak.example').map(({ language, text }) => [
        language,
        text,
      ]),
    ),
  })),
) as { name: string; ts: string; python: string }[]

// Below the repository, so that the compiler finds the types of Node.
const build = join(process.cwd(), 'build')
mkdirSync(build, { recursive: true })
const folder = mkdtempSync(join(build, 'calls-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('the example calls', () => {
  it('compile in TypeScript with the types of the client', () => {
    for (const { name, ts } of calls) writeFileSync(join(folder, `${name}.ts`), `${ts}\nexport {}\n`)
    const compilerOptions = {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      target: 'es2023',
      module: 'esnext',
      moduleResolution: 'bundler',
      types: ['node'],
      paths: { '@beak/client': [join(process.cwd(), 'packages/client/src/index.ts')] },
    }
    const project = join(folder, 'tsconfig.json')
    writeFileSync(project, JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    const compiler = join(process.cwd(), 'node_modules/typescript/bin/tsc')
    const { stdout, status } = spawnSync(process.execPath, [compiler, '-p', project], { encoding: 'utf8' })
    expect(stdout).toBe('')
    expect(status).toBe(0)
  }, 120_000)

  it('name methods and arguments of the Python client, and have its types', () => {
    const python = findPython(
      ['httpx', 'typing_extensions', 'mypy'],
      ['python3-httpx', 'python3-typing-extensions', 'mypy'],
    )
    if (python === null) throw new Error('There is no Python with httpx, typing_extensions and mypy.')
    makePythonClient(python)
    for (const { name, python: text } of calls) writeFileSync(join(folder, `call_${name}.py`), `${text}\n`)
    const { stdout, stderr } = spawnSync(
      python,
      ['-m', 'mypy', '--strict', '--cache-dir', join(tmpdir(), 'beak-mypy'), folder],
      {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, MYPYPATH: join(process.cwd(), 'packages/client-python/src') },
      },
    )
    expect(`${stdout}${stderr}`.split('\n').filter((line) => line.includes('error:'))).toEqual([])
    expect(stdout).toContain(`Success: no issues found in ${calls.length} source files`)
  }, 120_000)
})
