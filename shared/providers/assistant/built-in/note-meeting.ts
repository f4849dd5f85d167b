import type { Meeting, MeetingNotes } from '#shared/domain/assistant/answering/assistant.ts';
import { quote } from './say.ts';
import { gist, isPromise, sentencesOf } from './sentences.ts';
import { cut } from './words.ts';

/** A meeting in its own words, and what was promised in it. */

const TASKS = 5;
const NAME = 200;
const QUOTE = 160;
/** What is looked at, evenly over the meeting. */
const SEGMENTS = 3_000;
/** Parts of the meeting of which each is quoted. */
const PARTS = 3;

type Said = Meeting['said'][number];

const promisesIn = ({ speaker, text }: Said) =>
  sentencesOf(text)
    .filter(isPromise)
    .map((sentence) => ({ name: cut(sentence, NAME), who: speaker, due_on: null }));

/** The most telling sentence. */
function told(said: Said[]): string[] {
  const all = said.flatMap(({ speaker, text }) =>
    sentencesOf(text).map((sentence) => ({ speaker, sentence })),
  );
  const best = gist(all.map(({ sentence }) => sentence));
  const found = all.find(({ sentence }) => sentence === best);
  return found ? [`${cut(found.speaker, 60)} said: ${quote(found.sentence, QUOTE)}.`] : [];
}

export function noteMeeting({ said }: Meeting): MeetingNotes {
  const step = Math.ceil(said.length / SEGMENTS);
  const read = said.filter((_, i) => i % step === 0);
  const size = Math.ceil(read.length / PARTS);
  const quotes = Array.from({ length: PARTS }, (_, i) => told(read.slice(i * size, (i + 1) * size))).flat();
  const speakers = new Set(said.map(({ speaker }) => speaker)).size;
  const people = speakers === 1 ? 'One person' : `${speakers} people`;
  return {
    text: [`${people} spoke.`, ...quotes].join(' '),
    tasks: read.flatMap(promisesIn).slice(0, TASKS),
  };
}
