// The first that matches: later ones also occur within the texts of earlier ones.
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

/** Returns the browser and system of a User-Agent in words of ours, for instance "Chrome on Linux", or null for an unknown one. */
export function knownDevice(userAgent: string | null): string | null {
  const name = (list: [RegExp, string][]) => list.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  const browser = name(browsers)
  const system = name(systems)
  return browser && system ? `${browser} on ${system}` : (browser ?? system ?? null)
}

/** A User-Agent in a few words, for people to recognise their device by. It proves nothing. */
export function deviceWords(userAgent: string | null): string {
  return knownDevice(userAgent) ?? 'A program we do not know'
}

/** What a User-Agent most likely runs on, for the picture beside its words. */
export function deviceKind(userAgent: string | null): 'phone' | 'computer' | 'program' {
  if (/iPhone|iPad|Android/.test(userAgent ?? '')) return 'phone'
  return /Windows|Macintosh|Mac OS X|CrOS|Linux/.test(userAgent ?? '') ? 'computer' : 'program'
}
