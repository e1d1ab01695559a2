/**
 * Lets each page load only the sentences that it shows. `m` is one module with all sentences, so a bundler puts every sentence that any page
 * shows in a browser into one file, which all pages load. While the pages are built (next.config.mjs), this loader writes a sentence without
 * values into the code that shows it, and imports the others from the module of their area.
 */
const { readFileSync, readdirSync } = require('node:fs')
const { join } = require('node:path')

const importLine = /^import \{ m \} from '@\/lib\/kernel\/messages'$/m
const folder = join(__dirname, '../../messages')
const table = join(folder, 'en.json')

/** Returns the sentences that are the same text for everybody: there is one language, and they have no values. */
function readPlain() {
  if (readdirSync(folder).some((name) => name.endsWith('.json') && name !== 'en.json')) return {}
  const sentences = Object.entries(JSON.parse(readFileSync(table, 'utf8')))
  return Object.fromEntries(sentences.filter(([, text]) => typeof text === 'string' && !/[{}\\]/.test(text)))
}
let plain

module.exports = function splitSentences(source) {
  if (!importLine.test(source)) return source
  this.addDependency(table)
  plain ??= readPlain()
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
