import type { Kind } from '../kind.ts';

/** Patterns of questions. Groups are named as the fields of a question. */

export interface Rule {
  kind: Kind;
  pattern: RegExp;
  field?: string;
}

export const PERSON = '(?<person>[^?!;:]{1,80}?)';
export const TOPIC = '(?<topic>.{1,200})';
export const TARGET = '(?<topic>.{1,100}?)';
export const VALUE = '(?<value>.{1,500}?)';
export const OF_US = '(?:we|i|anyone|anybody|somebody|someone|our side)';
export const THREADS = '(?:threads?|e-?mails?|mails?|messages?|conversations?|correspondence)';
export const FIELD =
  '(?<field>headline|job title|title|nick ?name|time ?zone|birthday|date of birth|name|description|note)';
export const WROTE =
  '(?:e-?mailed|mailed|written(?: to)?|contacted|answered|replied(?: to)?|spoken to|talked to)';
export const WRITE =
  '(?:e-?mail|mail|write(?: to)?|contact|answer|reply(?: to)?|respond(?: to)?|speak (?:to|with)|talk (?:to|with)|get in touch with)';
export const SAY =
  '(?:say|said|write|written|wrote|think|thought|tell (?:us|me)|told (?:us|me)|mention|mentioned|answer|answered|reply|replied|offer|offered|promise|promised|suggest|suggested|decide|decided)';

/** A stretch of time that reaches until now, as `since` reads it. */
export const STRETCH =
  '(?:since )?(?:today|yesterday|this (?:morning|afternoon|evening|week|month)|(?:in |over |during )?(?:the )?(?:last|past) (?:week|month|\\d{1,3} days))';

export const rule = (kind: Kind, pattern: string, field?: string): Rule => ({
  kind,
  pattern: new RegExp(pattern, 'iu'),
  ...(field ? { field } : {}),
});
