import { selectRows } from './rows'

/** `npm run bench -- list`: prints the key of each row, for ONLY, and the scenarios for `profile`. */
export function list(): void {
  for (const { key } of selectRows(null)) process.stdout.write(`${key}\n`)
}
