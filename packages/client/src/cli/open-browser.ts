import { spawn } from 'node:child_process'

/** Programs that open a web address, by platform. They get the address as one argument, without a shell. */
const openers: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  linux: ['xdg-open'],
}

/**
 * Opens a web address in the browser of the user, if there is one. `BROWSER` names another program. Returns whether the program started.
 * Never opens anything but http and https, because the address comes from the service.
 */
export function openBrowser(url: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const [command, ...args] = env.BROWSER ? [env.BROWSER] : (openers[process.platform] ?? [])
  const hasScreen = process.platform !== 'linux' || Boolean(env.BROWSER || env.DISPLAY || env.WAYLAND_DISPLAY)
  if (command === undefined || !hasScreen || !/^https?:\/\//.test(url)) return Promise.resolve(false)
  return new Promise((resolve) => {
    const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
