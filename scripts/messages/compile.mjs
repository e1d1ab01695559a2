/**
 * Compiles the tables of sentences, `messages/<language>.json`, to one typed function per sentence in `lib/kernel/messages/generated`. Every
 * file of the folder is a language, so a new language needs only its file. A sentence that its table lacks appears in English.
 *
 * `node scripts/messages/compile.mjs [<folder of the tables> <folder of the functions>]`
 *
 * The library writes one module per sentence and a runtime that reads the language from addresses and cookies. This script joins the
 * modules of one area (the first word of the names), because bundlers are slow with thousands of files, and writes a runtime that asks
 * `lib/kernel/language.ts`.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile } from '@inlang/paraglide-js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const cache = join(root, 'node_modules', '.cache', 'messages', String(process.pid))
const [source = join(root, 'messages'), target = join(root, 'lib', 'kernel', 'messages', 'generated')] =
  process.argv.slice(2)

/** Returns the languages: English first, then the others by name. */
function readLanguages() {
  const names = readdirSync(source)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
  return ['en', ...names.filter((name) => name !== 'en').sort()]
}

async function compileSentences(languages) {
  const project = join(cache, 'project.inlang')
  mkdirSync(project, { recursive: true })
  writeFileSync(
    join(project, 'settings.json'),
    JSON.stringify({
      baseLocale: 'en',
      locales: languages,
      telemetry: 'off',
      modules: ['../../../@inlang/plugin-message-format/dist/index.js'],
      'plugin.inlang.messageFormat': { pathPattern: `${relative(cache, source)}/{locale}.json` },
    }),
  )
  const outdir = join(cache, 'compiled')
  await compile({
    project,
    outdir,
    outputStructure: 'message-modules',
    strategy: ['baseLocale'],
    disableAsyncLocalStorage: true,
    emitGitIgnore: false,
    emitPrettierIgnore: false,
    emitReadme: false,
  })
  return outdir
}

/** The lines that every module of the library begins with. A joined module has them once. */
const isHead = (line) =>
  line.startsWith('import ') || line.startsWith('/* eslint') || line.startsWith('/** @typedef {import(')

/** Returns the source of each area. */
function joinByArea(folder) {
  const areas = new Map()
  for (const name of readdirSync(folder).sort()) {
    if (!name.endsWith('.js') || name === '_index.js') continue
    const [area = ''] = name.slice(0, -'.js'.length).split('_')
    const lines = readFileSync(join(folder, name), 'utf8').split('\n')
    areas.set(area, [...(areas.get(area) ?? []), lines.filter((line) => !isHead(line)).join('\n')])
  }
  return areas
}

const head = `import { experimentalStaticLocale, getLocale } from './runtime.js'
import * as registry from './registry.js'
/** @typedef {import('./runtime.js').LocalizedString} LocalizedString */
`

/** Returns the runtime that the compiled sentences import. With one language, nothing asks for the language. */
function runtime(languages) {
  return `import { currentLanguage } from '../../language'
/** @typedef {${languages.map((name) => JSON.stringify(name)).join(' | ')}} Locale */
/** @typedef {string} LocalizedString */
/** @typedef {import('../parts').MessagePart} MessagePart */
/** @template Inputs, Options, Markup @typedef {import('../parts').MessageMetadata<Markup>} MessageMetadata */
export const experimentalStaticLocale = ${languages.length === 1 ? '"en"' : 'undefined'}
export const getLocale = currentLanguage
`
}

/** What the library writes around each sentence, to choose its language. */
const choice =
  /^(export const (\w+) = \/\*\* @type \{.*\} \*\/) \((?:\(inputs(?: = \{\})?, options = \{\}\) => \{\n[\s\S]*?\n\}|\n[\s\S]*?\n)\);$/gm

/** With one language, a sentence is its English function: nothing chooses, and browsers load less. */
const withoutChoice = (source) => source.replace(choice, '$1 (en_$2);')

/** Keeps the plural rules of each language. The library makes them for each sentence, which takes much longer than their use. */
function withKeptRules(source) {
  const made = 'new Intl.PluralRules(locale, options)'
  if (!source.includes(made)) throw new Error(`registry.js has no "${made}".`)
  return `${source.replace(made, 'rulesOf(locale, options)')}

/** @type {Map<string, Intl.PluralRules>} */
const kept = new Map()

/**
 * @param {string} locale
 * @param {Intl.PluralRulesOptions} [options]
 */
function rulesOf(locale, options) {
  const key = \`\${locale} \${JSON.stringify(options)}\`
  const rules = kept.get(key) ?? new Intl.PluralRules(locale, options)
  kept.set(key, rules)
  return rules
}
`
}

/** Writes everything that \`lib/kernel/messages\` imports. */
function write(compiled, languages) {
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  const areas = joinByArea(join(compiled, 'messages'))
  const files = {
    'package.json': '{ "type": "module", "sideEffects": false }\n',
    'languages.js': `/** @type {readonly ["en", ...string[]]} */\nexport const languages = ${JSON.stringify(languages)}\n`,
    'runtime.js': runtime(languages),
    'registry.js': withKeptRules(readFileSync(join(compiled, 'registry.js'), 'utf8')),
    'index.js': [...areas.keys()].map((area) => `export * from './area-${area}.js'\n`).join(''),
  }
  for (const [area, sources] of areas) {
    const source = sources.join('\n').replaceAll("'../runtime.js'", "'./runtime.js'")
    files[`area-${area}.js`] = head + (languages.length === 1 ? withoutChoice(source) : source)
  }
  for (const [name, source] of Object.entries(files)) writeFileSync(join(target, name), source)
}

const languages = readLanguages()
try {
  write(await compileSentences(languages), languages)
} finally {
  rmSync(cache, { recursive: true, force: true })
}
