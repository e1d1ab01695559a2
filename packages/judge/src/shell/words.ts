/** The words of a shell line, as far as their values can be known without running anything. */

import type { Node } from 'web-tree-sitter'

/** Stands in a text for a part whose value is not known. */
export const unknown = '\u0000'

export interface Word {
  /** The value, with `unknown` for each part that only the shell knows. */
  text: string
  /** Whether the shell replaces it by the names of files. */
  isGlob: boolean
  /** Whether a part comes out of a program that decodes, so that the line hides what it says. */
  isHidden: boolean
  /** The variables in it. */
  variables: string[]
  /** The place in the line of the call, or null for a word of a text inside of it. */
  range: [number, number] | null
}

export const isKnown = ({ text }: Word): boolean => !text.includes(unknown)

/** Makes a word of a text. */
export const wordOf = (text: string, like?: Partial<Word>): Word => ({
  isGlob: false,
  isHidden: false,
  variables: [],
  range: null,
  ...like,
  text,
})

/** What the value of a word depends on. */
export interface Values {
  /** The value of a variable, or null when it is not known. */
  variable(name: string): string | null
  /** The output of a substitution, or null when it is not known. */
  substitution(node: Node): { text: string | null; isHidden: boolean }
  /** The place of a node in the line of the call. */
  range(node: Node): [number, number] | null
}

interface Pieces {
  text: string
  isGlob: boolean
  isHidden: boolean
  /** An unquoted variable with blanks becomes several words. */
  splits: boolean
  braces: boolean
  variables: string[]
}

const escapes: Record<string, string> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  v: '\v',
}

/** Returns the value of `$'…'`. */
const ansiText = (text: string) =>
  text.replace(
    /\\(?:x([0-9a-f]{1,2})|u([0-9a-f]{1,4})|U([0-9a-f]{1,8})|([0-7]{1,3})|c(.)|([\s\S]))/gi,
    (_, hex, short, long, octal, control, plain: string | undefined) => {
      const code = hex ?? short ?? long
      if (code !== undefined) return String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff))
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) % 256)
      if (control !== undefined) return String.fromCharCode(control.charCodeAt(0) & 31)
      return escapes[plain ?? ''] ?? plain ?? ''
    },
  )

function addPlain(pieces: Pieces, raw: string): void {
  if (/(?<!\\)(?:[*?]|\[[^\]]+\])/.test(raw)) pieces.isGlob = true
  if (/(?<!\\)[{}]/.test(raw)) pieces.braces = true
  pieces.text += raw.replace(/\\\r?\n/g, '').replace(/\\([\s\S])/g, '$1')
}

