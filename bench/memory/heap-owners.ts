/** Reads a heap snapshot of V8 and adds its sizes up by owner: the package whose script is nearest to an object. */

export interface HeapSnapshot {
  snapshot: {
    meta: {
      node_fields: string[]
      edge_fields: string[]
      edge_types: [string[], ...unknown[]]
    }
  }
  nodes: number[]
  edges: number[]
  strings: string[]
}

/** Returns the owner of a script: a package, Node.js, or a part of the service. */
export function ownerOf(url: string): string {
  if (url.startsWith('node:')) return 'Node.js'
  const packages = [...url.matchAll(/node_modules[/_]((?:@[\w.-]+[/_])?[\w.-]+?)(?=[/_])/g)]
  const name = packages.at(-1)?.[1]
  if (name !== undefined) return name
  if (url.includes('/.next/')) return 'pages (.next)'
  return /\/build\/(server|chunks\/)/.test(url) ? 'server (build)' : 'other'
}

/** The edge from a function to its script, which has another name since Node.js 22. */
const toScript = new Set(['script_or_debug_info', 'script'])

const isScript = (text: string) => /^(node:|file:|\/)/.test(text)

/** Returns the bytes of each owner, the largest first. What no script leads to belongs to V8 itself. */
export function ownersIn({ snapshot, nodes, edges, strings }: HeapSnapshot): [string, number][] {
  const { node_fields, edge_fields, edge_types } = snapshot.meta
  const [nodeSize, edgeSize] = [node_fields.length, edge_fields.length]
  const [name, selfSize, edgeCount] = ['name', 'self_size', 'edge_count'].map((f) =>
    node_fields.indexOf(f),
  ) as [number, number, number]
  const [kind, label, to] = ['type', 'name_or_index', 'to_node'].map((f) => edge_fields.indexOf(f)) as [
    number,
    number,
    number,
  ]
  const [kinds] = edge_types
  const count = nodes.length / nodeSize
  const firstEdge = new Uint32Array(count + 1)
  for (let node = 0; node < count; node++)
    firstEdge[node + 1] = (firstEdge[node] ?? 0) + (nodes[node * nodeSize + edgeCount] ?? 0)
  const owners: string[] = []
  const owner = new Int32Array(count).fill(-1)
  const numbers = new Map<string, number>()
  const numberOf = (text: string): number => {
    const number = numbers.get(text) ?? owners.push(text) - 1
    numbers.set(text, number)
    return number
  }
  const targetOf = (edge: number) => (edges[edge * edgeSize + to] ?? 0) / nodeSize
  const nameOf = (node: number) => strings[nodes[node * nodeSize + name] ?? 0] ?? ''
  let queue: number[] = []
  // A function leads to its script, whose name is the address of the file.
  for (let node = 0; node < count; node++)
    for (let edge = firstEdge[node] ?? 0; edge < (firstEdge[node + 1] ?? 0); edge++) {
      const type = kinds[edges[edge * edgeSize + kind] ?? 0]
      if (type !== 'internal' || !toScript.has(strings[edges[edge * edgeSize + label] ?? 0] ?? '')) continue
      const url = nameOf(targetOf(edge))
      if (!isScript(url)) continue
      owner[node] = numberOf(ownerOf(url))
      queue.push(node)
    }
  while (queue.length > 0) {
    const next: number[] = []
    for (const node of queue)
      for (let edge = firstEdge[node] ?? 0; edge < (firstEdge[node + 1] ?? 0); edge++) {
        const target = targetOf(edge)
        if (owner[target] !== -1 || kinds[edges[edge * edgeSize + kind] ?? 0] === 'weak') continue
        owner[target] = owner[node] ?? -1
        next.push(target)
      }
    queue = next
  }
  const bytes = new Map<string, number>()
  for (let node = 0; node < count; node++) {
    const text = owners[owner[node] ?? -1] ?? 'V8'
    bytes.set(text, (bytes.get(text) ?? 0) + (nodes[node * nodeSize + selfSize] ?? 0))
  }
  return [...bytes].sort(([, left], [, right]) => right - left)
}
