/** How long the latest answers took, for `/beak/system/status`. Long polls and streams are not counted. */
import { singleton } from './singleton'

const kept = 256
const ring = () => singleton('latency', () => ({ samples: new Float64Array(kept), count: 0 }))

/** Notes one answer, in milliseconds. */
export function noteLatency(milliseconds: number): void {
  if (milliseconds > 1_000) return
  const { samples, count } = ring()
  samples[count % kept] = milliseconds
  ring().count++
}

/** Median of the latest 256 answers in milliseconds, to a hundredth; 0 before the first. */
export function medianLatency(): number {
  const { samples, count } = ring()
  const taken = [...samples.subarray(0, Math.min(count, kept))].sort((left, right) => left - right)
  return Math.round((taken[Math.floor(taken.length / 2)] ?? 0) * 100) / 100
}
