/** Returns a new key for a submission, by which the service counts a repeated submission once. Works on pages without https, too. */
export function newSubmissionKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}
