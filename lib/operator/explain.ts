import { DataDirLocked } from '@/lib/db/embedded/open'
import { BackupRefused } from '@/lib/domain/backup/refused'
import { SecretStillNeeded } from '@/lib/domain/secret-rotation/reseal'
import { ContinueRefused } from '@/lib/domain/tlog/own-checkpoint'
import { DistrustRefused } from '@/lib/infrastructure/keys/distrust'
import { RetirementRefused } from '@/lib/infrastructure/keys/rotate'
import { Failure } from '@/lib/kernel/failures'
import { StartProblem } from '@/lib/kernel/start-problem'
import { CommandRefused, UsageError } from './command'
import { usage } from './help'

const expected = [
  StartProblem,
  RetirementRefused,
  DistrustRefused,
  ContinueRefused,
  SecretStillNeeded,
  CommandRefused,
  BackupRefused,
  Failure,
]

/** Returns the text of an error for the operator: the message of an expected error, the stack of any other. */
export function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\n\n${usage()}`
  if (error instanceof DataDirLocked)
    return `${error.message}\nThat process does not accept commands now. Wait until it has started or stopped, then run the command again. Or stop the server first.`
  if (!(error instanceof Error)) return String(error)
  return expected.some((kind) => error instanceof kind) ? error.message : String(error.stack)
}
