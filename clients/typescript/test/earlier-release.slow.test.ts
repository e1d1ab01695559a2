/**
 * The client of release 0.2.0, from the history of the repository, with the scenario of that release. Clones without the history are
 * protected by the comparison of the API alone (app/beak/openapi.json/breaking.test.ts).
 */
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ClientModule, runScenario, type Scenario } from './run-scenario'
import { startService } from './service'

const version = '0.2.0'
let folder = ''

function git(args: string[]): Buffer | null {
  const { status, stdout } = spawnSync('git', args, { maxBuffer: 64 * 1024 * 1024 })
  return status === 0 ? stdout : null
}

/** Returns the commit of the release, or an empty text when this clone has no such history. */
const commit = String(git(['log', '-1', '--format=%H', `--grep=^Release ${version}$`]) ?? '').trim()

beforeAll(async () => {
  if (commit === '') return
  await mkdir('build', { recursive: true })
  // Below the repository, so that the packages are found.
  folder = await mkdtemp(join(process.cwd(), 'build', 'release-'))
  const archive = git(['archive', commit, 'clients/typescript/src', 'clients/scenario.json'])
  const { status } = spawnSync('tar', ['-x', '-C', folder], { input: archive ?? '' })
  expect(status).toBe(0)
})

afterAll(async () => {
  if (folder !== '') await rm(folder, { recursive: true })
})

describe.skipIf(commit === '')(`the client of ${version} (needs the history of the repository)`, () => {
  const url = startService()

  it('does the whole main job with this service', async () => {
    const entry = pathToFileURL(join(folder, 'clients/typescript/src/index.ts')).href
    const client = (await import(/* @vite-ignore */ entry)) as ClientModule
    const scenario = JSON.parse(await readFile(join(folder, 'clients/scenario.json'), 'utf8')) as Scenario
    expect(scenario.steps.length).toBeGreaterThan(20)
    expect(await runScenario(scenario, url(), client)).toBe(4)
  })
})
