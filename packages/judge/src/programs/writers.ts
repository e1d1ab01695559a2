/** Programs that make, change, copy and remove files. */

import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { checkRead, checkRemove, checkWrite } from '../files'
import { readOptions } from '../shell/options'
import type { Word } from '../shell/words'
import { type Rule, rulesFor } from './rule'

const writeAll =
  (withValue = ''): Rule =>
  ({ line, scope, args }) => {
    for (const word of readOptions(args, withValue).rest) checkWrite(line, word, scope)
  }

/** Reads all words but the last one, which is written. Moving takes the first ones away, too. */
/** A symbolic link leads to a path from its own folder. */
const link: Rule = (command) => {
  const { rest, has } = readOptions(command.args, '-t -S')
  const [source, target] = rest
  if (rest.length !== 2 || source === undefined || target === undefined || !has('-s', '--symbolic'))
    return copy(command)
  const { line, scope } = command
  const place = line.path(target, scope)
  const isFolder = place !== null && statSync(place, { throwIfNoEntry: false })?.isDirectory() === true
  checkWrite(line, target, scope)
  checkRead(line, source, { ...scope, cwd: place === null || isFolder ? place : dirname(place) })
}

const copy: Rule = ({ line, scope, args, name }) => {
  const { given, rest } = readOptions(args, '-t --target-directory -m -o -g -S --suffix --mode')
  const target = given.get('-t') ?? given.get('--target-directory') ?? rest.at(-1)
  const sources = given.has('-t') || given.has('--target-directory') ? rest : rest.slice(0, -1)
  for (const word of sources) {
    checkRead(line, word, scope)
    if (name === 'mv') checkMoved(line, word, scope)
  }
  if (target === undefined) return
  // A device keeps nothing.
  if (name === 'mv' && /^\/dev\//.test(target.text))
    checkRemove(
      line,
      sources.map((word) => ({ ...word, isGlob: true })),
      scope,
      true,
    )
  checkWrite(line, target, scope)
}

/** What is moved is gone from where it was. */
function checkMoved(
  line: Parameters<Rule>[0]['line'],
  word: Word,
  scope: Parameters<Rule>[0]['scope'],
): void {
  const path = line.path(word, scope)
  if (path !== null && (path === line.place.folder || line.place.folder.startsWith(`${path}/`)))
    return void checkRemove(line, [word], scope, true)
  checkWrite(line, word, scope)
}

const remove: Rule = ({ line, scope, args }) => {
  const { rest, has } = readOptions(args)
  checkRemove(line, rest, scope, has('-r', '-R', '--recursive', '-d_'))
}

const chmod: Rule = ({ line, scope, args }) => {
  const [mode, ...files] = args.filter(({ text }) => !/^-[a-zA-Z-]/.test(text) || /^-[rwx]+$/.test(text))
  for (const word of files) checkWrite(line, word, scope, false)
  if (/^0?[0-7]?[0-7]{2}[2367]$|^[2467]\d{3}$|[oa]*[oa][^,]*\+[^,]*w|\+[^,]*s/.test(mode?.text ?? ''))
    line.ask('opens_files', scope, { action: 'change:permissions' })
}

/** Archives: reading one writes files where it stands. */
const tar: Rule = ({ line, scope, args }) => {
  const [first, ...others] = args
  const mode = first === undefined ? '' : first.text.replace(/^-?/, '')
  const isOld = first !== undefined && /^[a-zA-Z]+$/.test(first.text)
  const words = isOld ? [{ ...first, text: `-${first.text}` }, ...others] : args
  const { given, rest, has } = readOptions(
    words,
    '-f -C --file --directory -I --use-compress-program --to-command --exclude --transform -X -T --strip-components',
  )
  if (
    args.some(({ text }) =>
      /^--(?:to-command|use-compress-program|checkpoint-action|rsh-command|info-script)|^-I/.test(text),
    )
  )
    line.ask('runs_inside', scope, { level: 'high' })
  const isReading = has('-t', '--list')
  const isTaking = has('-x', '--extract', '--get') || /^-?[a-z]*x/.test(mode)
  const file = given.get('-f') ?? given.get('--file')
  const folder = given.get('-C') ?? given.get('--directory')
  if (file !== undefined && file.text !== '-')
    (isReading || isTaking ? checkRead : checkWrite)(line, file, scope)
  if (folder !== undefined) (isTaking ? checkWrite : checkRead)(line, folder, scope)
  if (!isReading && !isTaking) for (const word of rest) checkRead(line, word, scope)
  if (has('--absolute-names', '-P')) line.ask('outside', scope, { values: { path: '/' } })
  if (has('--remove-files')) checkRemove(line, rest, scope, true)
}

export const writers: [string, Rule][] = [
  ...rulesFor('touch mkdir mkfifo tee', writeAll('-m --mode -r -t -d --reference --date')),
  ...rulesFor('dos2unix unix2dos', writeAll()),
  ...rulesFor('truncate', writeAll('-s --size -r')),
  ...rulesFor('cp mv install ditto', copy),
  ...rulesFor('ln', link),
  ...rulesFor('rm unlink rmdir trash', remove),
  ...rulesFor('shred srm wipe', ({ line, scope, args }) => {
    checkRemove(line, readOptions(args, '-n -s').rest, scope, true)
    line.ask('deletes_unknown', scope, { level: 'high', action: 'delete:files' })
  }),
  ...rulesFor('rename', ({ line, scope, args }) => {
    for (const word of readOptions(args).rest.slice(1)) checkWrite(line, word, scope)
  }),
  ...rulesFor('chmod chgrp', chmod),
  ...rulesFor('chown', ({ line, scope }) => line.ask('opens_files', scope, { action: 'change:permissions' })),
  ...rulesFor('split csplit', ({ line, scope, args }) => {
    const [from, to] = readOptions(args, '-l -b -n -a -C').rest
    if (from !== undefined) checkRead(line, from, scope)
    if (to !== undefined) checkWrite(line, to, scope)
  }),
  ...rulesFor('patch', ({ line, scope, args }) => {
    const { given, rest } = readOptions(args, '-p -i -d -o --directory --output --input')
    for (const name of ['-d', '-o', '--directory', '--output']) {
      const word = given.get(name)
      if (word !== undefined) checkWrite(line, word, scope)
    }
    for (const word of rest) checkWrite(line, word, scope)
  }),
  ...rulesFor('dd', ({ line, scope, args }) => {
    for (const word of args) {
      const [, key, path = ''] = /^(if|of)=(.*)$/s.exec(word.text) ?? []
      if (key === 'of') checkWrite(line, { ...word, text: path }, scope)
      if (key === 'if') checkRead(line, { ...word, text: path }, scope)
    }
  }),
  ...rulesFor('tar bsdtar gtar', tar),
  ...rulesFor('unzip 7z 7za unrar', ({ line, scope, args }) => {
    const { given, rest, has } = readOptions(args, '-d -x')
    for (const word of rest) checkRead(line, word, scope)
    const target = given.get('-d')
    if (target !== undefined && !has('-l')) checkWrite(line, target, scope)
  }),
  ...rulesFor('zip', ({ line, scope, args }) => {
    const [target, ...files] = readOptions(args, '-x -i').rest
    if (target !== undefined) checkWrite(line, target, scope)
    for (const word of files) checkRead(line, word, scope)
    if (args.some(({ text }) => /^-(?:m|T|TT|-unzip-command|-move)/.test(text)))
      line.ask('runs_inside', scope)
  }),
  ...rulesFor('gzip gunzip bzip2 xz zstd lz4 brotli pigz', ({ line, scope, args }) => {
    for (const word of readOptions(args, '-o').rest)
      (args.some(({ text }) => /^-\w*[cktl]/.test(text)) ? checkRead : checkWrite)(line, word, scope)
  }),
  ...rulesFor(
    'mkfs wipefs fdisk parted sgdisk diskpart diskutil blkdiscard lvremove vgremove pvremove zfs zpool mount umount losetup cryptsetup format mkswap badblocks hdparm',
    ({ line, scope }) => line.ask('changes_disk', scope, { level: 'high', action: 'change:disk' }),
  ),
]
