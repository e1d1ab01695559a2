/**
 * Lets each page load only the sentences that it shows. `m` is one module with all sentences, so a bundler puts every sentence that any page
 * shows in a browser into one file, which all pages load. While the pages are built (next.config.mjs), this loader writes a sentence without
 * values into the code that shows it, and imports the others from the module of their area.
 */
const { readFileSync } = require('node:fs')
const { join } = require('node:path')

const importLine = /^import \{ m \} from '@\/lib\/kernel\/messages'$/m
/** The sentences that are the same text for everybody. `compile.mjs` writes them. */
const path = join(__dirname, '../../lib/kernel/messages/generated/plain.json')
let plain

module.exports = function splitSentences(source) {
  if (!importLine.test(source)) return source
  this.addDependency(path)
  plain ??= JSON.parse(readFileSync(path, 'utf8'))
  const areas = new Map()
  const body = source.replace(/\bm\.((\w+?)_\w+)(\(\))?/g, (_, name, area, call = '') => {
    if (Object.hasOwn(plain, name))
      return call ? JSON.stringify(plain[name]) : `(() => ${JSON.stringify(plain[name])})`
    areas.set(area, (areas.get(area) ?? new Set()).add(name))
    return `m_${name}${call}`
  })
  const imports = [...areas].map(([area, names]) => {
    const list = [...names].map((name) => `${name} as m_${name}`).join(', ')
    return `import { ${list} } from '@/lib/kernel/messages/generated/area-${area}.js'`
  })
  return body.replace(importLine, () => imports.join('; '))
}