// What is left of a value when its ending, its folder or its name is cut off. Null for all other expansions.
function cutValue(text: string, value: string | null): string | null {
  if (value === null || value.includes(unknown)) return null
  const [, sign = '', cut = ''] = /^\$\{\w+(%%?|##?)([\w./*-]+)\}$/.exec(text) ?? []
  if (sign === '##' && cut === '*/') return value.slice(value.lastIndexOf('/') + 1)
  if (sign === '%' && /^[./]\*$/.test(cut)) {
    const at = value.lastIndexOf(cut.charAt(0))
    return at < 0 ? value : value.slice(0, at)
  }
  if (sign === '' || cut.includes('*')) return null
  if (sign.startsWith('%')) return value.endsWith(cut) ? value.slice(0, -cut.length) : value
  return value.startsWith(cut) ? value.slice(cut.length) : value
}

function addVariable(pieces: Pieces, node: Node, values: Values, isQuoted: boolean): void {
  const names = node.namedChildren.filter((child) => /variable_name$/.test(child?.type ?? ''))
  const name = names[0]?.text ?? ''
  pieces.variables.push(name)
  // `${x:-y}`, `${x//a/b}` and `${!x}` change what the variable holds.
  const isPlain = node.type === 'simple_expansion' || /^\$\{\w+\}$/.test(node.text)
  const value = isPlain ? values.variable(name) : cutValue(node.text, values.variable(name))
  for (const child of node.namedChildren) if (child !== null) runInside(pieces, child, values)
  if (value === null) pieces.text += unknown
  else {
    if (!isQuoted && /\s/.test(value)) pieces.splits = true
    if (!isQuoted && /[*?[]/.test(value)) pieces.isGlob = true
    pieces.text += value
  }
}

/** Runs the substitutions inside of an expansion: `${x:-$(…)}`, `$((1 + $(…)))`. */
function runInside(pieces: Pieces, node: Node, values: Values): void {
  if (node.type === 'command_substitution' || node.type === 'process_substitution') {
    if (values.substitution(node).isHidden) pieces.isHidden = true
  } else for (const child of node.namedChildren) if (child !== null) runInside(pieces, child, values)
}

function add(pieces: Pieces, node: Node, values: Values, isQuoted: boolean): void {
  switch (node.type) {
    case 'raw_string':
      pieces.text += node.text.slice(1, -1)
      return
    case 'ansi_c_string':
      pieces.text += ansiText(node.text.slice(2, -1))
      return
    case 'string':
    case 'translated_string':
      return void addString(pieces, node, values)
    case 'concatenation':
    case 'command_name':
      return void addInOrder(pieces, node, values, isQuoted)
    case 'simple_expansion':
    case 'expansion':
      return void addVariable(pieces, node, values, isQuoted)
    case 'command_substitution': {
      const { text, isHidden } = values.substitution(node)
      if (isHidden) pieces.isHidden = true
      if (text !== null && !isQuoted && /\s/.test(text)) pieces.splits = true
      pieces.text += text ?? unknown
      return
    }
    case 'process_substitution':
      values.substitution(node)
      pieces.text += unknown
      return
    case 'arithmetic_expansion':
      runInside(pieces, node, values)
      pieces.text += unknown
      return
    case 'word':
    case 'number':
    case 'extglob_pattern':
    case 'regex':
    case 'variable_name':
    case 'special_variable_name':
    case 'file_descriptor':
    case 'test_operator':
      return void addPlain(pieces, node.text)
    case 'brace_expression':
      pieces.braces = true
      pieces.text += node.text
      return
    default:
      if (node.isNamed) {
        runInside(pieces, node, values)
        pieces.text += unknown
      } else addPlain(pieces, node.text)
  }
}

/** Adds the parts of a node, and the text between them that no part has. */
function addInOrder(pieces: Pieces, node: Node, values: Values, isQuoted: boolean): void {
  for (const child of node.children) if (child !== null) add(pieces, child, values, isQuoted)
}

/** The grammar leaves out blanks of a string between its parts, so its text is read between them. */
function addString(pieces: Pieces, node: Node, values: Values): void {
  const open = node.type === 'translated_string' ? 2 : 1
  const text = node.text
  let at = open
  const plain = (raw: string) => raw.replace(/\\\r?\n/g, '').replace(/\\([$`"\\])/g, '$1')
  const inner =
    node.type === 'translated_string' ? (node.namedChildren[0]?.namedChildren ?? []) : node.namedChildren
  for (const child of inner) {
    if (child === null || child.type === 'string_content') continue
    pieces.text += plain(text.slice(at, child.startIndex - node.startIndex))
    add(pieces, child, values, true)
    at = child.endIndex - node.startIndex
  }
  pieces.text += plain(text.slice(at, -1))
}

/** Returns the texts that the braces of a word stand for: `{a,b}c` is `ac` and `bc`. */
function expandBraces(text: string): string[] {
  const found = /^([\s\S]*?)\{([^{}]*,[^{}]*)\}([\s\S]*)$/.exec(text)
  if (found === null) return [text]
  const [, before = '', list = '', after = ''] = found
  return list.split(',').flatMap((item) => expandBraces(before + item + after))
}

const bracesMax = 64

/** Returns the words that a node of the grammar stands for: usually one. */
export function wordsOf(node: Node, values: Values): Word[] {
  const pieces: Pieces = {
    text: '',
    isGlob: false,
    isHidden: false,
    splits: false,
    braces: false,
    variables: [],
  }
  add(pieces, node, values, false)
  const { text, isGlob, isHidden, variables } = pieces
  const like = { isGlob, isHidden, variables, range: values.range(node) }
  const texts = pieces.splits ? text.split(/\s+/).filter((part) => part !== '') : [text]
  const all = pieces.braces ? texts.flatMap(expandBraces) : texts
  return all.length > bracesMax ? [wordOf(unknown, like)] : all.map((one) => wordOf(one, like))
}
