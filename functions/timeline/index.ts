export * as showTimeline from './show-timeline.ts';
