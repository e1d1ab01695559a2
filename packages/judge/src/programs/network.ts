/** Programs that send something to other computers, or fetch from them. */

import { askSecret, checkRead, checkWrite } from '../files'
import { isSecretVariable } from '../secrets'
import type { Line } from '../shell/line'
import { readOptions } from '../shell/options'
import type { Scope } from '../shell/scope'
import { isKnown, unknown, type Word } from '../shell/words'
import { type Rule, rulesFor } from './rule'
import { afterOptions } from './wrappers'

/** This computer. */
const localHost =
  /^(?:localhost|[\w-]+\.localhost|127(?:\.\d+){1,3}|0\.0\.0\.0|\[?::1\]?|host\.docker\.internal)$/i
/** Addresses at which clouds give keys to programs. */
const metadata =
  /^(?:169\.254\.169\.254|metadata\.google\.internal|metadata|100\.100\.100\.200|\[?fd00:ec2::254\]?)$/i
/** Longer queries carry more than a question. */
const queryMax = 200
/** A long value that says nothing to people, such as a text in base64. */
const encoded = /(?:^|[=&])(?=[\w+/%-]*\d)(?=[\w+/%-]*[a-z])(?=[\w+/%-]*[A-Z])[\w+/%-]{40,}={0,2}(?:&|$)/

/** Returns the host of an address, or null when it is not known. */
export function hostOf(text: string): string | null {
  const [, host = ''] =
    /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^@/?#]*@)?(\[[0-9a-f:.]+\]|[^/:?#]+)/i.exec(text) ?? []
  return host === '' || host.includes(unknown) ? null : host.toLowerCase()
}

export const isLocal = (host: string | null): boolean => host !== null && localHost.test(host)

/** Asks about data that goes to another computer. */
function askSend(
  line: Line,
  scope: Scope,
  host: string | null,
  level: 'low' | 'medium' | 'high' = 'medium',
): void {
  line.ask('sends', scope, {
    level,
    action: 'send:data',
    params: host === null ? {} : { host },
    values: { host: host ?? 'a computer that is not named' },
  })
}

/** Judges an address that is fetched. A question to a server passes when nothing of this computer is in it. */
export function checkFetch(line: Line, word: Word, scope: Scope): void {
  const host = hostOf(word.text)
  if (host !== null && metadata.test(host)) return void askSecret(line, host, scope)
  if (/^file:/i.test(word.text))
    return void checkRead(line, { ...word, text: word.text.replace(/^file:\/\/(?:localhost)?/i, '') }, scope)
  if (/^(?:gopher|dict|ldap|smtp|telnet|ftp|ftps|sftp|scp|tftp|imap|pop3):/i.test(word.text))
    return void askSend(line, scope, host)
  if (isLocal(host)) return
  const query = word.text.split('?').slice(1).join('?')
  if (
    !isKnown(word) ||
    word.variables.some(isSecretVariable) ||
    query.length > queryMax ||
    encoded.test(query) ||
    /\/\/[^/@]*:[^/@]*@/.test(word.text)
  )
    askSend(line, scope, host, word.variables.some(isSecretVariable) || word.isHidden ? 'high' : 'medium')
}

const curlValues =
  '-o --output -O_ -d --data --data-raw --data-binary --data-urlencode --data-ascii --json -F --form --form-string -T --upload-file -X --request -H --header -u --user -A --user-agent -b --cookie -c --cookie-jar -e --referer -x --proxy -K --config -m --max-time -w --write-out --connect-timeout --retry --retry-delay --retry-max-time -E --cert --key --cacert --capath --resolve --unix-socket --abstract-unix-socket --url --url-query --output-dir -r --range -D --dump-header -Y -y -z -C -Q --limit-rate --interface --proto --ciphers --oauth2-bearer --aws-sigv4 --trace --trace-ascii --stderr --netrc-file -t --connect-to --dns-servers --doh-url --max-redirs --max-filesize -P --preproxy --socks5 --socks5-hostname'
const sending = [
  '-d',
  '--data',
  '--data-raw',
  '--data-binary',
  '--data-urlencode',
  '--data-ascii',
  '--json',
  '-F',
  '--form',
  '--form-string',
  '-T',
  '--upload-file',
  '--url-query',
]

