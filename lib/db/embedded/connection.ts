/**
 * The connection between the driver `pg` and the thread of the embedded database: a stream of PostgreSQL's wire protocol, as a socket
 * to a server would be. The database has one session, so there is one connection at a time.
 */
import { Duplex } from 'node:stream'
import type { DatabaseThread } from './thread'

/** `AuthenticationOk` and `ReadyForQuery` (idle): the answer of a server to the first message of a client. */
const welcome = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49])
/** The first byte of `Terminate`. */
const terminate = 0x58

/** The methods of a socket that the driver calls. */
export class EmbeddedConnection extends Duplex {
  private thread: DatabaseThread | null = null
  private hasStarted = false

  /** `open` returns the running thread, or starts one. */
  constructor(private readonly open: () => DatabaseThread) {
    super()
  }

  connect(): void {
    const thread = this.open()
    this.thread = thread
    thread.reset()
    thread.onAnswer = (bytes) => this.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    thread.onEnd = () =>
      this.destroy(Object.assign(new Error('Connection terminated'), { code: 'ECONNRESET' }))
    thread.opened.then(
      () => this.emit('connect'),
      (error) => this.destroy(error),
    )
  }

  override _read(): void {
    // Answers are pushed when they arrive.
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.send(chunk)
    done()
  }

  /** The driver corks what belongs together: all messages up to `Sync`, or a whole pipeline. */
  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this.send(Buffer.concat(chunks.map(({ chunk }) => chunk)))
    done()
  }

  override _final(done: () => void): void {
    done()
    this.destroy()
  }

  private send(bytes: Buffer): void {
    if (!this.hasStarted) {
      this.hasStarted = true
      this.push(welcome)
    } else if (bytes[0] !== terminate) this.thread?.send(bytes)
  }

  setNoDelay(): this {
    return this
  }
  setKeepAlive(): this {
    return this
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
}
