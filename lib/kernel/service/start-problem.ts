/** What prevents the start and a person can mend. The message says what to do, and is printed without a stack. */
export class StartProblem extends Error {
  override name = 'StartProblem'
}

/** Lists every fault of the environment. */
export class ConfigurationError extends StartProblem {
  override readonly name = 'ConfigurationError'

  constructor(readonly faults: string[]) {
    super(
      `The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
    )
  }
}

/** What to do about an error of the file system, by its code. Others are faults of the program. */
const remedies: Readonly<Record<string, string>> = {
  EACCES: 'Give the user of this process write permission there, or set DATA_DIR to another folder.',
  EPERM: 'Give the user of this process write permission there, or set DATA_DIR to another folder.',
  EROFS: 'The file system is read-only. Set DATA_DIR to a folder on a disk that can be written.',
  ENOSPC: 'The disk is full. Free some space, or set DATA_DIR to a folder on another disk.',
  EDQUOT: 'The quota of the disk is used up. Free some space, or set DATA_DIR to a folder on another disk.',
  ENOTDIR: 'A part of this path is a file. Set DATA_DIR to a folder.',
  EEXIST: 'A part of this path is a file. Set DATA_DIR to a folder.',
  ENOENT: 'Nobody can make this folder. Set DATA_DIR to a folder on a disk.',
}

/** Returns an error of the file system as a `StartProblem` that names the data folder and what to do, and any other error as it is. */
export function folderProblem(dataDir: string, error: unknown): unknown {
  const { code = '', syscall } = error as NodeJS.ErrnoException
  // A program that cannot be started has these codes too, and says nothing about the folder.
  const isOfFiles = syscall !== undefined && !syscall.startsWith('spawn')
  const remedy = isOfFiles ? remedies[code] : undefined
  return remedy === undefined
    ? error
    : new StartProblem(`The data folder ${dataDir} cannot be written (${code}). ${remedy}`, { cause: error })
}
