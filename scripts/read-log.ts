/** Reads the files of a transparency log for `audit:verify`: over HTTP, or from a folder with a copy. */
import { join } from 'node:path'
import type { ReadLogFile } from '@beak/client/verify/log/authenticated-tiles'
import { remoteLog } from '@beak/client/verify/log/remote-log'
import { readIfThere } from '@/lib/kernel/durable-file'

/** Returns a reader of the files of a log at a URL or in a folder. It returns null for a missing file and throws other errors. */
export function logReader(place: string): ReadLogFile {
  return /^https?:\/\//.test(place) ? remoteLog(place) : (path) => readIfThere(join(place, path))
}
