/** What a statement prints, as the input of the next program of a pipe. */

import type { Node } from 'web-tree-sitter'
import type { Input } from './scope'
import { isKnown, unknown, type Word, wordOf } from './words'

const unescaped = (text: string) => text.replace(/\\n/g, '\n')

/** Returns what `printf` prints: its format, again for each word that it takes. */
function printed([format, ...words]: Word[]): string {
  const texts = words.map(({ text }) => text)
  const one = () =>
    unescaped(format?.text ?? '').replace(/%(?:%|-?\d*[sbdq])/g, (part) =>
      part === '%%' ? '%' : (texts.shift() ?? ''),
    )
  let output = one()
  // A format that takes no word is printed once.
  for (let left = texts.length + 1; texts.length > 0 && texts.length < left; output += one())
    left = texts.length
  return output
}

/** Returns the output of a statement as the input of the next one: a text that is known, or the programs that make it. */
export function outputOf(node: Node, input: Input, words: (node: Node) => Word[]): Input {
  const body = node.type === 'redirected_statement' ? node.childForFieldName('body') : node
  const argv =
    body?.type === 'command'
      ? body.namedChildren.flatMap((child) =>
          child === null || /_redirect$|^variable_assignment$/.test(child.type) ? [] : words(child),
        )
      : [wordOf(unknown)]
  const name = argv[0]?.text ?? unknown
  const rest = argv.slice(1)
  if ((name === 'echo' || name === 'printf') && rest.every(isKnown))
    return {
      kind: 'text',
      text: name === 'echo' ? unescaped(rest.map(({ text }) => text).join(' ')) : printed(rest),
    }
  if ((name === 'cat' || name === 'tee') && rest.length === 0 && node.type === 'redirected_statement') {
    const body = node.descendantsOfType('heredoc_body')[0]
    if (body != null) return { kind: 'text', text: body.text }
  }
  if ((name === 'cat' || name === 'tee') && input.kind === 'text') return input
  return { kind: 'programs', argv: [argv, ...(input.kind === 'programs' ? input.argv : [])] }
}
