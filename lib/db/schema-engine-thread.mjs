/**
 * The thread of Prisma's schema engine. It does one job and ends: a process that loads the engine itself keeps its memory. The connections to the
 * database stay in `schema-engine.ts`, which answers the calls of this thread.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import * as glue from '@prisma/schema-engine-wasm/schema_engine_bg'

/** @typedef {{ ok: true, value: unknown } | { ok: false, error: unknown }} Result What the engine takes of each call. */

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort)
/** @type {Map<number, (result: Result) => void>} */
const waiting = new Map()
let calls = 0

port.on('message', ({ call, result }) => {
  waiting.get(call)?.(result)
  waiting.delete(call)
})

/**
 * Calls a method of a connection, or of the adapter when there is none.
 *
 * @param {number | null} connection
 * @param {string} method
 * @param {...unknown} args
 * @returns {Promise<Result>}
 */
const send = (connection, method, ...args) =>
  new Promise((resolve) => {
    waiting.set(++calls, resolve)
    port.postMessage({ call: calls, connection, method, args })
  })

const { provider, adapterName, datamodels, method, params } = workerData
const names = { provider, adapterName }
const queries = ['queryRaw', 'executeRaw', 'executeScript', 'dispose']

/** @param {string} how The method of the adapter that opens the connection. */
const opener = (how) => async () => {
  const result = await send(null, how)
  if (!result.ok) return result
  const { connection, info } = /** @type {{ connection: number, info: object }} */ (result.value)
  const sent = queries.map((name) => [
    name,
    (/** @type {unknown[]} */ ...args) => send(connection, name, ...args),
  ])
  const value = {
    ...names,
    getConnectionInfo: () => ({ ok: true, value: info }),
    startTransaction: () => Promise.reject(new Error('The schema engine has no transactions here.')),
    ...Object.fromEntries(sent),
  }
  return { ok: true, value }
}

const folder = dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm'))
const module = await WebAssembly.compile(readFileSync(join(folder, 'schema_engine_bg.wasm')))
const { exports } = await WebAssembly.instantiate(module, {
  './schema_engine_bg.js': /** @type {any} */ (glue),
})
const { SchemaEngine, __wbg_set_wasm: connectGlue } = /** @type {any} */ (glue)
const { __wbindgen_start: startEngine } = /** @type {any} */ (exports)
connectGlue(exports)
startEngine()

const adapter = { ...names, connect: opener('connect'), connectToShadowDb: opener('connectToShadowDb') }
const engine = await SchemaEngine.new({ datamodels }, () => undefined, adapter)
port.postMessage({ answer: await engine[method](params) })
