/** Writes and changes the files of a recipe. All changes are collected first, so a recipe that finds no place changes nothing. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A wrong argument, or a place that a recipe does not find. Its message is printed without a stack. */
export class RecipeFault extends Error {}

export class Edits {
  readonly #texts = new Map<string, string>()

  constructor(readonly root: string) {}

  get paths(): string[] {
    return [...this.#texts.keys()]
  }

  has(path: string): boolean {
    return this.#texts.has(path) || existsSync(join(this.root, path))
  }

  read(path: string): string {
    const text = this.#texts.get(path)
    if (text !== undefined) return text
    if (!this.has(path)) throw new RecipeFault(`${path} does not exist.`)
    return readFileSync(join(this.root, path), 'utf8')
  }

  create(path: string, text: string): void {
    if (this.has(path)) throw new RecipeFault(`${path} exists already. Choose another name.`)
    this.#texts.set(path, text)
  }

  /** Replaces the only match of a pattern. Throws when there is none or several. */
  replace(path: string, pattern: RegExp, change: (match: string) => string): void {
    const text = this.read(path)
    const matches = [...text.matchAll(new RegExp(pattern.source, `g${pattern.flags.replace('g', '')}`))]
    const [match] = matches
    if (match === undefined || matches.length > 1)
      throw new RecipeFault(`${path} has ${matches.length} places for ${pattern}, and must have one.`)
    const end = match.index + match[0].length
    this.#texts.set(path, text.slice(0, match.index) + change(match[0]) + text.slice(end))
  }

  /** Inserts text after the last line that matches. Returns whether a line matched. */
  insertAfterLast(path: string, pattern: RegExp, text: string): boolean {
    const lines = this.read(path).split('\n')
    const index = lines.findLastIndex((line) => pattern.test(line))
    if (index < 0) return false
    this.#texts.set(path, lines.toSpliced(index + 1, 0, text).join('\n'))
    return true
  }

  /** Adds sentences to an English table, in the order of their names. Makes the table when there is none. */
  addSentences(path: string, sentences: Record<string, string>): void {
    const table = { ...(JSON.parse(this.has(path) ? this.read(path) : '{}') as object), ...sentences }
    const sorted = Object.fromEntries(Object.entries(table).sort(([a], [b]) => (a < b ? -1 : 1)))
    this.#texts.set(path, `${JSON.stringify(sorted, null, 2)}\n`)
  }

  insertBefore(path: string, pattern: RegExp, text: string): void {
    this.replace(path, pattern, (match) => `${text}${match}`)
  }

  insertAfter(path: string, pattern: RegExp, text: string): void {
    this.replace(path, pattern, (match) => `${match}${text}`)
  }

  /** Writes all changes, and formats the files. */
  write(): void {
    for (const [path, text] of this.#texts) {
      const file = join(this.root, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
    const sources = this.paths.filter((path) => /\.tsx?$/.test(path))
    const biome = join(this.root, 'node_modules', '.bin', 'biome')
    execFileSync(biome, ['check', '--write', '--log-level=error', ...sources], {
      cwd: this.root,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
  }
}
