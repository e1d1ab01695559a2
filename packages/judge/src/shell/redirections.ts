/** Redirections of a command: files that it writes and reads, and texts that it gets as its input. */

import type { Node } from 'web-tree-sitter'
import { checkRead, checkWrite } from '../files'
import type { Line } from './line'
import type { Scope } from './scope'
import { unknown } from './words'

/**
 * Judges a redirection, and gives the scope the input that comes from it. Returns the statements that the grammar puts into a
 * here-document: those after it in the same line.
 */
export function redirect(line: Line, node: Node, scope: Scope): Node[] {
  if (node.type === 'herestring_redirect') {
    const words = node.namedChildren.flatMap((child) => (child === null ? [] : line.words(child, scope)))
    scope.input = { kind: 'text', text: words.map(({ text }) => text).join(' ') }
    return []
  }
  if (node.type === 'heredoc_redirect') return hereDocument(line, node, scope)
  const operator = node.children.find((child) => child !== null && !child.isNamed)?.text ?? '>'
  const target = node.childForFieldName('destination')
  if (target === null) return []
  // `2>&1` names another stream.
  if (/^(?:>&|<&)$/.test(operator) && /^(?:\d+|-)$/.test(target.text)) return []
  for (const word of line.words(target, scope)) {
    if (target.type === 'process_substitution') {
      const first = target.descendantsOfType('command')[0]?.childForFieldName('name')?.text ?? unknown
      scope.input = { kind: 'programs', argv: [[{ ...word, text: first }]] }
      continue
    }
    if (/^<&?$/.test(operator)) {
      checkRead(line, word, scope)
      scope.input = { kind: 'programs', argv: [[{ ...word, text: 'cat' }, word]] }
    } else checkWrite(line, word, scope)
  }
  return []
}

function hereDocument(line: Line, node: Node, scope: Scope): Node[] {
  const after: Node[] = []
  for (const child of node.namedChildren) {
    if (child === null) continue
    if (child.type === 'heredoc_body') {
      for (const inner of child.namedChildren)
        if (inner !== null && inner.type !== 'heredoc_content') line.words(inner, scope)
      scope.input = { kind: 'text', text: child.text }
    } else if (/_redirect$/.test(child.type)) after.push(...redirect(line, child, scope))
    else if (!/^heredoc_(?:start|end)$|^file_descriptor$/.test(child.type)) after.push(child)
  }
  return after
}
