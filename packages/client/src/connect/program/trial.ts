/** The call with which `beak connect` proves that the hook decides: it is refused without a person. */
import { readFile } from 'node:fs/promises'
import type { Layout, ToolName } from '../layout'
import type { Answer } from './answer'
import type { ToolEvent } from './event'

/** What `beak connect` writes while a trial runs. */
interface Trial {
  tool: ToolName
  /** The whole command line, which no program makes by chance. */
  command: string
  /** What the model must read as the reason. */
  word: string
}

/** Refuses the call of a running trial. Returns null for every other call. */
export async function answerTrial(layout: Layout, tool: ToolName, call: ToolEvent): Promise<Answer | null> {
  const { command } = call.tool_input
  if (typeof command !== 'string' || !command.includes('beak-trial-')) return null
  const trial = await readFile(layout.trial, 'utf8')
    .then((text) => JSON.parse(text) as Trial | null)
    .catch(() => null)
  if (trial === null || trial.tool !== tool || trial.command !== command) return null
  return { decision: 'deny', reason: `The hook of Beak works: ${trial.word}` }
}
