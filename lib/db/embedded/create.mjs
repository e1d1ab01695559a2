/**
 * Creates the files of the embedded database in the folder that the first argument names, and ends. A process that creates them keeps
 * 500 MiB more memory than one that opens them, so a process of its own does it.
 */
import { PGlite } from '@electric-sql/pglite'

const database = await PGlite.create(/** @type {string} */ (process.argv[2]))
await database.close()
