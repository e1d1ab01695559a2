/** What an agent may do, one label for each capability. */
export function CapabilityList({ capabilities }: { capabilities: string[] }) {
  return (
    <ul aria-label="Capabilities" className="flex flex-wrap gap-1.5">
      {capabilities.map((capability) => (
        <li
          key={capability}
          className="rounded-control bg-sunken px-2 py-0.5 font-mono text-xs wrap-anywhere"
        >
          {capability}
        </li>
      ))}
    </ul>
  )
}
