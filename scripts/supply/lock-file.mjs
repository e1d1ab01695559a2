/** Where the packages of package-lock.json come from: only tarballs of the public registry, each with its digest. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../prepare.mjs'

/** Reads package-lock.json. */
export function readLockFile() {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
}

/** Returns the folders of the other packages of this repository. */
const workspacesOf = (lock) => lock.packages?.['']?.workspaces ?? []

/** The packages of a lock file by their folder, without the packages of this repository. Each has its name. */
export function lockedPackages(lock) {
  const own = ['', ...workspacesOf(lock)]
  return Object.entries(lock.packages ?? {})
    .filter(([folder, { link, resolved }]) => !own.includes(link ? resolved : folder))
    .map(([folder, entry]) => ({
      folder,
      name: entry.name ?? folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length),
      entry,
    }))
}

const tarball = /^https:\/\/registry\.npmjs\.org\/[^?#\s]+\.tgz$/

/** Returns the faults of one package, in words. `roots`: the folders whose `node_modules` it may be in. */
function faultsOf({ folder, entry }, roots) {
  if (entry.link || !roots.some((root) => folder.startsWith(`${root}node_modules/`)))
    return [`${folder}: links to a local folder`]
  const faults = []
  // Lock files may omit `resolved`. npm then takes the tarball from the configured registry.
  if (entry.resolved !== undefined && !tarball.test(entry.resolved))
    faults.push(`${folder}: comes from ${entry.resolved}, not from https://registry.npmjs.org/`)
  // A bundled package is inside its parent's tarball, and the parent's digest covers it.
  if (!entry.inBundle && !/^sha512-[A-Za-z0-9+/]{86}==$/.test(entry.integrity ?? ''))
    faults.push(`${folder}: has no SHA-512 digest in "integrity"`)
  return faults
}

/**
 * Decides on the content of package-lock.json.
 *
 * @returns {import('./checks.mjs').CheckResult}
 */
export function judgeLockFile(lock) {
  const packages = lockedPackages(lock)
  if (lock.lockfileVersion !== 3 || packages.length === 0)
    return {
      failed: true,
      lines: ['package-lock.json has no packages or is not of version 3. Run npm install.'],
    }
  const roots = ['', ...workspacesOf(lock).map((folder) => `${folder}/`)]
  const faults = packages.flatMap((locked) => faultsOf(locked, roots))
  return faults.length > 0
    ? {
        failed: true,
        lines: [
          ...faults,
          'Take these packages from the public npm registry, and run npm install again to update package-lock.json.',
        ],
      }
    : {
        failed: false,
        lines: [`${packages.length} packages, each a registry tarball with a SHA-512 digest.`],
      }
}

/** Checks package-lock.json of this repository. */
export async function checkLockFile() {
  return judgeLockFile(readLockFile())
}
