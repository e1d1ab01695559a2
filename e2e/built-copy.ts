/**
 * Runs a copy of the service with a second language and at the path `/prod`, as two hosts build it, with the demo world. The tests of both
 * share the build, which takes longer than either of them: `built-copy.ts <runner's pid> <file>`.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findTables } from '@/scripts/messages/tables.mjs'
import { startDemoWorld } from './demo-people'
import { serve } from './shared-server'

/** Copies what Git has, and adds the second language. Outside of this folder, whose ignored files no stylesheet would read. */
function copyWithSecondLanguage(): string {
  const root = process.cwd()
  const folder = mkdtempSync(join(tmpdir(), 'beak-built-copy-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0').filter(Boolean)
  for (const file of files) cpSync(join(root, file), join(folder, file))
  // Links to the same files, where both folders are on one disk.
  const from = join(root, 'node_modules')
  if (spawnSync('cp', ['-al', from, folder]).status !== 0) execFileSync('cp', ['-a', from, folder])
  for (const { path } of findTables(folder)) {
    const english: Record<string, string> = JSON.parse(readFileSync(join(folder, path), 'utf8'))
    const second = Object.entries(english).map(([name, text]) => [name, `⟦${text}⟧`])
    writeFileSync(
      join(folder, path.replace('.en.json', '.de.json')),
      JSON.stringify(Object.fromEntries(second)),
    )
  }
  return folder
}

// `npm start` builds the pages for the path.
await serve(() =>
  startDemoWorld({
    folder: copyWithSecondLanguage(),
    command: [process.execPath, 'scripts/start.mjs'],
    path: '/prod',
  }),
)
