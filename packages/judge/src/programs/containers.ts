/** Containers: what they reach of this computer, and what is lost with them. */

import { checkRead, checkWrite } from '../files'
import type { Line } from '../shell/line'
import { readOptions } from '../shell/options'
import type { Scope } from '../shell/scope'
import { isKnown, unknown, type Word } from '../shell/words'
import { type Rule, rulesFor } from './rule'
import { askService } from './service'
import { afterOptions } from './wrappers'

/** Options with which a container reaches the computer around it. */
const escaping =
  /^(?:--privileged|--pid=host|--network=host|--net=host|--cap-add.*|--device.*|--security-opt.*|--userns=host)$/

function checkMounts(line: Line, scope: Scope, args: readonly Word[]): void {
  for (const [index, word] of args.entries()) {
    const value = /^(?:-v|--volume|--mount)$/.test(word.text)
      ? args[index + 1]
      : /^(?:-v|--volume=|--mount=)./.test(word.text)
        ? { ...word, text: word.text.replace(/^(?:-v|--volume=|--mount=)/, '') }
        : undefined
    if (value === undefined) continue
    const source = /(?:source|src)=([^,]+)/.exec(value.text)?.[1] ?? value.text.split(':')[0] ?? ''
    if (!/[/~.]|\0/.test(source)) continue
    if (/docker\.sock/.test(source) || source === '/')
      return void line.ask('container_escapes', scope, { level: 'high' })
    const isReadOnly = /:ro\b|readonly/.test(value.text)
    ;(isReadOnly ? checkRead : checkWrite)(line, { ...value, text: source }, scope)
  }
}

const docker: Rule = ({ line, scope, args, name }) => {
  const words = afterOptions(
    args,
    '-H --host -c --context --config -l --log-level -f --file -p --project-name --profile --env-file --project-directory --ansi',
  )
  if (
    args.some(
      ({ text }) =>
        /^(?:-H|--host)(?:=|$)/.test(text) || (text === '--context' && words.length < args.length),
    )
  )
    line.ask('uses_service', scope, { values: { service: name, what: 'another computer' } })
  const [sub, ...rest] = words
  if (sub === undefined) return
  if (sub.text === 'compose') return compose(line, scope, rest, name)
  if (
    /^(?:container|image|volume|network|system|builder|buildx|context|manifest|service|stack|swarm|node|secret|config|plugin|trust|machine|pod)$/.test(
      sub.text,
    )
  ) {
    const [verb, ...others] = rest
    const text = verb?.text ?? 'ls'
    if (sub.text === 'buildx' && /^(?:build|bake)$/.test(text)) return imageBuild(line, scope, others, name)
    if (/^(?:ls|list|inspect|ps|df|info|events|history|logs|stats|top|port|diff|version|show|du)$/.test(text))
      return
    if (sub.text === 'container' && /^(?:run|exec|create)$/.test(text))
      return container(line, scope, text, others)
    if (
      /^(?:create|build|pull|start|tag|use|connect|disconnect)$/.test(text) &&
      !/^(?:secret|config|swarm|service|stack|node|plugin|trust|machine)$/.test(sub.text)
    )
      return line.build(scope)
    return askService(
      line,
      scope,
      name,
      text,
      `${sub.text} ${others.map((word) => word.text).join(' ')}`.slice(0, 60),
    )
  }
  if (/^(?:run|exec|create)$/.test(sub.text)) return container(line, scope, sub.text, rest)
  if (/^(?:build)$/.test(sub.text)) return imageBuild(line, scope, rest, name)
  if (
    /^(?:ps|images|logs|inspect|stats|version|info|top|port|diff|history|events|search|wait|pull|tag|start|stop|restart|unpause|pause|attach|load|--version|help|create|rename)$/.test(
      sub.text,
    )
  )
    return
  if (sub.text === 'cp') {
    for (const word of readOptions(rest).rest) if (!/^[\w.-]+:/.test(word.text)) checkWrite(line, word, scope)
    return
  }
  // A container that was started for a test is stopped and removed by name. Its volumes stay.
  if (
    /^(?:rm|kill)$/.test(sub.text) &&
    rest.every((word) => isKnown(word) && !/^-\w*v|--volumes/.test(word.text))
  )
    return
  askService(
    line,
    scope,
    name,
    sub.text,
    rest
      .map(({ text }) => text)
      .join(' ')
      .replaceAll(unknown, '…')
      .slice(0, 60),
  )
}

