/** Things that have exactly one place in the code. */
import { client, productFiles, shared, type Tree } from './tree'

function filesWith(tree: Tree, pattern: RegExp, allowed: string[]): string[] {
  return productFiles(tree)
    .filter(([path, text]) => pattern.test(text) && !allowed.includes(path))
    .map(([path]) => path)
}

/** Leaves out the client and what it has in it: they run in other programs and import no kernel. */
const withoutClient = (paths: string[]) =>
  paths.filter((path) => ![client, ...shared].some((folder) => path.startsWith(`${folder}/`)))

/** Every way to read the clock of the machine. `performance.now()` measures lengths of time and is allowed. */
const machineClock = /Date\.now\b|new Date\(\)|new Date(?![\w(`])|(?<![\w.] ?)Date\(\)|\btimeOrigin\b/
/** The clock of the database in a statement. */
const databaseClock =
  /(?<![\w.])now\(\)|\b(?:clock|statement|transaction)_timestamp\b|\bCURRENT_(?:TIME|DATE|TIMESTAMP)\b/

/**
 * Returns files that read a clock themselves. A test service moves only the clock of the service, so statements take the time as a value. The
 * check of the data asks the database, and runs in no test service.
 */
export const clockReads = (tree: Tree) =>
  withoutClient([
    ...filesWith(tree, machineClock, ['lib/kernel/runtime/clock.ts']),
    ...filesWith(tree, databaseClock, ['lib/db/service-clock.ts', 'lib/domain/integrity/rules.ts']),
  ])

/** The build replaces the variables in the other two files by their values: `components/base-path.ts` also runs in the browser. */
export const environmentReads = (tree: Tree) =>
  withoutClient(
    filesWith(tree, /process\.env/, [
      'lib/kernel/config/index.ts',
      'lib/kernel/service/approver-page.ts',
      'components/base-path.ts',
    ]),
  )

/** Before Node.js 24, each further `AsyncLocalStorage` slows down every promise. */
export const storagesOfNode = (tree: Tree) =>
  withoutClient(
    filesWith(tree, /AsyncLocalStorage[^;]{0,80}from '(?:node:)?async_hooks'/, [
      'lib/kernel/runtime/async-storage.ts',
    ]),
  )

export const databaseErrorNumbers = (tree: Tree) =>
  filesWith(tree, /'P[12]0\d\d'|'23505'|'40P01'/, ['lib/db/conflict.ts'])

/** Passkeys are removed in one place, which writes each removal to the audit log. */
export const passkeyRemovals = (tree: Tree) =>
  filesWith(tree, /passkey\.delete\w*\(|DELETE FROM "Passkey"|INSERT INTO "Passkey"/, [
    'lib/domain/passkeys/delete.ts',
  ])

export const passkeyRegistrations = (tree: Tree) =>
  filesWith(tree, /passkey\.(create|upsert)\w*\(/, ['lib/domain/passkeys/register.ts'])

/** Texts that are no sentences of ours: errors of packages without a name to decide by, and messages of a protocol. */
const foreignTexts = [
  // zod: only its default text says that a field is missing; texts of our own stay.
  'lib/http/parse.ts',
  // SimpleWebAuthn throws plain errors.
  'lib/domain/passkeys/assertion.ts',
  // request-filtering-agent throws a plain error in the lookup of an address.
  'lib/domain/webhooks/send.ts',
  // The words that the tabs of a browser send each other.
  'app/(account)/pecks/_live/follow-pecks.ts',
  'app/(account)/pecks/_inbox/use-inbox.ts',
]

/** Returns code that decides by the text of an error. Texts change: decide by `reason`, `code` or a member. Empty texts are allowed. */
export function decisionsByText(tree: Tree): string[] {
  const text = String.raw`(?<!typeof [\w.]*)(?:\b(?:detail|message)|\.title)\b`
  const literal = String.raw`(?:'[^'\n]+'|"[^"\n]+"|\`[^\`]+\`|[\w.]+\.detail\b)`
  const patterns = [
    `${text}\\s*[!=]==?\\s*${literal}`,
    `${literal}\\s*[!=]==?\\s*[\\w.?]*${text}`,
    `${text}\\??\\.(?:includes|startsWith|endsWith|match|matchAll|search|indexOf)\\(`,
    `\\.(?:test|exec)\\([\\w.?]*${text}\\)`,
    `\\bswitch \\([\\w.?]*${text}\\)`,
    `\\bincludes\\([\\w.?]*${text}\\)`,
  ]
  return filesWith(tree, new RegExp(patterns.join('|')), foreignTexts)
}

const failureTable = 'lib/kernel/request/failures.ts'
/** Names in old audit events: no use of a failure. */
const formerFailures = 'app/_web/former-failures.ts'

/** Names of the failure table that no other file uses. */
export function unusedFailures(tree: Tree): string[] {
  const [, table = ''] = (tree.get(failureTable) ?? '').split('\nconst outcomes = {')
  const names = [...table.matchAll(/^ {2}(\w+): \{/gm)].map(([, name = '']) => name)
  const rest = productFiles(tree)
    .filter(([path]) => path !== failureTable && path !== formerFailures)
    .map(([, text]) => text)
    .join('\n')
  return names.filter((name) => !rest.includes(`'${name}'`))
}

/** Tables, which are read line by line and not as a whole. */
const tables = [failureTable]
const linesMax = 300

/** Returns files that are too long, with their number of lines as `wc -l` counts them. */
export function longFiles(tree: Tree): string[] {
  return productFiles(tree).flatMap(([path, text]) => {
    const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
    return lines > linesMax && !tables.includes(path) ? [`${path}: ${lines} lines, at most ${linesMax}`] : []
  })
}

/** Failures in the domain that do not come from the context, which checks at compile time that the endpoint declares them. */
export const untypedFailures = (tree: Tree) =>
  filesWith(
    tree,
    /import \{[^}]*(?<!type )\bfail\b[^}]*\} from '@\/lib\/kernel\/request\/failures'/,
    [],
  ).filter((path) => path.startsWith('lib/domain/'))

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

/** Returns the names that the subject of a test may have: `limiter-redis.test.ts` tests `limiter-redis.ts` or `limiter.ts`. */
function subjectsOf(test: string): string[] {
  const folder = test.slice(0, test.lastIndexOf('/'))
  const words = test
    .slice(folder.length + 1)
    .replace(/(?:\.slow)?\.test\.ts$/, '')
    .split('-')
  return words.map((_, index) => `${folder}/${words.slice(0, index + 1).join('-')}.ts`)
}

/** Tests of `lib` without a module of their name, or of its beginning, beside them. */
export const testsWithoutSubject = (tree: Tree) =>
  [...tree.keys()].filter(
    (path) => /^lib\/.*\.test\.ts$/.test(path) && !subjectsOf(path).some((subject) => tree.has(subject)),
  )

const pageFiles = (paths: string[]) =>
  paths.filter((path) => /^(?:app|components|packages\/approver)\//.test(path))

/**
 * Returns pages whose names, values, ids or code a translator would change. `translate="yes"` allows it, for sentences of ours. The approver
 * makes its elements in `packages/approver/page/dom.ts`.
 */
export const translatedNames = (tree: Tree) =>
  pageFiles(filesWith(tree, /<(?:bdi|code|pre|kbd)(?=[\s>])(?!\s+translate=)/, []))

/** Returns choices without a value of their own: a form would send the text, which a translator changes. */
export const choicesByText = (tree: Tree) =>
  pageFiles(filesWith(tree, /<option(?=[\s>])(?![^>]*\bvalue=)/, []))

/** Returns code that reads what a page shows. Other programs change it: what is signed, sent or decided comes from the data. */
export const readsOfPages = (tree: Tree) =>
  pageFiles(
    filesWith(tree, /\.(?:textContent|innerText|innerHTML|outerHTML)\b(?!\s*=[^=])/, [
      // Copies code of the documents, which no translator changes.
      'app/(site)/docs/_content/copy-code.tsx',
    ]),
  )

const dialog = /<Confirm\b.*?<\/Confirm>/gs

/** Returns pages with a `Confirm` that has no row of buttons of its own, and so no Cancel before its button. */
export const dialogsWithoutButtons = (tree: Tree) =>
  productFiles(tree)
    .filter(([, text]) =>
      [...text.matchAll(dialog)].some(
        ([inside]) => inside.match(/<(?:Confirm|Submit)Buttons?\b/g)?.join() !== '<ConfirmButtons',
      ),
    )
    .map(([path]) => path)

/** Returns pages with the class `group-open:` of no named group: an outer fold that is open would show an inner one as open too. */
export const openGroupsWithoutName = (tree: Tree) => filesWith(tree, /\bgroup-open:/, [])
