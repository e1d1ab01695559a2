import NextAuth from 'next-auth'
import { authOptions } from '@/lib/web/auth'

function handle(request: Request, context: { params: Promise<{ nextauth: string[] }> }): Promise<Response> {
  return NextAuth(authOptions())(request, context) as Promise<Response>
}

export { handle as GET, handle as POST }
