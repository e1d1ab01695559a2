/**
 * Commands of shells, databases and command lines of the cloud that destroy, force something or give control. A list of patterns cannot be
 * complete: a text that merely looks like a command is never a low risk.
 */

/** Options between a program and what it does: `kubectl -n shop delete`. It takes linear time: a value does not begin with a dash. */
const options = String.raw`(?:\s+-[\w-]+(?:[= ](?!-)[\w./:-]+)?)*`

const dangerous = [
  // Files and disks
  String.raw`\brm\s+(?:\S+\s+)*-{1,2}(?:\w*[rf]\w*|recursive|force|no-preserve-root)(?![\w-])`,
  String.raw`\brm\s+(?:-\S+\s+)*(?:/|~|\*|\.\.?(?:/|\s|$)|\$)`,
  String.raw`\bfind\s.*\s-(?:delete|exec\s+rm)\b`,
  String.raw`\b(?:shred|wipefs|mkfs(?:\.\w+)?|fdisk|diskpart)\s+\S`,
  String.raw`\bdd\s.*\bof=`,
  String.raw`>\s*/dev/(?:sd|nvme|disk|hd|vd)`,
  String.raw`\b(?:rd|rmdir|del|erase)\s+(?:\S+\s+)*/[sqf]\b`,
  String.raw`\bformat\s+[a-z]:`,
  String.raw`\bremove-item\b.*\s-(?:recurse|force)`,
  String.raw`\b(?:shutil\.rmtree|fs\.rm(?:sync|dir)?|os\.(?:remove|unlink|rmdir)|rimraf|unlinksync)\b`,
  String.raw`\btruncate\s+(?:-s|--size)`,
  String.raw`\bunlink\s*\(?|\b(?:lvremove|vgremove|pvremove|blkdiscard|(?:zfs|zpool)\s+destroy)\b`,
  String.raw`\bxargs\b.*\brm\b|\bmv\s.*\s/dev/null`,
  // Databases
  String.raw`\bdrop\s+(?:table|database|schema|user|role|index|view|column|collection|keyspace|tablespace|trigger|sequence|materialized)\b`,
  String.raw`\bdelete\s+from\b`,
  String.raw`\btruncate\s+(?:table\s+)?["\x60\w.]+`,
  String.raw`\balter\s+table\b.*\bdrop\b`,
  String.raw`\bupdate\s+["\x60\w.]+\s+set\b(?!.*\bwhere\b)`,
  String.raw`\bgrant\s+[\w ,]+\s+(?:on|to)\b`,
  String.raw`\balter\s+(?:user|role)\b`,
  String.raw`\bdetach\s+delete\b`,
  String.raw`\b(?:dropdatabase|deletemany|flushall|flushdb|drop_all)\b`,
  String.raw`\.(?:drop|remove|deletemany)\(\s*(?:\{\s*\})?\s*\)`,
  // Version control
  String.raw`\bgit\b${options}\s+push\b.*\s(?:-\w*f\w*|-d|--delete|--mirror|--force[\w-]*|\+\S+|:\S+)(?![\w-])`,
  String.raw`\bgit\b${options}\s+(?:reset\s.*--hard|clean\s+-\w*f|checkout\s+(?:--\s+)?\.(?:\s|$)|filter-branch|filter-repo|reflog\s+expire)`,
  // Clouds and containers
  String.raw`\b(?:terraform|tofu|pulumi|cdk|terragrunt)\b${options}\s+(?:destroy|apply\s.*-(?:destroy|auto-approve)|state\s+rm|run-all\s+destroy)\b`,
  String.raw`\b(?:kubectl|oc)\b${options}\s+(?:delete|drain|cordon|replace\s.*--force|scale\s.*--replicas[= ]0)\b`,
  String.raw`\bhelm\b${options}\s+(?:uninstall|delete|rollback)\b`,
  String.raw`\b(?:docker|podman)(?:-compose)?\s+(?:\w+\s+)?(?:prune|rm\s+-\w*f|rmi\s+-\w*f|kill|volume\s+rm|system\s+prune|down\s.*(?:-v|--volumes))`,
  String.raw`\baws\s.*\b(?:delete-[\w-]+|terminate-[\w-]+|rb\b|s3\s+rm|remove-[\w-]+|deregister-[\w-]+|put-(?:bucket|user|role)-policy|attach-[\w-]+-policy)`,
  String.raw`\b(?:gcloud|gsutil|az|doctl|heroku|flyctl|vercel|netlify|firebase|wrangler|supabase|eksctl|linode-cli)\s.*\b(?:delete|destroy|remove|rm|purge|reset)\b`,
  String.raw`\b(?:dropdb|dropuser|prisma\s+migrate\s+reset|rake\s+db:drop|rails\s+db:(?:drop|reset)|artisan\s+migrate:fresh|manage\.py\s+flush)\b`,
  String.raw`\b(?:cluster)?rolebinding\b|\badd-iam-policy-binding\b|\broles/(?:owner|editor)\b`,
  String.raw`\b(?:vagrant|ansible|multipass)\s.*\b(?:destroy|delete)\b`,
  // Programs from the network, and programs inside of others
  String.raw`\b(?:curl|wget|fetch|iwr|irm|invoke-webrequest|invoke-restmethod)\b.*\|\s*(?:\S*/)?(?:sudo\s+)?(?:env\s+)?(?:\S*/)?(?:ba|z|da|k|c|fi)?(?:sh|iex|python3?|perl|ruby|node|php|invoke-expression)\b`,
  String.raw`\b(?:ba|z|da|k)?sh\s+(?:-c\s+)?["']?(?:<\(|\$\(|\x60)\s*(?:curl|wget)`,
  String.raw`\b(?:source|\.|eval)\s+["']?(?:<\(|\$\(|\x60)\s*(?:curl|wget)`,
  String.raw`\bbase64\s+(?:-d|-D|--decode)\b.*\|\s*(?:\S*/)?(?:ba|z)?sh\b`,
  String.raw`\b(?:iex|invoke-expression)\b`,
  String.raw`\b(?:curl|wget)\s.*(?:&&|;)\s*(?:sudo\s+)?(?:ba|z|da|k)?sh\s`,
  '/dev/tcp/',
  String.raw`\b(?:nc|ncat|netcat)\s.*-\w*[ec]\w*\s`,
  String.raw`:\s*\(\s*\)\s*\{.*\}\s*;\s*:`,
  // Machines, rights and safeguards
  String.raw`\bsudo\b|\bdoas\b|\bsu\s+-`,
  String.raw`\bchmod\s+(?:-\w+\s+)*(?:0?777|a?\+s|u\+s|[ago]*\+w|4\d{3})\b`,
  String.raw`\bchown\s+-\w*R`,
  String.raw`\b(?:kill\s+-(?:9|KILL|SIGKILL)|killall|pkill|taskkill)\b`,
  String.raw`(?:^|[;&|]\s*)(?:(?:shutdown|reboot|halt|poweroff)(?:\s+(?:-|now)|\s*$)|init\s+[06]\b)`,
  String.raw`\bsystemctl\s+(?:stop|disable|mask)\b`,
  String.raw`\b(?:iptables\s+-F|ufw\s+(?:disable|reset)|setenforce\s+0|nft\s+flush)\b`,
  String.raw`\b(?:userdel|usermod|useradd|deluser|visudo|passwd|chpasswd|net\s+user|history\s+-c|crontab\s+-r)\b`,
  String.raw`\bset-executionpolicy\b`,
  String.raw`authorized_keys|/etc/(?:shadow|sudoers|passwd)|\.ssh/id_|\.aws/credentials|\.kube/config|(?:^|[\s/])\.env(?:\s|$|\.)|\bprintenv\b`,
  String.raw`169\.254\.169\.254|metadata\.google\.internal`,
  String.raw`\b(?:0\.0\.0\.0/0|::/0)(?![\d/])`,
  // Options that force
  String.raw`(?<![\w-])--(?:force[\w-]*|no-verify|hard|yes-i-really-mean-it|no-preserve-root|purge|prune|skip-checks?|no-backup|allow-unauthenticated|insecure|privileged|dangerously[\w-]*|disable-[\w-]*(?:protection|verification)|accept-data-loss)(?![\w])`,
  String.raw`(?<![\w-])-(?:rf|fr|Rf|fR)(?![\w-])`,
].map((pattern) => new RegExp(pattern, 'isu'))
/** Capital letters count here: `git branch -d` deletes only what is merged. */
const patterns: readonly RegExp[] = [...dangerous, /\bgit\s+branch\s+-D/u]

