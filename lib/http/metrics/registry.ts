/**
 * The metrics of a process (contract E, Metrics for the host). Labels have only values from the code and names of the configuration: nothing of a
 * request or a person, so their number stays the same whatever strangers send.
 */
import { existsSync } from 'node:fs'
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  Registry,
} from 'prom-client'
import { database } from '@/lib/db/client'
import { mayEndWork } from '@/lib/db/service-clock'
import { findHostFacts, type HostFacts } from '@/lib/domain/metrics/read-host-facts'
import { connectionsOpen } from '@/lib/domain/pecks/follow/connection-slots'
import { hasStopped, stepSeconds } from '@/lib/infrastructure/worker/renew'
import { config } from '@/lib/kernel/config'
import { machineOffset, readClock } from '@/lib/kernel/runtime/clock'
import { freeBytes } from '@/lib/kernel/runtime/free-bytes'
import { observe } from '@/lib/kernel/runtime/observer'
import { version } from '@/lib/kernel/service/version'

/** Seconds. Most answers take a few milliseconds, and a long poll up to 30 s. */
const latencyBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** The events that change the state of a peck. */
const peckStates = ['sent', 'approved', 'rejected', 'cancelled', 'expired', 'consumed', 'revoked']

/** The events that begin or end the connection of a program, or refuse one. */
const connectionStates = ['connected', 'connection_refused', 'disconnected']

/** A refused sign-in. Malformed and limited requests are none: nobody has tried a credential. */
const failedSignIn = (status: number) => status >= 400 && status < 500 && status !== 400 && status !== 429

const statusClass = (status: number) => `${Math.floor(status / 100)}xx`

/** Counts the calls and events of this process from now on. */
function countCalls(registry: Registry): void {
  const registers = [registry]
  const requests = new Histogram({
    name: 'beak_request_seconds',
    help: 'Time to answer a call of the API or of the authorization server (oauth.token and others). Calls of the pages are among them. Operation "none": unknown paths and methods.',
    labelNames: ['operation', 'status'],
    buckets: latencyBuckets,
    registers,
  })
  const signIns = new Counter({
    name: 'beak_sign_in_failures_total',
    help: 'Refused sign-ins.',
    labelNames: ['operation'],
    registers,
  })
  const pecks = new Counter({
    name: 'beak_pecks_total',
    help: 'Pecks that this process brought into a state.',
    labelNames: ['state'],
    registers,
  })
  // A counter that begins to exist with its first count has no rate then.
  for (const state of peckStates) pecks.inc({ state }, 0)
  const connections = new Counter({
    name: 'beak_connections_total',
    help: 'Programs that people connected, refused or disconnected by OAuth in this process.',
    labelNames: ['state'],
    registers,
  })
  for (const state of connectionStates) connections.inc({ state }, 0)
  for (const operation of ['signIn', 'signInWithPasskey']) signIns.inc({ operation }, 0)
  observe({
    call: ({ operationId, attempt }, status, milliseconds) => {
      requests.observe({ operation: operationId, status: statusClass(status) }, milliseconds / 1000)
      if (attempt === 'session.started' && failedSignIn(status)) signIns.inc({ operation: operationId })
    },
    event: (kind) => {
      const [group, state = ''] = kind.split('.')
      if (group === 'peck' && peckStates.includes(state)) pecks.inc({ state })
      if (group === 'agent' && connectionStates.includes(state)) connections.inc({ state })
    },
  })
}

type Read = (gauge: Gauge, facts: HostFacts | null) => void

/** Adds a gauge that is read when the metrics are. Facts of the database are the same in every process, so their largest value counts. */
function addGauge(registry: Registry, name: string, help: string, labelNames: string[], read: Read): void {
  const options: GaugeConfiguration<string> = {
    name,
    help,
    labelNames,
    registers: [registry],
    aggregator: 'max',
  }
  new Gauge({
    ...options,
    async collect() {
      const facts = await findHostFacts(readClock())
      this.reset()
      read(this, facts)
    },
  })
}

