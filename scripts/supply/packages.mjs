/**
 * The packages of package-lock.json. lockfile-lint checks where they come from, and we check what it does not: that every package has a
 * digest, that none is a local folder, and that each package with an install script is in install-scripts.json with a reason. Our
 * installation runs no such script (`ignore-scripts` in .npmrc), but other tools and people may install without it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../prepare.mjs'
import { runCommand } from './run-command.mjs'

const list = 'scripts/supply/install-scripts.json'

/** Reads package-lock.json. */
export const readLockFile = () => JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))

/** Returns the packages of a lock file with their names, without the packages of this repository. */
export function lockedPackages(lock) {
  const own = ['', ...(lock.packages?.['']?.workspaces ?? [])]
  return Object.entries(lock.packages ?? {})
    .filter(([folder, { link, resolved }]) => !own.includes(link ? resolved : folder))
    .map(([folder, entry]) => ({
      folder,
      name: entry.name ?? folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length),
      entry,
    }))
}

/**
 * Decides on the content of package-lock.json.
 *
 * @param {object} lock
 * @param {Record<string, string>} allowed the reasons of install-scripts.json by the name of the package
 * @returns {import('./checks.mjs').CheckResult}
 */
export function judgePackages(lock, allowed) {
  const packages = lockedPackages(lock)
  if (packages.length === 0)
    return { failed: true, lines: ['package-lock.json has no packages. Run npm install.'] }
  const withScript = new Set(packages.filter(({ entry }) => entry.hasInstallScript).map(({ name }) => name))
  const faults = [
    ...packages
      .filter(({ folder, entry }) => entry.link || !folder.includes('node_modules/'))
      .map(({ folder }) => `${folder} is a local folder. Take the package from the registry.`),
    // A bundled package is inside its parent's tarball, and the parent's digest covers it.
    ...packages
      .filter(({ entry }) => !entry.link && !entry.inBundle && !entry.integrity)
      .map(({ folder }) => `${folder} has no digest in "integrity". Run npm install again.`),
    ...[...withScript]
      .filter((name) => !allowed[name])
      .map(
        (name) => `${name} has an install script. Read it, then add the package with a reason to ${list}.`,
      ),
    ...Object.keys(allowed)
      .filter((name) => !withScript.has(name))
      .map((name) => `${name} has no install script any more. Remove it from ${list}.`),
  ]
  return faults.length > 0
    ? { failed: true, lines: faults }
    : {
        failed: false,
        lines: [
          `${packages.length} packages with a digest. ${withScript.size} have an install script, all listed.`,
        ],
      }
}

/** Checks package-lock.json and .npmrc of this repository. */
export function checkPackages() {
  const { failed, lines } = judgePackages(readLockFile(), JSON.parse(readFileSync(join(root, list), 'utf8')))
  return /^ignore-scripts *= *true *$/m.test(readFileSync(join(root, '.npmrc'), 'utf8'))
    ? { failed, lines }
    : { failed: true, lines: [...lines, '.npmrc must contain the line "ignore-scripts=true". Restore it.'] }
}

/**
 * Checks with lockfile-lint that packages come from the npm registry, over https, under their own names and with SHA-512 digests.
 *
 * @param {string} [lockFile] path
 */
export async function checkSources(lockFile = 'package-lock.json') {
  const rules = [
    '--validate-https',
    '--allowed-hosts=npm',
    '--validate-integrity',
    '--validate-package-names',
  ]
  const { code, stdout, stderr } = await runCommand(join(root, 'node_modules', '.bin', 'lockfile-lint'), [
    `--path=${lockFile}`,
    '--type=npm',
    ...rules,
  ])
  return code === 0
    ? { failed: false, lines: ['Every package comes from the npm registry.'] }
    : { failed: true, lines: [stdout, stderr] }
}
