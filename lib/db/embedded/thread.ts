/**
 * Starts and watches the thread of the embedded database (`worker.mjs`). A thread that does not answer for five seconds is ended.
 * The next connection starts a new one. Requests meanwhile get E5002.
 */
import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { planSettings } from '@/lib/db/sql'
import { log } from '@/lib/kernel/runtime/log'
import { noteReadOnly } from '../full-disk'

export interface EmbeddedOptions {
  /** The folder of the files, or null for a database in memory. */
  dataDir: string | null
  /** An archive of a database, for one in memory. */
  snapshot?: ArrayBuffer
  /** Free bytes of the disk below which writes are refused. For tests. */
  freeBytesMinimum?: number
}

/** Settings that fit a database inside a process: little memory, and times in UTC. */
const startParams = ['shared_buffers=16MB', 'TimeZone=UTC', ...planSettings].flatMap((setting) => [
  '-c',
  setting,
])
/** A thread without an answer for so long hangs. */
const silenceMs = 5_000
const watchMs = 500

type Message = Uint8Array | { isOpen: true } | { isReadOnly: boolean } | { dump: ArrayBuffer }

export class DatabaseThread {
  onAnswer: (bytes: Uint8Array) => void = () => undefined
  /** Called when the thread has ended. */
  onEnd: () => void = () => undefined
  /** Whether writes are refused, because the disk is nearly full. */
  isReadOnly = false
  hasEnded = false
  /** Resolves when the database is open. Rejects when it cannot be opened. */
  readonly opened: Promise<void>

  private readonly worker: Worker
  private readonly watch: NodeJS.Timeout
  private unanswered = 0
  private lastSign = 0
  private holds = 0
  private onDump: (archive: ArrayBuffer) => void = () => undefined

  constructor(options: EmbeddedOptions) {
    this.worker = new Worker(join(/* turbopackIgnore: true */ process.cwd(), 'lib/db/embedded/worker.mjs'), {
      workerData: { ...options, startParams },
      // A loader of this process, for instance of a test, would be started again in the thread.
      execArgv: [],
    })
    this.opened = new Promise((resolve, reject) => {
      this.worker.on('message', (message: Message) => this.receive(message, resolve))
      this.worker.on('error', reject)
      this.worker.once('exit', () => {
        clearInterval(this.watch)
        this.hasEnded = true
        reject(new Error('The embedded database ended.'))
        this.onEnd()
      })
    })
    this.opened.catch(() => undefined)
    this.watch = setInterval(() => this.endWhenSilent(), watchMs).unref()
  }

  private receive(message: Message, onOpen: () => void): void {
    if (message instanceof Uint8Array) {
      this.unanswered--
      this.lastSign = performance.now()
      this.onAnswer(message)
    } else if ('isOpen' in message) {
      // A new thread says only that the disk is full.
      noteReadOnly(false)
      onOpen()
    } else if ('isReadOnly' in message) {
      this.isReadOnly = message.isReadOnly
      noteReadOnly(message.isReadOnly)
    } else this.onDump(message.dump)
  }

  private endWhenSilent(): void {
    const isSilent = this.unanswered > 0 && performance.now() - this.lastSign > silenceMs
    if (!isSilent || this.holds > 0) return
    log().error('the embedded database does not answer and is started again')
    this.kill()
  }

  /** Sends a message of the wire protocol. Its answer goes to `onAnswer`. */
  send(message: Uint8Array): void {
    if (this.unanswered++ === 0) this.lastSign = performance.now()
    // A copy of its own, which moves to the thread. Otherwise the whole buffer that contains the message would be copied.
    const bytes = new Uint8Array(message)
    this.worker.postMessage(bytes, [bytes.buffer])
  }

  /** Rolls back what a lost connection began, and forgets the statements that it prepared. */
  reset(): void {
    this.worker.postMessage('reset')
  }

  /** Runs `work` without the watch, because its statements may take long. */
  async unwatched<T>(work: () => Promise<T>): Promise<T> {
    this.holds++
    try {
      return await work()
    } finally {
      this.holds--
      this.lastSign = performance.now()
    }
  }

  /** Returns an archive of the database. */
  dump(): Promise<ArrayBuffer> {
    this.worker.postMessage('dump')
    return new Promise((resolve) => {
      this.onDump = resolve
    })
  }

  async close(): Promise<void> {
    if (this.hasEnded) return
    this.worker.postMessage('close')
    await once(this.worker, 'exit')
  }

  /** Ends the thread at once. */
  kill(): void {
    void this.worker.terminate()
  }
}
