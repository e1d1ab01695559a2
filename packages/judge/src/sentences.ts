/** The sentences for people, in English. Each says what the call can do, and names no rule. */

import type { Reason } from './types'

const sentences: Record<string, string> = {
  agent_settings: 'It can change the settings, the hooks or the helper that ask you first.',
  as_administrator: 'It runs with the rights of the administrator.',
  builds_outside: 'It builds or runs something outside of the folder: {path}.',
  changed_build:
    'It runs what these files define, and they changed since you approved them, or since Beak first saw them: {paths}.',
  changes_disk: 'It changes disks or file systems.',
  changes_system: 'It changes this computer outside of the folder.',
  changes_variable: 'It sets a variable that changes what programs do: {name}.',
  code_changes: 'The code in it changes rights or ends programs: “{words}”.',
  code_deletes: 'The code in it deletes files: “{words}”.',
  code_hides: 'The code in it runs or decodes a text that nobody can read first: “{words}”.',
  code_sends: 'The code in it connects to other computers: “{words}”.',
  code_starts: 'The code in it starts other programs: “{words}”.',
  container_escapes: 'The container can reach the computer around it.',
  dangerous_command: 'It contains a command that can do harm: “{command}”.',
  database_changes: 'It changes a database: {host}.',
  database_destroys: 'It deletes or changes data of a database: {host}.',
  database_remote: 'It uses a database on another computer: {host}.',
  deletes: 'It deletes: {paths}.',
  deletes_much: 'It deletes more than a part of the folder: {paths}.',
  deletes_unknown: 'It deletes files that cannot be named before it runs.',
  discards_changes: 'It throws away work that is not committed: {what}.',
  dynamic_command: 'Which command it runs is only known when it runs.',
  ends_programs: 'It ends programs: {programs}.',
  fetches_code: 'It fetches code from {what}.',
  git_internals: 'It changes files of git that decide what git runs: {path}.',
  git_settings: 'It changes settings of git that decide what git runs or where it sends: {key}.',
  hidden_words: 'A part of it is decoded when it runs, so nobody can read it first.',
  installs: 'It installs packages, which can run code: {packages}.',
  installs_address: 'It installs from an address or a registry of its own: {packages}.',
  leaves_sandbox: 'It runs outside of the sandbox of the agent.',
  not_judged: 'The call could not be judged. {error}',
  not_parsed: 'Beak could not parse this command.',
  opens_files: 'It changes who may read or write files.',
  opens_port: 'It opens a port to other computers.',
  opens_shell: 'It starts a program that takes further commands, which nobody is asked about.',
  outside: 'It changes something outside of the folder: {path}.',
  publishes: 'It publishes, or changes what is published: {registry}, {what}.',
  push: 'It sends the branch {branch} to {repository}.',
  push_deletes: 'It deletes branches or tags in {repository}: {branch}.',
  push_force: 'It overwrites the branch {branch} in {repository}.',
  push_unclear: 'It sends commits to a repository: {repository}.',
  reads_outside: 'It reads something outside of the folder: {path}.',
  rewrites_history: 'It rewrites or deletes history of git: {what}.',
  runs_download: 'It runs a program that it downloads, and nobody has read.',
  runs_inside: 'It runs another command that only shows when it runs.',
  runs_made_file: 'It runs a file that the same line makes: {path}.',
  runs_output: 'It runs what another program prints.',
  runs_outside: 'It runs a file outside of the folder: {path}.',
  runs_remote: 'It runs a command on another computer: {host}.',
  runs_task: 'It runs a task that does more than build and test: {task}.',
  secret_file: 'It reads or changes secrets: {path}.',
  secret_variable: 'It shows secrets: {name}.',
  sends: 'It sends data to {host}.',
  service_tool: 'It uses {tool} of {server}, which may change something there.',
  skips_check: 'It skips a check: {what}.',
  starts_agent: 'It starts another coding agent.',
  strict: 'You want to be asked about everything but reading.',
  too_deep: 'The command has more parts than can be judged.',
  unknown_command: 'It runs a command that is not known as harmless: {command}.',
  unknown_path: 'Which file it changes is only known when it runs.',
  unknown_tool: 'It uses a tool that is not known as harmless: {tool}.',
  writes_secret: 'It writes a secret into a file that others may read: {path}.',
  uses_service: 'It changes something with {service}: {what}.',
  uses_socket: 'It talks to a program of this computer that can have more rights: {path}.',
}

/** Returns the sentence of a reason for people, in English. */
export function sentenceOf({ rule, values }: Reason): string {
  const sentence = Object.hasOwn(sentences, rule) ? sentences[rule] : undefined
  return (sentence ?? 'It may do harm.')
    .replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
    .trim()
}
