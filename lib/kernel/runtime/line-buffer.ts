import type { Writable } from 'node:stream'

/** The longest time that a line waits. A process that is killed with SIGKILL loses the lines of this time. */
const waitMs = 250
/** So many characters are written without waiting. This bounds the memory. */
const charactersMax = 32 * 1024

/**
 * Collects lines and writes them together, because each write to a file or a pipe costs more than making a line. The standard output
 * writes before it returns, so lines keep their order, and a flush during the exit of the process is complete.
 */
export class LineBuffer {
  readonly #output: Writable
  #text = ''
  #timer: NodeJS.Timeout | undefined

  constructor(output: Writable) {
    this.#output = output
    // The reader of a pipe may go away, and a disk may be full. Neither may end the process.
    output.on('error', () => undefined)
  }

  write(line: string): void {
    this.#text += line
    if (this.#text.length >= charactersMax) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), waitMs).unref()
  }

  /** Writes the collected lines now. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const text = this.#text
    this.#text = ''
    if (text !== '') this.#output.write(text)
  }
}
