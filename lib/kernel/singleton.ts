/**
 * Next bundles its own copy of `lib` beside the server's, so a module-level variable would exist twice in one process.
 * What may exist only once (database handle, limiter, event bus, worker) lives on `globalThis` through here.
 */
const holder = globalThis as unknown as { beakProcess?: Map<string, unknown> }

/** The process-wide value of that name, made on first use. */
export function singleton<T>(name: string, make: () => T): T {
  holder.beakProcess ??= new Map()
  if (!holder.beakProcess.has(name)) holder.beakProcess.set(name, make())
  return holder.beakProcess.get(name) as T
}

/** Forgets a process-wide value, so that the next use makes it anew. */
export function forget(name: string): void {
  holder.beakProcess?.delete(name)
}
