/**
 * The clients of release 0.2.0, from the history of the repository, with the scenario of that release. Clones without the history are
 * protected by the comparison of the API alone (app/beak/openapi.json/route.test.ts).
 */
import { execFile, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aDuckling } from '@/lib/factories/ducklings'
import { findPython } from '@/scripts/verifiers.mjs'
import { type ClientModule, runScenario, type Scenario } from './run-scenario'
import { startService } from './service'

const version = '0.2.0'
let folder = ''

/** A Python with what the client and its tests need. */
const python = findPython(
  ['httpx', 'pytest', 'typing_extensions'],
  ['python3-httpx', 'python3-pytest', 'python3-typing-extensions'],
)

/** Runs the scenario with the driver of the release. Two people who have signed up take the place of the mailed codes. */
const driver = `
import json, pathlib, sys, types
root, url, variables = sys.argv[1:]
sys.path[:0] = [f"{root}/clients/python/src", f"{root}/clients/python/tests"]
sys.modules["service"] = types.SimpleNamespace(ROOT=pathlib.Path(root), Service=object)
from beak import Beak, __file__ as place
from test_scenario import SCENARIO, Run

assert place.startswith(root), place
anybody = Beak(url)

def call(actor, method, values):
    beak = anybody if actor is None else anybody.with_credential(**run.credential(actor))
    return getattr(beak, method)(**values)

run = Run(None, call)
run.variables.update(json.loads(variables))
mailed = ("signUp", "verifyEmail", "requestSignInCode", "signIn")
steps = [step for step in SCENARIO["steps"] if step.get("call", "signIn") not in mailed]
run.steps(steps)
print(len(steps))
`

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
  const archive = git([
    'archive',
    commit,
    'clients/typescript/src',
    'clients/python',
    'clients/scenario.json',
  ])
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

  it.skipIf(python === null)('does the main job with this service, in Python', async () => {
    const [mallard, teal] = [
      await aDuckling({ displayName: 'Mallard' }),
      await aDuckling({ displayName: 'Teal' }),
    ]
    const variables = {
      mallard_id: mallard.id,
      mallard_token: mallard.token,
      teal_id: teal.id,
      teal_token: teal.token,
    }
    const file = join(folder, 'driver.py')
    await writeFile(file, driver)
    const { stdout } = await promisify(execFile)(python ?? '', [
      file,
      folder,
      url(),
      JSON.stringify(variables),
    ])
    expect(Number(stdout)).toBeGreaterThan(25)
  })
})
