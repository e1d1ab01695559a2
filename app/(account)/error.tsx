'use client'

export { Trouble as default } from '@/components/trouble'
