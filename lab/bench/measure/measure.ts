/** Measures one run: the load process works, and the CPU time of the server and of its database is read before and after. */
import type { LoopResult } from '../drive/loops'
import type { Measured } from '../rows'
import type { Postgres } from '../servers/postgres'
import type { Server } from '../servers/server'
import { cpuBetween, cpuOf, processTree, residentMiB } from './processes'

export interface MeasuredRun {
  measured: Measured
  result: LoopResult
}

async function databaseCpu(server: Server, postgres: Postgres | null): Promise<Map<number, number>> {
  if (server.databaseUrl === null || postgres === null) return new Map()
  return cpuOf(await postgres.backends(server.databaseUrl))
}

/** Runs `load` and returns its result with the figures of the server. */
export async function measure(
  server: Server,
  postgres: Postgres | null,
  load: () => Promise<LoopResult>,
): Promise<MeasuredRun> {
  const database = await databaseCpu(server, postgres)
  const before = cpuOf(processTree(server.pid))
  const result = await load()
  const used = cpuBetween(before, cpuOf(processTree(server.pid)))
  const databaseUsed = cpuBetween(database, await databaseCpu(server, postgres))
  const perUnit = (seconds: number) => (seconds * 1000) / result.count
  return {
    result,
    measured: {
      rate: result.count / result.seconds,
      p50: result.p50,
      p99: result.p99,
      serverCpu: perUnit(used),
      databaseCpu: perUnit(databaseUsed),
      resident: residentMiB(server.pid),
      errors: result.errors,
    },
  }
}