/** What hides the words of a command from a reader and not from a program. */
const disguise = {
  comment: /\/\*.*?\*\/|--[^\S\n]*\n/gs,
  /** A variable that a shell replaces by a space, and what it removes: `r\m`, `"rm"`, `rm$@`. */
  shellSpace: /\$\{?IFS\}?(?:\$\d)?|\\\n/g,
  quoting: /\\(?=[a-z])|(?<=[a-z])["']{2}(?=[a-z])|\$@/gi,
  quotedWord: /(^|[\s;&|(=])(["'])([\w./:-]+)\2/g,
}

/**
 * Returns the program of a command, and the plain word after it: "git push", "rm -rf", "DROP TABLE". Everything else may be a secret in a form
 * that nobody knows: a password after `-u`, a header.
 */
export function programOf(command: string): string {
  const [program] = /^\W{0,4}[\w./-]{0,24}(?:\s+-{0,2}[a-z]{1,16}(?!\S))?/i.exec(
    command.replace(/^[\s;&|]+/, ''),
  ) ?? ['']
  return program.trim()
}

const download =
  /\b(?:curl|wget|fetch|iwr|irm|invoke-webrequest)\b[^\n]*\|\s*(sudo\s+)?(?:\S*\/)?(?:(?:ba|z|da|k|c|fi)?sh|iex|python3?|perl|ruby|node|php)\b/i

/** Whether a text pipes what it downloads into a program that runs it, and by whose rights. */
export function runsDownload(text: string): 'user' | 'administrator' | null {
  const found = download.exec(text)
  if (found === null) return null
  return found[1] === undefined ? 'user' : 'administrator'
}

/** One word that no pattern can match: a date, an id, most names. Saves the patterns for texts that can be a command. */
const plainWord =
  /^(?!.*(?:sudo|doas|kill|user|passwd|iex|invoke|printenv|rimraf|authorized|binding|drop|delete|flush|shutdown|reboot|halt|poweroff|remove|execution|unlink|blkdiscard|metadata|env|history|169\.254|0\.0\.0|::|--|-rf|-fr))[\p{L}\p{N}_.:+@-]*$/iu

/** Returns the program of the dangerous command in a text, or null. */
export function dangerousCommand(text: string): string | null {
  if (plainWord.test(text)) return null
  const plain = text
    .replace(disguise.comment, ' ')
    .replace(disguise.shellSpace, ' ')
    .replace(disguise.quoting, '')
    .replace(disguise.quotedWord, '$1$3')
    .replace(/[^\S\n]+/g, ' ')
  for (const form of new Set([text, plain]))
    for (const pattern of patterns) {
      const [found] = pattern.exec(form) ?? []
      if (found !== undefined) return programOf(found)
    }
  return null
}

const programs =
  'apt aws bash cargo chmod chown cp curl dd deno docker gcloud git helm kubectl ls mkdir mv npm npx pip pnpm podman powershell psql pwsh python3 rm rsync scp sed sh ssh systemctl tar terraform wget yarn zsh'
const commandText = new RegExp(
  String.raw`^\s*(?:\S*/)?(?:${programs.replaceAll(' ', '|')})(?:\s+\S|$)|^\s*(?:select|insert|update|create|alter|merge|exec|vacuum)\s.*\b(?:from|into|set|table|database|view|as|function|index)\b|[|;&]{1,2}\s*(?:${programs.replaceAll(' ', '|')})\s|[;&|]\s*\w+\s+[/.~-]|\x60[^\x60]+\x60|\$\(|^#!`,
  'isu',
)
const commandName =
  /(^|_)(argv|bash|cmd|code|command|cypher|exec|executable|expression|graphql|gremlin|mutation|powershell|program|script|shell|sql|statement|stdin)s?(_|$)/
/** Codes that are no program. */
const codeName =
  /(^|_)(area|bar|booking|color|country|coupon|currency|error|language|post|postal|promo|qr|status|zip)_?code/

/** Whether a value looks like a command, by the name of its param in snake case or by its text. */
export function looksLikeCommand(name: string, text: string): boolean {
  return (commandName.test(name) && !codeName.test(name)) || commandText.test(text)
}
