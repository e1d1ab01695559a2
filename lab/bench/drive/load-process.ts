/** The process that makes the load. It gets one task at a time from `driver.ts` and answers with the result. */
import { type FlowInput, type FlowName, flows } from '../scenarios/flows'
import type { Member } from '../scenarios/world'
import { openCodes } from './codes'
import { type FlowLoad, type LoopResult, loopFlows, loopRequests, type RequestLoad } from './loops'

export type LoadTask =
  | { type: 'requests'; load: RequestLoad }
  | { type: 'flow'; name: FlowName; load: FlowLoad; input: FlowInput }

export interface LoadAnswer {
  result?: LoopResult
  /** Members who signed up. */
  made?: Member[]
  error?: string
}

async function run(task: LoadTask): Promise<LoadAnswer> {
  if (task.type === 'requests') return { result: await loopRequests(task.load) }
  const made: Member[] = []
  openCodes(task.input.codes)
  const flow = flows[task.name]
  const result = await loopFlows(task.load, (client, index) => flow(client, index, task.input, made))
  return { result, made }
}

process.on('message', (task: LoadTask) => {
  run(task).then(
    (answer) => process.send?.(answer),
    (error: unknown) => process.send?.({ error: error instanceof Error ? error.message : String(error) }),
  )
})
process.on('disconnect', () => process.exit(0))
