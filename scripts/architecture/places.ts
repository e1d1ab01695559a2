/** Things that have exactly one place in the code. */
import { client, productFiles, type Tree } from './tree'

function filesWith(tree: Tree, pattern: RegExp, allowed: string[]): string[] {
  return productFiles(tree)
    .filter(([path, text]) => pattern.test(text) && !allowed.includes(path))
    .map(([path]) => path)
}

/** Leaves out the client, which runs in other programs and imports no kernel. */
const withoutClient = (paths: string[]) => paths.filter((path) => !path.startsWith(`${client}/`))

export const clockReads = (tree: Tree) =>
  withoutClient(filesWith(tree, /Date\.now\(|new Date\(\)/, ['lib/kernel/clock.ts']))

/** The build replaces the variable in `app/_web/base-path.ts` by its value, so that it also exists in the browser. */
export const environmentReads = (tree: Tree) =>
  withoutClient(filesWith(tree, /process\.env/, ['lib/kernel/config.ts', 'app/_web/base-path.ts']))

export const databaseErrorNumbers = (tree: Tree) =>
  filesWith(tree, /'P[12]0\d\d'|'23505'|'40P01'/, ['lib/db/conflict.ts'])

/** Passkeys are removed in one place, which writes each removal to the audit log. */
export const passkeyRemovals = (tree: Tree) =>
  filesWith(tree, /passkey\.delete\w*\(|DELETE FROM "Passkey"|INSERT INTO "Passkey"/, [
    'lib/domain/passkeys/delete.ts',
  ])

export const passkeyRegistrations = (tree: Tree) =>
  filesWith(tree, /passkey\.(create|upsert)\w*\(/, ['lib/domain/passkeys/register.ts'])

const failureTable = 'lib/kernel/failures.ts'

/** Names of the failure table that no other file uses. */
export function unusedFailures(tree: Tree): string[] {
  const [, table = ''] = (tree.get(failureTable) ?? '').split('\nconst outcomes = {')
  const names = [...table.matchAll(/^ {2}(\w+): \{/gm)].map(([, name = '']) => name)
  const rest = productFiles(tree)
    .filter(([path]) => path !== failureTable)
    .map(([, text]) => text)
    .join('\n')
  return names.filter((name) => !rest.includes(`'${name}'`))
}

/** Tables, which are read line by line and not as a whole. */
const tables = [failureTable]

export function longFiles(tree: Tree): string[] {
  return productFiles(tree)
    .filter(([path, text]) => text.split('\n').length > 300 && !tables.includes(path))
    .map(([path]) => path)
}

/** Failures in the domain that do not come from the context, which checks at compile time that the endpoint declares them. */
export const untypedFailures = (tree: Tree) =>
  filesWith(tree, /import \{[^}]*(?<!type )\bfail\b[^}]*\} from '@\/lib\/kernel\/failures'/, []).filter(
    (path) => path.startsWith('lib/domain/'),
  )

/** Addresses that reach the browser without the path of `BASE_URL`, because Next does not add it there. */
export function rawAddresses(tree: Tree): string[] {
  const raw = [
    /<(?:a|img|form|source|script)\s(?:(?!=>)[^<>])*?\b(?:href|src|action)=(?:"\/|\{[`'"]\/)/,
    /\b(?:fetch|EventSource|sendBeacon|location\.(?:assign|replace))\([`'"]\//,
    /\blocation(?:\.href)? = /,
  ]
  return raw
    .flatMap((pattern) => filesWith(tree, pattern, []))
    .filter((path) => /^(app|components)\//.test(path))
}
