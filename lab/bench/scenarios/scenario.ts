import type { Client, HttpRequest } from '../drive/connection'
import type { FlowName } from './flows'
import type { World } from './world'

/** What a reference server needs for its scenarios. */
export interface ReferenceWorld {
  tokens: string[]
  apiKeys: string[]
  addresses: string[]
}

interface Named {
  /** Unique among the scenarios of one server. */
  name: string
  title: string
}

/** Single requests, sent in turn on all connections. */
export interface RequestScenario<W> extends Named {
  kind: 'requests'
  /** Called before each run, because some tokens live for minutes only. */
  requests: (world: W, client: Client) => HttpRequest[] | Promise<HttpRequest[]>
  /** The status of a good answer. Default: 200. */
  status?: number
}

/** Several requests that belong together. */
export interface FlowScenario extends Named {
  kind: 'flow'
  flow: FlowName
  /** Requests in one flow. */
  requestCount: number
}

export type BeakScenario = RequestScenario<World> | FlowScenario
export type ReferenceScenario = RequestScenario<ReferenceWorld> | FlowScenario
