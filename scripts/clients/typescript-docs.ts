/** Writes the reference of the TypeScript client from its comments. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import manifest from '@/clients/typescript/package.json'

const client = 'clients/typescript'

/** Returns the files of the reference: path below the root → text. Throws when a comment has a broken link. */
export function typescriptDocs(): Map<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'beak-docs-'))
  const entries = Object.values(manifest.exports).filter((path) => path.endsWith('.ts'))
  try {
    // TypeDoc needs the JavaScript API of TypeScript, so the client has its own, older TypeScript.
    execFileSync(
      process.execPath,
      [
        'node_modules/typedoc/bin/typedoc',
        '--out',
        folder,
        '--logLevel',
        'Warn',
        ...entries.flatMap((path) => ['--entryPoints', path]),
      ],
      { cwd: client, stdio: ['ignore', 'inherit', 'inherit'] },
    )
    const names = readdirSync(folder, { recursive: true }).map(String)
    return new Map(
      names
        .filter((name) => name.endsWith('.md'))
        .sort()
        .map((name) => [`${client}/docs/${name}`, readFileSync(join(folder, name), 'utf8')]),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
