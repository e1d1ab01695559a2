/** Prepares the database that the servers of the tests start on, which spares them most of their start. */
import { migratedTemplate } from '@/lib/fixtures/data-folder'

export default async function setup(): Promise<void> {
  process.env.E2E_TEMPLATE = await migratedTemplate()
}
