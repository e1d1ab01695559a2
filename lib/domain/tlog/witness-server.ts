/** The witness over HTTP: `POST /add-checkpoint`, and a page that describes the witness. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { noteBytesMax } from '@beak/client/verify/log/note'
import { formatVerifierKey } from '@beak/client/verify/log/verifier-key'
import { readClock } from '@/lib/kernel/clock'
import { readLimited } from '@/lib/kernel/read-limited'
import { type Refusal, readRecorded, startWitness, type Verdict, type Witness } from './witness'

/** The longest note, and the proof before it. */
const bodyBytesMax = noteBytesMax + 4 * 1024
/** A request must have arrived within this time. */
const timeouts = {
  requestTimeout: 15_000,
  headersTimeout: 15_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
}

const base = 'http://witness'

/** The statuses of C2SP tlog-witness. */
const statuses: Record<Verdict['outcome'], number> = {
  cosigned: 200,
  wrong_old_size: 409,
  malformed: 400,
  old_above_size: 400,
  unknown_origin: 404,
  untrusted_signature: 403,
  another_root: 409,
  wrong_proof: 422,
} satisfies Record<Refusal | 'cosigned' | 'wrong_old_size', number>

interface Answer {
  code: number
  text: string
  type?: string
  allow?: string
}

/** Returns a server that is not listening yet. `print` prints a line for the operator. */
export function witnessServer(witness: Witness, print: (line: string) => void): Server {
  const answerBody = startWitness(witness)
  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const { url = '/' } = request
    // `new URL` throws for a target such as `//`.
    const pathname = URL.canParse(url, base) ? new URL(url, base).pathname : url
    if (pathname === '/') return request.method === 'GET' ? describe(witness) : wrongMethod('GET')
    if (pathname !== '/add-checkpoint') return { code: 404, text: 'There is no page at this address.\n' }
    if (request.method !== 'POST') return wrongMethod('POST')
    const body = await readLimited(request.iterator({ destroyOnReturn: false }), bodyBytesMax)
    if (body === null) return { code: 413, text: `The body may have at most ${bodyBytesMax} bytes.\n` }
    return present(await answerBody(body, readClock()))
  }
  return createServer(timeouts, (request, response) => {
    answer(request).then(
      (found) => send(response, found, request.complete),
      (error: unknown) => {
        // The client closed the connection, so there is nobody to answer.
        if (request.destroyed && !request.complete) return
        print(`ERROR: ${error instanceof Error ? error.stack : String(error)}`)
        send(response, { code: 500, text: 'The witness could not finish this request.\n' }, false)
      },
    )
  })
}

function send(response: ServerResponse, { code, text, type, allow }: Answer, isReusable: boolean): void {
  response.writeHead(code, {
    'Content-Type': type ?? 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...(allow === undefined ? {} : { Allow: allow }),
    // Otherwise the unread rest of the body would be read as the next request.
    ...(isReusable ? {} : { Connection: 'close' }),
  })
  response.end(text)
}

function wrongMethod(allow: string): Answer {
  return { code: 405, text: `Use ${allow}.\n`, allow }
}

function present(verdict: Verdict): Answer {
  const code = statuses[verdict.outcome]
  if (verdict.outcome === 'cosigned') return { code, text: verdict.lines }
  if (verdict.outcome === 'wrong_old_size')
    return { code, text: `${verdict.size}\n`, type: 'text/x.tlog.size' }
  return { code, text: `${verdict.why}\n` }
}

async function describe({ key, logs, store }: Witness): Promise<Answer> {
  const origins = [...new Set(logs.map(({ name }) => name))]
  const lines = await Promise.all(
    origins.map(async (origin) => `  ${origin}: ${(await readRecorded(store, origin)).size} entries`),
  )
  const text = [
    `This is ${key.name}, a witness of transparency logs (https://c2sp.org/tlog-witness).`,
    'It cosigns a checkpoint when the log proves that it only added entries.',
    '',
    `Verifier key: ${formatVerifierKey(key)}`,
    '',
    'Logs, and the size of the tree that this witness cosigned last:',
    ...lines,
  ]
  return { code: 200, text: `${text.join('\n')}\n` }
}
