/** Tools for Claude (the tool runner of `@anthropic-ai/sdk`) that ask a person first. */
import { type GuardOptions, runWithPermission } from './guard'

/** The part of a runnable tool that the adapter replaces. A tool of a loop of your own needs only `run`. */
export interface RunnableTool {
  run: (input: never, context?: never) => unknown
}

/** The input of a tool. */
export type InputOf<Tool extends RunnableTool> = Parameters<Tool['run']>[0]

/**
 * Returns a tool that asks a person before it runs, and runs only with their permission. Without a permission, Claude reads the refusal
 * as JSON instead of a result.
 *
 * @example
 * const tools = [guardTool(sendEmail, { beak, target, action: 'send:email' })]
 * const runner = anthropic.beta.messages.toolRunner({ model, messages, max_tokens, tools })
 */
export function guardTool<Tool extends RunnableTool>(tool: Tool, options: GuardOptions<InputOf<Tool>>): Tool {
  const run = tool.run as (
    input: InputOf<Tool>,
    context?: { signal?: AbortSignal | null | undefined },
  ) => unknown
  const guarded: typeof run = async (input, context) => {
    const result = await runWithPermission(
      options,
      input,
      () => run.call(tool, input, context),
      context?.signal ?? undefined,
    )
    return result.refusal === null ? result.output : JSON.stringify(result.refusal)
  }
  return { ...tool, run: guarded }
}
