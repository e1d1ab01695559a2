/**
 * The thread of the embedded database. It receives messages of PostgreSQL's wire protocol from `connection.ts` and answers them, so that
 * a database that is busy, or hangs, does not stop the process.
 */
import { statfsSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'

/** PGlite hangs when the disk is full at the moment when it needs a new WAL file (16 MiB). So writes stop before. */
const freeBytesMin = 64 * 1024 * 1024
const checkMilliseconds = 500

const { dataDir, snapshot, startParams, freeBytesMinimum = freeBytesMin } = workerData
const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort)
const database = await PGlite.create({
  ...(dataDir === null ? {} : { dataDir }),
  ...(snapshot ? { loadDataDir: new Blob([snapshot]) } : {}),
  startParams: [...PGlite.defaultStartParams, ...startParams],
})

/** @param {string} text A simple query (PostgreSQL, message formats: Query). */
function queryMessage(text) {
  const bytes = Buffer.from(`${text}\0`)
  const head = Buffer.alloc(5, 'Q')
  head.writeUInt32BE(bytes.length + 4, 1)
  return Buffer.concat([head, bytes])
}

/**
 * Returns the answer to a message. `execProtocolRaw` of PGlite would also parse every answer, and keep it for ever.
 *
 * @param {Uint8Array} message
 */
async function execute(message) {
  /** @type {Buffer<ArrayBuffer>[]} */
  const parts = []
  await database.execProtocolRawStream(message, {
    syncToFs: false,
    // The bytes are in the memory of the database, which writes its next answer there.
    onRawData: (bytes) => parts.push(Buffer.from(bytes)),
  })
  return new Uint8Array(Buffer.concat(parts))
}

let checkedAt = Number.NEGATIVE_INFINITY
let isReadOnly = false
/** The status in the last `ReadyForQuery`: idle, in a transaction, or in a failed one. */
let status = 'I'

/** Refuses writes while the disk is nearly full. The setting applies to transactions that begin afterwards. */
async function checkDisk() {
  if (dataDir === null || status !== 'I' || performance.now() - checkedAt < checkMilliseconds) return
  checkedAt = performance.now()
  const { bavail, bsize } = statfsSync(dataDir)
  const isFull = bavail * bsize < freeBytesMinimum
  if (isFull === isReadOnly) return
  await execute(queryMessage(`SET default_transaction_read_only = ${isFull ? 'on' : 'off'}`))
  isReadOnly = isFull
  port.postMessage({ isReadOnly })
}

/** @param {Uint8Array | 'reset' | 'dump' | 'close'} message */
async function answer(message) {
  if (message === 'close') {
    await database.close()
    process.exit(0)
  } else if (message === 'dump') {
    const dump = await database.dumpDataDir('none')
    port.postMessage({ dump: await dump.arrayBuffer() })
  } else if (message === 'reset') {
    // The next connection must find no open transaction and no prepared statement.
    if (status !== 'I') await execute(queryMessage('ROLLBACK'))
    await execute(queryMessage('DEALLOCATE ALL'))
    status = 'I'
  } else {
    await checkDisk()
    const bytes = await execute(message)
    status = String.fromCharCode(bytes[bytes.length - 1] ?? 0)
    port.postMessage(bytes, [bytes.buffer])
  }
}

let turn = Promise.resolve()
port.on('message', (message) => {
  turn = turn.then(() => answer(message))
})
port.postMessage({ isOpen: true })
