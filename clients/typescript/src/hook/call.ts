/** A call of a tool, as coding agents describe it. */
import { z } from 'zod'

/** A call of a tool that the coding agent is about to make. */
export interface ToolCall {
  tool: string
  input: Record<string, unknown>
  cwd: string
}

/** Returns the command line that a call runs, or null for tools that run none. Some tools have its words in a list. */
export function commandOf({ input: { command } }: ToolCall): string | null {
  const words = z.union([z.string(), z.array(z.string())]).safeParse(command).data ?? null
  return Array.isArray(words) ? words.join(' ') : words
}
