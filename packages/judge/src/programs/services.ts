/** Command lines of services: clouds, containers, forges, payment. They read with some verbs, and change other people's world with all others. */

import { readOptions } from '../shell/options'
import { isKnown } from '../shell/words'
import { type Rule, rulesFor } from './rule'
import { askService, service, serviceReads } from './service'
import { afterOptions } from './wrappers'

const gh: Rule = ({ line, scope, args, name }) => {
  const { given, rest } = readOptions(
    args,
    '-R --repo -X --method -f -F -H --field --raw-field --header --input --jq -q -t --template --json -L --limit --hostname -b --body -B --base -l --label',
  )
  const [first, second] = rest.map(({ text }) => text)
  if (first === 'api') {
    const method = (given.get('-X') ?? given.get('--method'))?.text.toUpperCase()
    const sends = ['-f', '-F', '--field', '--raw-field', '--input'].some((option) => given.has(option))
    const isQuery =
      second === 'graphql' && args.every(isKnown) && !args.some(({ text }) => /\bmutation\b/.test(text))
    if (
      (method === undefined || method === 'GET') &&
      (!sends || isQuery || method === 'GET') &&
      args.every(isKnown)
    )
      return
    return askService(line, scope, name, (method ?? 'post').toLowerCase(), second ?? '')
  }
  if (first === 'auth')
    return /^status$/.test(second ?? '') && !given.has('-t') && !given.has('--show-token')
      ? undefined
      : line.ask('secret_variable', scope, {
          level: 'high',
          action: 'read:secrets',
          values: { name: `${name} auth ${second ?? ''}` },
        })
  if (/^(?:pr|mr)$/.test(first ?? '') && second === 'checkout') {
    line.hasChanged = true
    return
  }
  if (
    /^(?:repo clone|run download|run watch|pr checks|release download|pr status|browse|search)\b/.test(
      `${first ?? ''} ${second ?? ''}`,
    )
  )
    return
  if (/^(?:extension|alias|codespace|config)$/.test(first ?? '') && !/^(?:list|ls|get)$/.test(second ?? ''))
    return askService(line, scope, name, second ?? '', first ?? '')
  // `run` is a thing here.
  if (first === 'run' && serviceReads(second ?? '')) return
  service()({ line, scope, args, name })
}

const kubectl: Rule = ({ line, scope, args, name }) => {
  const words = afterOptions(
    args,
    '-n --namespace --context --kubeconfig --cluster --user -s --server --as --token',
  )
  const [sub, ...rest] = words
  const object = readOptions(
    rest,
    '-n --namespace -o --output -l --selector -c --container -f --filename --context',
  ).rest.map(({ text }) => text)
  const text = sub?.text ?? ''
  if (
    /^(?:get|describe|explain|logs|top|version|cluster-info|api-resources|api-versions|diff|events|wait|options|completion|kustomize|help)$/.test(
      text,
    )
  ) {
    if (
      object.some((one) => /^secrets?(?:\/|$|\.)|(?:^|,)secrets?(?:,|$)/i.test(one)) &&
      (text === 'get' || text === 'describe') &&
      rest.some(({ text: option }) => /^-o|--output|--template/.test(option))
    )
      return line.ask('secret_variable', scope, {
        level: 'high',
        action: 'read:secrets',
        values: { name: `${name} secrets` },
      })
    return
  }
  if (
    /^(?:config|auth|rollout)$/.test(text) &&
    /^(?:view|current-context|get-contexts|get-clusters|can-i|whoami|status|history)$/.test(
      object[0] ?? '',
    ) &&
    !rest.some(({ text: option }) => option === '--raw')
  )
    return
  if (rest.some(({ text: option }) => /^--dry-run(?:=(?:client|server))?$/.test(option))) return
  if (text === 'port-forward' || text === 'proxy')
    return line.ask('uses_service', scope, { level: 'low', values: { service: name, what: text } })
  askService(line, scope, name, text, object.slice(0, 3).join(' '))
}

