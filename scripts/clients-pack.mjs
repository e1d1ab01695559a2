/** `npm run clients:pack`: packs both clients as they are published, the Python client with `python3`. */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { npmCommand, root, runScript } from './prepare.mjs'

await runScript(() => {
  const folder = join(root, 'build', 'clients')
  mkdirSync(folder, { recursive: true })
  // The package is built by its scripts, which .npmrc turns off for this repository.
  const options = ['--ignore-scripts=false', `--pack-destination=${folder}`]
  execFileSync(npmCommand, ['pack', join(root, 'clients', 'typescript'), ...options], { stdio: 'inherit' })
  execFileSync('python3', ['-B', join(root, 'clients', 'python', 'make.py'), 'dist'], { stdio: 'inherit' })
  process.stdout.write('The packages are in build/clients and clients/python/dist.\n')
})
