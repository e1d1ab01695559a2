/** The walk in docs/walk.md as a program: its shell blocks in order, and the answers that it shows. */

export interface Step {
  /** The commands of one `sh` block. */
  commands: string
  /** What the walk shows below them. Null: nothing. */
  answer: string | null
  line: number
}

/**
 * Returns the blocks of a walk. An answer that does not follow commands belongs to a second run of the commands before it, which comes
 * last: a reader has walked to the end before.
 */
export function stepsOf(markdown: string): Step[] {
  const steps: Step[] = []
  const repeated: Step[] = []
  for (const match of markdown.matchAll(/^```(sh|text)\n([\s\S]*?)\n```$/gm)) {
    const [, language, text = ''] = match
    const line = markdown.slice(0, match.index).split('\n').length
    const last = steps.at(-1)
    if (language === 'sh') steps.push({ commands: text, answer: null, line })
    else if (last === undefined) throw new Error(`The answer in line ${line} has no commands.`)
    else if (last.answer === null) last.answer = text
    else repeated.push({ commands: last.commands, answer: text, line })
  }
  return [...steps, ...repeated]
}

const mark = (index: number) => `--- end of step ${index} ---`

/** Returns one shell script, so that later steps have the variables of earlier ones. Each step ends with a mark in the output. */
export function scriptOf(steps: Step[], replace: (commands: string) => string): string {
  const blocks = steps.map(({ commands }, index) => `${replace(commands)}\nprintf '\\n${mark(index)}\\n'`)
  return ['exec 2>&1', ...blocks].join('\n')
}

/** Returns what each step printed. Throws when the script ended early. */
export function answersOf(steps: Step[], output: string): string[] {
  let rest = output
  return steps.map((step, index) => {
    const [printed = '', ...after] = rest.split(`\n${mark(index)}\n`)
    if (after.length !== 1) throw new Error(`The block in line ${step.line} did not end:\n${output}`)
    rest = after[0] ?? ''
    return printed.trimEnd()
  })
}

/** What differs in each run. The walk wraps a long line before a single space. */
const varying: [RegExp, string][] = [
  [/\n (?! )/g, ''],
  [/\b([A-Z]{3,5})-[0-9A-HJKMNP-TV-Z]{26}\b/g, '$1-…'],
  [/\beyJ[\w.-]+…?/g, 'eyJ…'],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d\.\d{3}Z| UTC)/g, 'time'],
  [/\b[0-9a-f]{64}\b/g, 'hash'],
  [/(with the key) [\w-]{43}/g, '$1 kid'],
  [/\blocalhost:\d+/g, 'localhost'],
]

/** Returns an answer without what differs in each run: ids, times, hashes, signatures and ports. */
export function comparable(answer: string): string {
  return varying.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), answer)
}
