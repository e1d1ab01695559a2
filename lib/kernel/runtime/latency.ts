/** Latency of the latest responses, for `/beak/system/status`. Long polls and streams are not counted. */
import { singleton } from './singleton'

const kept = 256
const ring = () => singleton('latency', () => ({ samples: new Float64Array(kept), count: 0 }))

/** Records the latency of one response in milliseconds. */
export function recordLatency(milliseconds: number): void {
  if (milliseconds > 1_000) return
  const { samples, count } = ring()
  samples[count % kept] = milliseconds
  ring().count++
}

/** Returns the median of the latest 256 responses in milliseconds, rounded to a hundredth. Returns 0 before the first. */
export function medianLatency(): number {
  const { samples, count } = ring()
  const taken = [...samples.subarray(0, Math.min(count, kept))].sort((left, right) => left - right)
  return Math.round((taken[Math.floor(taken.length / 2)] ?? 0) * 100) / 100
}