function addFacts(registry: Registry): void {
  const add = addGauge.bind(null, registry)
  // The smallest: one process without the database is worth knowing.
  new Gauge({
    name: 'beak_database_up',
    help: 'Whether the database answered within two seconds. Without it, what is read from it is missing.',
    registers: [registry],
    aggregator: 'min',
    async collect() {
      this.set((await findHostFacts(readClock())) === null ? 0 : 1)
    },
  })
  const queues = ['queue']
  add(
    'beak_queue_length',
    'What waits, at most 10,000 of each kind. Queue "log": entries not yet in the transparency log.',
    queues,
    (gauge, facts) => {
      for (const { name, length } of facts?.queues ?? []) gauge.set({ queue: name }, length)
      if (facts !== null) gauge.set({ queue: 'log' }, facts.log.entries)
    },
  )
  add(
    'beak_queue_oldest_seconds',
    'Seconds since the oldest message should have been sent. Queue "log": since its oldest entry was made.',
    queues,
    (gauge, facts) => {
      for (const { name, overdueSeconds } of facts?.queues ?? []) gauge.set({ queue: name }, overdueSeconds)
      if (facts !== null) gauge.set({ queue: 'log' }, facts.log.seconds)
    },
  )
  add('beak_queue_given_up', 'Messages that were given up in the last hour.', queues, (gauge, facts) => {
    for (const { name, givenUp } of facts?.queues ?? []) gauge.set({ queue: name }, givenUp)
  })
  add('beak_pecks_pending', 'Pecks that wait for a decision, at most 10,000.', [], (gauge, facts) => {
    if (facts !== null) gauge.set(facts.pendingPecks)
  })
  add('beak_connections', 'Programs that are connected by OAuth, at most 10,000.', [], (gauge, facts) => {
    if (facts !== null) gauge.set(facts.connections)
  })
  add(
    'beak_backup_age_seconds',
    'Seconds since the newest backup with the command of the operator. Missing when there is none.',
    [],
    (gauge, facts) => {
      const backupAt = facts?.backupAt ?? null
      if (backupAt !== null) gauge.set((readClock().getTime() - backupAt.getTime()) / 1000)
    },
  )
  const witnesses = ['witness']
  add(
    'beak_witness_behind_seconds',
    'Seconds since the first checkpoint that a witness has not cosigned.',
    witnesses,
    (gauge, facts) => {
      for (const { name, behindSeconds } of facts?.witnesses ?? [])
        gauge.set({ witness: name }, behindSeconds)
    },
  )
  add(
    'beak_witness_cosignature_age_seconds',
    'Seconds since the newest cosignature of a witness. Missing before the first.',
    witnesses,
    (gauge, facts) => {
      for (const { name, ageSeconds } of facts?.witnesses ?? [])
        if (ageSeconds !== null) gauge.set({ witness: name }, ageSeconds)
    },
  )
}

function addProcess(registry: Registry): void {
  const registers = [registry]
  new Gauge({
    name: 'beak_worker_step_seconds',
    help: 'Seconds that a step of the worker has been running. 0 between its turns.',
    labelNames: ['step'],
    registers,
    aggregator: 'max',
    collect() {
      for (const [step, seconds] of stepSeconds(readClock())) this.set({ step }, seconds)
    },
  })
  new Gauge({
    name: 'beak_worker_stopped',
    help: 'Whether the worker of a process was stopped or has claimed nothing for a minute.',
    registers,
    aggregator: 'max',
    collect() {
      this.set(hasStopped(readClock()) ? 1 : 0)
    },
  })
  new Gauge({
    name: 'beak_info',
    help: 'The version that runs. Always 1.',
    labelNames: ['version'],
    registers,
    aggregator: 'first',
  }).set({ version }, 1)
  new Gauge({
    name: 'beak_database_connections',
    help: 'Connections of the pool: in use, idle, and requests that wait for one.',
    labelNames: ['state'],
    registers,
    collect() {
      const { totalCount, idleCount, waitingCount } = database().pool
      this.set({ state: 'in_use' }, totalCount - idleCount)
      this.set({ state: 'idle' }, idleCount)
      this.set({ state: 'waiting' }, waitingCount)
    },
  })
  new Gauge({
    name: 'beak_disk_free_bytes',
    help: 'Bytes that are free for the data folder. Missing while there is no folder.',
    registers,
    aggregator: 'min',
    collect() {
      const { dataDir } = config()
      if (existsSync(dataDir)) this.set(freeBytes(dataDir))
      else this.reset()
    },
  })
  new Gauge({
    name: 'beak_clock_offset_seconds',
    help: 'Seconds that the clock of this machine is ahead of the clock of the database, which the service uses. Negative when it is behind.',
    registers,
    aggregator: 'first',
    collect() {
      this.set(machineOffset())
    },
  })
  new Gauge({
    name: 'beak_clock_unsettled',
    help: 'Whether a process ends nothing by time, because its clock has jumped or two measurements do not agree.',
    registers,
    aggregator: 'max',
    collect() {
      this.set(mayEndWork(database()) ? 0 : 1)
    },
  })
  new Gauge({
    name: 'beak_open_connections',
    help: 'Open event streams and long polls.',
    registers,
    collect() {
      this.set(connectionsOpen())
    },
  })
}

/** Makes the metrics of this process, which counts from now on. With several processes, the primary one asks for them. */
export function makeRegistry(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  countCalls(registry)
  addFacts(registry)
  addProcess(registry)
  return registry
}

/** Makes the metrics of one of several processes. They are sent to the primary process when it asks. */
export function reportToPrimary(): void {
  AggregatorRegistry.setRegistries(makeRegistry())
  new AggregatorRegistry()
}

/** Returns a function that asks all processes for their metrics and adds them up. Call it in the primary process. */
export function gatherFromProcesses(): () => Promise<string> {
  const gathered = new AggregatorRegistry()
  return () => gathered.clusterMetrics()
}
