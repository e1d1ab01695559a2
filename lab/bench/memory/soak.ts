/** `npm run bench -- soak`: the resident memory while the same scenarios run again and again. It must stop growing. */
import { Driver } from '../drive/driver'
import { residentMiB } from '../measure/processes'
import { median } from '../measure/statistics'
import { format, table } from '../report'
import { startBeak } from '../servers/beak'
import { freePort } from '../servers/free-port'
import { openPostgres } from '../servers/postgres'
import { settings } from '../settings'
import { beakSubject } from '../subjects'
import { everything, load } from './memory'

/** Lines of the printed table. */
const parts = 10

/** Prints the memory over time, and by how much the last third is above the third before. */
export async function soak(): Promise<void> {
  const { minutes } = settings.soak
  const postgres = await openPostgres()
  const databaseUrl = (await postgres?.createDatabase('soak')) ?? null
  const server = await startBeak({ name: 'beak-soak', port: await freePort(), databaseUrl })
  const driver = new Driver()
  const samples: number[] = []
  const started = performance.now()
  const partMs = (minutes * 60_000) / parts
  const lines: string[][] = [['0', format(residentMiB(server.pid)), '']]
  for (let part = 1; part <= parts; part++) {
    const before = samples.length
    // Approving an agent needs a sign-in of the last ten minutes, so each part has new people.
    const subject = await beakSubject(driver, server)
    while (performance.now() - started < part * partMs) {
      await load(subject, driver, everything)
      samples.push(residentMiB(server.pid))
    }
    const own = samples.slice(before)
    const line = [format((part * minutes) / parts), format(median(own)), format(Math.max(...own))]
    process.stderr.write(`${line.join('  ')}\n`)
    lines.push(line)
  }
  await server.stop()
  const third = Math.floor(samples.length / 3)
  const [middle, last] = [samples.slice(third, 2 * third), samples.slice(2 * third)].map(median)
  process.stdout.write(
    `\n## Resident memory over ${minutes} minutes\n\n${table(['minute', 'MiB', 'at most'], lines)}\n` +
      `The median of the last third is ${format((last ?? 0) - (middle ?? 0))} MiB above that of the second third.\n`,
  )
}