const curl: Rule = ({ line, scope, args }) => {
  const { given, rest, has } = readOptions(args, curlValues)
  const url = given.get('--url')
  const addresses = url === undefined ? rest : [...rest, url]
  for (const word of args)
    if (/^@/.test(word.text.replace(/^[\w.-]+=/, '')))
      checkRead(line, { ...word, text: word.text.replace(/^(?:[\w.-]+=)?@/, '') }, scope)
  for (const name of [
    '-o',
    '--output',
    '--output-dir',
    '-c',
    '--cookie-jar',
    '-D',
    '--dump-header',
    '--trace',
    '--trace-ascii',
    '--stderr',
  ]) {
    const word = given.get(name)
    if (word !== undefined && word.text !== '' && word.text !== '-') checkWrite(line, word, scope)
  }
  if (has('-O', '--remote-name', '-J')) for (const word of addresses) checkSaved(line, word, scope)
  if (has('-K', '--config')) line.ask('runs_inside', scope, { level: 'medium' })
  if (has('--unix-socket', '--abstract-unix-socket'))
    line.ask('uses_socket', scope, {
      level: 'high',
      values: { path: given.get('--unix-socket')?.text ?? '' },
    })
  const method = (given.get('-X') ?? given.get('--request'))?.text.toUpperCase() ?? ''
  const isQuestion = has('-G', '--get')
  const sends =
    (sending.some((name) => given.has(name)) && !isQuestion) ||
    (method !== '' && !/^(?:GET|HEAD|OPTIONS)$/.test(method))
  const secret =
    args.some((word) => word.variables.some(isSecretVariable)) ||
    has(
      '-u',
      '--user',
      '--oauth2-bearer',
      '-n',
      '--netrc',
      '--netrc-file',
      '-E',
      '--cert',
      '--aws-sigv4',
      '-b',
      '--cookie',
    )
  const isAuthorized =
    secret ||
    args.some(
      ({ text }) =>
        /authorization|api-?key|token|cookie/i.test(text) && /:/.test(text) && !/:\/\//.test(text),
    )
  const isProxied = has(
    '-x',
    '--proxy',
    '--preproxy',
    '--socks5',
    '--socks5-hostname',
    '--connect-to',
    '--resolve',
    '--doh-url',
  )
  for (const word of addresses.length > 0 ? addresses : []) {
    const host = hostOf(word.text)
    if (
      isProxied ||
      (!isLocal(host) && (sends || isAuthorized || (isQuestion && args.some((one) => !isKnown(one)))))
    )
      askSend(line, scope, host, method === 'DELETE' ? 'high' : 'medium')
    else checkFetch(line, word, scope)
  }
}

