/** Tools of the Vercel AI SDK (version 6) that ask a person first. */
import { type GuardOptions, runWithPermission, type ToolRefusal } from './guard'

/** What the AI SDK tells a tool about its call. */
interface CallOptions {
  abortSignal?: AbortSignal | undefined
}

/** The part of a tool of the AI SDK that the adapter replaces. */
export interface ExecutableTool {
  execute?: ((input: never, options: never) => unknown) | undefined
  toModelOutput?: ((output: never) => unknown) | undefined
}

/** The input of a tool. */
export type InputOf<Tool extends ExecutableTool> = Parameters<NonNullable<Tool['execute']>>[0]

/**
 * Returns a tool that asks a person before it runs, and runs only with their permission. Without a permission, the model reads the
 * {@link ToolRefusal} instead of a result. A tool that yields preliminary results returns only its last one.
 *
 * @throws TypeError for a tool without `execute`, which runs elsewhere
 *
 * @example
 * const tools = { sendEmail: guardTool(sendEmail, { beak, target, action: 'send:email' }) }
 */
export function guardTool<Tool extends ExecutableTool>(
  tool: Tool,
  options: GuardOptions<InputOf<Tool>>,
): Tool {
  const { execute, toModelOutput } = tool as ExecutableTool as {
    execute?: (input: InputOf<Tool>, call: CallOptions) => unknown
    toModelOutput?: (given: { output: unknown }) => unknown
  }
  if (execute === undefined) throw new TypeError('Only a tool with an execute function can be guarded.')
  const guarded = {
    ...tool,
    execute: async (input: InputOf<Tool>, call: CallOptions) => {
      const run = () => lastOf(execute.call(tool, input, call))
      const result = await runWithPermission(options, input, run, call.abortSignal)
      return result.refusal ?? result.output
    },
  }
  if (toModelOutput === undefined) return guarded
  // The tool's own conversion knows only results of the tool.
  const convert = (given: { output: unknown }) =>
    isRefusal(given.output) ? { type: 'json', value: given.output } : toModelOutput.call(tool, given)
  return { ...guarded, toModelOutput: convert }
}

/** Returns the result, or the last of several. */
async function lastOf(result: unknown): Promise<unknown> {
  const value = await result
  if (typeof value !== 'object' || value === null || !(Symbol.asyncIterator in value)) return value
  let last: unknown
  for await (const part of value as AsyncIterable<unknown>) last = part
  return last
}

function isRefusal(output: unknown): output is ToolRefusal {
  return (
    typeof output === 'object' &&
    output !== null &&
    'done' in output &&
    output.done === false &&
    'refusal' in output
  )
}
