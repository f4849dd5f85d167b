import type { Facts, ThreadText } from '#shared/domain/assistant/answering/assistant.ts';
import { fold } from './words.ts';

/** What signatures tell: the lines below the writer's own name. Better nothing than a wrong line. */

type Message = ThreadText['messages'][number];

/** Lines of a signature, and characters of each. */
const LINES = 8;
const LENGTH = 120;

const PHONE =
  /^(?:(?:t|tel|telephone|phone|ph|m|mob|mobile|cell|direct|office)\b[.:\s]*)?(\+?\d[\d\s()./-]{6,24}\d)$/i;
const LINK =
  /^(?:(?:web|website|w|url|linkedin)\b[.:\s]+)?((?:https?:\/\/)?(?:[a-z0-9-]+\.)+[a-z]{2,}(?:\/[\w\-./%~]*)?)$/i;
/** A line of words: "Head of analysis", "Acme Ltd." */
const WORDS = /^\p{Lu}[\p{L}'’&.,()\s-]{2,79}$/u;
const EMPLOYER = /^(.{2,60}?)(?:,\s+|\s+[|–—-]\s+|\s+at\s+|\s+@\s+)(.{2,60})$/u;
/** What closes a letter, and what is no job. */
const CLOSING = /regards|wishes|sincerely|cheers|thanks|thank you|sent from|confidential|unsubscribe|yours/i;

/** Two words: more do not tell which of them is the family name. */
function namesOf(from: string): [string, string] | undefined {
  const words = from.trim().split(/\s+/);
  const [first, last, ...more] = words;
  const plain = words.every((word) => /^\p{Lu}[\p{L}'’-]+$/u.test(word));
  return first && last && more.length === 0 && plain ? [first, last] : undefined;
}

/** The lines after the last one that is the writer's name. */
function signatureOf({ from, text }: Message): string[] {
  const lines = text.split(/\r\n|[\r\n]/).map((line) => line.slice(0, LENGTH + 1).trim());
  const name = fold(from).trim();
  const at = lines.findLastIndex(
    (line) =>
      fold(line)
        .replace(/^[-–—~*\s]+/, '')
        .trim() === name,
  );
  return at < 0
    ? []
    : lines.slice(at + 1, at + 1 + LINES).filter((line) => line !== '' && line.length <= LENGTH);
}

function jobOf(lines: string[]): Pick<Facts, 'title' | 'organization'> {
  const said = lines.slice(0, 2).filter((line) => WORDS.test(line) && !CLOSING.test(line));
  const [first, second] = said;
  if (first === undefined || first !== lines[0]) return { title: null, organization: null };
  const [, title, organization] = EMPLOYER.exec(first) ?? [];
  if (title && organization) return { title, organization };
  // The employer's address may follow on its line.
  return { title: first, organization: second?.split(', ')[0] ?? null };
}

const matches = (lines: string[], form: RegExp) =>
  lines.flatMap((line) => form.exec(line)?.[1]?.trim() ?? []);

export function findFacts({ messages }: ThreadText): Facts {
  const newest = messages.toReversed();
  const names = newest.map(({ from }) => namesOf(from)).find((each) => each !== undefined);
  const signed = newest.map(signatureOf).find((lines) => lines.length > 0) ?? [];
  const parts = signed.flatMap((line) => line.split(/\s*[|•·]\s*/));
  return {
    first_name: names?.[0] ?? null,
    last_name: names?.[1] ?? null,
    ...jobOf(signed),
    phone_numbers: matches(parts, PHONE),
    links: matches(parts, LINK),
  };
}
