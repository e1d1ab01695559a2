/** The output of substitutions whose command does nothing but say something known. */

import type { Node } from 'web-tree-sitter'
import type { Place } from '../types'
import type { Scope } from './scope'
import { isKnown, type Word } from './words'

/** Programs whose output says something else than their words: a line with one of them hides what it does. */
const decoders = /^(?:base64|base32|basenc|xxd|uudecode|openssl|rev|gunzip|zcat|gpg|tr)$/

/** Returns the output of a substitution, or null when it is not known, and whether a program decodes it. */
export function substitutionText(
  node: Node,
  words: (node: Node) => Word[],
  scope: Scope,
  place: Place,
): { text: string | null; isHidden: boolean } {
  const commands = node.descendantsOfType('command')
  const isHidden = commands.some((command) => {
    const name = command?.childForFieldName('name')?.text ?? ''
    return decoders.test(name) || (name === 'printf' && /\\(?:x|[0-7])/.test(command?.text ?? ''))
  })
  const [only] = node.namedChildren
  if (node.namedChildren.length !== 1 || only?.type !== 'command') return { text: null, isHidden }
  const argv = only.namedChildren.flatMap((child) => (child === null ? [] : words(child)))
  if (!argv.every(isKnown)) return { text: null, isHidden }
  return {
    text: outputOf(
      argv.map(({ text }) => text),
      scope,
      place,
    ),
    isHidden,
  }
}

function outputOf([name, ...rest]: string[], { cwd }: Scope, place: Place): string | null {
  if (name === 'echo') return rest.filter((word) => word !== '-n').join(' ')
  if (name === 'printf' && rest.length === 1 && !/[%\\]/.test(rest[0] ?? '')) return rest[0] ?? ''
  if (name === 'pwd' && rest.length === 0) return cwd
  if (name === 'git' && rest.join(' ') === 'rev-parse --show-toplevel') return place.folder
  // A name that nobody else has.
  if (name === 'mktemp' && !rest.some((word) => /^(?:-p|--tmpdir=|--suffix=)/.test(word) || /\//.test(word)))
    return '/tmp/made-by-mktemp'
  return null
}
