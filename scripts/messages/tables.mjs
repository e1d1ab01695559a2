/**
 * The tables of sentences: `<area>.<language>.json`, beside the code of the area. A table has the sentences by their names, in ICU MessageFormat
 * (https://unicode-org.github.io/icu/userguide/format_parse/messages/). `close_question` in `account.en.json` is `account_close_question` in the code.
 * This file imports no package, because it runs before the packages are installed.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const folders = ['app', 'components', 'lib', 'packages/decision/src']
const tableName = /^([a-z]+)\.([a-z]{2,3}(?:-[A-Za-z0-9]+)*)\.json$/

/** Returns the tables below a folder of the source: their areas, languages and paths, in the order of the areas. */
export function findTables(root) {
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((path) => join(folder, path)),
    )
    .flatMap((path) => {
      const [, area, language] = tableName.exec(basename(path)) ?? []
      return area === undefined ? [] : [{ area, language, path }]
    })
    .sort((a, b) => (a.area < b.area ? -1 : 1))
}

/** Returns the languages of the tables: English first, then the others by name. */
export const languagesOf = (tables) => [
  'en',
  ...[...new Set(tables.map(({ language }) => language))].filter((name) => name !== 'en').sort(),
]

/**
 * Returns the sentences of one table by the names that the code has: the area and the name in the table.
 *
 * @returns {[name: string, text: string][]}
 */
export function readTable(root, { area, path }) {
  const table = JSON.parse(readFileSync(join(root, path), 'utf8'))
  return Object.entries(table).map(([name, text]) => [`${area}_${name}`, text])
}
