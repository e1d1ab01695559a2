/** A command line of a service, judged by its verb. */

import type { Line } from '../shell/line'
import { readOptions } from '../shell/options'
import type { Scope } from '../shell/scope'
import { isKnown } from '../shell/words'
import type { Rule } from './rule'
import { levelOfVerb, readsByVerb } from './verbs'

/** Things whose reading shows secrets. */
const secretThing =
  /^(?:secrets?|secret\/.*|secretsmanager|get-secret-value|get-session-token|get-login-password|print-access-token|print-identity-token|auth-token|tokens?|credentials?|keys?|config:get|env|environment|variables?|decrypt|kms|get-parameters?(?:-by-path)?|password|passwords|assume-role|access-key|access-keys|service-account|kubeconfig|update-kubeconfig|state)$/
/** Verbs that only read for services too: without those that start or run something there. */
export const serviceReads = (verb: string) =>
  readsByVerb(verb) &&
  !/^(?:run|start|export|use|generate|gen|new|init|pull|serve|dev|console|repl|download|compile|build|config-list|test|preview|template|count|read)$/.test(
    verb,
  )

/** Asks about what a command line changes at a service. */
export const askService = (line: Line, scope: Scope, service: string, verb: string, object: string) =>
  line.ask('uses_service', scope, {
    level: levelOfVerb(verb, object),
    action: `${/^[a-z-]+$/.test(verb) ? verb : 'use'}:${service}`,
    params: { service, verb, object },
    values: { service, what: [verb, object].filter((text) => text !== '').join(' ') },
  })

/**
 * A service whose command line has its verb among the first words: `gh pr list`, `aws s3 ls`.
 *
 * @param quiet subcommands that only work on this computer
 */
export const service =
  (quiet: RegExp | null = null, withValue = ''): Rule =>
  ({ line, scope, args, name }) => {
    const words = readOptions(
      args,
      `-n --namespace --context --kubeconfig -p --profile --region --project -R --repo --org --app -a --account --subscription -g --resource-group --output -o --format --query -l --selector -c --container --json --jq -q -t --limit -L -f -s --search ${withValue}`,
    ).rest
    const texts = words.map(({ text }) => text)
    if (words.length === 0)
      return args.length === 0 || args.every(({ text }) => /^(?:--version|--help|-v|-h|-V)$/.test(text))
        ? undefined
        : line.ask('unknown_command', scope, { values: { command: name } })
    if (!words.slice(0, 3).every(isKnown)) return line.ask('dynamic_command', scope, { level: 'high' })
    if (quiet?.test(texts.slice(0, 2).join(' ')) === true) return line.build(scope)
    const [first = '', second = '', third = ''] = texts
    const secret = texts.slice(0, 4).find((text) => secretThing.test(text.toLowerCase()))
    const at = [first, second, third].findIndex(serviceReads)
    // A release is a thing before another verb.
    const before = texts.slice(0, Math.max(at, 0)).filter((text) => !/^releases?$/.test(text))
    const acts = before.some(
      (text) =>
        levelOfVerb(text, '') === 'high' ||
        /^(?:create|update|set|put|delete|send|run|exec|apply|edit|add|remove|merge|close|comment|approve|push)/.test(
          text,
        ),
    )
    if (at >= 0 && !acts && secret === undefined) return
    if (secret !== undefined && at >= 0 && !acts) {
      if (/^(?:list|ls)$/.test(texts[at] ?? '')) return
      return line.ask('secret_variable', scope, {
        level: 'high',
        action: 'read:secrets',
        values: { name: `${name} ${secret}` },
      })
    }
    const verb =
      texts.find((text) => levelOfVerb(text, '') === 'high') ??
      (/^(?:s3|ec2|iam|rds|lambda|pr|issue|repo|release|compute|container|functions|apps?|projects?|services?|databases?)$/.test(
        first,
      )
        ? second
        : first)
    askService(
      line,
      scope,
      name,
      verb,
      texts
        .filter((text) => text !== verb)
        .slice(0, 3)
        .join(' ')
        .slice(0, 60),
    )
  }
