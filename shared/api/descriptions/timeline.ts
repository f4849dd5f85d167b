import type { Descriptions } from './descriptions.ts';

/** Timelines (docs/specification/views.md). */
export const timeline: Descriptions = {
  Timeline: {
    is: 'A page of a timeline.',
    fields: {
      entries: 'The newest first.',
      oldest_timestamp: 'The `before` of the next page; null when there is nothing.',
      has_more: 'Whether there may be something before.',
    },
  },
  ExactTimestamp: { is: 'A moment in UTC with nanoseconds.' },
  TimelineEntry: {
    is: 'Something that happened.',
    fields: {
      id: 'The id of the entry: of a thread or an event, that of the record.',
      type: 'What happened.',
      occurred_at:
        'When it happened. No other entry of the timeline has the same moment: milliseconds are those of the clock, and further digits tell entries of one millisecond apart.',
      user_id: 'Who did it; null for an agent, the service, and mail.',
      agent: 'The slug of the agent that did it, `assistant` for the assistant; null for a user.',
      ref: 'What it happened to.',
      detail: 'More about it, by its type.',
      count: 'The messages of a thread, as the user sees it; 1 for all else.',
    },
  },
  TimelineResponse: { is: 'The body of a response.', fields: { timeline: 'A page of the timeline.' } },
};
