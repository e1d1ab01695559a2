/**
 * The mark of a restore that has not finished. It is set before the restore writes anything else, and taken away when all rows are there. No
 * service starts while it is there: it would start without the data, as if it were new. In an embedded database the mark is a file beside the
 * folder of the database, because the files of the database come later. In PostgreSQL it is a function.
 */
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '@/lib/kernel/runtime/durable-file'
import { folderProblem, StartProblem } from '@/lib/kernel/service/start-problem'
import { lockDataDir } from './embedded/open'

/** The name of the function. It is no table, because the engine of the migrations takes only a database without tables. */
export const restoreMark = 'beak_restore_unfinished'

const markPath = (dataDir: string) => join(dataDir, 'restore-unfinished')

const content = (backup: string) =>
  `The backup ${backup} is being restored into this folder. No service starts here until that has finished.\n`

/** Returns whether a restore into the embedded database of a data folder has begun and has not finished. */
export function isRestoring(dataDir: string): boolean {
  return existsSync(markPath(dataDir))
}

/** Locks a data folder for this process and marks it. Throws `StartProblem`, even when another process uses the folder. */
export async function markFolder(dataDir: string, backup: string): Promise<void> {
  try {
    await lockDataDir(dataDir)
    await replaceFile(markPath(dataDir), content(backup))
  } catch (error) {
    throw folderProblem(dataDir, error)
  }
}

/** Takes the mark of a folder away. */
export function unmarkFolder(dataDir: string): Promise<void> {
  return rm(markPath(dataDir), { force: true })
}

/** Throws `StartProblem` when a restore into a data folder has not finished. */
export function requireFinishedFolder(dataDir: string): void {
  if (!isRestoring(dataDir)) return
  throw new StartProblem(
    `A backup was being restored into ${dataDir}, and that did not finish. If it is still running, wait. If it was stopped, delete the folder ${join(dataDir, 'db')} if it is there, and run restore again. To start an empty service instead, also delete the file ${markPath(dataDir)}.`,
  )
}
