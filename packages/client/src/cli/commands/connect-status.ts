import { removeConnection, removePrograms, type UndoneFile } from '../../connect/connect'
import { sendHeartbeat } from '../../connect/heartbeat'
import { configFolder, layoutIn, type ToolName, toolNames, toolTitles } from '../../connect/layout'
import { readEntries } from '../../connect/log'
import { summaryOf } from '../../connect/report'
import { endConnection } from '../../connect/sign-in'
import { readState } from '../../connect/state'
import { isHeld, readStatus, type ToolStatus } from '../../connect/status'
import { command } from '../command'
import { timeText } from '../duration'
import { Exit, exitCodes } from '../exit'

export const connectStatus = command({
  name: 'connect status',
  summary: 'Show whether Claude Code and Codex ask you, and prove it with a test call.',
  details:
    'Reads the settings, also those of the project in this folder. Asks the service whether the connection is valid, and Codex whether it trusts the hooks. Runs the real program once with a model on this computer. No person is asked, and no model of the maker is used.',
  async run({ session: { output, env } }) {
    const layout = layoutIn(configFolder(env))
    const { tools } = await readState(layout)
    const statuses: (ToolStatus & { url: string })[] = []
    for (const tool of toolNames) {
      const connected = tools[tool]
      if (connected === undefined) continue
      output.note(`Testing ${toolTitles[tool]} …`)
      statuses.push({ url: connected.url, ...(await readStatus(layout, tool, connected, env)) })
    }
    if (statuses.length === 0)
      throw new Exit(
        exitCodes.notValid,
        'Nothing is connected on this computer.',
        'Connect with: beak connect',
      )
    output.result({ tools: statuses }, () =>
      statuses
        .map((status) => {
          const { tool, version, agent_name, mode, connection, heartbeat, open, trial, url, cannot_hold } =
            status
          return [
            output.paint('bold', `${toolTitles[tool]} ${version}: ${verdictOf(status)}`),
            `  agent       ${agent_name}, at ${url}`,
            `  mode        ${mode}`,
            `  connection  ${connection}`,
            `  last start  ${heartbeat === null ? 'not reported yet' : timeText(heartbeat)}`,
            `  test call   ${trial.text}`,
            ...open.map((text) => `  problem     ${text}`),
            `  not covered (tried with ${cannot_hold.version} on ${cannot_hold.date}): ${cannot_hold.cases.join('; ')}`,
          ].join('\n')
        })
        .join('\n'),
    )
    if (!statuses.every(isHeld))
      throw new Exit(
        exitCodes.notValid,
        'Not every coding agent asks.',
        'Fix each problem above, then run: beak connect',
      )
  },
})

/** Says in a word whether a coding agent asks. The mode `watch` asks nothing, and that was wanted. */
const verdictOf = (status: ToolStatus): string => {
  if (!isHeld(status)) return 'does NOT ask'
  return status.mode === 'watch'
    ? 'asks nothing, and notes what it would ask (mode watch)'
    : 'asks before it acts'
}

export const connectReport = command({
  name: 'connect report',
  summary:
    'Show what the mode "watch" would have asked you, and what the terminal was asked while the service was away.',
  async run({ session: { output, env } }) {
    const layout = layoutIn(configFolder(env))
    const entries = await readEntries(layout)
    const { tools } = await readState(layout)
    const url = Object.values(tools)[0]?.url
    const summary = summaryOf(entries)
    output.result({ since: entries[0]?.at ?? null, ...summary }, () => {
      if (entries.length === 0) return 'Nothing was noted yet. The mode "watch" notes what it would ask.'
      const rows = summary.groups.map(
        ({ count, action, reason, examples }) =>
          `  ${String(count).padStart(5)} × ${action}: ${reason}\n          ${examples.join('\n          ')}`,
      )
      return [
        `Since ${timeText(entries[0]?.at ?? '')}: ${summary.watched} calls would have been asked.`,
        ...rows,
        ...(summary.outages.length === 0
          ? []
          : [
              'Asked in the terminal while the service was away:',
              ...summary.outages.map((text) => `  ${text}`),
            ]),
        ...(summary.proposals.length === 0
          ? []
          : [
              'Frequent calls that a rule could answer:',
              ...summary.proposals.map((text) => `  ${text}`),
              `Make them at ${url ?? '<address>'}/rules/new`,
            ]),
      ].join('\n')
    })
  },
})

export const disconnect = command({
  name: 'disconnect',
  summary: 'Take back what "beak connect" changed.',
  details:
    'Each settings file becomes what it was, byte for byte. From one that has changed since, only the own lines go. The connection at the service ends, and you get one alarm, because the service cannot know who did it.',
  args: [{ name: 'tool', summary: 'What to disconnect. Default: all.', optional: true, choices: toolNames }],
  suggest: () => [...toolNames],
  async run({ args: [named], session: { output, env } }) {
    const layout = layoutIn(configFolder(env))
    const { tools } = await readState(layout)
    const chosen = toolNames.filter(
      (tool) => tools[tool] !== undefined && (named === undefined || named === tool),
    )
    const results: { tool: ToolName; files: UndoneFile[] }[] = []
    for (const tool of chosen) {
      await sendHeartbeat(layout, tool, { event: 'disconnected' }).catch(() => undefined)
      await endConnection(layout, tool)
      results.push({ tool, files: await removeConnection(layout, tool) })
    }
    await removePrograms(layout)
    output.result({ tools: results }, () =>
      results.length === 0
        ? 'Nothing was connected.'
        : results
            .flatMap(({ tool, files }) => [
              output.paint('bold', `${toolTitles[tool]} is disconnected`),
              ...files.map(({ path, result, why }) => `  ${path}: ${why ?? result}`),
            ])
            .join('\n'),
    )
    if (results.some(({ files }) => files.some(({ result }) => result === 'left alone')))
      throw new Exit(exitCodes.refused, 'Some files were left alone.', 'Mend them and repeat the command.')
  },
})