/** A download without a name for its file is saved with the last part of its address. */
function checkSaved(line: Line, word: Word, scope: Scope): void {
  const name =
    word.text
      .replace(/[?#].*$/, '')
      .split('/')
      .at(-1) ?? ''
  if (name !== '') checkWrite(line, { ...word, text: `./${name}` }, scope)
}

const wget: Rule = ({ line, scope, args }) => {
  const { given, rest } = readOptions(
    args,
    '-O -o -P -a -i --output-document --directory-prefix --post-data --post-file --header --user --password -U --method --body-data --body-file -t -T -e',
  )
  for (const name of ['-O', '--output-document', '-P', '--directory-prefix', '-o', '-a']) {
    const word = given.get(name)
    if (word !== undefined && word.text !== '-' && word.text !== '') checkWrite(line, word, scope)
  }
  const isNamed = given.has('-O') || given.has('--output-document')
  for (const word of isNamed ? [] : rest) checkSaved(line, word, scope)
  if (given.has('-e') || given.has('--use-askpass')) line.ask('runs_inside', scope)
  const sends = [
    '--post-data',
    '--post-file',
    '--body-data',
    '--body-file',
    '--method',
    '--header',
    '--user',
    '--password',
  ].some((name) => given.has(name))
  for (const word of rest)
    if (sends && !isLocal(hostOf(word.text))) askSend(line, scope, hostOf(word.text))
    else checkFetch(line, word, scope)
}

const ssh: Rule = ({ line, scope, args }) => {
  const withValue = '-p -i -l -o -F -L -R -D -J -b -c -E -e -I -m -O -Q -S -W -w -B'
  const [host, ...rest] = afterOptions(args, withValue)
  if (args.some(({ text }) => /^-(?:V|Q)$/.test(text))) return
  const name = hostOf(host?.text.replace(/^.*@/, '') ?? '')
  line.ask('runs_remote', scope, {
    level: 'high',
    action: 'run:remote',
    params: name === null ? {} : { host: name },
    values: { host: name ?? 'another computer' },
  })
  if (rest.length > 0)
    line.runInside(rest.map(({ text }) => text.replaceAll(unknown, '$UNKNOWN')).join(' '), scope, {
      isScript: true,
    })
}

/** `host:path`, and not a path with a colon after a slash. */
const isRemote = ({ text }: Word) =>
  /^(?:[\w.-]+@)?[\w.-]+::?(?!\\)|^(?:rsync|sftp|scp):\/\//.test(text) && !/^[./]/.test(text)

const remoteCopy: Rule = ({ line, scope, args, name }) => {
  const { given, rest, has } = readOptions(
    args,
    '-e --rsh -P -i -o -F -l -S --exclude --include --filter --rsync-path --files-from --exclude-from -J -c',
  )
  const remote = rest.find(isRemote)
  if (given.has('-e') || given.has('--rsh') || given.has('--rsync-path') || has('-S'))
    line.ask('runs_inside', scope)
  if (remote !== undefined) return askSend(line, scope, hostOf(remote.text.replace(/^.*@/, '')), 'high')
  const target = rest.at(-1)
  for (const word of rest.slice(0, -1)) checkRead(line, word, scope)
  if (target !== undefined) checkWrite(line, target, scope)
  if (
    name === 'rsync' &&
    [...given.keys()].some((option) => /^--(?:delete|remove-source)/.test(option)) &&
    target !== undefined
  )
    line.ask('deletes', scope, {
      action: 'delete:files',
      params: { paths: [target.text] },
      values: { paths: target.text },
    })
}

export const network: [string, Rule][] = [
  ...rulesFor('curl', curl),
  ...rulesFor('wget aria2c', wget),
  ...rulesFor('http https xh httpie', ({ line, scope, args }) => {
    const rest = args.filter(({ text }) => !text.startsWith('-'))
    const method = /^[A-Z]+$/.test(rest[0]?.text ?? '') ? rest[0]?.text : undefined
    const [url, ...items] = method === undefined ? rest : rest.slice(1)
    if (url === undefined) return
    const host = /^:\d/.test(url.text) ? 'localhost' : hostOf(url.text)
    const sends =
      (method !== undefined && !/^(?:GET|HEAD|OPTIONS)$/.test(method)) ||
      items.some(({ text }) => /[=@:]/.test(text))
    if (sends && !isLocal(host)) askSend(line, scope, host)
    else if (!isLocal(host)) checkFetch(line, url, scope)
  }),
  ...rulesFor('ssh mosh autossh sshpass', ssh),
  ...rulesFor('scp rsync', remoteCopy),
  ...rulesFor(
    'nc ncat netcat socat telnet sftp ftp lftp tftp rclone croc magic-wormhole wormhole ngrok cloudflared localtunnel lt tailscale mail mailx sendmail mutt msmtp swaks websocat grpcurl mosquitto_pub ssh-copy-id sshfs gpg-connect-agent',
    ({ line, scope, args, name }) => {
      const { rest, has } = readOptions(args, '-w -p -s -i -X -x')
      if (has('--version', '--help', '-h')) return
      // Asks only whether a port is open.
      if (
        /^(?:nc|ncat|netcat)$/.test(name) &&
        args.some(({ text }) => /^-\w*z/.test(text)) &&
        rest.every(isKnown)
      )
        return
      const host = hostOf(rest[0]?.text ?? '')
      if (
        isLocal(host) &&
        /^(?:nc|ncat|netcat|telnet|grpcurl|websocat)$/.test(name) &&
        !args.some(({ text }) => /^-\w*[ec]/.test(text))
      )
        return
      askSend(line, scope, host, 'high')
    },
  ),
  ...rulesFor('open xdg-open start wslview', ({ line, scope, args }) => {
    for (const word of args) {
      if (word.text.startsWith('-')) continue
      if (/^[a-z][a-z0-9+.-]*:/i.test(word.text)) checkFetch(line, word, scope)
      else checkRead(line, word, scope)
    }
  }),
  ...rulesFor('pbcopy xclip xsel wl-copy', () => {}),
]
