/** The mark of the house: a duck in profile, in the colour of its text. */
export function Duck() {
  return (
    <svg className="duck" viewBox="0 0 64 64" role="img" aria-label="A duck">
      <path
        fill="currentColor"
        d="M40 8a12 12 0 0 0-12 12c0 4 2 7 2 11 0 3-3 4-7 3-6-2-11-5-16-4 0 14 10 25 26 25 13 0 22-8 22-19 0-6-4-9-4-14l8-2c2 0 3-2 1-3l-9-3C49 10 45 8 40 8Z"
      />
      <circle cx="42" cy="18" r="2.5" fill="var(--ground)" />
    </svg>
  )
}
