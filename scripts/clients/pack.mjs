/** Packs `clients` or `dev` into `build/clients`. A process of its own, because the steps of `scripts/prepare.mjs` wait for programs. */
import { makeDevPackage, packagesFolder, packClients } from './packages.mjs'

try {
  await (process.argv[2] === 'dev' ? makeDevPackage : packClients)(packagesFolder)
} catch (error) {
  // What a program said that failed, for instance the compiler.
  process.stderr.write(`${error.stdout ?? ''}${error.stderr ?? error.stack}\n`)
  process.exitCode = 1
}
