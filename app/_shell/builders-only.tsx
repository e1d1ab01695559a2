import type { ReactNode } from 'react'
import { isBuilder } from '@/app/_web/viewer'

/** Shows its children to people who build or host, and `otherwise` to everybody else. */
export async function BuildersOnly({
  children,
  otherwise = null,
}: {
  children: ReactNode
  otherwise?: ReactNode
}) {
  return (await isBuilder()) ? children : otherwise
}
