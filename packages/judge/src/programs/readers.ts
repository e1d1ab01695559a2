/** Programs that read, search and print. Some of them have options that write or run something else. */

import { askSecret, checkRead, checkRemove, checkWrite } from '../files'
import { isSecretVariable } from '../secrets'
import { readOptions } from '../shell/options'
import { type Word, wordOf } from '../shell/words'
import { type Rule, rulesFor } from './rule'
import { choosesPlain } from './wrappers'

/** Programs that show names, sizes and kinds of files, and nothing of what is in them. */
const namesOnly = new Set('ls stat file du tree basename dirname realpath readlink exa eza'.split(' '))

const readAll: Rule = ({ line, scope, args, name }) => {
  if (name === 'less' && args.some(({ text }) => /^\+|^--?(?:lesskey|o$|O$|log-file)/.test(text)))
    line.ask('runs_inside', scope, { level: 'high' })
  if (name === 'jq' && args.some(({ text }) => /\$ENV|(?:^|[^\w.])env(?!\w)/.test(text)))
    line.ask('secret_variable', scope, { action: 'read:secrets', values: { name: 'all of the environment' } })
  for (const word of args) if (!word.text.startsWith('-')) checkRead(line, word, scope, !namesOnly.has(name))
}

/** Reads what stands after the pattern. */
const afterPattern =
  (withValue: string, patternOptions: string[]): Rule =>
  ({ line, scope, args }) => {
    const { given, rest, has } = readOptions(args, withValue)
    const files = has(...patternOptions) ? rest : rest.slice(1)
    for (const word of files) checkRead(line, word, scope)
    const list = given.get('-f') ?? given.get('--file')
    if (list !== undefined && list.text !== '') checkRead(line, list, scope)
    for (const name of ['--pre', '--hostname-bin']) {
      const program = given.get(name)
      if (program !== undefined) line.ask('runs_inside', scope, { level: 'high' })
    }
  }

const grepValues =
  '-e -f -m -A -B -C -g -t -T -j --include --exclude --exclude-dir --glob --type --max-count --regexp --file --pre --color --iglob -d -D --context --after-context --before-context --max-depth --sort --replace -r_'

/** `sed` edits files in place, and its scripts can write files and run programs. */
const sed: Rule = ({ line, scope, args }) => {
  const { given, rest, has } = readOptions(args, '-e -f --expression --file -l -E_')
  const isEditing = [...given.keys()].some(
    (name) => /^(?:-i|--in-place)/.test(name) || /^-[nEsruz]*i/.test(name),
  )
  const scripts = has('-e', '--expression', '-f', '--file')
    ? [given.get('-e') ?? given.get('--expression')]
    : [rest[0]]
  const files = has('-e', '--expression', '-f', '--file') ? rest : rest.slice(1)
  for (const word of files) (isEditing ? checkWrite : checkRead)(line, word, scope)
  for (const script of scripts) {
    const text = script?.text ?? ''
    // The command `e`, the flag `e` of `s`, and the command `w`.
    if (/(?:^|[;\n{}\d$/])\s*e\s+\S|^e$|s(.)(?:(?!\1).)*\1(?:(?!\1).)*\1[gpiI\d]*e/s.test(text))
      line.ask('runs_inside', scope, { level: 'high' })
    const [, target] =
      /(?:^|[;\n{}\d$/])\s*w\s+(\S+)/.exec(text) ?? /s(?:.)[^\n]*\/[gpiI\d]*w\s+(\S+)/.exec(text) ?? []
    if (target !== undefined && script !== undefined) checkWrite(line, { ...script, text: target }, scope)
  }
}

