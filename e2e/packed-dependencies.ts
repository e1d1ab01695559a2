/** The packages that the TypeScript client needs, packed, for an installation without a registry. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Packs the packages that the client needs, which npm would get from a registry. Returns the files. */
export async function packDependencies(folder: string): Promise<string[]> {
  const seen = new Set<string>()
  const collect = (manifest: string) => {
    for (const name of Object.keys(JSON.parse(readFileSync(manifest, 'utf8')).dependencies ?? {})) {
      if (seen.has(name)) continue
      seen.add(name)
      collect(join('node_modules', name, 'package.json'))
    }
  }
  collect('packages/client/package.json')
  const paths = [...seen].map((name) => join(process.cwd(), 'node_modules', name))
  const args = ['pack', ...paths, '--ignore-scripts', '--silent', `--pack-destination=${folder}`]
  const { stdout } = await run('npm', args)
  return stdout
    .trim()
    .split('\n')
    .map((name) => join(folder, name))
}

/** Options of npm with which it asks no registry. */
export const offlineInstall = [
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--fetch-retries=0',
  '--registry=http://127.0.0.1:9/',
]
