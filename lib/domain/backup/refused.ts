/** A backup that cannot be made, opened or restored. The message is for the operator. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused'
}
