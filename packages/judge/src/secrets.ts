/** Files and variables that hold secrets, and their masks. */

import { hiddenSecret, hideSecrets, isSecretName } from '@beak/decision/secret-values'

/** Names of files that usually hold secrets, below any folder. */
const secretFile =
  /(?:^|\/)(?:\.env(?:\.(?!(?:example|sample|template|dist|defaults?|schema)$)[\w.-]+)?|\.envrc|\.netrc|_netrc|\.npmrc|\.pypirc|\.pgpass|\.my\.cnf|\.git-credentials|\.vault-token|\.htpasswd|id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|[\w.-]+\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|tfstate|tfvars)|credentials(?:\.(?:json|ya?ml|toml|db|ini|csv))?|\.credentials\.json|secrets?\.(?:json|ya?ml|toml|env|ini)|service[-_]account[\w.-]*\.json|wallet\.dat|auth\.json|Login Data|Cookies|logins\.json|key[34]\.db|\.(?:bash|zsh|python|node_repl|psql|mysql)_history)$/
/** Folders that hold secrets. */
const secretFolder =
  /(?:^|\/)(?:\.ssh\/(?!(?:known_hosts|config|[\w.-]+\.pub)$)|\.ssh$|\.aws(?:\/|$)|\.azure(?:\/|$)|\.gnupg(?:\/|$)|\.password-store(?:\/|$)|\.kube(?:\/config|$)|\.docker\/config\.json|\.config\/(?:gcloud|gh\/hosts\.yml|op|sops|age|rclone|beak)(?:\/|$)|Library\/Keychains(?:\/|$)|\.local\/share\/keyrings(?:\/|$)|\.mozilla(?:\/|$)|\.config\/(?:google-chrome|chromium)(?:\/|$))|^\/etc\/(?:g?shadow|sudoers|ssl\/private|ssh\/ssh_host\w+key)|^\/proc\/[^/]+\/(?:environ|mem|maps)$|^\/(?:run|var\/run)\/secrets(?:\/|$)/
/** Files with such names in packages and tests hold nothing secret. */
const noSecret = /(?:^|\/)(?:node_modules|testdata|fixtures?|__fixtures__)\//

/** Whether an absolute path names a file or a folder of secrets. */
export const isSecretPath = (path: string): boolean =>
  secretFolder.test(path) || (secretFile.test(path) && !noSecret.test(path))

/** Names that a pattern of files is compared with. */
const examples = [
  '.env',
  '.env.local',
  '.env.production',
  '.npmrc',
  '.netrc',
  'id_rsa',
  'id_ed25519',
  'credentials',
  '.git-credentials',
  '.pgpass',
  'server.pem',
  'private.key',
  'secrets.yml',
  'shadow',
]
const exampleFolders = ['', '.ssh/', '.aws/', '.gnupg/', '.kube/', 'etc/']

/** Whether a pattern of the shell, such as `.e*` or `~/.s*​/id_*`, can name a file of secrets. */
export function canMatchSecret(pattern: string): boolean {
  const parts = pattern.split('/')
  const name = parts.at(-1) ?? ''
  const above = parts.at(-2) ?? ''
  if (!/[*?[]/.test(name) && !/[*?[]/.test(above)) return false
  return exampleFolders.some((folder) =>
    examples.some((example) => {
      const path = `${folder}${example}`
      if (!isSecretPath(`/home/somebody/${path}`) && path !== 'etc/shadow') return false
      // `*` alone names every file that does not begin with a dot: asking about it would ask about all of them.
      if (/^\**(?:\.\*)?$/.test(name) && !name.startsWith('.'))
        return folder !== '' && matches(above, folder.slice(0, -1)) && above !== '*'
      return matches(name, example) && (folder === '' || matches(above, folder.slice(0, -1)))
    }),
  )
}

/** Compares a name with a pattern of the shell. `*` does not name files that begin with a dot. */
function matches(pattern: string, name: string): boolean {
  if (name.startsWith('.') && !/^(?:\.|\[\.|\\\.)/.test(pattern)) return false
  const source = pattern
    .replace(/[.+^${}()|\\]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replace(/\?/g, '.')
    .replace(/\[!/g, '[^')
  try {
    return new RegExp(`^${source}$`).test(name)
  } catch {
    return true
  }
}

/** Whether a variable of the environment usually holds a secret. */
export const isSecretVariable = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && isSecretName(name)

/** What stands where a secret would be, in examples and in code that reads one. */
const placeholder =
  /example|your|change|placeholder|x{4}|test|dummy|fake|sample|redacted|process\.|environ|getenv|secrets\.|\$\{|\$\(|\{\{|<|\(|\.\.\.|•|localhost|postgres:postgres|user:pass/i

/** Whether a text has a secret that looks real: long, and of letters and digits as chance makes them. */
export function hasRealSecret(text: string): boolean {
  const masked = hideSecrets(text)
  if (masked === text) return false
  const steps = alignment(text, masked)
  return steps.some(({ from, length }, index) => {
    const hidden = text.slice(from + length, steps[index + 1]?.from ?? text.length)
    const [, , value = hidden] = /^([\w-]*\s?[=:]\s?["'`]?)(.*)$/s.exec(hidden) ?? []
    if (placeholder.test(hidden) || value.length < 16) return false
    return new Set(value).size >= 10 && /\d/.test(value) && /[a-z]/i.test(value)
  })
}

/** Where a secret stands after the name of an option or a variable. */
const named =
  /(?<![\w])(?:--?[\w-]*(?:password|passwd|passphrase|secret|token|api-?key|access-?key|credential)[\w-]*(?:[= ]+)|(?:\w*(?:PASSWORD|PASSWD|PASS|SECRET|TOKEN|API_?KEY|ACCESS_KEY|PRIVATE_KEY)\w*)=)(["']?)([^\s"']{3,})\1/gi
const user = /(?<=\s(?:-u|--user)[= ]?["']?[\w.@-]{1,64}:)[^\s"']+/g

/** A text with its secrets masked, and the place of each offset of the original in it. */
export interface Masked {
  text: string
  place(offset: number): number
}

/** Masks the secrets of a command. Values of variables, such as `$TOKEN`, are no secrets: they stay. */
export function mask(command: string): Masked {
  const first = hideSecrets(command)
  const text = first
    .replace(named, (whole, _quote: string, value: string) =>
      value.startsWith('$') || value.startsWith('-') ? whole : whole.replace(value, hiddenSecret),
    )
    .replace(user, (value) => (value.startsWith('$') ? value : hiddenSecret))
  if (text === command) return { text, place: (offset) => offset }
  const steps = alignment(command, text)
  return {
    text,
    place: (offset) => {
      const step = steps.filter(({ from }) => from <= offset).at(-1)
      return step === undefined
        ? offset
        : Math.min(step.to + Math.min(offset - step.from, step.length), text.length)
    },
  }
}

/** Finds the parts that both texts have. */
function alignment(original: string, masked: string) {
  const steps: { from: number; to: number; length: number }[] = []
  let [from, to] = [0, 0]
  for (const part of masked.split(hiddenSecret)) {
    const at = original.indexOf(part, from)
    if (at >= 0) {
      steps.push({ from: at, to, length: part.length })
      from = at + part.length
    }
    to += part.length + hiddenSecret.length
  }
  return steps
}
