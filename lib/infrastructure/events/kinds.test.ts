import { describe, expect, it } from 'vitest'
import { eventGroups, eventKinds, eventTopics, kindsOfTopic, webhookKinds, webhookMessages } from './kinds'

describe('the groups of kinds', () => {
  it('contain every kind once, each with its own label', () => {
    const kinds = eventGroups.flatMap((group) => group.kinds)
    expect(kinds.toSorted()).toEqual(Object.keys(eventKinds).toSorted())
    const labels = Object.values(eventKinds).map(({ label }) => label())
    expect(new Set(labels).size).toBe(labels.length)
  })

  it('do not share a first word', () => {
    const words = eventGroups.flatMap(({ kinds }) => [...new Set(kinds.map((kind) => kind.split('.')[0]))])
    expect(new Set(words).size).toBe(words.length)
  })
})

describe('the topics', () => {
  it('have every kind once', () => {
    expect(eventTopics.flatMap(kindsOfTopic).toSorted()).toEqual(Object.keys(eventKinds).toSorted())
  })
})

describe('the messages of webhooks', () => {
  it.each(webhookKinds)(
    '%s has words for its owner and an example that has every required member',
    (kind) => {
      const { when, data, example } = webhookMessages[kind]
      expect(when()).not.toBe('')
      expect(data.parse(example)).toEqual(JSON.parse(JSON.stringify(example)))
      expect(data.meta()?.id).toMatch(/^[A-Z]\w+Data$/)
    },
  )
})
