/** Starts the load process and gives it tasks, one at a time. */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { atEnd } from '../cleanup'
import type { FlowInput, FlowName } from '../scenarios/flows'
import type { Member } from '../scenarios/world'
import type { LoadAnswer, LoadTask } from './load-process'
import type { FlowLoad, LoopResult, RequestLoad } from './loops'

export class Driver {
  readonly #child: ChildProcess

  constructor() {
    this.#child = fork(fileURLToPath(new URL('load-process.ts', import.meta.url)))
    atEnd(() => void this.#child.kill())
  }

  #run(task: LoadTask): Promise<LoadAnswer> {
    return new Promise((resolve, reject) => {
      const failed = () => reject(new Error('the load process ended'))
      this.#child.once('exit', failed)
      this.#child.once('message', (answer: LoadAnswer) => {
        this.#child.off('exit', failed)
        if (answer.error === undefined) resolve(answer)
        else reject(new Error(answer.error))
      })
      this.#child.send(task)
    })
  }

  async requests(load: RequestLoad): Promise<LoopResult> {
    return (await this.#answer({ type: 'requests', load })).result
  }

  /** Runs a flow. Returns the result and the members who signed up. */
  flow(name: FlowName, load: FlowLoad, input: FlowInput): Promise<{ result: LoopResult; made: Member[] }> {
    return this.#answer({ type: 'flow', name, load, input })
  }

  async #answer(task: LoadTask): Promise<{ result: LoopResult; made: Member[] }> {
    const { result, made = [] } = await this.#run(task)
    if (result === undefined) throw new Error('the load process returned no result')
    return { result, made }
  }
}
