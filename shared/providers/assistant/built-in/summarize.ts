import type { ThreadText } from '#shared/domain/assistant/answering/assistant.ts';
import { datesIn } from './dates.ts';
import { quote } from './say.ts';
import { gist, isPromise, isRequest, sentencesOf } from './sentences.ts';
import { dayIn } from './times.ts';
import { cut } from './words.ts';

/** A thread in sentences of its own. Days are in UTC. */

const MAX_HEADLINE = 140;
const MAX_SUMMARY = 1000;

type Message = ThreadText['messages'][number];

/** "Ada Lovelace <ada@acme.example>" is said as the name. */
function nameOf({ from }: Message): string {
  const start = from.slice(0, 400).trim();
  return cut(start.replace(/<[^<>]{0,320}>$/, '').trim() || start, 60) || 'Somebody';
}

function sentences(message: Message): string[] {
  return sentencesOf(message.text, nameOf(message));
}

function newest(messages: readonly Message[], fits: (sentence: string) => boolean) {
  for (const message of messages.toReversed().slice(0, 30)) {
    const sentence = gist(sentences(message).filter(fits));
    if (sentence) return { message, sentence };
  }
  return undefined;
}

function told(message: Message, verb: string, sentence: string | undefined): string {
  const said = sentence ? `: ${quote(sentence, 160)}` : ' without text';
  return `On ${dayIn('UTC', message.sent_at)} ${nameOf(message)} ${verb}${said}`;
}

/** Ends as a sentence does. */
function ended(text: string): string {
  return /[.!?…。！？؟]["”’)]*$/u.test(text) ? text : `${text}.`;
}

function headline(subject: string, last: Message): string {
  const named = cut(subject, 60);
  const said = gist(sentences(last));
  const about = `${nameOf(last)} on “${named}”`;
  if (!said) return ended(about);
  return ended(`${about}: ${quote(said, MAX_HEADLINE - about.length - 5)}`);
}

export function summarize({ subject, messages }: ThreadText): { headline: string; summary: string } {
  const named = subject?.trim() || '(no subject)';
  const first = messages[0];
  const last = messages.at(-1);
  if (!first || !last)
    return {
      headline: ended(`No messages on “${cut(named, 60)}”`),
      summary: 'There are no messages. There is nothing to summarize.',
    };
  const opening = sentences(first);
  const begun = told(first, 'wrote', gist(opening.filter(isRequest)) ?? gist(opening));
  const rest = messages.slice(1, -1);
  const asked = newest(rest, isRequest);
  const promised = newest(messages.slice(1), isPromise);
  const dated = newest(messages, (sentence) => datesIn(sentence, '').some(({ phrase }) => /\d/.test(phrase)));
  const more = [
    asked && told(asked.message, 'asked', asked.sentence),
    promised && told(promised.message, 'promised', promised.sentence),
    dated && told(dated.message, 'named a date', dated.sentence),
  ];
  const end = first === last ? 'It is the only message' : told(last, 'wrote last', gist(sentences(last)));
  const said = (text: string) => text.slice(text.indexOf('“'));
  const kept: string[] = [];
  for (const each of [begun, ...more, end])
    if (each && !kept.some((known) => known.includes('“') && said(known) === said(each)))
      kept.push(ended(each));
  if (kept.length < 2) kept.push(`The thread has ${messages.length} messages.`);
  return { headline: headline(named, last), summary: cut(kept.join(' '), MAX_SUMMARY) };
}