const terraform: Rule = ({ line, scope, args, name }) => {
  const words = afterOptions(args)
  const [sub, second] = words.map(({ text }) => text)
  if (
    /^(?:validate|fmt|version|providers|graph|plan|init|get|test|console|show|help|-version|metadata|preview|diff|synth|synthesize|ls|list|lint|doctor|about|whoami|graph-dependencies|hclfmt|validate-inputs)$/.test(
      sub ?? '',
    )
  )
    return line.build(scope)
  if (
    /^(?:state|workspace|stack|config|plugin)$/.test(sub ?? '') &&
    /^(?:list|show|select|ls|output|get|graph|history)?$/.test(second ?? '')
  )
    return
  if (sub === 'output')
    return args.some(({ text }) => /^-(?:json|raw)$/.test(text))
      ? line.ask('secret_variable', scope, {
          level: 'medium',
          action: 'read:secrets',
          values: { name: `${name} output` },
        })
      : undefined
  askService(
    line,
    scope,
    name,
    sub ?? '',
    words
      .slice(1)
      .map(({ text }) => text)
      .join(' ')
      .slice(0, 60),
  )
}

/** Managers of secrets: nearly everything that they print is one. */
const secretManager: Rule = ({ line, scope, args, name }) => {
  const [sub] = readOptions(args).rest.map(({ text }) => text)
  if (sub === undefined || /^(?:status|list|ls|version|help|whoami|account|search|find)$/.test(sub)) return
  line.ask('secret_variable', scope, {
    level: 'high',
    action: 'read:secrets',
    values: { name: `${name} ${sub}` },
  })
}

export const services: [string, Rule][] = [
  ...rulesFor('op bw lpass gopass keybase teller sops age vault doppler infisical chamber', secretManager),
  ...rulesFor(
    'dvc',
    service(
      /^(?:status|diff|dag|repro|metrics|plots|params|list|exp|stage|add|init|fetch|pull|checkout|doctor|data)\b/,
    ),
  ),
  ...rulesFor('gh glab tea', gh),
  ...rulesFor('kubectl oc k9s_ kubectx kubens', kubectl),
  ...rulesFor('terraform tofu terragrunt pulumi cdk cdktf sst', terraform),
  ...rulesFor(
    'helm helmfile',
    service(/^(?:lint|template|dependency|repo (?:list|add|update)|create|package|show|search|pull|version)/),
  ),
  ...rulesFor(
    'skaffold tilt minikube kind k3d colima ctlptl',
    service(
      /^(?:build|dev|run|start|stop|status|up|down|version|get|list|create cluster|delete cluster|load|ip|profile|ci)/,
    ),
  ),
  ...rulesFor(
    `aws gcloud gsutil az doctl heroku fly flyctl railway render vercel netlify now surge firebase wrangler supabase planetscale pscale neonctl turso
    eksctl linode-cli hcloud scw oci ibmcloud aliyun ovhai vultr-cli stripe shopify twilio sendgrid slack linear jira notion atlas mongocli
    confluent ccloud auth0 okta consul nomad packer sam serverless sls amplify copilot eb chalice zappa cf ansible ansible-playbook salt
    puppet chef knife vagrant multipass lxc incus argocd flux istioctl velero kops talosctl rancher circleci travis bk buildkite-agent sentry-cli
    datadog-ci newrelic pagerduty eas expo fastlane pod cordova ionic appcenter codepush dapr temporal airbyte dbt
    databricks snow kaggle huggingface-cli hf wandb modal replicate runpod vastai ollama claude-squad mintlify convex inngest trigger upstash     restic borg duplicity rclone s3cmd s4cmd mc b2 azcopy lerna changeset semantic-release release-it np goreleaser
    cargo-release standard-version git-cliff vsce ovsx web-ext chrome-webstore-upload transifex crowdin lokalise phrase playwright-cli`,
    service(
      /^(?:emulators:\w+|functions:shell|local|dev|types|build|compile|dbt|parse|docs|run (?:dev|ios|android)|run:\w+|db (?:diff|lint)|gen|start|stop|deps|install|prebuild|export|validate|changeset|add|init|version|status|changed|ls|list|bootstrap|clean|doctor|check|serve|synth|package|sync|update-deps)\b/,
    ),
  ),
]
