/**
 * Compiles the tables of sentences (`tables.mjs`) to one typed function per sentence in `lib/kernel/messages/generated`, one module per area.
 * A new language needs only its tables, and a sentence that they lack appears in English.
 *
 * The English sentences of the area `risk` are data in `packages/decision/src/generated/english.ts` as well: what the service says about a
 * request stands in answers of the API and on the page of the approver, which have no table.
 *
 * `node scripts/messages/compile.mjs [<folder of the source> <folder of the functions>]`
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { elementsIn, parseSentence, valuesIn } from './sentence.mjs'
import { findTables, languagesOf, readTable } from './tables.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const [source = root, target = join(root, 'lib', 'kernel', 'messages', 'generated')] = process.argv.slice(2)

/** Returns the condition under which a case of a choice applies. */
function condition({ by, isNumber }, when, language) {
  // A case of a choice has no spaces: `access_key` is the case of "access key", too.
  const value = when.includes('_') ? `String(i.${by}).replaceAll(' ', '_')` : `i.${by}`
  if (!isNumber) return `${value} === ${JSON.stringify(when)}`
  if (when.startsWith('=')) return `Number(i.${by}) === ${when.slice(1)}`
  return `plural(${JSON.stringify(language)}, i.${by}) === ${JSON.stringify(when)}`
}

/** Returns a choice as nested conditional expressions. `write` writes the nodes of a case. */
function writeChoice(node, language, write) {
  const [[, other], ...cases] = node.cases.toReversed()
  return `(${cases.reduce((rest, [when, nodes]) => `${condition(node, when, language)} ? ${write(nodes)} : ${rest}`, write(other))})`
}

