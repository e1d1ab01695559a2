/** `npm run clients:pack`: packs the clients as the service serves them and as they are published, and prints their digests. */
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { packagesFolder, pythonVersion } from './clients/packages.mjs'
import { buildPackages, generate, install, root, runScript } from './prepare.mjs'

await runScript(async () => {
  await install({ development: false })
  await generate()
  rmSync(packagesFolder, { recursive: true, force: true })
  await buildPackages()
  const { files, missing } = JSON.parse(readFileSync(join(packagesFolder, 'index.json'), 'utf8'))
  if (pythonVersion() !== null)
    execFileSync('python3', ['-B', join(root, 'packages', 'client-python', 'make.py'), 'dist'], {
      stdio: 'inherit',
    })
  for (const { name, sha256 } of files) process.stdout.write(`Package ${name}: \`sha256:${sha256}\`\n`)
  for (const { reason } of missing) process.stdout.write(`No wheel: ${reason}\n`)
  process.stdout.write(
    'The packages are in build/clients, and the sdist is in packages/client-python/dist.\n',
  )
})
