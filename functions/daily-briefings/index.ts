export * as createDailyBriefing from './create-daily-briefing.ts';
export * as listDailyBriefings from './list-daily-briefings.ts';
export * as retrieveDailyBriefing from './retrieve-daily-briefing.ts';
