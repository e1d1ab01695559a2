/** The types of the route table: `'POST /beak/peck/approve'` is the name of an endpoint, with the types of its body, query and response. */
import type { Endpoint, Wire } from '@/lib/http/endpoint'
import type { Routes } from './table'

type Path = keyof Routes & string

/** Method and path of an endpoint. */
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
