import { Temporal } from 'temporal-polyfill';
import { clockIn } from '#shared/days.ts';
import { datesIn } from './dates.ts';

/** When a task is due, at the end of a request: "on Friday", "tomorrow at 10:00", "in two weeks", "by 3 December". */

export interface Due {
  /** A moment, or a day for the whole day. */
  due_at: string;
  all_day: boolean;
}

const NUMBERS = ['a', 'two', 'three', 'four', 'five', 'six'];
const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

const TIME = "(?:at |@ ?)(?<hour>\\d{1,2})(?:[:.](?<minute>\\d{2}))? ?(?<half>am|pm|o'clock)?";
const DAY = `(?<day>today|tomorrow|(?:on )?(?:next |this )?(?:${DAYS.join('|')})|next week|next month|in (?:${NUMBERS.join('|')}|\\d{1,2}) (?:days?|weeks?|months?)|(?:on )?(?:the )?(?:(?:${DAYS.join('|')}),? )?(?:\\d{4}-\\d{2}-\\d{2}|\\d{1,2}(?:st|nd|rd|th)?\\.? (?:of )?\\p{L}{3,9}\\.?(?:,? \\d{4})?|\\p{L}{3,9}\\.? \\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?))`;
const LIMIT = '(?:,? ?\\b(?:by|before|until|due(?: on)?))?';
const ENDINGS = [`${LIMIT} ${TIME},? ${DAY}$`, `${LIMIT} ${DAY}(?:,? ${TIME})?$`, `${LIMIT} ${TIME}$`].map(
  (ending) => new RegExp(ending, 'iu'),
);

/** The next such weekday after today; "next Friday" is in the next week. */
function weekdayNamed(phrase: string, today: Temporal.PlainDate): Temporal.PlainDate | null {
  const wanted = DAYS.findIndex((day) => phrase.endsWith(day)) + 1;
  if (wanted === 0) return null;
  if (/\bnext /.test(phrase)) return today.add({ days: 8 - today.dayOfWeek + wanted - 1 });
  return today.add({ days: ((wanted - today.dayOfWeek + 6) % 7) + 1 });
}

function afterSome(phrase: string, today: Temporal.PlainDate): Temporal.PlainDate | null {
  const [, many = '', unit] = /^in (\S+) (day|week|month)s?$/.exec(phrase) ?? [];
  if (!unit) return null;
  const count = NUMBERS.includes(many) ? NUMBERS.indexOf(many) + 1 : Number(many);
  return today.add({ [`${unit}s`]: count });
}

/** A day without a year is in the future. */
function calendarDay(phrase: string, today: Temporal.PlainDate): Temporal.PlainDate | null {
  const [mention] = datesIn(phrase, today.toString());
  if (!mention?.day) return null;
  const day = Temporal.PlainDate.from(mention.day);
  const past = Temporal.PlainDate.compare(day, today) < 0;
  return past && !/\d{4}/.test(phrase) ? day.add({ years: 1 }) : day;
}

function dayNamed(said: string, today: Temporal.PlainDate): Temporal.PlainDate | null {
  const phrase = said.toLowerCase();
  if (phrase === 'today') return today;
  if (phrase === 'tomorrow') return today.add({ days: 1 });
  if (phrase === 'next week') return today.add({ days: 8 - today.dayOfWeek });
  if (phrase === 'next month') return today.add({ months: 1 }).with({ day: 1 });
  return weekdayNamed(phrase, today) ?? afterSome(phrase, today) ?? calendarDay(phrase, today);
}

function timeOf({ hour, minute = '0', half }: Record<string, string | undefined>): Temporal.PlainTime | null {
  const said = Number(hour);
  const hours = half?.toLowerCase() === 'pm' && said < 12 ? said + 12 : said % (half === 'am' ? 12 : 24);
  if (said > 23 || Number(minute) > 59) return null;
  return new Temporal.PlainTime(hours, Number(minute));
}

/** The request without its ending that says when; null for an ending that says nothing. */
export function dueIn(text: string, now: Date, zone: string): { what: string; due: Due | null } {
  const today = clockIn(zone, now).toPlainDate();
  for (const ending of ENDINGS) {
    const match = ending.exec(text);
    if (!match) continue;
    const { day: said, ...clock } = match.groups ?? {};
    const day = said === undefined ? today : dayNamed(said, today);
    const time = clock.hour === undefined ? undefined : timeOf(clock);
    if (day === null || time === null) continue;
    const what = text.slice(0, match.index).trim();
    if (what === '') continue;
    if (!time) return { what, due: { due_at: day.toString(), all_day: true } };
    const moment = day.toZonedDateTime({ timeZone: zone, plainTime: time });
    return { what, due: { due_at: new Date(moment.epochMilliseconds).toISOString(), all_day: false } };
  }
  return { what: text, due: null };
}
