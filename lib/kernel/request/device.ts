import { m } from '@/lib/kernel/messages'

// The first match counts: a later name also occurs in the User-Agent of an earlier browser.
const browsers: [RegExp, string][] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/^curl\//, 'curl'],
]
const systems: [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/CrOS/, 'ChromeOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/Linux/, 'Linux'],
]

/** Returns the browser and system of a User-Agent as a fixed phrase, for instance "Chrome on Linux", or null for an unknown one. */
export function knownDevice(userAgent: string | null): string | null {
  const name = (list: [RegExp, string][]) => list.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  const browser = name(browsers)
  const system = name(systems)
  return browser && system ? m.common_browser_on_system({ browser, system }) : (browser ?? system ?? null)
}

/** Describes a User-Agent, so that people recognise their device. It proves nothing. */
export function deviceWords(userAgent: string | null): string {
  return knownDevice(userAgent) ?? m.common_unknown_device()
}

/** Returns what a User-Agent most likely runs on, to choose an icon. */
export function deviceKind(userAgent: string | null): 'phone' | 'computer' | 'program' {
  if (/iPhone|iPad|Android/.test(userAgent ?? '')) return 'phone'
  return /Windows|Macintosh|Mac OS X|CrOS|Linux/.test(userAgent ?? '') ? 'computer' : 'program'
}
