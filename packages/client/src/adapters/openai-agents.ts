/** Function tools of the OpenAI Agents SDK that ask a person first. */
import { exactJson } from '@beak/proofs/exact-numbers'
import { type GuardOptions, runWithPermission } from './guard'

/** The part of a function tool of the OpenAI Agents SDK that the adapter replaces. `input` is JSON. */
export interface FunctionTool {
  type: 'function'
  invoke: (context: never, input: string, details?: never) => Promise<unknown>
}

/**
 * Returns a function tool that asks a person before it runs, and runs only with their permission. Without a permission, the model reads
 * the refusal as JSON instead of a result. A tool with `timeoutMs` waits for the decision no longer than that.
 *
 * @throws TypeError for other kinds of tools, such as the hosted ones, which run elsewhere
 *
 * @example
 * const agent = new Agent({ name, tools: [guardTool(sendEmail, { beak, target, action: 'send:email' })] })
 */
export function guardTool<Tool extends FunctionTool, Input = unknown>(
  tool: Tool,
  options: GuardOptions<Input>,
): Tool {
  if (tool.type !== 'function') throw new TypeError('Only a function tool can be guarded.')
  const invoke = tool.invoke as (
    context: unknown,
    input: string,
    details?: { signal?: AbortSignal | undefined },
  ) => Promise<unknown>
  const guarded: typeof invoke = async (context, text, details) => {
    // The SDK has refused arguments that are not JSON before.
    const input = exactJson(text)
    const run = () => invoke.call(tool, context, text, details)
    const result = await runWithPermission(options, input as Input, run, details?.signal)
    return result.refusal === null ? result.output : JSON.stringify(result.refusal)
  }
  return { ...tool, invoke: guarded }
}
