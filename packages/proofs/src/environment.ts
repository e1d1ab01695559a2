/** Returns a variable of the environment, or undefined. An empty one counts as none. In a browser there are none. */
export function environmentOf(name: string): string | undefined {
  return globalThis.process?.env?.[name] || undefined
}
