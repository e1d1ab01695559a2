/** CPU time and memory of processes, from `/proc`. On systems without it the values are NaN, and tables show a dash. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

interface Stat {
  parent: number
  /** Ticks of the process and of its children that have ended. */
  ticks: number
}

function readStat(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program is in parentheses and may contain spaces.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return { parent: Number(fields[1]), ticks }
  } catch {
    return null
  }
}

function ticksPerSecond(): number {
  try {
    return Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) || 100
  } catch {
    return 100
  }
}

const hertz = ticksPerSecond()

/** Returns a process and all its descendants. */
export function processTree(root: number): number[] {
  const children = new Map<number, number[]>()
  let names: string[] = []
  try {
    names = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return [root]
  }
  for (const name of names) {
    const parent = readStat(Number(name))?.parent
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const tree = [root]
  for (const pid of tree) tree.push(...(children.get(pid) ?? []))
  return tree
}

/** Returns the CPU seconds of each process until now. Processes that have ended are missing. */
export function cpuOf(pids: number[]): Map<number, number> {
  const seconds = new Map<number, number>()
  for (const pid of pids) {
    const stat = readStat(pid)
    if (stat !== null) seconds.set(pid, stat.ticks / hertz)
  }
  return seconds
}

/** Returns the CPU seconds that the processes of `after` used since `before`. */
export function cpuBetween(before: Map<number, number>, after: Map<number, number>): number {
  if (after.size === 0) return Number.NaN
  let sum = 0
  for (const [pid, seconds] of after) sum += seconds - (before.get(pid) ?? 0)
  return sum
}

/** Returns the resident memory of a process and its descendants in MiB. */
export function residentMiB(root: number): number {
  let kilobytes = Number.NaN
  for (const pid of processTree(root)) {
    try {
      const found = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      if (found) kilobytes = (Number.isNaN(kilobytes) ? 0 : kilobytes) + Number(found)
    } catch {
      // The process has ended.
    }
  }
  return kilobytes / 1024
}
