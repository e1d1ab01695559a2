/** What differs when a process runs from the archive of a release, which has no npm and builds nothing. Messages to hosts use it. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { singleton } from '@/lib/kernel/runtime/singleton'

/** Whether the program of this process is in a release: `build/server.mjs` beside `release.json`. */
function isRelease(): boolean {
  const program = process.argv[1] ?? ''
  return singleton('release', () => existsSync(join(dirname(program), '..', 'release.json')))
}

/** Returns a command of the operator as a host can type it: `operatorCommand('doctor')`. */
export function operatorCommand(line: string): string {
  return `${isRelease() ? './beak operator' : 'npm run operator --'} ${line}`
}

/** Returns the command that starts a witness. */
export function witnessCommand(line: string): string {
  return `${isRelease() ? './beak witness' : 'npm run witness --'} ${line}`
}

/** Returns what to do when there are no pages for the path of `BASE_URL`. */
export function howToBuildPages(): string {
  return isRelease()
    ? 'A release has the pages of one path. Make one for this path: `npm run release` in the source code, with this BASE_URL.'
    : 'Run `npm start` with this BASE_URL once; it builds them.'
}
