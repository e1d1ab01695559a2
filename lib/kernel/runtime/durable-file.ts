/** Replaces files so that a crash leaves either the old or the new content. */
import { open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Replaces a file, readable by its owner only. Resolves when the new content would survive a power cut. */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  const draft = `${path}.new`
  // Removed first, because the mode applies only to a file that `open` creates.
  await rm(draft, { force: true })
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Returns the content of a file, or null when there is no such file. */
export async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