function imageBuild(line: Line, scope: Scope, args: readonly Word[], name: string): void {
  if (args.some(({ text }) => /^--push$|type=registry/.test(text)))
    return void askService(line, scope, name, 'push', 'image')
  line.build(scope)
}

const containerValues =
  '-v --volume --mount -e --env -p --publish --name -w --workdir -u --user --network --net --entrypoint --env-file -h --hostname --platform --label -l --memory -m --cpus --pull --restart --add-host --gpus --shm-size --tmpfs --ulimit --cap-add --device --security-opt --pid --ipc -a'

/** Folders of a container are its own. */
const insideOf = (argv: readonly Word[]): Word[] =>
  argv.map((word) => ({ ...word, text: word.text.replace(/^\s*cd\s+\/?[\w./-]+\s*&&\s*/, '') }))

function container(line: Line, scope: Scope, verb: string, args: readonly Word[]): void {
  if (
    args.some(
      ({ text }, index) =>
        escaping.test(text) ||
        (/^--(?:pid|network|net|ipc|userns)$/.test(text) && args[index + 1]?.text === 'host'),
    )
  )
    line.ask('container_escapes', scope, { level: 'high' })
  checkMounts(line, scope, args)
  const [image, ...words] = afterOptions(args, containerValues)
  const argv = insideOf(words)
  if (image === undefined) return
  if (
    argv.some(({ text }) => /^(?:env|printenv|set|export)$/.test(text)) &&
    args.some(({ text }) => /^--env-file/.test(text))
  )
    line.ask('secret_variable', scope, {
      level: 'high',
      action: 'read:secrets',
      values: { name: 'all of the environment' },
    })
  // The image of somebody gets a folder of this computer.
  if (/^[\w-]+\/[\w./-]+/.test(image.text) && args.some(({ text }) => /^(?:-v|--volume|--mount)/.test(text)))
    line.ask('installs', scope, { action: 'install:package', values: { packages: image.text } })
  // What runs inside of the container reaches its own files only: a shell in it is read for clear dangers.
  if (argv.length > 0)
    line.call(argv, scope, { isInside: true, isScript: verb !== 'exec', cwd: line.place.folder })
}

function compose(line: Line, scope: Scope, args: readonly Word[], name: string): void {
  const [sub, ...rest] = afterOptions(
    args,
    '-f --file -p --project-name --profile --env-file --project-directory',
  )
  const texts = rest.map(({ text }) => text)
  if (/^(?:run|exec)$/.test(sub?.text ?? '')) {
    const argv = insideOf(afterOptions(rest, `${containerValues} --index`).slice(1))
    checkMounts(line, scope, rest)
    return void line.call(argv, scope, { isInside: true, cwd: line.place.folder })
  }
  if (sub?.text === 'down' && texts.some((text) => /^(?:-v|--volumes|--rmi.*)$/.test(text)))
    return void askService(line, scope, name, 'delete', 'volumes')
  if (sub?.text === 'rm' && texts.some((text) => /^-\w*v/.test(text)))
    return void askService(line, scope, name, 'delete', 'volumes')
  if (/^(?:push|publish|alpha)$/.test(sub?.text ?? ''))
    return void askService(line, scope, name, sub?.text ?? '', 'images')
  line.build(scope)
}

export const containers: [string, Rule][] = [
  ...rulesFor('docker podman nerdctl', docker),
  ...rulesFor('docker-compose podman-compose', ({ line, scope, args, name }) =>
    compose(line, scope, args, name),
  ),
]
