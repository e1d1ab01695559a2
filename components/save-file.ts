'use client'

/** Saves a file from the page, as a download of the browser. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Not at once: some browsers read the file only after the click.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
