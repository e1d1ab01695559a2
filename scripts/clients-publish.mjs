/**
 * `npm run clients:publish`: packs both clients and checks that they can be published, without a registry. With `-- --for-real` it publishes
 * them with provenance. That needs a workflow with an identity token (docs/recipes/release.md).
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileNames, packagesFolder, version } from './clients/packages.mjs'
import { npmCommand, root, runScript } from './prepare.mjs'

const archive = join(packagesFolder, fileNames.typescript)
const wheel = join(packagesFolder, fileNames.python)
const sdist = join(root, 'packages', 'client-python', 'dist', `beak_client-${version}.tar.gz`)

const run = (command, args) => execFileSync(command, args, { cwd: root, stdio: 'inherit' })
const python = (...args) => run('python3', ['-m', ...args])
const hasTwine = () => spawnSync('python3', ['-m', 'twine', '--version']).status === 0

/** npm asks its registry for earlier versions and goes on without an answer. At this address nobody answers. */
const noRegistry = ['--registry=http://127.0.0.1:9/', '--fetch-retries=0', '--loglevel=notice']

/** Checks what can be checked without a registry. */
function check() {
  run(npmCommand, ['publish', archive, '--dry-run', '--provenance', '--access', 'public', ...noRegistry])
  python('pip', 'install', '--dry-run', '--no-index', '--no-deps', '--disable-pip-version-check', wheel)
  if (hasTwine()) python('twine', 'check', '--strict', wheel, sdist)
  else process.stdout.write('twine is not installed, so only pip has read the wheel.\n')
}

/** npm comes first: it refuses to publish without an identity token, and then nothing is published at all. */
function publish() {
  run(npmCommand, ['publish', archive, '--provenance', '--access', 'public'])
  python('pypi_attestations', 'sign', wheel, sdist)
  python(
    'twine',
    'upload',
    '--attestations',
    wheel,
    sdist,
    `${wheel}.publish.attestation`,
    `${sdist}.publish.attestation`,
  )
}

await runScript(() => {
  const [option, ...others] = process.argv.slice(2)
  if (others.length > 0 || ![undefined, '--for-real'].includes(option))
    throw new Error('Usage: npm run clients:publish [-- --for-real]')
  run(process.execPath, ['scripts/clients-pack.mjs'])
  check()
  if (option === undefined) return process.stdout.write('Dry run: nothing was published.\n')
  publish()
})
