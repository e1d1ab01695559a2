/** Package managers of Python. */

import { areaOf } from '../paths'
import type { Line } from '../shell/line'
import { readOptions } from '../shell/options'
import type { Scope } from '../shell/scope'
import type { Word } from '../shell/words'
import { askInstall, askPublish, publishing, runPackage } from './installing'
import { type Rule, rulesFor } from './rule'
import { afterOptions } from './wrappers'

const isAway = (line: Line, word: Word, scope: Scope) => {
  const path = line.path(word, scope)
  return path === null || areaOf(path, line.place) !== 'folder'
}

const pip: Rule = ({ line, scope, args, name }) => {
  const words = afterOptions(args, '--python --proxy --cache-dir')
  const [sub, ...rest] = name === 'uv' && words[0]?.text === 'pip' ? words.slice(1) : words
  const { given, rest: names } = readOptions(
    rest,
    '-r --requirement -c --constraint -e --editable -t --target -n --name --index-url -i --extra-index-url --find-links -f --group --extra --with --python -p --prefix',
  )
  if (sub === undefined) return
  const isForeign = [
    '--index-url',
    '-i',
    '--extra-index-url',
    '--find-links',
    '-f',
    '--trusted-host',
    '--index',
  ].some((option) => given.has(option))
  if (isForeign)
    line.ask('installs_address', scope, {
      level: 'high',
      action: 'install:package',
      values: { packages: 'another registry' },
    })
  if (given.has('--break-system-packages') || given.has('--user')) line.ask('changes_system', scope)
  switch (sub.text) {
    case 'install': {
      const others = names.filter(({ text }) => !/^\.{0,2}(?:\/|$)|^\.\[/.test(text))
      const away = [...names, given.get('-e') ?? given.get('--editable')].find(
        (word) => word !== undefined && /^[~/]|^\.\./.test(word.text) && isAway(line, word, scope),
      )
      if (away !== undefined)
        line.ask('runs_outside', scope, {
          level: 'high',
          action: 'install:package',
          values: { path: away.text },
        })
      return others.length > 0 ? askInstall(line, scope, others, false) : line.build(scope)
    }
    case 'add':
    case 'inject':
      return askInstall(line, scope, names, name === 'pipx')
    case 'run':
    case 'tool':
    case 'x': {
      const argv =
        sub.text === 'tool'
          ? afterOptions(rest).slice(1)
          : afterOptions(
              rest,
              '-n --name --with --extra --group --python -p --prefix --env-file --project --directory',
            )
      return sub.text === 'run' && name !== 'pipx'
        ? line.call(argv, scope, { isInside: true })
        : runPackage(line, scope, argv)
    }
    case 'sync':
    case 'lock':
    case 'build':
    case 'check':
    case 'wheel':
    case 'develop':
      return line.build(scope)
    case 'uninstall':
    case 'remove':
      return line.ask('installs', scope, {
        level: 'low',
        action: 'install:package',
        values: { packages: names.map(({ text }) => text).join(', ') },
      })
    default:
      if (publishing.test(sub.text)) return askPublish(line, scope, 'pypi.org', sub.text)
      if (
        /^(?:list|show|freeze|config|cache|debug|index|download|inspect|hash|help|--version|tree|version|venv|python|env|export|init|new|shell|self|search|about|source|update|install-all)$/.test(
          sub.text,
        )
      )
        return
      line.ask('unknown_command', scope, { values: { command: `${name} ${sub.text}` } })
  }
}

export const python: [string, Rule][] = [
  ...rulesFor('uvx', ({ line, scope, args }) =>
    runPackage(line, scope, afterOptions(args, '--from --with --python')),
  ),
  ...rulesFor('pip pip3 pipenv poetry uv pdm hatch rye pipx conda mamba', pip),
  ...rulesFor('twine', ({ line, scope, args }) =>
    args[0]?.text === 'check' ? undefined : askPublish(line, scope, 'pypi.org', args[0]?.text ?? ''),
  ),
]
