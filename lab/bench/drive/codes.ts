/** Mailed codes, read from the outbox folder of Beak, or from a file with a line `address code` for each mail. */
import { closeSync, openSync, readFileSync, readSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'

const timeoutMs = 15_000

export class Codes {
  readonly #codes = new Map<string, string>()
  readonly #waiting = new Map<string, (code: string) => void>()

  add(address: string, code: string): void {
    const waiting = this.#waiting.get(address)
    this.#waiting.delete(address)
    if (waiting) waiting(code)
    else this.#codes.set(address, code)
  }

  /** Returns the next code for an address. Each code is returned once. */
  take(address: string): Promise<string> {
    const code = this.#codes.get(address)
    this.#codes.delete(address)
    if (code !== undefined) return Promise.resolve(code)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(address)
        reject(new Error(`no code for ${address} within ${timeoutMs / 1000} s`))
      }, timeoutMs)
      this.#waiting.set(address, (found) => {
        clearTimeout(timer)
        resolve(found)
      })
    })
  }
}

function watchOutbox(folder: string): Codes {
  const codes = new Codes()
  const seen = new Set<string>()
  watch(folder, (_, name) => {
    if (!name?.endsWith('.json') || seen.has(name)) return
    try {
      const { to, text } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
        to: string
        text: string
      }
      seen.add(name)
      const code = /(?<!\d)\d{6}(?!\d)/.exec(text)?.[0]
      if (code) codes.add(to, code)
    } catch {
      // The file is not complete yet. Its next change is reported too.
    }
  })
  return codes
}

function watchLines(file: string): Codes {
  const codes = new Codes()
  const descriptor = openSync(file, 'r')
  process.once('exit', () => closeSync(descriptor))
  const buffer = Buffer.alloc(1 << 16)
  let position = 0
  let rest = ''
  watch(file, () => {
    for (;;) {
      const length = readSync(descriptor, buffer, 0, buffer.length, position)
      if (length === 0) return
      position += length
      const lines = (rest + buffer.toString('utf8', 0, length)).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const [address, code] = line.split(' ')
        if (address && code) codes.add(address, code)
      }
    }
  })
  return codes
}

const opened = new Map<string, Codes>()

/** Returns the codes of a folder or a file. Mails that were sent before the first call are not read. */
export function openCodes(path: string): Codes {
  const codes = opened.get(path) ?? (statSync(path).isDirectory() ? watchOutbox(path) : watchLines(path))
  opened.set(path, codes)
  return codes
}
