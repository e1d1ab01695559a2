/**
 * The document with the tools of other people: openapi-typescript makes types of it, and a program with openapi-fetch does the main job. The
 * tools come from npm, because the compiler of this repository is too new for them.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aDuckling } from '@/lib/factories/ducklings'
import { startService } from '@/packages/client/test/service'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'beak-openapi-'))
const bin = (name: string) => join(folder, 'node_modules', '.bin', name)
const url = startService()
const minutes = 60_000

const program = `
import createClient from 'openapi-fetch'
import type { components, paths, webhooks } from './beak.js'

declare const process: { env: Record<string, string | undefined> }
const { BEAK_URL: baseUrl = '', ASKER = '', TARGET = '', TARGET_ID = '' } = process.env
const params = { day: '2026-11-24' }

const client = (token: string) => createClient<paths>({ baseUrl, headers: { Authorization: \`Bearer \${token}\` } })
function must<T>({ data, error }: { data?: T; error?: unknown }): NonNullable<T> {
  if (data === undefined || data === null) throw new Error(JSON.stringify(error))
  return data
}

const asker = client(ASKER)
const { peck_id } = must(
  await asker.POST('/beak/peck/request', {
    body: { target_duckling_id: TARGET_ID, action: 'read:calendar', scope: 'limited', params },
  }),
)
must(await client(TARGET).POST('/beak/peck/approve', { body: { peck_id } }))
const { grant_token = '' } = must(await asker.GET('/beak/peck/status', { params: { query: { peck_id } } }))
const anybody = createClient<paths>({ baseUrl })
const used = must(await anybody.POST('/beak/peck/consume', { body: { grant_token: grant_token ?? '', params } }))
const { name } = must(await anybody.GET('/beak'))
const { error } = await client('unknown').GET('/beak/profile')
const problem: components['schemas']['Problem'] | undefined = error

// Compiles only when the data of a message has members.
type Message = webhooks['peck.approved']['post']['requestBody'] extends infer Body
  ? NonNullable<Body> extends { content: { 'application/json': infer Json } } ? Json : never
  : never
export const idOf = ({ data }: Message): string => data.peck_id
export const statusOf = ({ data }: Message): 'pending' | 'approved' | 'rejected' | 'expired' | 'cancelled' => data.status

console.log(JSON.stringify({ name, action: used.action, code: problem?.code }))
`

beforeAll(async () => {
  const packages = ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3']
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent']
  await run('npm', ['install', '--prefix', folder, ...options, ...packages], { cwd: folder })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }')
  writeFileSync(join(folder, 'program.ts'), program)
}, 3 * minutes)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('is enough for openapi-typescript and a program with openapi-fetch', {
  timeout: 2 * minutes,
}, async () => {
  const [asker, target] = [await aDuckling(), await aDuckling()]
  const options = { cwd: folder }
  await run(bin('openapi-typescript'), [`${url()}/beak/openapi.json`, '--output', 'beak.d.ts'], options)
  const types = readFileSync(join(folder, 'beak.d.ts'), 'utf8')
  const [, messages = ''] = /export interface webhooks \{([\s\S]*?)\nexport interface/.exec(types) ?? []
  expect(messages).toContain('"peck.approved"')
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess']
  const target2022 = ['--module', 'nodenext', '--target', 'es2022']
  const compiled = run(bin('tsc'), [...strict, ...target2022, 'program.ts'], options)
  expect(
    await compiled.then(
      ({ stdout }) => stdout,
      ({ stdout }) => stdout,
    ),
  ).toBe('')
  const env = {
    ...process.env,
    BEAK_URL: url(),
    ASKER: asker.token,
    TARGET: target.token,
    TARGET_ID: target.id,
  }
  const { stdout } = await run(process.execPath, ['program.js'], { ...options, env })
  expect(JSON.parse(stdout)).toEqual({ name: 'Beak', action: 'read:calendar', code: 'E4006' })
})
