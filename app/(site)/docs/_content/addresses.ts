/** The address and the version of the service in the documentation. */
import { insecureReason, mayInstall } from '@/lib/kernel/client-packages'
import { config } from '@/lib/kernel/config'
import { version } from '@/lib/kernel/version'

/** The address of the service in the files. Pages show the address of this service. */
const writtenUrl = 'https://beak.example'

/** A line that installs or runs a package of this service. */
const command = /^.*\b(?:npm|pnpm|npx|pip|uv)\b.*https:\/\/beak\.example\/clients\/.*$/gm

/**
 * Returns a text with the address and the version of this service instead of `https://beak.example` and `{{version}}`. A command that
 * installs a package from here is left out when this service has no https.
 */
export function fillAddresses(text: string): string {
  const { baseUrl } = config()
  const shown = mayInstall(baseUrl) ? text : text.replace(command, `# ${insecureReason}`)
  return shown.replaceAll('{{version}}', version).replaceAll(writtenUrl, baseUrl)
}
