/**
 * The judge: decides, on the computer and without the network, which calls of a coding agent a person is asked about. It is a seat belt and no
 * sandbox: what a program of the same user does by itself, the judge does not see.
 */

import { loadParser } from './grammar'
import { judgeCall } from './judge'
import type { Judgement, Place, ToolCall } from './types'

export { readPlace } from './place'
export { sentenceOf } from './sentences'
export type { Judgement, Level, Place, Reason, ToolCall } from './types'

/** Loads the grammar (once for each call of this function) and returns the judge. Throws when a file of the grammar is missing. */
export async function loadJudge(): Promise<{ judge(call: ToolCall, place: Place): Judgement }> {
  const parse = await loadParser()
  return { judge: (call, place) => judgeCall(parse, call, place) }
}
