/** Tools of LangChain and LangGraph that ask a person first. */
import { type GuardOptions, runWithPermission } from './guard'

/** The part of a tool of LangChain that the adapter needs. `invoke` takes the input of the model, or a whole tool call. */
export interface InvokableTool {
  name: string
  invoke(input: never, config?: never): Promise<unknown>
  responseFormat?: string | undefined
}

/** The step between the checked input and the function of the tool, which every tool of LangChain has. */
interface CallableTool {
  responseFormat?: string | undefined
  _call(input: unknown, runManager: unknown, config?: { signal?: AbortSignal | undefined }): unknown
}

/**
 * Returns a tool that asks a person before it runs, and runs only with their permission. Without a permission, the model reads the
 * refusal as JSON instead of a result.
 *
 * @throws TypeError for something that is not a tool of LangChain, such as a plain runnable
 *
 * @example
 * const agent = createAgent({ model, tools: [guardTool(sendEmail, { beak, target, action: 'send:email' })] })
 */
export function guardTool<Tool extends InvokableTool, Input = unknown>(
  tool: Tool,
  options: GuardOptions<Input>,
): Tool {
  const callable = tool as unknown as CallableTool
  if (typeof callable._call !== 'function')
    throw new TypeError('Only a tool can be guarded, not any runnable.')
  // LangChain recognises a tool by its prototypes, so the guarded tool inherits from the tool.
  const guarded: CallableTool = Object.create(callable)
  guarded._call = async (input, runManager, config) => {
    const run = () => callable._call(input, runManager, config)
    const result = await runWithPermission(options, input as Input, run, config?.signal)
    if (result.refusal === null) return result.output
    const text = JSON.stringify(result.refusal)
    return callable.responseFormat === 'content_and_artifact' ? [text, result.refusal] : text
  }
  return guarded as unknown as Tool
}
