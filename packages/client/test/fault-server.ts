/** Starts packages/contract/faults/server.mjs for the tests of a file. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { afterAll, beforeAll } from 'vitest'

/** A request that the server received. */
interface Received {
  method: string
  path: string
  headers: Record<string, string>
  body: string
  /** Milliseconds. Only differences mean something. */
  at: number
  faulty: boolean
}

interface FaultRun {
  /** Address of a service that has the fault. */
  url: string
  /** Returns the requests so far. */
  requests(): Promise<Received[]>
}

export interface FaultServer {
  /** Returns a new run: its first `times` requests meet the fault. */
  run(fault: string, times?: number | 'always'): FaultRun
  /** Returns the requests of a run by its name. */
  requestsOf(name: string): Promise<Received[]>
}

/** @param service address that requests without a fault are passed on to */
export function startFaultServer(service?: () => string): FaultServer {
  let child: ChildProcess
  let url = ''
  beforeAll(async () => {
    const process = spawn('node', ['packages/contract/faults/server.mjs', ...(service ? [service()] : [])], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    child = process
    const [line] = await once(process.stdout, 'data')
    url = String(line).trim()
  })
  afterAll(() => child.kill())
  const requestsOf = async (name: string) => (await (await fetch(`${url}/requests/${name}`)).json()).items
  return {
    requestsOf,
    run: (fault, times = 'always') => {
      const name = randomBytes(6).toString('hex')
      return { url: `${url}/${fault}/${times}/${name}`, requests: () => requestsOf(name) }
    },
  }
}