const awk: Rule = ({ line, scope, args }) => {
  const { rest, has } = readOptions(args, '-F -v -f --file --field-separator --assign -i -e')
  const code = has('-f', '--file') ? '' : (rest[0]?.text ?? '')
  if (has('-f', '--file') && rest.length === 0) return
  if (/\bsystem\s*\(|\|\s*getline|\|\s*"|print[^\n;}]*\|/.test(code))
    line.ask('runs_inside', scope, { level: 'high' })
  for (const [, target = ''] of code.matchAll(/>>?\s*"([^"]+)"/g))
    checkWrite(line, { text: target, isGlob: false, isHidden: false, variables: [], range: null }, scope)
  for (const word of has('-f', '--file') ? rest : rest.slice(1))
    if (!/^\w+=/.test(word.text)) checkRead(line, word, scope)
}

/** Asks about options that start a program. */
const ranBy =
  (option: RegExp, rule: Rule): Rule =>
  (command) => {
    if (command.args.some(({ text }) => option.test(text)))
      command.line.ask('runs_inside', command.scope, { level: 'high' })
    rule(command)
  }

/** Writes the files of some options, and reads all others. */
const readOrWrite =
  (writing: string, others = ''): Rule =>
  ({ line, scope, args }) => {
    const { given, rest } = readOptions(args, `${writing} ${others}`)
    for (const name of writing.split(' ')) {
      const target = given.get(name)
      if (target !== undefined && target.text !== '') checkWrite(line, target, scope)
    }
    for (const word of rest) checkRead(line, word, scope)
  }

/** `echo` and `printf` show what they get, so the values of secret variables must not be in it. */
function checkVariables(
  line: Parameters<Rule>[0]['line'],
  words: readonly Word[],
  scope: Parameters<Rule>[0]['scope'],
): void {
  const name = words.flatMap(({ variables }) => variables).find(isSecretVariable)
  if (name !== undefined)
    line.ask('secret_variable', scope, {
      level: 'high',
      action: 'read:secrets',
      params: { variables: [name] },
      values: { name },
    })
}

/** Returns what `find` finds as patterns: the folders, or the names below them that an option gives. */
function found(folders: readonly Word[], args: readonly Word[]): Word[] {
  const names = args.flatMap(({ text }, index) =>
    /^-i?name$/.test(text) ? [args[index + 1]?.text ?? ''] : [],
  )
  const starts = folders.length === 0 ? [wordOf('.')] : folders
  if (names.length === 0 || args.some(({ text }) => /^(?:!|-not|-o|-or)$/.test(text) && names.length < 2))
    return starts.map((word) => ({ ...word, isGlob: true }))
  return starts.flatMap((word) =>
    [
      ...names,
      ...names.filter((name) => name.startsWith('*')).map((name) => `.${name.replace(/^\*+/, '')}`),
    ].map((name) => ({ ...word, text: `${word.text}/x/${name}`, isGlob: true })),
  )
}

/** Puts what was found into the words of a command. Without a place for it, it comes last. */
function withFound(argv: readonly Word[], word: Word): Word[] {
  const isPlaced = argv.some(({ text }) => text.includes('{}'))
  const placed = argv.map((one) =>
    one.text === '{}'
      ? word
      : one.text.includes('{}')
        ? { ...one, text: one.text.replaceAll('{}', word.text) }
        : one,
  )
  return isPlaced ? placed : [...placed, word]
}

const find: Rule = ({ line, scope, args }) => {
  const at = args.findIndex(({ text }) => /^[-(!]/.test(text))
  const folders = at < 0 ? args : args.slice(0, at)
  for (const word of folders) checkRead(line, word, scope)
  for (let index = Math.max(at, 0); index < args.length; index += 1) {
    const { text } = args[index] as Word
    if (text === '-delete') checkRemove(line, found(folders, args), scope, true)
    else if (/^-(?:fprint0?|fprintf|fls)$/.test(text) && args[index + 1] !== undefined)
      checkWrite(line, args[index + 1] as Word, scope)
    else if (/^-(?:exec|execdir|ok|okdir)$/.test(text)) {
      const rest = args.slice(index + 1)
      const end = rest.findIndex((word) => word.text === ';' || word.text === '+')
      const argv = end < 0 ? rest : rest.slice(0, end)
      for (const word of found(folders, args)) line.call(withFound(argv, word), scope, { isInside: true })
      index += end < 0 ? rest.length : end + 1
    }
  }
}

export const readers: [string, Rule][] = [
  ...rulesFor(
    `ls cat head tail wc less more nl tac stat file du df tree which whereis type diff cmp comm cut paste column fold fmt expand od hexdump
    strings md5sum sha1sum sha256sum sha512sum cksum b2sum basename dirname realpath readlink bat exa eza cloc tokei scc nproc jq shasum
    md5 look zcat bzcat xzcat zless colordiff delta glow mdcat pdftotext identify exiftool ffprobe otool nm objdump readelf ldd size
    join shuf tsort numfmt factor iconv dos2unix_ getfacl lsattr lsof fuser_ sloccount hexyl`,
    readAll,
  ),
  ...rulesFor(
    'grep egrep fgrep rg ag ack zgrep ripgrep git-grep',
    afterPattern(grepValues, ['-e', '-f', '--regexp', '--file', '--files', '--type-list']),
  ),
  ...rulesFor('fd fdfind', ({ line, scope, args }) => {
    const at = args.findIndex(({ text }) => /^(?:-x|-X|--exec|--exec-batch)$/.test(text))
    const own = at < 0 ? args : args.slice(0, at)
    for (const word of readOptions(own, '-e -t -d -E -g --type --extension --exclude --max-depth').rest.slice(
      1,
    ))
      checkRead(line, word, scope)
    if (at >= 0)
      line.call(withFound(args.slice(at + 1), wordOf(`./${own[0]?.text ?? '*'}`, { isGlob: true })), scope, {
        isInside: true,
      })
  }),
  ...rulesFor(
    'sort',
    ranBy(/^--compress-program/, readOrWrite('-o --output', '-k -t -S -T --key --field-separator')),
  ),
  ...rulesFor('uniq', ({ line, scope, args }) => {
    const [from, to] = readOptions(args, '-f -s -w').rest
    if (from !== undefined) checkRead(line, from, scope)
    if (to !== undefined) checkWrite(line, to, scope)
  }),
  ...rulesFor('yq', ({ line, scope, args }) => {
    const { rest, has } = readOptions(args, '-o -p --output-format')
    for (const word of rest.slice(1)) (has('-i', '--inplace') ? checkWrite : checkRead)(line, word, scope)
  }),
  ...rulesFor('sed gsed', sed),
  ...rulesFor('awk gawk mawk nawk', awk),
  ...rulesFor('find gfind', find),
  ...rulesFor('echo printf', ({ line, scope, args }) => checkVariables(line, args, scope)),
  ...rulesFor(
    `say pwd true false : test [ [[ whoami id groups uname uptime free date cal sleep seq expr bc arch tty hostname ps top htop pgrep jobs wait fg bg
    locale lscpu lsblk sw_vers lsb_release tput clear reset stty return exit break continue shift local let hash times umask getopts
    pushd_ popd_ dirs history_ tr rev yes man help info ss netstat ifconfig ping dig nslookup host traceroute whois vmstat iostat
    getconf ulimit read mapfile readarray shopt set_ cksum nvidia-smi xdpyinfo pkg-config llvm-config base64 base32 xxd uuidgen mktemp`,
    ({ line, scope, args, name }) => {
      // A host name can carry what is sent: only one that is known passes.
      if (
        /^(?:dig|nslookup|host|ping|traceroute|whois)$/.test(name) &&
        args.some(({ text }) => text.includes('\0'))
      )
        line.ask('sends', scope, { action: 'send:data', values: { host: 'the name server' } })
      if (/^(?:base64|base32|xxd)$/.test(name))
        for (const word of args) if (!word.text.startsWith('-')) checkRead(line, word, scope)
      if (/^(?:man|less|more)$/.test(name) && args.some(({ text }) => /^(?:-P|--pager|\+!)/.test(text)))
        line.ask('runs_inside', scope, { level: 'high' })
      if (name === 'date' && args.some(({ text }) => /^(?:-s|--set)/.test(text)))
        line.ask('changes_system', scope)
    },
  ),
  // Without a command they print every variable, also secret ones.
  ...rulesFor('printenv', ({ line, scope, args }) => {
    const names = args.map(({ text }) => text).filter((text) => !text.startsWith('-'))
    const secret =
      names.length > 0
        ? names.find(isSecretVariable)
        : choosesPlain(scope)
          ? undefined
          : 'all of the environment'
    if (secret !== undefined)
      line.ask('secret_variable', scope, {
        level: 'medium',
        action: 'read:secrets',
        values: { name: secret },
      })
  }),
  ...rulesFor('history', ({ line, scope, args }) => {
    if (args.length > 0) line.ask('changes_system', scope)
    else askSecret(line, 'shell history', scope)
  }),
]
