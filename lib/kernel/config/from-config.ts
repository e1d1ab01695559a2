import { type Config, config } from '@/lib/kernel/config'

/** Returns a function that computes a value from the configuration, and computes it again only after the configuration changed. */
export function fromConfig<T>(compute: (config: Config) => T): () => T {
  let latest: { config: Config; value: T } | null = null
  return () => {
    const current = config()
    if (latest?.config !== current) latest = { config: current, value: compute(current) }
    return latest.value
  }
}
