/** What the command prints: results on standard output, everything else on standard error. */
import { styleText } from 'node:util'
import { isolated } from '@beak/decision/isolated'

type Style = Parameters<typeof styleText>[0]

/** Control characters, and characters that change the direction of text. A name could use them to move the cursor or to hide words. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
const unsafe = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** A name that the service isolated, or a single character that a terminal obeys. */
const isolatedOrUnsafe = new RegExp(`\u2068([^\u2066-\u2069]*)\u2069|${unsafe.source}`, 'g')

/** Returns text of others on one line, without characters that a terminal obeys. A text from right to left does not reorder its line. */
export function safe(text: string): string {
  const line = text
    .replace(/[\t\n\r ]+/g, ' ')
    .replace(isolatedOrUnsafe, (_, name?: string) =>
      name === undefined ? '�' : isolated(name.replace(unsafe, '�')),
    )
  return line.includes('\u2068') ? line : isolated(line)
}

/** Returns a value as JSON for people and programs. Escapes what a terminal obeys and JSON allows. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

const widthOf = (text: string) => [...text.replace(/[\u2068\u2069]/g, '')].length

/** Returns rows as aligned columns with a head. Cells that are longer than `widest` are cut. */
function tableText(
  head: string[],
  rows: string[][],
  paint: (style: Style, text: string) => string,
  widest: number,
): string {
  const cut = (text: string) =>
    widthOf(text) > widest ? `${[...text].slice(0, widest - 1).join('')}…` : text
  const cells = rows.map((row) => row.map((cell) => cut(safe(cell))))
  const widths = head.map((title, column) =>
    Math.max(widthOf(title), ...cells.map((row) => widthOf(row[column] ?? ''))),
  )
  const line = (row: string[]) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)))
      .join('  ')
      .trimEnd()
  return [paint('dim', line(head.map((title) => title.toUpperCase()))), ...cells.map(line)].join('\n')
}

/** A page of a list, as the API answers. */
export interface ListPage<T> {
  items: T[]
  /** Where the list goes on. Null at its end. */
  next_cursor: string | null
}

/** A standard output: of this process, or what a test reads. */
interface Place {
  write(text: string | Uint8Array): unknown
  isTTY?: boolean
}

export interface Places {
  stdout: Place
  stderr: Place
}

/** Where the output of one command goes. */
export class Output {
  #hasResult = false

  constructor(
    /** Print results as JSON. */
    readonly isJson: boolean,
    private readonly env: NodeJS.ProcessEnv,
    private readonly places: Places,
  ) {}

  /** Writes to standard output as it is. */
  print(text: string | Uint8Array): void {
    this.places.stdout.write(text)
  }

  /** Whether a result was printed. */
  get hasResult(): boolean {
    return this.#hasResult
  }

  /** Prints a result: as JSON, or as the text for people. */
  result(value: unknown, text: () => string): void {
    this.#hasResult = true
    this.print(`${this.isJson ? jsonText(value) : text()}\n`)
  }

  /** Prints a page of a list: as JSON, or as a table and how to see more. `none` is said when the list is empty. */
  list<T>(page: ListPage<T>, columns: Record<string, (item: T) => string>, none: string): void {
    const { items, next_cursor } = page
    const rows = items.map((item) => Object.values(columns).map((cell) => cell(item)))
    if (items.length === 0 && !this.isJson) this.note(none)
    else
      this.result(page, () =>
        tableText(Object.keys(columns), rows, this.paint, this.places.stdout.isTTY ? 44 : 400),
      )
    if (next_cursor !== null && !this.isJson) this.note(`There are more. Go on with: --cursor ${next_cursor}`)
  }

  /** Prints one thing: as JSON, or its facts line by line. Facts without a value are left out. */
  facts(value: unknown, title: string, facts: Record<string, string | null | undefined>): void {
    const entries = Object.entries(facts).filter((entry): entry is [string, string] => Boolean(entry[1]))
    const width = Math.max(0, ...entries.map(([name]) => name.length))
    const lines = entries.map(([name, fact]) => `  ${this.paint('dim', name.padEnd(width))}  ${safe(fact)}`)
    this.result(value, () => [this.paint('bold', safe(title)), ...lines].join('\n'))
  }

  /** Prints a result: as JSON, or as a title and sentences below it. */
  lines(value: unknown, title: string, sentences: readonly string[]): void {
    this.result(value, () =>
      [this.paint('bold', safe(title)), ...sentences.map((one) => `  ${safe(one)}`)].join('\n'),
    )
  }

  /** Prints a line for people that is no result, such as a prompt or progress. */
  note(text: string): void {
    this.places.stderr.write(`${text}\n`)
  }

  /** Colours a text for a terminal, unless NO_COLOR is set. */
  readonly paint = (style: Style, text: string): string => {
    const isPlain = !this.places.stdout.isTTY || (this.env.NO_COLOR ?? '') !== '' || this.env.TERM === 'dumb'
    return isPlain ? text : styleText(style, text)
  }
}
