/** Summarizes a CPU profile of V8. */

interface Frame {
  functionName: string
  url: string
  lineNumber: number
}

interface ProfileNode {
  id: number
  callFrame: Frame
  children?: number[]
}

export interface CpuProfile {
  nodes: ProfileNode[]
  samples: number[]
  timeDeltas: number[]
}

export interface ProfileSummary {
  busySeconds: number
  /** Shares of the busy time, the largest first. */
  buckets: [string, number][]
  functions: [string, number][]
}

const functionsShown = 25

/** A sample belongs to the first bucket that matches a frame, from the innermost frame outwards. */
const buckets: [string, (frame: Frame) => boolean][] = [
  ['garbage collection', ({ functionName }) => functionName === '(garbage collector)'],
  ['loading of modules', ({ url }) => /modules\/(cjs|esm|helpers|run_main)|turbopack\]_runtime/.test(url)],
  ['async hooks', ({ url }) => /async_hooks|async_context/.test(url)],
  ['web streams', ({ url }) => /webstreams/.test(url)],
  [
    'Request, Response, Headers, URL',
    ({ url }) => /undici|internal\/url|abort_controller|event_target/.test(url),
  ],
  ['node:crypto', ({ url }) => /internal\/crypto/.test(url)],
  ['Prisma', ({ url }) => /@prisma|db\/generated/.test(url)],
  ['pg', ({ url }) => /node_modules\/(pg|pg-[\w-]+|postgres-\w+)\//.test(url)],
  ['PGlite', ({ url, functionName }) => /pglite/.test(url) || functionName.startsWith('wasm-')],
  ['zod', ({ url }) => /node_modules\/zod\//.test(url)],
  ['pino', ({ url }) => /node_modules\/(pino|sonic-boom|thread-stream)/.test(url)],
  ['React', ({ url }) => /react-(dom|server)|node_modules\/react\//.test(url)],
  ['Next', ({ url }) => /node_modules\/next\/|\.next/.test(url)],
  ['other packages', ({ url }) => /node_modules\//.test(url)],
  ['Beak', ({ url }) => /build\/(server|chunks\/)/.test(url)],
  ['node:http, net, streams and other parts of Node.js', ({ url }) => url.startsWith('node:')],
]

function bucketOf(frames: Frame[]): string {
  for (const frame of frames) {
    const found = buckets.find(([, matches]) => matches(frame))
    if (found) return found[0]
  }
  return 'native code without a caller in JavaScript'
}

function nameOf({ functionName, url, lineNumber }: Frame): string {
  const file = url.replace(/^.*node_modules\//, '').replace(/^.*\/build\//, 'build/')
  return `${functionName || '(anonymous)'}${file && ` ${file}:${lineNumber + 1}`}`
}

function sharesOf(times: Map<string, number>, total: number): [string, number][] {
  const sorted = [...times].sort(([, left], [, right]) => right - left)
  return sorted.map(([name, time]) => [name, time / total])
}

/** Returns where the CPU time of a profile went. Idle time does not count. */
export function summarizeProfile({ nodes, samples, timeDeltas }: CpuProfile): ProfileSummary {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])))
  const framesOf = (id: number): Frame[] => {
    const frames: Frame[] = []
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const frame = byId.get(at)?.callFrame
      if (frame) frames.push(frame)
    }
    return frames
  }
  const bucketTimes = new Map<string, number>()
  const functionTimes = new Map<string, number>()
  const add = (times: Map<string, number>, name: string, time: number) =>
    times.set(name, (times.get(name) ?? 0) + time)
  let busy = 0
  for (const [index, id] of samples.entries()) {
    const frames = framesOf(id)
    const own = frames[0]
    const time = timeDeltas[index] ?? 0
    if (!own || own.functionName === '(idle)') continue
    busy += time
    add(bucketTimes, bucketOf(frames), time)
    add(functionTimes, nameOf(own), time)
  }
  return {
    busySeconds: busy / 1e6,
    buckets: sharesOf(bucketTimes, busy),
    functions: sharesOf(functionTimes, busy).slice(0, functionsShown),
  }
}
