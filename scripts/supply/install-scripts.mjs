/**
 * Packages that run code when they are installed. Our installation runs no such script (`ignore-scripts` in .npmrc), but other
 * tools and people may install without it. So each package with a script needs an entry in install-scripts.json.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../prepare.mjs'
import { lockedPackages, readLockFile } from './lock-file.mjs'

const list = 'scripts/supply/install-scripts.json'

/** Returns the folders of all installed packages below a node_modules folder, nested ones included. */
function packageFolders(modules) {
  if (!existsSync(modules)) return []
  return readdirSync(modules, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory() || entry.name.startsWith('.')) return []
    const folder = join(modules, entry.name)
    if (entry.name.startsWith('@')) return packageFolders(folder)
    return [folder, ...packageFolders(join(folder, 'node_modules'))]
  })
}

/** Says whether npm would run a script of this installed package. */
function runsScript(folder, manifest) {
  const { preinstall, install, postinstall } = manifest.scripts ?? {}
  // npm runs node-gyp for a package with binding.gyp and without scripts of its own, unless `gypfile` is false.
  return Boolean(
    preinstall ||
      install ||
      postinstall ||
      (manifest.gypfile !== false && existsSync(join(folder, 'binding.gyp'))),
  )
}

/**
 * Returns the names of the installed packages that have an install script.
 *
 * @param {string} modules path of a node_modules folder
 * @returns {string[]}
 */
export function installedWithScripts(modules) {
  return packageFolders(modules).flatMap((folder) => {
    const path = join(folder, 'package.json')
    if (!existsSync(path)) return []
    const manifest = JSON.parse(readFileSync(path, 'utf8'))
    return runsScript(folder, manifest) ? [manifest.name ?? folder] : []
  })
}

/** Returns the names of the packages of a lock file that have an install script, those for other platforms included. */
export function lockedWithScripts(lock) {
  return lockedPackages(lock).flatMap(({ name, entry }) => (entry.hasInstallScript ? [name] : []))
}

/**
 * Decides on the packages with install scripts.
 *
 * @param {{ found: string[], allowed: Record<string, string>, scriptsIgnored: boolean }} facts `allowed` maps names to
 *   reasons, `scriptsIgnored` says whether .npmrc turns scripts off
 * @returns {import('./checks.mjs').CheckResult}
 */
export function judgeInstallScripts({ found, allowed, scriptsIgnored }) {
  const names = [...new Set(found)].sort()
  const faults = [
    ...names
      .filter((name) => !Object.hasOwn(allowed, name))
      .map(
        (name) =>
          `${name} has an install script. Read the script, then remove the package, or add it with a reason to ${list}.`,
      ),
    ...Object.entries(allowed)
      .filter(([name]) => !names.includes(name))
      .map(([name]) => `${name} has no install script any more. Remove it from ${list}.`),
    ...Object.entries(allowed)
      .filter(([, reason]) => typeof reason !== 'string' || reason.trim() === '')
      .map(([name]) => `${name} has no reason in ${list}. Add one.`),
    ...(scriptsIgnored ? [] : ['.npmrc must contain the line "ignore-scripts=true". Restore it.']),
  ]
  return faults.length > 0
    ? { failed: true, lines: faults }
    : {
        failed: false,
        lines: [
          `${names.length} packages have an install script, all listed. Our installation runs none of them.`,
        ],
      }
}

/** Checks the lock file and the installed packages of this repository. */
export async function checkInstallScripts() {
  return judgeInstallScripts({
    found: [...lockedWithScripts(readLockFile()), ...installedWithScripts(join(root, 'node_modules'))],
    allowed: JSON.parse(readFileSync(join(root, list), 'utf8')),
    scriptsIgnored: /^ignore-scripts *= *true *$/m.test(readFileSync(join(root, '.npmrc'), 'utf8')),
  })
}
