/** The route table as types: `'POST /beak/peck/approve'` names an endpoint, and gives the types of what it takes and returns. */
import type { Endpoint, Wire } from '@/lib/http/endpoint'
import type { Routes } from './table'

type Path = keyof Routes & string

/** Method and path of every endpoint. */
export type Line = { [P in Path]: `${keyof Routes[P] & string} ${P}` }[Path]

type EndpointAt<L extends Line> = L extends `${infer M} ${infer P}`
  ? P extends Path
    ? M extends keyof Routes[P]
      ? Routes[P][M]
      : never
    : never
  : never

type WireOf<L extends Line> = EndpointAt<L> extends Endpoint<infer W> ? W : Wire

export type BodyOf<L extends Line> = WireOf<L>['body']
export type QueryOf<L extends Line> = WireOf<L>['query']
export type ResponseOf<L extends Line> = WireOf<L>['response']
