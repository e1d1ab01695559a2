/**
 * The helper: a process that has the judge in memory and answers for harmless calls, so that they do not start Node.js. It holds no credential and
 * knows no session. It says "harmless" or nothing; whatever else a call is, the program of the hook decides.
 *
 * It listens on a socket in a folder of the user. Who binds the socket first without the secrets answers nothing that counts: the launcher
 * compares the answer with a secret that each start of the helper writes anew.
 */
import { spawn } from 'node:child_process'
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { existsSync, watch } from 'node:fs'
import { chmod, mkdir, readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { replaceFile } from '../../cli/files'
import { heartbeatMs } from '../last-heartbeat'
import { type Layout, type ToolName, toolNames } from '../layout'
import { readState } from '../state'
import { readCall, type ToolEvent } from './event'
import { callOf, judgeCall } from './judge-call'
import { SettingsWatch } from './settings-watch'

/** A helper without calls ends after this time, in milliseconds. The next session starts another one. */
const idleMs = 3_600_000
/** Larger calls are left to the program of the hook. In bytes. */
const bodyMax = 8_000_000

/** Serves until nothing was asked for an hour, the connection is removed, or another helper took over. Ends at once when one runs already. */
export async function runHelper(layout: Layout, program: string): Promise<void> {
  // The connection may have been removed while this process started.
  if (!existsSync(layout.state)) return
  await mkdir(layout.run, { recursive: true, mode: 0o700 })
  await chmod(layout.run, 0o700)
  if (await answers(layout)) return
  await rm(layout.socket, { force: true })
  const [secret, proof] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')]
  // Another process reads the credential, so that this one never holds it.
  const start = (...words: string[]) =>
    spawn(process.execPath, [program, ...words], { detached: true, stdio: 'ignore' }).unref()
  const settings = new SettingsWatch(layout, (tool) => start('heartbeat', tool))
  const work = new Work(layout, settings, start)
  const server = createServer((incoming, response) => {
    idle.refresh()
    void answer({ secret, proof }, incoming, response, work)
  })
  const end = () => {
    server.close()
    server.closeAllConnections()
    process.exit(0)
  }
  const idle = setTimeout(end, idleMs)
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(layout.socket, resolve))
  await chmod(layout.socket, 0o600)
  await replaceFile(layout.header, `X-Beak-Helper: ${secret}\n`)
  await replaceFile(layout.proof, `${proof}\n`)
  // `beak disconnect` removes the folder.
  const endWithConnection = () => {
    if (!existsSync(layout.state)) end()
  }
  watch(layout.folder, endWithConnection)
  endWithConnection()
  process.once('SIGTERM', end)
}

/** Whether a helper with the written secrets runs already. */
async function answers(layout: Layout): Promise<boolean> {
  const [header = '', proof = ''] = await Promise.all(
    [layout.header, layout.proof].map((path) => readFile(path, 'utf8').catch(() => '')),
  )
  const [, secret] = /^X-Beak-Helper: (\w{64})\n$/.exec(header) ?? []
  if (secret === undefined) return false
  return new Promise((resolve) => {
    const sent = request(
      { socketPath: layout.socket, path: '/', headers: { 'X-Beak-Helper': secret } },
      (response) => text(response).then((answer) => resolve(answer === proof.trim())),
    )
    sent.setTimeout(2_000, () => sent.destroy())
    sent.on('error', () => resolve(false)).end()
  })
}

const isSame = (left: string, right: string) =>
  left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right))

/** Answers with the proof for a harmless call, and with nothing for every other one. `GET /` asks whether the helper runs. */
async function answer(
  { secret, proof }: { secret: string; proof: string },
  incoming: IncomingMessage,
  response: ServerResponse,
  work: Work,
): Promise<void> {
  const given = String(incoming.headers['x-beak-helper'] ?? '')
  const isHarmless = isSame(given, secret) && (incoming.method === 'GET' || (await work.isHarmless(incoming)))
  response.end(isHarmless ? proof : '')
}

/** What the helper does about calls. */
class Work {
  readonly #heartbeats = new Map<string, number>()

  constructor(
    private readonly layout: Layout,
    private readonly settings: SettingsWatch,
    private readonly start: (...words: string[]) => void,
  ) {}

  /** Whether a call is one that nobody is asked about. In doubt not. */
  async isHarmless(incoming: IncomingMessage): Promise<boolean> {
    try {
      const tool = toolNames.find((name) => incoming.url === `/${name}`)
      if (tool === undefined || Number(incoming.headers['content-length'] ?? 0) > bodyMax) return false
      const call = readCall(await text(incoming))
      const mode = (await readState(this.layout)).tools[tool]?.mode
      // In the mode `strict` the program decides about each call.
      if (mode !== 'guard' && mode !== 'watch') return false
      this.#follow(tool, call)
      return !(await judgeCall(this.layout, callOf(tool, call))).ask
    } catch {
      return false
    }
  }

  #follow(tool: ToolName, { session_id, cwd }: ToolEvent): void {
    this.settings.add(tool, cwd)
    const key = `${tool} ${session_id}`
    const now = performance.now()
    const last = this.#heartbeats.get(key)
    // The start of the session has said it.
    this.#heartbeats.set(key, last !== undefined && now - last < heartbeatMs ? last : now)
    if (last !== undefined && now - last >= heartbeatMs) this.start('heartbeat', tool, session_id)
  }
}
