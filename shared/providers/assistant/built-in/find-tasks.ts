import { clockIn } from '#shared/days.ts';
import type { FoundTask, NewMessage } from '#shared/domain/assistant/answering/assistant.ts';
import { dueIn } from './due.ts';
import { newSentences } from './new-sentences.ts';
import { knownZone } from './times.ts';
import { cut } from './words.ts';

/**
 * Requests in plain words: "please send ...", "could you send ...". Better none than a wrong one: what is asked in other
 * words is left to language models.
 */

const MOST = 3;
const NAME = 200;

/** What follows is the request, with its verb first. */
const REQUEST =
  /(?:^|[,;:–—]\s|\b(?:and|so|but|then)\s)(?:(?:could|can|would|will) you (?:please |kindly |possibly |also )*|(?:i|we) (?:need|want|would like|ask) you to (?:please )?|(?:also |then )?(?:please|kindly) (?:also |do )?)(?=\p{Ll})(.{4,})$/iu;

/** Nothing to do but to answer, to look or to be patient, and what is no request. */
const IDLE =
  /^(?:let (?:me|us)|tell|say|advise|confirm|answer|reply|respond|write|note|find|see|excuse|forgive|accept (?:my|our)|feel|be |don'?t|do not|not |never|keep|bear|remember|think|imagine|believe|hear|see|want|like|mind|explain|describe|give (?:me|us) your (?:opinion|view)|contact (?:me|us)|get in touch|click|visit|subscribe|join|follow|check out|help (?:me|us) understand)\b/i;
/** Answered in the same breath. */
const QUESTION = /^(?:\p{Ll}+ )?(?:me|us) (?:if|whether|what|when|where|who|why|how|which)\b/iu;

/** Said beside the request. */
const ASIDE =
  /\s[–—]\s.*$|, (?:which|who|whose|and (?:please|thank)) .*$|\s\([^)]*\)|[;:]\s.*$|,? (?:please|thanks|thank you)[.!]?$/iu;

const bare = (request: string) =>
  request
    .replace(/[.!?…"'”’)\s]+$/u, '')
    .replace(ASIDE, '')
    .trim();

/** What is said after it, in a clause of its own, is not part of the task: "by Friday, so that we can print". */
function dueBefore(asked: string, now: Date, zone: string) {
  const whole = dueIn(asked, now, zone);
  const [clause = ''] = asked.split(/, | (?:so that|because|since|when|if) /, 1);
  if (whole.due !== null || clause === asked) return whole;
  const first = dueIn(clause, now, zone);
  return first.due === null ? whole : first;
}

function taskIn(sentence: string, now: Date, zone: string): FoundTask[] {
  const plain = sentence.replaceAll('’', "'").replaceAll(/\s+/gu, ' ');
  const asked = bare(REQUEST.exec(plain)?.[1] ?? '');
  if (asked === '' || IDLE.test(asked) || QUESTION.test(asked) || !asked.includes(' ')) return [];
  const { what, due } = dueBefore(asked, now, zone);
  const words = what.replace(/[,;\s]+$/u, '').replace(/^(?:also|then|just|please|kindly) /i, '');
  const name = cut(`${words[0]?.toUpperCase()}${words.slice(1)}`, NAME);
  if (due === null) return [{ name, due: null }];
  const moment = due.all_day ? due.due_at : clockIn(zone, new Date(due.due_at)).toPlainDateTime().toString();
  return [{ name, due: moment.slice(0, 16) }];
}

export function findTasks(mail: NewMessage): FoundTask[] {
  const { arrived_at, reader } = mail;
  const zone = knownZone(reader.time_zone);
  const found = newSentences(mail).flatMap((sentence) => taskIn(sentence, new Date(arrived_at), zone));
  return found.filter(({ name }, i) => found.findIndex((each) => each.name === name) === i).slice(0, MOST);
}
