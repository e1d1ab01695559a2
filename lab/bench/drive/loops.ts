/** Closed loops: each connection sends its next request when the answer to the last one has arrived. */
import { percentile } from '../measure/statistics'
import { Client, Connection, encodeRequest, type HttpRequest } from './connection'

export interface LoopResult {
  /** Requests or flows that succeeded. */
  count: number
  seconds: number
  p50: number
  p99: number
  errors: number
  firstError: string | null
}

interface Tally {
  latencies: number[]
  errors: number
  firstError: string | null
}

function summarize({ latencies, errors, firstError }: Tally, seconds: number): LoopResult {
  latencies.sort((left, right) => left - right)
  return {
    count: latencies.length,
    seconds,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    errors,
    firstError,
  }
}

function addError(tally: Tally, text: string): void {
  tally.errors++
  tally.firstError ??= text
}

export interface RequestLoad {
  origin: string
  requests: HttpRequest[]
  seconds: number
  connections: number
  /** The status of a good answer. Default: 200. */
  status?: number
}

/** Sends the requests in turn for some seconds. */
export async function loopRequests(load: RequestLoad): Promise<LoopResult> {
  const bytes = load.requests.map((request) => encodeRequest(load.origin, request))
  const tally: Tally = { latencies: [], errors: 0, firstError: null }
  const started = performance.now()
  const end = started + load.seconds * 1000
  let next = 0
  const runOne = () =>
    new Promise<void>((resolve) => {
      const connection = new Connection(load.origin)
      const sendNext = () => {
        const sent = performance.now()
        if (sent >= end) {
          connection.close()
          return resolve()
        }
        const request = bytes[next++ % bytes.length] ?? Buffer.alloc(0)
        connection.send(request, (error, answer) => {
          if (answer?.status === (load.status ?? 200)) tally.latencies.push(performance.now() - sent)
          else
            addError(
              tally,
              answer === null ? String(error) : `${answer.status} ${answer.text().slice(0, 200)}`,
            )
          // A refused connection fails at once: the next attempt waits, so that the loop does not spin.
          if (error === null) sendNext()
          else setTimeout(sendNext, 10)
        })
      }
      sendNext()
    })
  await Promise.all(Array.from({ length: load.connections }, runOne))
  return summarize(tally, (performance.now() - started) / 1000)
}

export interface FlowLoad {
  origin: string
  seconds: number
  flows: number
  /** The most flows that are started. */
  max: number
}

/** Runs flows of several requests until the time is over, or until `flow` returns false because it has nothing left to do. */
export async function loopFlows(
  load: FlowLoad,
  flow: (client: Client, index: number) => Promise<boolean>,
): Promise<LoopResult> {
  const tally: Tally = { latencies: [], errors: 0, firstError: null }
  const started = performance.now()
  const end = started + load.seconds * 1000
  let next = 0
  const runOne = async () => {
    const client = new Client(load.origin)
    while (performance.now() < end && next < load.max) {
      const sent = performance.now()
      try {
        if (!(await flow(client, next++))) break
        tally.latencies.push(performance.now() - sent)
      } catch (error) {
        addError(tally, error instanceof Error ? error.message : String(error))
      }
    }
    client.close()
  }
  await Promise.all(Array.from({ length: load.flows }, runOne))
  return summarize(tally, (performance.now() - started) / 1000)
}