const escaped = (text) => text.replace(/[`\\]|\$(?=\{)/g, '\\$&')

/** Returns the expression of a sentence as a text. Its elements are their words. */
function writeText(nodes, language) {
  const write = (inner) => writeText(inner, language)
  const pieces = nodes.map((node) => {
    if (node.text !== undefined) return escaped(node.text)
    if (node.element !== undefined) return node.children.length > 0 ? `\${${write(node.children)}}` : ''
    return `\${${node.value === undefined ? writeChoice(node, language, write) : `i.${node.value}`}}`
  })
  return `\`${pieces.join('')}\``
}

/** Returns the expressions of the parts of a sentence: texts, and the starts and ends of its elements. */
function writeParts(nodes, language) {
  const write = (inner) => `[${writeParts(inner, language).join(', ')}]`
  const parts = []
  let text = []
  const endText = () => {
    if (text.length > 0) parts.push(`{ type: "text", value: ${writeText(text, language)} }`)
    text = []
  }
  for (const node of nodes) {
    if (elementsIn([node]).length === 0) text.push(node)
    else {
      endText()
      const mark = (kind) => `{ type: "markup-${kind}", name: ${JSON.stringify(node.element)} }`
      if (node.element === undefined) parts.push(`...${writeChoice(node, language, write)}`)
      else if (node.children.length === 0) parts.push(mark('standalone'))
      else parts.push(mark('start'), ...writeParts(node.children, language), mark('end'))
    }
  }
  endText()
  return parts
}

/** Returns the function of a sentence in one language. */
function writeFunction(nodes, language) {
  const inputs = valuesIn(nodes).length > 0 ? 'i' : ''
  const text = `(${inputs}) => ${writeText(nodes, language)}`
  if (elementsIn(nodes).length === 0) return text
  return `/* @__PURE__ */ Object.assign(${text}, { parts: (${inputs}) => [${writeParts(nodes, language).join(', ')}] })`
}

/** Returns the type of a sentence. */
function writeType(name, text, nodes) {
  const values = valuesIn(nodes)
  const elements = elementsIn(nodes)
  const inputs =
    values.length > 0
      ? `inputs: { ${values.map((value) => `${value}: NonNullable<unknown>`).join('; ')} }`
      : 'inputs?: {}'
  const comment = `/** ${text.replaceAll('*/', '*\\/')} */\n`
  if (elements.length === 0) return `${comment}export declare function ${name}(${inputs}): string\n`
  const marks = elements.map((element) => JSON.stringify(element)).join(' | ')
  return `${comment}export declare const ${name}: { (${inputs}): string; parts(${inputs}): MessagePart[] } & MessageMetadata<{ [Name in ${marks}]: unknown }>\n`
}

/** Returns all sentences by area and name: their texts and nodes by language. Nothing can show a sentence that English lacks. */
function readSentences(tables) {
  const areas = new Map()
  for (const table of tables) {
    const sentences = areas.get(table.area) ?? new Map()
    areas.set(table.area, sentences)
    for (const [name, text] of readTable(source, table))
      try {
        const sentence = sentences.get(name) ?? {}
        sentences.set(name, { ...sentence, [table.language]: { text, nodes: parseSentence(text) } })
      } catch (error) {
        throw new Error(
          `${table.path}: "${name.slice(table.area.length + 1)}" cannot be read. ${error.message}`,
        )
      }
  }
  for (const sentences of areas.values())
    for (const [name, { en }] of sentences) if (en === undefined) sentences.delete(name)
  return areas
}

/** Returns the module of an area and its types. */
function writeArea(sentences) {
  let code = 'import { choose, plural } from "./runtime.js"\n'
  let types = 'import type { MessageMetadata, MessagePart } from "../parts"\n'
  for (const [name, { en, ...others }] of sentences) {
    const english = writeFunction(en.nodes, 'en')
    const all = Object.entries(others).map(
      ([language, { nodes }]) => `${JSON.stringify(language)}: ${writeFunction(nodes, language)}`,
    )
    const chosen = `/* @__PURE__ */ choose({ ${[`en: ${english}`, ...all].join(', ')} })`
    code += `export const ${name} = ${all.length > 0 ? chosen : english}\n`
    types += writeType(name, en.text, en.nodes)
  }
  return { code, types }
}

const runtime = `import { currentLanguage } from '../../text/language'

const kept = new Map()

/** Returns the plural category of a number in a language. The rules are kept, because making them takes much longer than their use. */
export function plural(language, count) {
  const rules = kept.get(language) ?? new Intl.PluralRules(language)
  kept.set(language, rules)
  return rules.select(Number(count))
}

/** Returns the function that shows a sentence in the current language, or in English. */
export function choose(functions) {
  const current = () => functions[currentLanguage()] ?? functions.en
  const show = (inputs) => current()(inputs)
  return functions.en.parts ? Object.assign(show, { parts: (inputs) => current().parts(inputs) }) : show
}
`

/** Returns the sentences that are the same text for everybody: there is one language, and they have no values and no elements. */
function readPlain(areas, languages) {
  if (languages.length > 1) return {}
  const sentences = [...areas.values()].flatMap((area) => [...area])
  return Object.fromEntries(
    sentences.flatMap(([name, { en }]) =>
      en.nodes.every(({ text }) => text !== undefined)
        ? [[name, en.nodes.map(({ text }) => text).join('')]]
        : [],
    ),
  )
}

/** Returns a sentence without its elements as text, with its values in braces. */
function asText(nodes) {
  if (nodes.some(({ text, value }) => text === undefined && value === undefined))
    throw new Error('A sentence about a request may only have values, or be one choice by a word.')
  return nodes.map(({ text, value }) => text ?? `{${value}}`).join('')
}

/** Returns a sentence as text, or its texts by the value that chooses one of them. */
function asData(nodes) {
  const [{ by, isNumber, cases } = {}] = nodes
  if (cases === undefined || isNumber || nodes.length > 1) return asText(nodes)
  return { select: by, match: Object.fromEntries(cases.map(([when, inner]) => [when, asText(inner)])) }
}

/** Writes the English sentences about a request. */
function writeEnglish(sentences) {
  const data = [...sentences].map(([name, { en }]) => [name.slice('risk_'.length), asData(en.nodes)])
  const folder = join(root, 'packages', 'decision', 'src', 'generated')
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, 'english.ts'),
    `export const english = ${JSON.stringify(Object.fromEntries(data), null, 2)} as const\n`,
  )
}

const tables = findTables(source)
const languages = languagesOf(tables)
const areas = readSentences(tables)
if (source === root) writeEnglish(areas.get('risk'))
const all = [...areas.keys()].map((area) => `export * from './area-${area}.js'\n`).join('')
const files = {
  'package.json': '{ "type": "module", "sideEffects": false }\n',
  'languages.js': `export const languages = ${JSON.stringify(languages)}\n`,
  'languages.d.ts': 'export declare const languages: readonly ["en", ...string[]]\n',
  'plain.json': JSON.stringify(readPlain(areas, languages)),
  'runtime.js': runtime,
  'index.js': all,
  'index.d.ts': all,
}
for (const [area, sentences] of areas) {
  const { code, types } = writeArea(sentences)
  files[`area-${area}.js`] = code
  files[`area-${area}.d.ts`] = types
}
rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })
for (const [name, content] of Object.entries(files)) writeFileSync(join(target, name), content)
