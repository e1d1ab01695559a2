/** Lines of the route table whose paths are not below `/beak`: what programs look for at fixed addresses, and the probes. */
import * as protectedResourceAt from '../../.well-known/oauth-protected-resource/[...path]/route'
import * as protectedResource from '../../.well-known/oauth-protected-resource/route'
import * as statusList from '../../.well-known/status-list/[n]/route'
import * as tlogCheckpoint from '../../.well-known/tlog/checkpoint/route'
import * as tlogTile from '../../.well-known/tlog/tile/[...path]/route'
import * as tlogVkeys from '../../.well-known/tlog/vkeys/route'
import * as tlogWitnesses from '../../.well-known/tlog/witnesses/route'
import * as healthz from '../../healthz/route'
import * as readyz from '../../readyz/route'
import type { Table } from './serve'

export const outsideBeak = {
  '/.well-known/oauth-protected-resource': protectedResource,
  '/.well-known/oauth-protected-resource/{path}': protectedResourceAt,
  '/.well-known/status-list/{n}': statusList,
  '/.well-known/tlog/checkpoint': tlogCheckpoint,
  '/.well-known/tlog/tile/{path}': tlogTile,
  '/.well-known/tlog/vkeys': tlogVkeys,
  '/.well-known/tlog/witnesses': tlogWitnesses,
  '/healthz': healthz,
  '/readyz': readyz,
} satisfies Table
